/** The typed tree of kernel text: what each expression is, what is converted, what is refused; and rows, which it expands. */
import { describe, expect, test } from "vitest";
import { generate } from "../../../tools/codegen/dest/kernels.ts";
import type { Bindings } from "../../../tools/codegen/kernels/annotations.ts";
import { type ElementType, elementType } from "../../../tools/codegen/kernels/element_types.ts";
import { readKernelFile } from "../../../tools/codegen/kernels/source.ts";
import { type Expression, eachExpression, type TypedFunction } from "../../../tools/codegen/kernels/tree.ts";
import type { Surroundings } from "../../../tools/codegen/kernels/typing.ts";
import { typeScalarFunction, typeTemplate } from "../../../tools/codegen/kernels/typing_statements.ts";

const PATH = "src/aten/native/cpu/XKernel.ts";

function typed(kind: "loop" | "template", dtype: string, signature: string, body: string): TypedFunction {
  const text = `/** @${kind} f_cpu: Bool, all types and halves */\nexport function f${signature} {\n${body}\n}`;
  const file = readKernelFile(PATH, text);
  const bindings: Bindings = new Map([["scalar_t", elementType(dtype) as ElementType]]);
  const surroundings: Surroundings = { file, bindings, helpers: new Map(), instanceOf: () => null };
  const fn = file.kernels[0].body;
  return kind === "loop" ? typeScalarFunction(fn, "f", surroundings) : typeTemplate(fn, "f", surroundings);
}

function scalar(dtype: string, expression: string): Expression {
  const fn = typed("loop", dtype, "(a: scalar_t, b: scalar_t): scalar_t", `return ${expression};`);
  const [s] = fn.body;
  if (s?.node !== "return") throw new Error("no return");
  return s.values[0];
}

/** `binary int64` for a node and its type. */
function describeNode(e: Expression): string {
  return `${e.node} ${e.type.k === "element" ? e.type.t.name : e.type.k}`;
}

function nodes(e: Expression): string[] {
  const out: string[] = [];
  eachExpression([{ node: "expression", line: 0, value: e }], (x) => out.push(describeNode(x)));
  return out;
}

describe("types", () => {
  test("a literal is converted to the element it meets; every dtype has the same tree", () => {
    for (const dtype of ["int64", "float32", "float16", "int8"])
      expect(nodes(scalar(dtype, "a * 2 - b"))).toEqual([
        `binary ${dtype}`,
        `binary ${dtype}`,
        `name ${dtype}`,
        `convert ${dtype}`,
        "literal literal",
        `name ${dtype}`,
      ]);
  });

  test("a comparison is a truth value, and becomes an element where one is wanted", () => {
    expect(nodes(scalar("float32", "a < b"))).toEqual([
      "convert float32",
      "binary truth",
      "name float32",
      "name float32",
    ]);
  });

  test("an element as a condition is asked whether it is other than 0", () => {
    expect(nodes(scalar("bool", "a ? b : a"))).toEqual([
      "conditional bool",
      "nonzero truth",
      "name bool",
      "name bool",
      "name bool",
    ]);
  });

  test("a cast says what it makes, whatever it makes it of", () => {
    expect(nodes(scalar("float16", "cast<scalar_t>(cast<opmath_t>(a) + 1)"))).toEqual([
      "cast float16",
      "binary float32",
      "cast float32",
      "name float16",
      "convert float32",
      "literal literal",
    ]);
  });

  test("a branch the dtype rules out is not typed, so it may be invalid for it", () => {
    const text = "is_floating<scalar_t>() ? a * 0.5 : a";
    expect(nodes(scalar("int64", text))).toEqual(["name int64"]);
    expect(nodes(scalar("float64", text))[0]).toBe("binary float64");
    expect(() => scalar("int64", "a * 0.5")).toThrow("the literal 0.5 has no int64 value");
  });

  test("statements, names and lines are the author's; nothing follows a return", () => {
    const fn = typed(
      "template",
      "int32",
      "(x: data<scalar_t>, n: number): scalar_t",
      "  let sum: acc_t = 0;\n  for (let i = 0; i < n; i++) sum += cast<acc_t>(load(x, i));\n  if (is_integral<scalar_t>()) return cast<scalar_t>(sum);\n  return 0;",
    );
    expect(fn.body.map((s) => [s.node, s.line])).toEqual([
      ["declare", 3],
      ["for", 4],
      ["return", 5],
    ]);
    const [first] = fn.body;
    expect(first?.node === "declare" && first.declarations[0]?.name).toBe("sum");
    expect(first?.node === "declare" && first.declarations[0]?.type).toMatchObject({
      k: "element",
      t: { name: "int64" },
    });
  });

  test.each([
    ["int64", "a + cast<float64>(b)", "int64 meets float64", "write cast<...>(...) around one of them"],
    ["float32", "cast<int64>(a)", "a value of int64 where float32 is required", "write cast<...>(...) around it"],
    ["int64", "cast<number>(a) * 2", "a number where int64 is required", "write cast<...>(...) around it"],
    ["int64", "Math.abs(a)", "Math.abs of an int64", "write a `$int64` body"],
    ["float32", "cast<thing>(a)", '"thing" is not an element type', "use scalar_t"],
  ])("%s: %s is refused", (dtype, expression, message, wayOut) => {
    expect(() => scalar(dtype, expression)).toThrow(`${PATH}:3: kernel text: ${message}`);
    expect(() => scalar(dtype, expression)).toThrow(wayOut);
  });
});

function generated(text: string): string {
  return generate(new Map([[PATH, text]])).get("src/aten/native/cpu/generated/XKernel.ts") as string;
}

/** The instance's own text, on one line. */
function instance(text: string, name: string): string {
  const begin = text.indexOf(`function ${name}(`);
  return text.slice(begin, text.indexOf("\n}\n", begin) + 2).replace(/\s+/g, " ");
}

describe("rows", () => {
  test("a row is three parameters, a row of rows four", () => {
    const text = generated(`/** @template f_cpu: Float */
export function f(out: row<scalar_t>, x: row<row<scalar_t>>, n: number): void {
  for (let i = 0; i < n; i++) store(out, i, load(row_at(x, i), 0));
}`);
    expect(instance(text, "f_float32")).toBe(
      "function f_float32(out: Float32Array, out_offset: number, out_stride: number, x: Float32Array, x_offset: number, x_stride: number, x_inner_stride: number, n: number): void { " +
        "for (let i = 0; i < n; i++) { out[out_offset + i * out_stride] = x[x_offset + i * x_stride]; } }",
    );
    expect(text).toContain("new Instantiations<typeof f>");
  });

  test("a variable for what must be computed, no object, no variable for what stays", () => {
    const text = generated(`/** @template f_cpu: Half */
export function f(x: row<row<scalar_t>>, j: number, n: number): void {
  const from = row_at(x, j);
  const rest = row_from(from, 2);
  for (let i = 0; i < n; i++) store(rest, i, load(from, 2 * i + 1));
}`);
    const body = instance(text, "f_float16");
    expect(body).toContain(
      "const from_offset = x_offset + j * x_stride; const rest_offset = from_offset + 2 * x_inner_stride;",
    );
    expect(body).toContain(
      "x[rest_offset + i * x_inner_stride] = fp16_ieee_from_fp32_value(half_to_float_table[x[from_offset + (2 * i + 1) * x_inner_stride]]);",
    );
    expect(body).not.toContain("{ view");
  });

  test("a pointer is a row without a stride: two parameters, and nothing to multiply", () => {
    const text = generated(`/** @template f_cpu: Float */
export function f(out: pointer<scalar_t>, x: row<pointer<scalar_t>>, j: number, n: number): void {
  const from = row_from(out, j);
  for (let i = 0; i < n; i++) store(from, i, load(row_at(x, j), i) + load(out, i));
}`);
    expect(instance(text, "f_float32")).toBe(
      "function f_float32(out: Float32Array, out_offset: number, x: Float32Array, x_offset: number, x_stride: number, j: number, n: number): void { " +
        "const from_offset = out_offset + j; " +
        "for (let i = 0; i < n; i++) { out[from_offset + i] = x[x_offset + j * x_stride + i] + out[out_offset + i]; } }",
    );
  });

  test("a pointer serves as a row, a row with an unknown stride not as a pointer", () => {
    const of = (call: string): string => `/** @template g_cpu: Float */
export function g(x: pointer<scalar_t>): void { store(x, 0, 0); }
/** @template h_cpu: Float */
export function h(x: row<scalar_t>): void { store(x, 0, 0); }
/** @template f_cpu: Float */
export function f(p: pointer<scalar_t>, x: row<scalar_t>, m: row<pointer<scalar_t>>): void { ${call}; }`;
    const body = (call: string): string | undefined =>
      /\{ (.*) \}/.exec(instance(generated(of(call)), "f_float32"))?.[1];
    expect(body("g(p)")).toBe("g_float32(p, p_offset);");
    expect(body("h(p)")).toBe("h_float32(p, p_offset, 1);");
    expect(body("g(row_at(m, 2))")).toBe("g_float32(m, m_offset + 2 * m_stride);");
    expect(() => generated(of("g(x)"))).toThrow("a row<float32> where another row is required");
    expect(() => generated(of("g(x)"))).toThrow("pass a pointer<float32>");
  });

  test("rows are passed on in parts, and made of parts", () => {
    const text = generated(`/** @template g_cpu: Float */
export function g(x: row<row<scalar_t>>, n: number): void { store(row_at(x, n), 1, 0); }
/** @template f_cpu: Float */
export function f(x: row<row<scalar_t>>, y: data<scalar_t>, k: number, n: number): void {
  g(x, n);
  g({ view: y, offset: k, stride: n, inner: row_at(x, 0) }, 2);
}`);
    expect(instance(text, "f_float32")).toContain(
      "{ g_float32(x, x_offset, x_stride, x_inner_stride, n); g_float32(y, k, n, x_inner_stride, 2); }",
    );
  });

  test("a row that begins at a variable keeps its first value", () => {
    const text = generated(`/** @template f_cpu: Float */
export function f(y: data<scalar_t>, n: number): void {
  let k = 0;
  const from: row<scalar_t> = { view: y, offset: k, stride: 1 };
  k = n;
  store(from, k, 0);
}`);
    expect(instance(text, "f_float32")).toContain("let k = 0; const from_offset = k; k = n; y[from_offset + k] = 0;");
  });

  test("an int64 in a row is read as two int32 like any other", () => {
    const text = generated(`/** @template f_cpu: Float */
export function f(out: row<scalar_t>, x: row<int64>): void { store(out, 0, cast<scalar_t>(load(x, 1))); }`);
    expect(instance(text, "f_float32")).toContain(
      "const x_pairs = int32_pairs(x); out[out_offset] = load_int64(x_pairs, x_offset + x_stride);",
    );
  });

  const signature = "(x: row<scalar_t>, m: row<row<scalar_t>>, y: data<scalar_t>, k: row<int64>): void";
  test.each([
    ["load(m, 0);", "load of a row of rows", "take one row first: row_at(x, i)"],
    ["store(x.offset, 0, 1);", "store to something that is neither row<T> nor data<T>", "declare it row<T>"],
    ["const z = x + 1;", "the row x as a value", "use load and store to read and write it"],
    ["const x_stride = 1;", 'the name "x_stride" is used by a part of a row', "give it another name"],
    ["let z = row_at(m, 0);", "a row that is assigned to", "use const"],
    ["const z = row_at(x, 0);", "a row inside a row of elements", "use load(x, i)"],
    ["const z = row_at(y, 0);", "no row", "pass a row<T>"],
    ["const z = x.strides;", "a row has no strides", "it has view, offset and stride"],
    ["const z: row<scalar_t> = { view: y, offset: 0 };", "a row without stride", "write { view, offset, stride }"],
    [
      "const z: row<scalar_t> = { view: 1, offset: 0, stride: 1 };",
      "the view of a row is not data<T>",
      "of another row",
    ],
    ["g(m);", "a row<row<float32>> where another row is required", "pass a row<float32>"],
    ["g(k);", "a row<int64> where another row is required", "pass a row<float32>"],
    ["g(y);", "no row", "pass a row<T>"],
  ])("%s is refused with file, line and the way out", (statement, message, wayOut) => {
    const text = `/** @template g_cpu: Float */\nexport function g(x: row<scalar_t>): void { store(x, 0, 0); }
/** @template f_cpu: Float */\nexport function f${signature} {\n  ${statement}\n}`;
    expect(() => generated(text)).toThrow(`${PATH}:5: kernel text: ${message}`);
    expect(() => generated(text)).toThrow(wayOut);
  });

  test("an element of a @loop is no row", () => {
    const text = "/** @loop f_cpu: Float */\nexport function f(a: row<scalar_t>): scalar_t { return load(a, 0); }";
    expect(() => generated(text)).toThrow(`${PATH}:2: kernel text: "row<scalar_t>" is not an element type`);
  });
});

describe("JavaScript", () => {
  test("parentheses stand where the tree needs them, not only where the author wrote them", () => {
    const text = generated(`/** @template f_cpu: Float */
export function f(x: row<scalar_t>, a: scalar_t): void {
  store(x, 0, cast<opmath_t>(a + 1) * 2);
  store(x, 1, a - cast<scalar_t>(a - 1));
}`);
    const body = instance(text, "f_float32");
    expect(body).toContain("x[x_offset] = (a + 1) * 2;");
    expect(body).toContain("= a - (a - 1);");
  });

  test("a check builds its message only when it fails", () => {
    const text = generated(`/** @template f_cpu: Float */
export function f(x: row<scalar_t>, n: number): void {
  TORCH_CHECK_INDEX(n >= 0 && n < 4, "index ", n);
}`);
    expect(instance(text, "f_float32")).toContain('if (!(n >= 0 && n < 4)) TORCH_CHECK_INDEX(false, "index ", n);');
    expect(text).toContain("import { TORCH_CHECK_INDEX } from");
  });

  test("the size of an element is a constant of the instance", () => {
    const text = generated(`/** @template f_cpu: Half, Double */
export function f(): number { return 32 / sizeof<scalar_t>() + 32 / sizeof<opmath_t>(); }`);
    expect(instance(text, "f_float16")).toContain("return 32 / 2 + 32 / 4;");
    expect(instance(text, "f_float64")).toContain("return 32 / 8 + 32 / 8;");
  });

  test("a template with one dtype of its own serves all instances", () => {
    const text = generated(`/** @template g index_t: Long */
export function g(x: row<index_t>, n: number): number { return cast<number>(load(x, n)); }
/** @template f_cpu: Float, Half */
export function f(x: row<int64>): number { return g(x, 1); }`);
    expect(text.match(/function g_/g)).toHaveLength(1);
    expect(instance(text, "f_float16")).toContain("return g_int64(x, x_offset, x_stride, 1);");
  });
});
