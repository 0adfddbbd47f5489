/** Each kind of expression and statement of kernel text: its place in the typed tree, or the refusal with the way out. */
import { describe, expect, test } from "vitest";
import { type ElementType, elementType } from "../../../tools/codegen/kernels/element_types.ts";
import { type Helper, readHelpers, readKernelFile } from "../../../tools/codegen/kernels/source.ts";
import {
  type Expression,
  eachExpression,
  type Statement,
  type ValueType,
} from "../../../tools/codegen/kernels/tree.ts";
import { typeScalarFunction, typeTemplate } from "../../../tools/codegen/kernels/typing_statements.ts";

// biome-ignore lint/suspicious/noExplicitAny: statements whose kind the test knows
type Any = any;

const PATH = "src/aten/native/cpu/XKernel.ts";
const CONSTANTS = `const HALF = 0.25; const TINY = -12e-10; const MANY = 120; const RATIO = 1 / 3; const LONG = 1.25e20; const HEX = 0x1F;`;
const HELPERS = `export function twice(x: number, y: number): number { return x * y; }
export function twice$int64(x: bigint, y: bigint): bigint { return x * y; }
export function small(x: number): boolean { return x < 1; }
export function note(x: number): void {}
export function only(x: number): number { return x; }`;
const helpers = new Map<string, Helper>(readHelpers("src/c10/util/math.ts", HELPERS).map((h) => [h.name, h]));

function statements(kind: "loop" | "template", dtype: string, signature: string, body: string): readonly Statement[] {
  const text = `${CONSTANTS}\n/** @${kind} f_cpu: Bool, all types and halves */\nexport function f${signature} {\n${body}\n}`;
  const file = readKernelFile(PATH, text);
  const bindings = new Map([["scalar_t", elementType(dtype) as ElementType]]);
  const g = readKernelFile(
    PATH,
    "/** @template g_cpu: Float */\nexport function g(a: scalar_t, n: number): scalar_t { return a; }",
  ).kernels[0].body;
  const instanceOf = (name: string) => (name === "g" ? { name: `g_${dtype}`, body: g, bindings } : null);
  const surroundings = { file, bindings, helpers, instanceOf };
  const type = kind === "loop" ? typeScalarFunction : typeTemplate;
  return type(file.kernels[0].body, "f", surroundings).body;
}

function named(type: ValueType): string {
  if (type.k === "element" || type.k === "data" || type.k === "array")
    return `${type.k === "element" ? "" : `${type.k} `}${type.t.name}`;
  return type.k;
}

/** `(binary float32 a (convert float32 2))`: the node, its type, what is inside. */
function shown(e: Expression): string {
  if (e.node === "literal") return e.text;
  if (e.node === "name" || e.node === "builtin") return `${e.name}:${named(e.type)}`;
  if (e.node === "verbatim") return `${e.text}:${named(e.type)}`;
  if (e.node === "truth") return `${e.value}`;
  const inside: string[] = [];
  for (const [key, value] of Object.entries(e)) {
    if (key === "node" || key === "type" || key === "line" || key === "helper") continue;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const v of list)
      inside.push(typeof v === "object" && v !== null && "node" in v ? shown(v as Expression) : String(v));
  }
  return `(${[e.node, named(e.type), ...inside].join(" ")})`;
}

function value(dtype: string, expression: string): string {
  const [s] = statements("template", dtype, SIGNATURE, `return ${expression};`);
  if (s?.node !== "return") throw new Error("no return");
  return shown(s.values[0]);
}
const SIGNATURE =
  "(a: scalar_t, b: scalar_t, n: number, x: data<scalar_t>, s: readonly scalar_t[], p: boolean, gen: captured<Gen>): number";

describe("expressions", () => {
  test.each<[dtype: string, text: string, tree: string]>([
    ["float32", "Infinity", "Infinity:number"],
    ["float32", "NaN", "NaN:number"],
    ["float32", "true", "true"],
    ["float32", "null", "null:other"],
    ["float32", "'text'", "'text':other"],
    ["float32", "1_000", "1000"],
    ["float32", "HALF", "0.25"],
    ["float32", "TINY", "-12e-10"],
    ["int64", "a + MANY", "(binary int64 + a:int64 (convert int64 120))"],
    ["float32", "RATIO", "(1 / 3):number"],
    ["float32", "LONG", "1.25e20"],
    ["float32", "HEX", "(0x1F):number"],
    ["float32", "!p", "(unary truth ! p:truth)"],
    ["float32", "-p", "(unary number - p:truth)"],
    ["float32", "-a", "(unary float32 - a:float32)"],
    ["float32", "a == b", "(binary truth === a:float32 b:float32)"],
    ["float32", "a != b", "(binary truth !== a:float32 b:float32)"],
    ["float32", "2 * 3", "(binary literal * 2 3)"],
    ["float32", "2 * n", "(binary number * 2 n:number)"],
    ["float32", "n * 2", "(binary number * n:number 2)"],
    ["float32", "2 * a", "(binary float32 * (convert float32 2) a:float32)"],
    ["float32", "a * n", "(binary float32 * a:float32 n:number)"],
    ["float32", "a * p", "(binary float32 * a:float32 (convert float32 p:truth))"],
    ["bool", "a + 2", "(binary bool + a:bool 2)"],
    ["bool", "a + n", "(binary bool + a:bool n:number)"],
    ["bool", "a | p", "(binary bool | a:bool (convert bool p:truth))"],
    ["float32", "p ? p : !p", "(conditional truth p:truth p:truth (unary truth ! p:truth))"],
    ["float32", "p ? p : a", "(conditional float32 p:truth (convert float32 p:truth) a:float32)"],
    ["float32", "p ? a : p", "(conditional float32 p:truth a:float32 (convert float32 p:truth))"],
    ["float32", "p ? 1 : n", "(conditional number p:truth 1 n:number)"],
    ["float32", "1 ? a : b", "(conditional float32 (nonzero truth 1) a:float32 b:float32)"],
    ["float32", "n ? a : b", "(conditional float32 (nonzero truth n:number) a:float32 b:float32)"],
    ["float32", "true ? a : b", "a:float32"],
    ["float32", "p && a", "(logical truth && p:truth (nonzero truth a:float32))"],
    ["float32", "Number.MAX_VALUE", "Number.MAX_VALUE:number"],
    ["float32", "Math.max(a, 2)", "(call_method number Math.max:number a:float32 2)"],
    ["int64", "gen.next(a)", "(call_method other (property other gen:other next) a:int64)"],
    ["float32", "x.length", "(property number x:data float32 length)"],
    ["float32", "gen.size", "(property other gen:other size)"],
    ["float32", "gen[n]", "(index number gen:other n:number)"],
    ["float32", "s[n]", "(index float32 s:array float32 n:number)"],
    ["float32", "(a as number)", "a:float32"],
    ["float32", "s[n]!", "(non_null float32 (index float32 s:array float32 n:number))"],
    ["float32", "[a, 1]", "(list other a:float32 1)"],
    ["float32", "new Gen(a, 1)", "(new other Gen a:float32 1)"],
    ["float32", "a = 1", "(assign float32 = a:float32 (convert float32 1))"],
    ["float32", "n = 1", "(assign number = n:number 1)"],
    ["float32", "s[n]! += 1", "(assign float32 += (index float32 s:array float32 n:number) (convert float32 1))"],
    ["float32", "n++", "(update number ++ false n:number)"],
    ["float32", "--n", "(update number -- true n:number)"],
    ["float32", "g(1, 2)", "(call_instance float32 g_float32 (convert float32 1) 2)"],
    ["float32", "twice(a, 2)", "(call_helper float32 a:float32 (convert float32 2))"],
    ["float32", "twice(2, a)", "(call_helper float32 (convert float32 2) a:float32)"],
    ["float32", "twice(n, 2)", "(call_helper number n:number 2)"],
    ["float32", "twice(a, gen)", "(call_helper float32 a:float32 gen:other)"],
    ["int64", "twice(a, 2)", "(call_helper int64 a:int64 (convert int64 2))"],
    ["bool", "twice(a, 2)", "(call_helper bool a:bool 2)"],
    ["bool", "twice(a, p)", "(call_helper bool a:bool (convert bool p:truth))"],
    ["float32", "small(a)", "(call_helper truth a:float32)"],
    ["float32", "note(a)", "(call_helper number a:float32)"],
    ["int64", "a + (25)", "(binary int64 + a:int64 (convert int64 (parenthesized literal 25)))"],
    ["int64", "a + -2", "(binary int64 + a:int64 (convert int64 (unary literal - 2)))"],
    [
      "int64",
      "a + (p ? 1 : 2)",
      "(binary int64 + a:int64 (convert int64 (parenthesized literal (conditional literal p:truth 1 2))))",
    ],
  ])("%s: %s", (dtype, text, tree) => {
    expect(value(dtype, text)).toBe(tree);
  });

  test.each<[dtype: string, text: string, message: string, wayOut: string]>([
    ["float32", "a in s", "operator in", "kernel text has arithmetic, bit and comparison operators"],
    ["float32", "thing", 'unknown name "thing"', "pass it as a parameter, or make it a const with a literal value"],
    ["float32", "thing.size", 'unknown name "thing"', "pass the object as captured<T>"],
    [
      "float32",
      "x[0]",
      "an element of data<T> read or written with []",
      "use load(x, i) and store(x, i, v): they convert",
    ],
    ["float32", "(() => a)()", "a call of a computed function", "call helpers by name"],
    [
      "float32",
      "() => a",
      "ArrowFunctionExpression is outside the subset of kernel text",
      "use const, if, return, loops",
    ],
    ["float32", "unheard(a)", "unheard is not a helper", "export it from src/c10/util/math.ts"],
    ["float32", "unheard(1)", "unheard is not a helper", "or write it in place"],
    ["int64", "only(a)", "the helper only has no body for int64", "write only$int64 beside it"],
    ["int64", "a + 2.5", "the literal 2.5 has no int64 value", "write a `$int64` body"],
    ["int64", "a + -2.5", "the literal -2.5 has no int64 value", "write a `$int64` body"],
    ["int64", "a + (2.5)", "the literal made of literals has no int64 value", "write a `$int64` body"],
    ["int64", "a + ~2", "the literal ~2 has no int64 value", "write a `$int64` body"],
    ["int64", "a + (p ? 1 : 2.5)", "the literal made of literals has no int64 value", "write a `$int64` body"],
    ["int64", "a + 2 * 3", "the literal made of literals has no int64 value", "write a `$int64` body"],
    ["int64", "a * n", "a number where int64 is required", "write cast<...>(...) around it"],
  ])("%s: %s is refused", (dtype, text, message, wayOut) => {
    expect(() => value(dtype, text)).toThrow(`${PATH}:4: kernel text: ${message}`);
    expect(() => value(dtype, text)).toThrow(wayOut);
  });
});

describe("statements", () => {
  const kinds = (dtype: string, body: string): string[] =>
    statements("template", dtype, SIGNATURE, body).map((s) => s.node);

  test("every kind has its node", () => {
    const body = `let k = 0;
for (let i = 0, j = 1; i < n; i++, j++) k += i;
for (k = 0; ; ) break;
for (;;) { continue; }
while (k < n) k++;
do { k--; } while (k > 0);
outer: for (;;) { for (;;) { if (p) break outer; else continue outer; } }
switch (n) { case 1: k = 1; break; default: k = 2; }
{ k = 3; }
;
if (p) k = 4;
if (true) { k = 5; } else k = 6;
if (false) k = 7;
return k;
k = 8;`;
    expect(kinds("float32", body)).toEqual(
      "declare for for for while do_while labeled switch block if block return".split(" "),
    );
    const [, first, second, third, , , labeled, choice] = statements("template", "float32", SIGNATURE, body) as Any[];
    expect([first.init.node, shown(first.test), first.update.map(shown), first.body.length]).toEqual([
      "declare",
      "(binary truth < i:number n:number)",
      ["(update number ++ false i:number)", "(update number ++ false j:number)"],
      1,
    ]);
    expect([shown(second.init), second.test, second.update, second.body]).toEqual([
      "(assign number = k:number 0)",
      null,
      [],
      [{ node: "jump", line: 6, word: "break", label: null }],
    ]);
    expect([third.init, third.body[0].word, labeled.label]).toEqual([null, "continue", "outer"]);
    const { yes, no } = labeled.body[0].body[0].body[0];
    expect([yes, no]).toEqual([
      [{ node: "jump", line: 10, word: "break", label: "outer" }],
      [{ node: "jump", line: 10, word: "continue", label: "outer" }],
    ]);
    expect(choice.cases.map((c: Any) => [c.test && shown(c.test), c.body.length])).toEqual([
      ["1", 2],
      [null, 1],
    ]);
  });

  test("nothing follows what always returns", () => {
    expect(kinds("float32", "if (p) return 1; else { return 2; } return 3;")).toEqual(["if"]);
    expect(kinds("float32", "if (p) return 1; return 3;")).toEqual(["if", "return"]);
    expect(kinds("float32", "if (p) n = 1; else return 2; return 3;")).toEqual(["if", "return"]);
    expect(kinds("float32", "{ return 1; } return 3;")).toEqual(["block"]);
    expect(kinds("float32", "{ n = 1; } return 3;")).toEqual(["block", "return"]);
    expect(kinds("float32", "while (p) return 1; return 3;")).toEqual(["while", "return"]);
  });

  test("variables have the type that is written, or their value's", () => {
    const body = "let k: acc_t; const c = a; const two = 2; const list: acc_t[] = [1, n]; const made = [1]; return k;";
    const declared = statements("template", "float32", SIGNATURE, body).flatMap((s) =>
      s.node === "declare"
        ? s.declarations.map((d) => [d.name, named(d.type), d.annotated, d.value && shown(d.value)])
        : [],
    );
    expect(declared).toEqual([
      ["k", "float64", true, null],
      ["c", "float32", false, "a:float32"],
      ["two", "number", false, "2"],
      ["list", "array float64", true, "(list array float64 (convert float64 1) (convert float64 n:number))"],
      ["made", "other", false, "(list other 1)"],
    ]);
  });

  test.each([
    ["template", "try { n = 1; } finally { n = 2; }", "TryStatement in a template", "no closures, classes or try"],
    ["template", "let k;", "k has neither type nor value", "annotate it"],
    ["loop", "let k = 1; return a;", "let in a scalar function", "use const; a loop over elements is a @template"],
    ["loop", "while (a) return a;", "WhileStatement in a scalar function", "write a @template for more"],
  ] as const)("in a %s, %s is refused", (kind, body, message, wayOut) => {
    const signature = kind === "loop" ? "(a: scalar_t): scalar_t" : SIGNATURE;
    expect(() => statements(kind, "float32", signature, body)).toThrow(`${PATH}:4: kernel text: ${message}`);
    expect(() => statements(kind, "float32", signature, body)).toThrow(wayOut);
  });

  test("a scalar function gives one value a result, each of its type", () => {
    const [s] = statements("loop", "float32", "(a: scalar_t): [scalar_t, int64]", "return [1, cast<int64>(a)];");
    expect(s.node === "return" && s.values.map((v) => shown(v))).toEqual([
      "(convert float32 1)",
      "(cast int64 a:float32)",
    ]);
    expect(() => statements("loop", "float32", "(a: thing): scalar_t", "return 1;")).toThrow(
      `${PATH}:3: kernel text: "thing" is not an element type`,
    );
    expect(statements("template", "float32", "(n: number): void", "return;")).toEqual([
      { node: "return", line: 4, values: [] },
    ]);
  });
});

test("eachExpression comes by every expression once, the outer first, and by no type", () => {
  const body = statements(
    "template",
    "float32",
    SIGNATURE,
    "if (p) { s[n]! = twice(a, lowest<scalar_t>()); } return n;",
  );
  const seen: string[] = [];
  eachExpression(body, (e, parent) => seen.push(`${e.node} in ${parent?.node ?? "nothing"}`));
  expect(seen).toEqual([
    "name in nothing",
    "assign in nothing",
    "index in assign",
    "name in index",
    "name in index",
    "call_helper in assign",
    "name in call_helper",
    "limit in call_helper",
    "name in nothing",
  ]);
});
