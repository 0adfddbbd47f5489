/** Kernel text with Vec: what its statements and operators compute, and what is refused, with place and way out. */
import { describe, expect, test } from "vitest";
import { assemble, print, type WasmFunction } from "../../../src/aten/cpu/vec/assembler.ts";
import { is_relaxed_simd_supported } from "../../../src/aten/cpu/vec/capability.ts";
import { bytes_of, instantiate, type VecBytes, with_memory } from "../../../src/aten/cpu/vec/modules.ts";
import { fp16_ieee_to_fp32_value, round_to_half } from "../../../src/c10/util/Half.ts";
import { generate } from "../../../tools/codegen/dest/vec_kernels.ts";
import { CodegenError } from "../../../tools/codegen/errors.ts";
import { compile_vec } from "../../../tools/codegen/kernels/compile_vec.ts";
import { read_vec_file, type VecDtype } from "../../../tools/codegen/kernels/vec_source.ts";

const PATH = "src/aten/native/cpu/vec/XKernel.ts";
const MEMORY = { initial: 0, maximum: 65536, shared: true };
const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });

function file(body: string, dtypes = "float32, float64"): string {
  return `/**\n * @file X\n * @vec X: ${dtypes}\n */\n${body}`;
}

function compiled(body: string, dtype: VecDtype = "float32", relaxed = false): WasmFunction[] {
  return compile_vec(read_vec_file(PATH, file(body), new Map()), dtype, relaxed);
}

// biome-ignore lint/suspicious/noExplicitAny: functions made a moment ago
function run(body: string, dtype: VecDtype = "float32", relaxed = false): any {
  return instantiate(assemble(compiled(body, dtype, relaxed), MEMORY), memory);
}

/** `f(n)` whose body is `body`. */
function int_function(body: string): (n: number) => number {
  return run(`export function f(n: int): int { ${body} }`).f;
}

const floats = new Float32Array(memory.buffer as unknown as ArrayBuffer);

const of_two = (expression: string): string =>
  `export function f(p: ptr): void { const a: Vec = load(p); const b: Vec = load(p + 16); store(p + 32, ${expression}); }`;

/** `expression` of the vectors a and b, lane by lane. */
function lanes(expression: string, a: number[], b: number[] = [0, 0, 0, 0]): number[] {
  floats.set(a, 0);
  floats.set(b, 4);
  run(of_two(expression)).f(0);
  return [...floats.slice(8, 12)];
}

/** The expression on vectors of two doubles. */
function doubles(expression: string, a: number[], b: number[]): number[] {
  const view = new Float64Array(memory.buffer as unknown as ArrayBuffer, 0, 6);
  view.set([...a, ...b]);
  run(of_two(expression), "float64").f(0);
  return [...view.slice(4)];
}

/** And of whole numbers. */
function integers(expression: string, a: bigint[], b: bigint[]): bigint[] {
  const view = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, 0, 6);
  view.set([...a, ...b]);
  run(of_two(expression), "int64").f(0);
  return [...view.slice(4)];
}

describe("halves", () => {
  const bits = new Uint16Array(memory.buffer as unknown as ArrayBuffer);
  // 1, -2.5, the smallest, infinity; as their dtype has them.
  const given = { float16: [0x3c00, 0xc100, 0x0001, 0x7c00], bfloat16: [0x3f80, 0xc020, 0x0001, 0x7f80] } as const;

  test.each(["float16", "bfloat16"] as const)(
    "%s are computed as floats, and rounded when they are stored",
    (dtype) => {
      const body = (value: string): string =>
        `export function f(p: ptr): void { const v: Vec = load(p); store(p + 16, ${value}); store_opmath(p + 32, ${value}); }`;
      bits.set(given[dtype]);
      run(body("v"), dtype).f(0);
      expect([...bits.slice(8, 12)]).toEqual(given[dtype]);
      expect([...floats.slice(8, 10)]).toEqual([1, -2.5]);
      run(body("v + 0.0001"), dtype).f(0); // less than half the distance to the next: of 1, not of the smallest
      expect(bits[8]).toBe(given[dtype][0]);
      expect(floats[8]).toBe(Math.fround(1 + Math.fround(0.0001)));
      run(body("rounded(v + 0.0001)"), dtype).f(0);
      expect(floats[8]).toBe(1);
    },
  );
  test("float16: every half, what lies in the middle between two, and what lies beside that, is rounded as it is when stored", () => {
    const { f } = run("export function f(p: ptr): void { store_opmath(p + 16, rounded(load_opmath(p))); }", "float16");
    const words = new Uint32Array(memory.buffer as unknown as ArrayBuffer);
    const wrong: number[] = [];
    for (let half = 0; half < 0x7c00; half++) {
      const [own, next] = [half, half + 1].map((h) => (h === 0x7c00 ? 65536 : fp16_ieee_to_fp32_value(h)));
      floats[0] = own;
      floats[1] = (own + next) / 2;
      words[2] = words[1] - 1;
      words[3] = words[1] + 1;
      if (half % 2 === 1) for (let k = 0; k < 4; k++) floats[k] = -floats[k];
      const wanted = [...floats.slice(0, 4)].map(round_to_half);
      f(0);
      if (!wanted.every((x, k) => Object.is(floats[4 + k], x))) wrong.push(half);
    }
    expect(wrong).toEqual([]);
    floats.set([Infinity, -3e38, Number.NaN, -0]);
    f(0);
    expect([...floats.slice(4, 8)]).toEqual([Infinity, -Infinity, Number.NaN, -0]);
  });
  test("one at a time; a vector of them takes eight bytes", () => {
    const one =
      "export function f(p: ptr): int { store_one(p + 2, load_one(p) * 3); store(p + 8, load_splat(p + 2)); return vec_bytes<scalar_t>(); }";
    bits.set([0x3c00]);
    expect(run(one, "float16").f(0)).toBe(8);
    expect([...bits.slice(1, 2), ...bits.slice(4, 8)]).toEqual(new Array(5).fill(0x4200));
    expect(run(one, "float32").f(0)).toBe(16);
  });
});

describe("whole numbers", () => {
  test("wrap, and are compared with their signs", () => {
    expect(integers("a + b", [2n ** 63n - 1n, 5n], [1n, -7n])).toEqual([-(2n ** 63n), -2n]);
    expect(integers("a * b - 1", [2n ** 62n, 3n], [2n, -3n])).toEqual([2n ** 63n - 1n, -10n]);
    expect(integers("a < b ? a : b", [-1n, 2n ** 62n], [1n, -(2n ** 62n)])).toEqual([-1n, -(2n ** 62n)]);
    const largest = run(
      "export function f(p: ptr): int { let m: float = load_one(p); if (load_one(p + 4) > m) return 1; return 0; }",
      "int32",
    ).f;
    new Int32Array(memory.buffer as unknown as ArrayBuffer).set([-5, 3]);
    expect(largest(0)).toBe(1);
  });
  test("have no fractions, no quotients, and nothing that only floats have", () => {
    const refused =
      (expression: string): (() => unknown) =>
      () =>
        compiled(of_two(expression), "int32");
    expect(refused("a / b")).toThrow("/ of Vec");
    expect(refused("a + 0.5")).toThrow("0.5 is not a value of int32");
    expect(refused("a < Infinity ? a : b")).toThrow("Infinity is not a value of int32");
    expect(refused("pmin(a, b)")).toThrow("pmin of int32");
    expect(refused("sqrt(a)")).toThrow("sqrt of int32");
  });
  test.each([false, true])("fmadd is a product and a sum, also where floats have one instruction: %s", (relaxed) => {
    const f = run(of_two("fmadd(a, b, a)"), "int32", relaxed).f;
    const data = new Int32Array(memory.buffer as unknown as ArrayBuffer);
    data.set([1, -2, 65536, 4, 5, 6, 65536, -8]);
    f(0);
    expect([...data.slice(8, 12)]).toEqual([6, -14, 65536, -28]);
  });
});

describe("statements", () => {
  test("for, while, break and continue", () => {
    const f = int_function(
      "let s = 0; for (let i = 0; i < n; i++) { if (i === 3) continue; if (i === 6) break; s += i; } return s;",
    );
    expect([0, 1, 3, 4, 5, 100].map(f)).toEqual([0, 0, 3, 3, 7, 12]);
    const g = int_function("let s = 0; while (n > 0) { s += n; n -= 2; } return s;");
    expect([0, 1, 5, 6].map(g)).toEqual([0, 1, 9, 12]);
    const forever = int_function("let i = 0; while (true) { i++; if (i * i >= n) break; } return i;");
    expect([1, 10, 100].map(forever)).toEqual([1, 4, 10]);
  });
  test("a loop in a loop: break leaves the inner one", () => {
    const f = int_function(
      "let s = 0; for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) { if (j > i) break; s++; } return s;",
    );
    expect(f(4)).toBe(10);
  });
  test("if, else, an early return", () => {
    const f = int_function("if (n < 0) return -1; else if (n > 10) { return 1; } return 0;");
    expect([-5, 0, 10, 11].map(f)).toEqual([-1, 0, 0, 1]);
  });
  test("a name may be another in an inner block", () => {
    const f = int_function("let x = n; { let x = 7; x += 1; } for (let x = 0; x < 3; x++) n += x; return x + n;");
    expect(f(10)).toBe(23);
  });
  test("what is decided by the dtype leaves no trace", () => {
    const body =
      "export function f(n: int): int { if (sizeof<scalar_t>() === 4) return 1; else return lanes<scalar_t>() + n; }";
    expect(compiled(body).map((f) => f.body)).toEqual([["i32.const 1", "return", "unreachable"]]);
    expect(run(body, "float64").f(5)).toBe(7);
  });
});

describe("operators", () => {
  test("whole numbers", () => {
    expect(int_function("return (n << 3) - (n >> 1) + (n & 6) * -2;")(9)).toBe(72 - 4);
    expect(int_function("return -1 >>> n;")(28)).toBe(15);
    expect(int_function("return min(n, 3) * 10 + max(n, 3);")(5)).toBe(35);
    expect(int_function("return clz(n);")(255)).toBe(24);
    expect(int_function("return n > 3 && n < 7 || !(n !== 100) ? 1 : 0;")(5)).toBe(1);
    expect(int_function("return n > 3 && n < 7 || !(n !== 100) ? 1 : 0;")(7)).toBe(0);
  });
  test("an address is compared unsigned, an int signed; their difference is an int", () => {
    const { f, g, h } = run(`
      export function f(p: ptr, q: ptr): int { return p < q ? 1 : 0; }
      export function g(p: int, q: int): int { return p < q ? 1 : 0; }
      export function h(p: ptr, q: ptr): int { return q - p < 0 ? 1 : 0; }`);
    expect([f(-16, 16), g(-16, 16), h(32, 16), h(16, 32)]).toEqual([0, 1, 1, 0]);
  });
  test("vectors, with numbers in every lane", () => {
    expect(lanes("a * 2 - b / 4 + 1", [1, 2, 3, 4], [4, 8, 12, 16])).toEqual([2, 3, 4, 5]);
    expect(lanes("-a", [1, -2, 0, -0])).toEqual([-1, 2, -0, 0]);
    expect(lanes("pmax(a, b)", [1, Number.NaN, 5, -Infinity], [2, 3, Number.NaN, -7])).toEqual([2, Number.NaN, 5, -7]);
    expect(lanes("pmin(abs(a), sqrt(b))", [-1, 2, -3, 4], [4, 1, 16, 9])).toEqual([1, 1, 3, 3]);
    expect(lanes("splat(lane(a, 2)) + load_splat(p + 4)", [1, 2, 3, 4])).toEqual([5, 5, 5, 5]);
    expect(lanes("fmadd(a, b, 100)", [1, 2, 3, 4], [5, 6, 7, 8])).toEqual([105, 112, 121, 132]);
    const names = ["evens", "odds", "interleave_low", "interleave_high"];
    expect(names.map((name) => lanes(`${name}(a, b)`, [1, 2, 3, 4], [5, 6, 7, 8]).join(" "))).toEqual([
      ...["1 3 5 7", "2 4 6 8", "1 5 2 6", "3 7 4 8"],
    ]);
    expect(names.map((name) => doubles(`${name}(a, b)`, [1, 2], [3, 4]).join(" "))).toEqual([
      ...["1 3", "2 4", "1 3", "2 4"],
    ]);
  });
  test("lanes that are to be 0 are masked out; -0 is not 0", () => {
    const [a, b] = [
      [1, 5, Number.NaN, -4],
      [2, 3, 3, -5],
    ];
    expect(lanes("a > b ? 0 : a", a, b)).toEqual([1, 0, Number.NaN, 0]);
    expect(lanes("a > b ? a : 0", a, b)).toEqual([0, 5, 0, -4]);
    expect(lanes("a > b ? -0 : a", a, b)).toEqual([1, -0, Number.NaN, -0]);
    expect(doubles("a > b ? 0 : a", [1, 5], [2, 3])).toEqual([1, 0]);
    const choices = (expression: string): string[] =>
      print(compiled(of_two(expression)), MEMORY).match(/v128\.\w*(and|sel)\w*/g) ?? [];
    expect(["a > b ? 0 : a", "a > b ? a : 0", "a > b ? -0 : a"].flatMap(choices)).toEqual([
      ...["v128.andnot", "v128.and", "v128.bitselect"],
    ]);
  });
  test("masks choose between vectors", () => {
    expect(lanes("a > b ? a : 0", [1, 5, Number.NaN, 4], [2, 3, 3, 4])).toEqual([0, 5, 0, 0]);
    expect(lanes("a > 1 && !(a >= b) || a !== a ? 9 : a", [1, 2, Number.NaN, 4], [5, 5, 5, 4])).toEqual([1, 9, 9, 4]);
    const f = run(
      "export function f(p: ptr): int { return (any(load(p) > 2) ? 1 : 0) + (all(load(p) > 2) ? 2 : 0); }",
    ).f;
    const told = ([a, b]: number[]): number => {
      floats.set([a, b, b, b]);
      return f(0);
    };
    expect([told([1, 2]), told([3, 1]), told([3, 4])]).toEqual([0, 1, 3]);
  });
  test("the bits of vectors", () => {
    expect(lanes("from_bits((to_bits(a) & 0x7fffff) | 0x3f800000)", [1, 3, 20, 0.375])).toEqual([1, 1.5, 1.25, 1.5]);
    expect(lanes("from_bits((to_bits(a) >>> 23) - 127 + 3 << 23)", [1, 2, 4, 8])).toEqual(
      [3, 4, 5, 6].map((e) => 2 ** (e - 127)).map(Math.fround),
    );
  });
  test("scalars of the dtype", () => {
    const { f } = run(
      "export function f(p: ptr, x: float): float { return -load_one(p + 8) * x + to_float(3); }",
      "float64",
    );
    new Float64Array(memory.buffer as unknown as ArrayBuffer)[1] = 0.1;
    expect(f(0, 0.3)).toBe(-0.1 * 0.3 + 3);
  });
  test("copy and fill", () => {
    run("export function f(p: ptr): void { fill(p, 1, 8); copy(p + 3, p + 6, 4); }").f(0);
    expect([...new Uint8Array(memory.buffer, 0, 4)]).toEqual([1, 1, 1, 1]);
  });
});

describe("functions", () => {
  test("@inline is written into its caller, with names of its own", () => {
    const body = `
      const TWO = 4 / 2;
      /** @inline */ function twice(x: int): int { let y = x; y *= TWO; return y; }
      /** @inline */ function put(p: ptr, x: int): void { store_one(p, to_float(twice(x))); }
      function called(x: int): int { return x + 1; }
      export function f(y: int): int { const x = twice(twice(y) + y); put(0, called(x)); return x; }`;
    expect(run(body).f(5)).toBe(30);
    expect(floats[0]).toBe(62);
    expect(compiled(body).map((f) => f.name)).toEqual(["f", "called"]);
  });
  test("fused multiply-add only where it is written, and only for machines that have it", () => {
    const body =
      "export function f(p: ptr): void { store(p, fmadd(load(p), load(p), load(p))); store(p, load(p) * load(p) + load(p)); }";
    const relaxed = compiled(body, "float32", true)[0].body;
    expect(relaxed.filter((l) => l === "f32x4.relaxed_madd")).toHaveLength(1);
    expect(relaxed.filter((l) => l === "f32x4.mul")).toHaveLength(1);
    expect(WebAssembly.validate(with_memory(assemble(compiled(body, "float32", true), MEMORY), true))).toBe(
      is_relaxed_simd_supported(),
    );
    expect(print(compiled(body), MEMORY)).not.toContain("relaxed");
  });
  test("the fused module is the plain one with some bytes changed", () => {
    const body = `export function f(p: ptr): void {
      store(p, fmadd(load(p), load(p + 16), fmadd(load(p), load_splat(p), load(p + 32)))); }`;
    const text = generate(new Map([[PATH, file(body)]])).get("src/aten/native/cpu/vec/generated/XKernel.ts") ?? "";
    const table = text.slice(text.indexOf("(", text.indexOf("new VecModules")), text.lastIndexOf(";"));
    const written = new Function(`return ${table}`)() as Record<VecDtype, () => VecBytes>;
    for (const dtype of ["float32", "float64"] as const)
      for (const relaxed of [false, true])
        expect([...bytes_of(written[dtype](), relaxed)]).toEqual([...assemble(compiled(body, dtype, relaxed), MEMORY)]);
  });
  test("the module takes shared memory and unshared", () => {
    const bytes = assemble(compiled("export function f(p: ptr): void { fill(p, 7, 1); }"), MEMORY);
    const own = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    (instantiate(bytes, own) as { f(p: number): void }).f(0);
    expect(new Uint8Array(own.buffer)[0]).toBe(7);
    expect(() => instantiate(bytes.slice(0, 20), own)).toThrow("the module imports no env.memory");
  });
  test("generated files: a table of bytes for each dtype; only what is asked for and what imports it", () => {
    const functions = "src/aten/native/cpu/vec/functions.ts";
    const files = new Map([
      [PATH, file('import { g } from "./functions.ts";\nexport function f(p: ptr): void { store(p, g(load(p))); }')],
      [functions, "/** @inline */\nexport function g(v: Vec): Vec { return v + v; }"],
      ["src/aten/native/cpu/vec/Y.ts", file("export function f(n: int): int { return n; }", "float64")],
    ]);
    const out = generate(files, [functions]);
    expect([...out.keys()]).toEqual(["src/aten/native/cpu/vec/generated/XKernel.ts"]);
    expect([...out.values()][0]).toMatch(
      /export const X_vec = new VecModules<Functions>\(\{\n {2}float32\(\) \{\n {4}return \{\n {6}SIMD128:\n {8}"AGFzb/,
    );
    expect(generate(files).get("src/aten/native/cpu/vec/generated/Y.ts")).not.toContain("float32");
  });
});

describe("refusals", () => {
  const refused = (body: string): string => {
    try {
      compiled(`export function f(p: ptr, n: int, x: float): void {\n${body}\n}`);
    } catch (error) {
      expect(error).toBeInstanceOf(CodegenError);
      const { place, message, way_out } = error as CodegenError;
      expect(place).toEqual({ file: PATH, line: 6 });
      return `${message.split("\n")[0].replace(/^.*@vec X: /, "")} | ${way_out}`;
    }
    return "accepted";
  };
  test.each([
    ["store(p, x);", "a float where a Vec is required | splat() it"],
    ["store(p, load(p) + splat(n));", "a int where a float is required | to_float() it"],
    ["const v: Vec = load(p) * x;", "Vec meets float | splat() makes a Vec of a float, to_float() a float of an int"],
    ["n = n / 2;", "/ of int | shift by a power of two, or mask"],
    ["if (load(p) > 2) n = 1;", "a Mask where a truth is required | any() or all() of it"],
    ["if (n) n = 1;", "a int where a truth is required | compare it with 0"],
    ["const y = 1.5; n = y;", "1.5 is not an integer | addresses and counts are integers"],
    ["let y = 1.5;", "y may be a float or a Vec | annotate it"],
    ["const y = 1; y += 1;", "y is constant | declare it with let"],
    ["z = 1;", "z is not known | declare it; constants are literals"],
    ["n = g(n);", "g is not known | write it in this file, or use one of src/aten/cpu/vec/Vec.ts"],
    ["min(n, 3);", "the result of min is not used | use it"],
    ["store(p);", "store with 1 arguments | it takes 2"],
    ["x = lane(load(p), 4);", "which lane? | a literal below 4"],
    [
      "switch (n) {}",
      "SwitchStatement in vector kernel text | use const, let, for, while, if, break, continue, return, assignments and calls",
    ],
    ["x = n > 0 ? load(p) : splat(x);", "a Vec where a float is required | lane(v, 0)"],
    [
      "store(p, n > 0 ? load(p) : splat(x));",
      "truth ? Vec : Vec | a Mask chooses between vectors, a condition between scalars; else write if, or any(mask)",
    ],
    [
      "out: for (;;) break out;",
      "LabeledStatement in vector kernel text | use const, let, for, while, if, break, continue, return, assignments and calls",
    ],
  ])("%s", (body, told) => {
    expect(refused(body)).toBe(told);
  });
  test("a dtype without vectors; a function written into itself; a return in the middle", () => {
    const read = (text: string): unknown => compile_vec(read_vec_file(PATH, text, new Map()), "float32", false);
    expect(() => read(file("", "uint8"))).toThrow(`${PATH}:3: @vec X: no vectors of "uint8"`);
    expect(() => read("/**\n * @vec nothing\n */")).toThrow(`${PATH}:2: @vec: cannot be read`);
    const self =
      "/** @inline */ function g(n: int): int { return g(n); }\nexport function f(n: int): int { return g(n); }";
    expect(() => read(file(self))).toThrow("the @inline function g calls itself");
    const middle =
      "/** @inline */ function g(n: int): int { if (n > 0) return 1; return 2; }\nexport function f(n: int): int { return g(n); }";
    expect(() => read(file(middle))).toThrow("return in the middle of an @inline function");
  });
});
