/** Kernel text is made into instances and run: for every dtype, what comes out is what C++ computes with it. */
import { runInThisContext } from "node:vm";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import * as Dispatch from "#aten/Dispatch";
import * as ScalarTypes from "#c10/core/ScalarType";
import * as BFloat16 from "#c10/util/BFloat16";
import * as Exception from "#c10/util/Exception";
import * as Half from "#c10/util/Half";
import * as math from "#c10/util/math";
import { generate } from "../../../tools/codegen/dest/kernels.ts";

// biome-ignore lint/suspicious/noExplicitAny: functions made a moment ago
type Any = any;

const MATH = "src/c10/util/math.ts";
const PATH = "src/aten/native/cpu/XKernel.ts";

/** Beside those of c10/util/math: one in place, one whose order differs from its parameters', one that needs its argument twice. */
const HELPERS = `
export function int32_pairs(x: BigInt64Array): Int32Array { const pairs = x; return pairs; }
export function abs(x: number): number { return Math.abs(x); }
export function minus(x: number, y: number): number { return x - y; }
export function minus$int64(x: bigint, y: bigint): bigint { return x - y; }
export function from(x: number, y: number): number { return y - x + y - x; }
export function square(x: number): number { return x * x; }
export function second(x: number, y: number): number { return y; }
export function above(x: number): boolean { return x > SEVEN; }
export function later(x: number): number { const y = x; return y + 1; }`;

function run_module(text: string, modules: ReadonlyMap<string, unknown>): (name: string) => Any {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const body = `${outputText}\nreturn (name) => eval(name);`;
  return new Function("require", "exports", body)((name: string) => modules.get(name), {});
}

function run_exports(text: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exports = {};
  new Function("exports", outputText)(exports);
  return exports;
}

const own = run_module(`const SEVEN = 7;${HELPERS}`, new Map());
const MODULES = new Map<string, unknown>([
  ["#c10/core/ScalarType", ScalarTypes],
  ["#aten/Dispatch", Dispatch],
  ["#c10/util/Half", Half],
  ["#c10/util/BFloat16", BFloat16],
  ["#c10/util/Exception", Exception],
  [
    "#c10/util/math",
    {
      ...math,
      ...Object.fromEntries(
        ["minus", "minus$int64", "from", "square", "second", "above", "later"].map((name) => [name, own(name)]),
      ),
    },
  ],
]);

/** `f(...args)`, or an error if that does not end: a kernel whose loop lost its step. */
function called(f: Any, args: readonly unknown[]): unknown {
  (globalThis as Any).call_of_kernel = () => f(...args);
  return runInThisContext("call_of_kernel()", { timeout: 10_000 });
}

/** The instance `name` of the kernel in `text`. */
function instance(text: string, name: string): Any {
  const files = new Map([
    [MATH, HELPERS],
    [PATH, text],
  ]);
  const made = generate(files);
  const simd = made.get("src/aten/native/cpu/generated/XKernel.SIMD128.ts");
  // As a module that exports texts only: nothing in it needs another.
  const graphs = simd === undefined ? {} : run_exports(simd);
  const modules = new Map([...MODULES, ["./XKernel.SIMD128.ts", graphs]]);
  return run_module(made.get("src/aten/native/cpu/generated/XKernel.ts") as string, modules)(name);
}

const SCALAR_TYPES: Readonly<Record<string, string>> = {
  bool: "Bool",
  uint8: "Byte",
  int8: "Char",
  int16: "Short",
  int32: "Int",
  int64: "Long",
  float32: "Float",
  float64: "Double",
  float16: "Half",
};

interface Given {
  readonly a?: unknown;
  readonly b?: unknown;
  readonly x?: unknown;
  readonly s?: unknown;
  readonly n?: number;
  readonly p?: boolean;
  readonly gen?: unknown;
}

const PARAMETERS =
  "a: scalar_t, b: scalar_t, x: data<scalar_t>, s: readonly scalar_t[], n: number, p: boolean, gen: captured<Gen>";

/** The return value of a template with this body. */
function run(dtype: string, body: string, { a, b, x, s, n, p, gen }: Given): unknown {
  const text = `const SEVEN = 7;
/** @template f_cpu: ${SCALAR_TYPES[dtype]} */
export function f(${PARAMETERS}): number { ${body} }`;
  return called(instance(text, `f_${dtype}`), [a, b, x, s, n, p, gen]);
}

describe("expressions", () => {
  const gen = { take: (list: readonly unknown[], ...more: unknown[]) => [...list, ...more], at: [4, 5], seed: 9 };
  const s = [10, 20, 30];
  test.each<[dtype: string, text: string, given: Given, result: unknown]>([
    // products that a double would not hold, quotients that C++ truncates
    ["int32", "a * b", { a: 65537, b: 65537 }, 131073],
    ["int64", "a * 3", { a: 2n ** 61n }, 3n * 2n ** 61n],
    ["float32", "a * b", { a: 3, b: 0.5 }, 1.5],
    ["int32", "a / b", { a: -7, b: 2 }, -3],
    ["int8", "a / b", { a: -7, b: 2 }, -3],
    ["int64", "a / b", { a: -7n, b: 2n }, -3n],
    ["float32", "a / b", { a: -7, b: 2 }, -3.5],
    ["int32", "-(a / b)", { a: 7, b: 2 }, -3],
    // what binds tighter
    ["float32", "a - (b - a)", { a: 5, b: 3 }, 7],
    ["float32", "-(a + b)", { a: 5, b: 3 }, -8],
    ["float32", "(a + b) * (a - b)", { a: 5, b: 3 }, 16],
    ["float32", "(p ? a : b) * b", { a: 5, b: 3, p: true }, 15],
    ["float32", "(p ? (n > 1 ? a : b) : b) + 1", { a: 5, b: 3, p: true, n: 2 }, 6],
    ["float32", "(p ? p : !p) ? a : b", { a: 5, b: 3, p: false }, 5],
    ["float32", "(p && n > 1) || n > 2 ? a : b", { a: 5, b: 3, p: true, n: 1 }, 3],
    ["float32", "p && (n > 1 || n < 0) ? a : b", { a: 5, b: 3, p: false, n: -1 }, 3],
    ["float32", "(p || n > 1) && n > 2 ? a : b", { a: 5, b: 3, p: true, n: 1 }, 3],
    ["float32", "(n = 2) + n", { n: 1 }, 4],
    ["float32", "(a = b) + a", { a: 5, b: 3 }, 6],
    ["float32", "-(-3)", {}, 3],
    ["float32", "2 - -3", {}, 5],
    ["float32", "- -a", { a: 5 }, 5],
    ["float32", "+p + +p", { p: true }, 2],
    ["float32", "SEVEN", {}, 7],
    // what counts as true
    ["float32", "(a + b) ? 1 : 2", { a: 5, b: -5 }, 2],
    ["int64", "(a + b) ? 1 : 2", { a: 5n, b: -4n }, 1],
    ["int64", "a ? 1 : 2", { a: 0n }, 2],
    ["float32", "!a", { a: 0.5 }, false],
    ["float32", "!a", { a: 0 }, true],
    ["int64", "!a", { a: 0n }, true],
    ["float32", "!p", { p: true }, false],
    ["float32", "!(p && n > 1)", { p: true, n: 2 }, false],
    ["bool", "load(x, 0) ? 1 : 2", { x: Uint8Array.of(7) }, 1],
    ["bool", "!load(x, 0)", { x: Uint8Array.of(7) }, false],
    ["bool", "load(x, 0) + load(x, 1)", { x: Uint8Array.of(7, 7) }, 2],
    ["float32", "load(x, 1) ? 1 : 2", { x: Float32Array.of(7, 0) }, 2],
    ["int64", "load(x, 1) ? 1 : 2", { x: BigInt64Array.of(7n, 0n) }, 2],
    ["float32", "-p", { p: true }, -1],
    ["float32", "~p", { p: true }, -2],
    ["float32", "~n", { n: 4 }, -5],
    ["float32", "-a", { a: 4 }, -4],
    // int64 made of literals
    ["int64", "a * (2)", { a: 3n }, 6n],
    ["int64", "a + -2", { a: 3n }, 1n],
    ["int64", "a + (p ? 1 : 2)", { a: 3n, p: true }, 4n],
    ["int64", "a + (p ? 1 : 2)", { a: 3n, p: false }, 5n],
    ["int64", "a + ((p ? p : !p) ? 1 : (2))", { a: 3n, p: false }, 4n],
    ["int64", "a + (p ? -1 : (2))", { a: 3n, p: false }, 5n],
    // truth values as elements, and back
    ["int64", "a + p", { a: 3n, p: true }, 4n],
    ["float32", "a * p", { a: 3, p: false }, 0],
    ["float32", "a * (p ? p : !p)", { a: 3, p: true }, 3],
    // casts
    ["int64", "cast<scalar_t>(n)", { n: 2.9 }, 2n],
    ["int64", "cast<scalar_t>(2)", {}, 2n],
    ["int64", "cast<scalar_t>(p)", { p: true }, 1n],
    ["int64", "cast<scalar_t>(p ? p : !p)", { p: true }, 1n],
    ["int64", "cast<scalar_t>(a)", { a: 5n }, 5n],
    ["int64", "cast<number>(a)", { a: 5n }, 5],
    ["int64", "cast<float64>(a) / 2", { a: 5n }, 2.5],
    ["int64", "cast<int32>(a)", { a: 2n ** 32n + 5n }, 5],
    ["int64", "cast<bool>(a)", { a: 5n }, 1],
    ["int64", "cast<bool>(a)", { a: 0n }, 0],
    ["int32", "cast<int64>(a)", { a: -5 }, -5n],
    ["int32", "cast<int8>(a)", { a: 300 }, 44],
    ["int32", "cast<int16>(a)", { a: 40000 }, -25536],
    ["int32", "cast<uint8>(a)", { a: -1 }, 255],
    ["int32", "cast<bool>(a)", { a: -1 }, 1],
    ["int32", "cast<number>(a)", { a: 5 }, 5],
    ["int32", "cast<float32>(a)", { a: 5 }, 5],
    ["int32", "cast<scalar_t>(n)", { n: -2.9 }, -2],
    ["int32", "cast<scalar_t>(2)", {}, 2],
    ["uint8", "cast<scalar_t>(n)", { n: 2.9 }, 2],
    ["float32", "cast<int32>(a)", { a: -2.9 }, -2],
    ["float32", "cast<int64>(a)", { a: -2.9 }, -2n],
    ["float32", "cast<bool>(a)", { a: 0.5 }, 1],
    ["float32", "cast<bool>(p)", { p: false }, 0],
    ["float32", "cast<number>(p)", { p: true }, 1],
    ["float32", "cast<number>(p ? p : !p) + 1", { p: true }, 2],
    ["float32", "cast<scalar_t>(p) + 1", { p: true }, 2],
    ["bool", "cast<int8>(a)", { a: 1 }, 1],
    ["bool", "cast<int64>(a)", { a: 1 }, 1n],
    ["bool", "cast<scalar_t>(n)", { n: 0.5 }, 1],
    ["bool", "cast<scalar_t>(n)", { n: 0 }, 0],
    ["float32", "round_to<float32>(a)", { a: 0.1 }, Math.fround(0.1)],
    ["int16", "round_to<scalar_t>(a + b) + 1", { a: 32767, b: 1 }, -32767],
    ["int64", "round_to<scalar_t>(a + b)", { a: 2n ** 63n - 1n, b: 1n }, -(2n ** 63n)],
    ["float64", "round_to<scalar_t>(p ? a : b)", { a: 0.1, p: true }, 0.1],
    // limits
    ["float32", "-lower_bound<scalar_t>()", {}, Infinity],
    ["float32", "upper_bound<scalar_t>()", {}, Infinity],
    ["float32", "lowest<scalar_t>()", {}, -3.4028234663852886e38],
    ["float32", "highest<scalar_t>()", {}, 3.4028234663852886e38],
    ["float32", "epsilon<scalar_t>()", {}, 2 ** -23],
    ["int32", "lower_bound<scalar_t>()", {}, -(2 ** 31)],
    ["int32", "upper_bound<scalar_t>()", {}, 2 ** 31 - 1],
    ["int32", "lowest<scalar_t>()", {}, -(2 ** 31)],
    ["int32", "sizeof<scalar_t>()", {}, 4],
    // lists, objects, calls
    ["float32", "s[1]! + s[2]!", { s }, 50],
    ["float32", "gen.take([a, 1], n)", { a: 5, n: 2, gen }, [5, 1, 2]],
    ["float32", "gen.at[n]", { n: 1, gen }, 5],
    ["float32", "gen.seed", { gen }, 9],
    ["float32", "Math.max(a, 2) * 2", { a: 5 }, 10],
    ["float32", "new Array(a, 2)", { a: 5 }, [5, 2]],
    ["float32", "scratch<scalar_t>(n).length", { n: 3 }, 3],
    ["int64", "scratch<acc_t>(n)", { n: 2 }, BigInt64Array.of(0n, 0n)],
    // helpers: in place, or called where an argument would be computed twice
    ["float32", "abs(a) * 2", { a: -5 }, 10],
    ["float32", "-abs(a)", { a: -5 }, -5],
    ["float32", "minus(a, b) * 2", { a: 5, b: 3 }, 4],
    ["float32", "a - minus(a, b)", { a: 5, b: 3 }, 3],
    ["float32", "abs(a) - minus(Math.max(a, 1), b + 1)", { a: 5, b: 3 }, 4],
    ["float32", "abs(minus(b, a)) * 2", { a: 5, b: 3 }, 4],
    ["float32", "minus(n - 1, b - 2)", { n: 5, b: 3 }, 3],
    ["float32", "from(a, n)", { a: 5, n: 3 }, -4],
    ["float32", "from(SEVEN, n)", { n: 3 }, -8],
    ["float32", "square(n++) + n", { n: 3 }, 13],
    ["float32", "square(a)", { a: 3 }, 9],
    ["float32", "second(n++, a) + n", { a: 3, n: 1 }, 4],
    ["float32", "above(a)", { a: 8 }, true],
    ["float32", "later(a)", { a: 8 }, 9],
    ["int64", "minus(a, b) * 2", { a: 5n, b: 3n }, 4n],
    // steps
    ["float32", "n++ * 10 + n", { n: 3 }, 34],
    ["float32", "++n * 10 + n", { n: 3 }, 44],
    ["float32", "--n", { n: 3 }, 2],
  ])("%s: %s of %o", (dtype, text, given, result) => {
    expect(run(dtype, `return ${text};`, given)).toEqual(result);
  });
});

describe("statements", () => {
  const x = () => Float32Array.of(1, 2, 3);
  const shorts = () => Int16Array.of(1, 2, 300);
  test.each<[dtype: string, body: string, given: Given, result: unknown]>([
    ["int32", "let v = a; v *= b; return v;", { a: 65537, b: 65537 }, 131073],
    ["float32", "let v = a; v *= b; return v;", { a: 1.5, b: 3 }, 4.5],
    ["int64", "let v = a; v *= b; return v;", { a: 2n, b: 3n }, 6n],
    ["int8", "let v = a; v /= b; return v;", { a: -7, b: 2 }, -3],
    ["int32", "let v = a; v /= b; v += 1; v -= b; return v;", { a: -7, b: 2 }, -4],
    ["float32", "let v = a; v /= b; return v;", { a: -7, b: 2 }, -3.5],
    ["bool", "return is_bool<scalar_t>() ? 1 : is_integral<scalar_t>() ? 2 : is_floating<scalar_t>() ? 3 : 4;", {}, 1],
    ["int8", "return is_bool<scalar_t>() ? 1 : is_integral<scalar_t>() ? 2 : is_floating<scalar_t>() ? 3 : 4;", {}, 2],
    [
      "float16",
      "return is_bool<scalar_t>() ? 1 : is_integral<scalar_t>() ? 2 : is_floating<scalar_t>() ? 3 : 4;",
      {},
      3,
    ],
    ["float16", "store(x, 0, load(x, 1) + load(x, 1)); return load(x, 0);", { x: Uint16Array.of(0, 0x3c00) }, 2],
    ["float32", "n *= 3; n /= 2; return n;", { n: 3 }, 4.5],
    ["bool", "const v: scalar_t = n; return v;", { n: 0.5 }, 1],
    ["bool", "const v: scalar_t = a; return v;", { a: 1 }, 1],
    ["bool", "const v: scalar_t = p; return v;", { p: true }, 1],
    ["float32", "const v: acc_t[] = [1, n]; return v[0] + v[1];", { n: 3 }, 4],
    ["float32", "let v: acc_t; v = 2; return v;", {}, 2],
    ["int64", "let v: acc_t; v = 2; return v;", {}, 2n],
    ["float32", "let t = 0; for (let i = 0; i < n; i++) t += i; return t;", { n: 4 }, 6],
    ["float32", "let i = 5; let t = 0; for (i = 0; i < n; i++, t--) t += 3; return t;", { n: 4 }, 8],
    ["float32", "let i = 0; for (;;) { if (++i > n) break; } return i;", { n: 4 }, 5],
    ["float32", "let i = 0; while (i < n) i += 3; return i;", { n: 4 }, 6],
    ["float32", "let i = 0; do { i += 3; } while (i < n); return i;", { n: -4 }, 3],
    ["float32", "{ const v = a; n = v; } return n;", { a: 4 }, 4],
    ["float32", "if (p) n = 1; else n = 2; return n;", { p: false }, 2],
    ["float32", "if (p) { n = 1; } return n;", { p: false, n: 7 }, 7],
    ["float32", "if (is_floating<scalar_t>()) n = 1; else n = 2; return n;", {}, 1],
    ["int32", "if (is_floating<scalar_t>()) n = 1; else n = 2; return n;", {}, 2],
    [
      "float32",
      "let t = 0; outer: for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) { if (j > i) continue outer; if (i === 2) break outer; t++; } return t;",
      {},
      3,
    ],
    ["float32", "switch (n) { case 1: n = 10; break; case 2: n = 20; default: n += 5; } return n;", { n: 1 }, 10],
    ["float32", "switch (n) { case 1: n = 10; break; case 2: n = 20; default: n += 5; } return n;", { n: 2 }, 25],
    ["float32", "switch (n) { case 1: n = 10; break; case 2: n = 20; default: n += 5; } return n;", { n: 3 }, 8],
    [
      "float32",
      "let t: acc_t = 0; for (let i = 0; i < n; i++) t += cast<acc_t>(load(x, i)); return t;",
      { n: 3, x: x() },
      6,
    ],
    [
      "int16",
      "let t: acc_t = 0; for (let i = 0; i < n; i++) t += cast<acc_t>(load(x, i)); return t;",
      { n: 3, x: shorts() },
      303n,
    ],
    ["int16", "store(x, 0, load(x, 2) * load(x, 2)); return load(x, 0);", { x: shorts() }, 24464],
    [
      "int64",
      "store(x, 0, cast<int64>(n)); return load(x, 0);",
      { x: BigInt64Array.of(0n), n: -(2 ** 40) },
      -(2n ** 40n),
    ],
    ["int64", "store(x, 0, cast<int64>(2)); return cast<number>(load(x, 0));", { x: BigInt64Array.of(0n) }, 2],
    [
      "int64",
      "store(x, 0, cast<int64>(n > 1 ? n : 0)); return cast<float64>(load(x, 0)) / 2;",
      { x: BigInt64Array.of(0n), n: 5 },
      2.5,
    ],
    ["int64", "store(x, 0, a); return load(x, 0);", { x: BigInt64Array.of(0n), a: 5n }, 5n],
    [
      "float32",
      "const y = scratch<int64>(1); store(y, 0, cast<int64>(n)); return cast<number>(load(y, 0));",
      { n: 5 },
      5,
    ],
    ["int64", "TORCH_CHECK(p, 'never'); return a;", { p: true, a: 1n }, 1n],
  ])("%s: %s", (dtype, body, given, result) => {
    expect(run(dtype, body, given)).toEqual(result);
  });

  test.each(["cast(a)", "round_to(a)", "highest()"])("%s, which names no type, is refused", (call) => {
    const name = call.slice(0, call.indexOf("("));
    const refused = () => run("float32", `return ${call};`, { a: 1 });
    expect(refused).toThrow(`${name} without a type argument`);
    expect(refused).toThrow(`write ${name}<scalar_t>(...)`);
  });

  test("a check says what it was given", () => {
    const refuse = () => run("float32", "TORCH_CHECK(p && n > 1, 'n is ', n); return n;", { p: true, n: 1 });
    expect(refuse).toThrow("n is 1");
    expect(() => run("float32", "TORCH_CHECK_INDEX(n > 1, 'n is ', n); return n;", { n: 1 })).toThrow(
      Exception.IndexError,
    );
  });
});

describe("loops", () => {
  type Memory = { readonly values: Any; readonly offset: number; readonly stride: number; readonly outer: number };
  const memory = (values: Any, stride = 1, outer = 0, offset = 0): Memory => ({ values, offset, stride, outer });
  /** The kernel over `n` elements a row and `m` rows. */
  function loop(
    text: string,
    name: string,
    [n, m]: [number, number],
    operands: readonly Memory[],
    ...captures: unknown[]
  ): void {
    const rows = operands.flatMap(({ values, offset, stride, outer }) => [values, offset, stride, outer]);
    called(instance(text, name), [n, m, ...rows, ...captures]);
  }
  const numbers = (values: Any): number[] => [...values].map(Number);

  const minus = `/** @loop minus_cpu: Int, Long, Float */
export function f(a: scalar_t, b: scalar_t): scalar_t { return a - b; }`;
  const of = (dtype: string, values: readonly number[]): Any =>
    dtype === "int64"
      ? BigInt64Array.from(values, BigInt)
      : dtype === "int32"
        ? Int32Array.from(values)
        : Float32Array.from(values);

  test.each(["int32", "int64", "float32"])(
    "%s: rows side by side, apart, one value for a row, rows below rows",
    (dtype) => {
      const run_minus = (out: Memory, a: Memory, b: Memory, size: [number, number]): number[] => {
        loop(minus, `f_${dtype}`, size, [out, a, b]);
        return numbers(out.values);
      };
      const zeros = (count: number) => of(dtype, new Array(count).fill(0));
      const a = of(dtype, [10, 20, 30, 40, 50, 60]);
      const b = of(dtype, [1, 2, 3, 4, 5, 6]);
      expect(run_minus(memory(zeros(3)), memory(a), memory(b), [3, 1])).toEqual([9, 18, 27]);
      expect(run_minus(memory(zeros(4), 1, 0, 1), memory(a, 1, 0, 2), memory(b, 1, 0, 3), [3, 1])).toEqual([
        0, 26, 35, 44,
      ]);
      expect(run_minus(memory(zeros(3)), memory(a, 0, 0, 1), memory(b), [3, 1])).toEqual([19, 18, 17]);
      expect(run_minus(memory(zeros(3)), memory(a), memory(b, 0, 0, 1), [3, 1])).toEqual([8, 18, 28]);
      expect(run_minus(memory(zeros(3)), memory(a, 2), memory(b, -1, 0, 5), [3, 1])).toEqual([4, 25, 46]);
      expect(run_minus(memory(zeros(6), 2), memory(a), memory(b), [3, 1])).toEqual([9, 0, 18, 0, 27, 0]);
      expect(run_minus(memory(zeros(6), 1, 3), memory(a, 1, 3), memory(b, 1, 3), [3, 2])).toEqual([
        9, 18, 27, 36, 45, 54,
      ]);
      expect(run_minus(memory(zeros(6), 1, 3), memory(a, 2, 1), memory(b, 0, 1), [3, 2])).toEqual([
        9, 29, 49, 18, 38, 58,
      ]);
      expect(run_minus(memory(zeros(6), 1, 3), memory(a, 0, 1), memory(b, 1, 0), [3, 2])).toEqual([
        9, 8, 7, 19, 18, 17,
      ]);
      expect(run_minus(memory(zeros(2)), memory(a), memory(b), [0, 1])).toEqual([0, 0]);
    },
  );

  test("an if that returns, and what follows it", () => {
    const text = `/** @loop f_cpu: Int */
export function f(a: scalar_t): scalar_t {
  if (a > 10) { if (a > 20) return 3; const twice = a * 2; return twice; }
  if (a > 5) { if (is_integral<scalar_t>()) { const more = a + 1; if (more > 8) return more; } }
  else if (a < 0) return -a;
  return 100;
}`;
    const out = new Int32Array(7);
    loop(text, "f_int32", [7, 1], [memory(out), memory(Int32Array.of(30, 11, 9, 8, 6, 0, -4))]);
    expect(numbers(out)).toEqual([3, 22, 10, 9, 100, 100, 4]);
  });

  test("two results, captures in the order they stand", () => {
    const text = `/** @loop f_cpu: Int */
export function f(a: scalar_t, low: captured, high: captured<Limit>): [scalar_t, bool] { return [a + low, a > high.value]; }`;
    const [sums, above] = [new Int32Array(3), new Uint8Array(3)];
    loop(text, "f_int32", [3, 1], [memory(sums), memory(above), memory(Int32Array.of(1, 5, 9))], 100, { value: 5 });
    expect([numbers(sums), numbers(above)]).toEqual([
      [101, 105, 109],
      [0, 0, 1],
    ]);
  });

  test("int64 that is only converted", () => {
    const text = `type dst_t = number; type src_t = number;
/** @loop copy dst_t: Long, Int, Float, Bool; src_t: Long, Int, Float */
export function copy(a: src_t): dst_t { return cast<dst_t>(a); }`;
    const large = [-(2 ** 40), 2 ** 33 + 7, 3, 0];
    const copied = (name: string, out: Any, values: Any): number[] => {
      loop(text, name, [4, 1], [memory(out), memory(values)]);
      return numbers(out);
    };
    const longs = BigInt64Array.from(large, BigInt);
    expect(copied("copy_float32_int64", new Float32Array(4), longs)).toEqual(large.map(Math.fround));
    expect(copied("copy_int64_float32", new BigInt64Array(4), Float32Array.of(-(2 ** 40), 2 ** 33, 3.7, 0))).toEqual([
      -(2 ** 40),
      2 ** 33,
      3,
      0,
    ]);
    expect(copied("copy_int64_int32", new BigInt64Array(4), Int32Array.of(-1, 2, 3, 0))).toEqual([-1, 2, 3, 0]);
    expect(copied("copy_int32_int64", new Int32Array(4), longs)).toEqual([0, 7, 3, 0]);
    expect(copied("copy_int64_int64", new BigInt64Array(4), longs)).toEqual(large);
    expect(copied("copy_bool_int64", new Uint8Array(4), longs)).toEqual([1, 1, 1, 0]);
    expect(copied("copy_bool_float32", new Uint8Array(4), Float32Array.of(0.5, -1, 3, 0))).toEqual([1, 1, 1, 0]);
  });

  test("int64 that is converted here and counted with there", () => {
    const text = `/** @loop f_cpu: Long */
export function f(a: scalar_t, b: scalar_t): float64 { return cast<float64>(a) / cast<float64>(b * b); }
/** @loop g_cpu: Long */
export function g(a: scalar_t, b: scalar_t): scalar_t { const half = cast<float64>(a) / 2; return cast<int64>(half + cast<float64>(a)) + b; }
/** @loop h_cpu: Long */
export function h(a: scalar_t): [int64, int64] { return [cast<int64>(cast<float64>(a) / 2), a]; }`;
    const [a, b] = [BigInt64Array.of(7n, -(2n ** 40n)), BigInt64Array.of(2n, 1n)];
    const [quotients, sums, halves] = [new Float64Array(2), new BigInt64Array(2), new BigInt64Array(2)];
    loop(text, "f_int64", [2, 1], [memory(quotients), memory(a), memory(b)]);
    loop(text, "g_int64", [2, 1], [memory(sums), memory(a), memory(b)]);
    expect([numbers(quotients), numbers(sums)]).toEqual([
      [1.75, -(2 ** 40)],
      [12, -1.5 * 2 ** 40 + 1],
    ]);
    loop(text, "h_int64", [2, 1], [memory(halves), memory(sums), memory(a)]);
    expect([numbers(halves), numbers(sums)]).toEqual([
      [3, -(2 ** 39)],
      [7, -(2 ** 40)],
    ]);
  });

  test("a name that the loop uses is refused", () => {
    const named = (name: string) => () =>
      instance(
        `\n/** @loop f_cpu: Int */
export function f(${name}: scalar_t): scalar_t { return ${name}; }`,
        "f_int32",
      );
    const message = 'XKernel.ts:3: kernel text: the parameter name "x0" is used by the generated loop';
    expect(named("x0")).toThrow(message);
    expect(named("x0")).toThrow("give it a longer name");
    for (const name of ["o1", "s2", "t3", "i4", "p5", "n", "m", "j", "i"])
      expect(named(name)).toThrow("is used by the generated loop");
    for (const name of ["x", "xn", "nn", "ax0", "x0a"]) expect(typeof named(name)()).toBe("function");
  });
});
