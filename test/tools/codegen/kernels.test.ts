/** Kernel text and what it becomes per dtype; what lies outside the subset, and how the error says so. */
import { expect, test } from "vitest";
import { generate } from "../../../tools/codegen/dest/kernels.ts";
import { parseTypeList } from "../../../tools/codegen/kernels/type_lists.ts";

const PATH = "src/aten/native/cpu/XKernel.ts";
const MATH = `export function abs(x: number): number { return Math.abs(x); }
export function abs$int64(x: bigint): bigint { return x < 0n ? -x : x; }
export function floor(x: number): number { return Math.floor(x); }`;

function generated(text: string): string {
  const files = new Map([
    ["src/c10/util/math.ts", MATH],
    [PATH, text],
  ]);
  return generate(files).get("src/aten/native/cpu/generated/XKernel.ts") as string;
}

/** The statements of an instance's contiguous loop, after the loads. */
function stored(text: string, instance: string): string {
  const body = text.slice(text.indexOf(`function ${instance}(`));
  return (/x0\[(?:o0 \+ i|i0)\] = (.*?);/.exec(body) as RegExpExecArray)[1];
}

test("literals, products and stores follow the dtype", () => {
  const text = generated(`/** @loop f_cpu: Bool, Int, Long, Float, Half, BFloat16 */
export function f(a: scalar_t, b: scalar_t): scalar_t { return a * b + 2; }`);
  expect(stored(text, "f_float32")).toBe("a * b + 2");
  expect(stored(text, "f_int64")).toBe("a * b + 2n");
  expect(stored(text, "f_int32")).toBe("Math.imul(a, b) + 2");
  expect(stored(text, "f_float16")).toBe("fp16_ieee_from_fp32_value(a * b + 2)");
  expect(stored(text, "f_bfloat16")).toBe("round_to_nearest_even(a * b + 2)");
  expect(stored(text, "f_bool")).toBe("a * b + 2");
  expect(text).toContain("const a = half_to_float_table[x1[i1]];");
});

test("comparisons store 0 and 1, and can do so in two kinds of output", () => {
  const text = generated(`/** @loop lt_cpu: Long */
export function lt(a: scalar_t, b: scalar_t): bool | scalar_t { return a < b; }`);
  expect(stored(text, "lt_int64")).toBe("a < b ? 1 : 0");
  expect(stored(text, "lt_scalar_t_int64")).toBe("a < b ? 1n : 0n");
  expect(text).toContain('export const lt_scalar_t_loops = new Loops("lt_cpu", "lt",');
});

test("an if that returns becomes two branches that store", () => {
  const text = generated(`/** @loop f_cpu: Long */
export function f(a: scalar_t): scalar_t { if (a > 1) return a; const twice = a + a; return twice ? twice : 3; }`);
  const loop = text.slice(text.indexOf("const a = "), text.indexOf("} else {\n      for"));
  expect(loop.replace(/\s+/g, " ")).toContain(
    "if (a > 1n) { x0[i0] = a; } else { const twice = a + a; x0[i0] = twice !== 0n ? twice : 3n; }",
  );
});

test("a body for one dtype or group takes precedence", () => {
  const text = generated(`/** @loop f_cpu: Bool, Int, Long, Float */
export function f(a: scalar_t): scalar_t { return -a; }
export function f$integral(a: scalar_t): scalar_t { return ~a; }
export function f$int64(a: scalar_t): scalar_t { return a; }`);
  expect(["f_bool", "f_int32", "f_int64", "f_float32"].map((f) => stored(text, f))).toEqual(["-a", "~a", "a", "-a"]);
});

test("helpers of one expression are written in place, per dtype", () => {
  const text = generated(`import { abs } from "#c10/util/math";
/** @loop f_cpu: Long, Float */
export function f(a: scalar_t): scalar_t { return abs(a); }`);
  expect(stored(text, "f_float32")).toBe("Math.abs(a)");
  expect(stored(text, "f_int64")).toBe("a < 0n ? -a : a");
});

test("a conversion between an int64 in memory and a number goes through int32 halves", () => {
  const text = generated(`type dst_t = number; type src_t = number;
/** @loop copy dst_t: Long, Float; src_t: Long, Float */
export function copy(a: src_t): dst_t { return cast<dst_t>(a); }`);
  expect(text).toContain("const a = load_int64(p1, i1);");
  expect(text).toContain("store_int64(p0, i0, a);");
  expect(stored(text, "copy_int64_int64")).toBe("a");
  expect(text).toContain("[ScalarType.Long, ScalarType.Float, copy_int64_float32],");
});

test("rows that lie side by side have a loop of their own where elements are floats, those of one value where there are no vectors", () => {
  const text = generated(`/** @loop f_cpu: Long, Float, Half */
export function f(a: scalar_t, b: scalar_t): scalar_t { return a + b; }
/** @loop g_cpu: Long, Float, Half */
export function g(a: scalar_t, b: scalar_t): scalar_t { TORCH_CHECK(b !== 0, "no"); return a + b; }`);
  const rows = (instance: string) => {
    const body = text.slice(text.indexOf(`function ${instance}(`));
    return [...body.slice(0, body.indexOf("\n}\n")).matchAll(/if \((.*)\) \{/g)].map(([, test]) => test);
  };
  const scalar = ["s0 === 1 && s1 === 0 && s2 === 1", "s0 === 1 && s1 === 1 && s2 === 0"];
  expect(rows("f_float32")).toEqual(["s0 === 1 && s1 === 1 && s2 === 1"]);
  expect(rows("f_int64")).toEqual([]);
  expect(rows("g_float32")).toEqual(["s0 === 1 && s1 === 1 && s2 === 1", ...scalar]);
  expect(rows("g_int64")).toEqual(scalar);
  expect(rows("g_float16")).toEqual(scalar);
});

test("captures come last, converted as their annotation asks", () => {
  const text = generated(`import type { Thing } from "../Thing.ts";
import type { Other } from "#c10/core/Other";
/** @loop f_cpu: Long */
export function f(a: scalar_t, s: captured, o: captured_opmath, t: captured<Thing>, u: captured<Other>): [scalar_t, bool] { return [a + s, t.yes()]; }`);
  expect(text).toContain("s: bigint, o: bigint, t: Thing, u: Other");
  expect(text).toContain('import type { Thing } from "#aten/native/Thing";');
  expect(text).toContain('import type { Other } from "#c10/core/Other";');
  expect(text).toContain('{ outputs: 2, inputs: 1, by: [0], captures: ["scalar_t", "opmath_t", "as_is", "as_is"] }');
  expect(text).toContain("x1[i1] = t.yes();");
});

test("a template keeps its statements; element types get their meaning", () => {
  const text = generated(`/** @template sum_cpu: Short, Long, Half */
export function sum(out: data<scalar_t>, o: number, x: data<scalar_t>, n: number): void {
  let total: acc_t = 0;
  for (let i = 0; i < n; i++) total += cast<acc_t>(load(x, i));
  if (is_floating<scalar_t>()) total = total / n;
  store(out, o, cast<scalar_t>(total));
}`);
  expect(text).toContain("function sum_int16(out: Int16Array, o: number, x: Int16Array, n: number): void {");
  expect(text).toContain("let total: bigint = 0n;");
  expect(text).toContain("total += BigInt(x[i]);"); // int16 -> acc_t int64
  expect(text).toContain("total += half_to_float_table[x[i]];");
  expect(text.match(/total = total \/ n/g)).toHaveLength(1); // folded away for integers
  expect(text).toContain('export const sum_instances = new Instantiations<typeof sum>("sum_cpu", [');
});

test("type lists are spelled like AT_DISPATCH", () => {
  expect(parseTypeList("floating types, Half").map((t) => t.name)).toEqual(["float16", "float32", "float64"]);
  expect(parseTypeList("reduced   floating\n types ,Long").map((t) => t.name)).toEqual([
    "int64",
    "float16",
    "bfloat16",
  ]);
  expect(() => parseTypeList("real types")).toThrow('unknown type list "real types"');
  expect(() => parseTypeList("real types")).toThrow(
    expect.objectContaining({
      way_out:
        "use all types, integral types, floating types, reduced floating types, barebones unsigned types, all types and " +
        "halves, floating types and halves or a ScalarType: Byte, Char, Short, Int, Long, Half, Float, Double, Bool, " +
        "BFloat16, UInt16, UInt32, UInt64",
    }),
  );
});

test.each([
  ["a loop", "let s = 0; return a;", "let in a scalar function", "a loop over elements is a @template"],
  ["an unknown function", "return frobnicate(a);", "frobnicate is not a helper", "export it from src/c10/util/math.ts"],
  [
    "a helper without an int64 body",
    "return floor(a);",
    "the helper floor has no body for int64",
    "write floor$int64 beside it",
  ],
  ["a fraction beside int64", "return a * 0.5;", "the literal 0.5 has no int64 value", "write a `$int64` body"],
  ["an unknown name", "return a + other;", 'unknown name "other"', "pass it as a parameter"],
  ["a closure", "return (() => a)();", "a call of a computed function", "call helpers by name"],
])("%s is refused with file, line and the way out", (_name, body, message, wayOut) => {
  const text = `import { floor } from "#c10/util/math";\n\n/** @loop f_cpu: Long */\nexport function f(a: scalar_t): scalar_t { ${body} }`;
  expect(() => generated(text)).toThrow(`${PATH}:4: kernel text: ${message}`);
  expect(() => generated(text)).toThrow(wayOut);
});

test("a body that no dtype takes is refused", () => {
  const text = `/** @loop f_cpu: Float */\nexport function f(a: scalar_t): scalar_t { return a; }\nexport function f$int64(a: scalar_t): scalar_t { return a; }`;
  expect(() => generated(text)).toThrow("no dtype of f_cpu uses this body");
});
