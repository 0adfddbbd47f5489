/**
 * @file The elementary functions of vectors: those of floats against doubles, over a million floats of all magnitudes; those of doubles
 * against integers of 200 bits; where they have corners; floor division against PyTorch.
 * @original
 */
import { describe, expect, it } from "vitest";
import type { Loops } from "#aten/Dispatch";
import { div_floor_elements_loops } from "#aten/native/cpu/generated/BinaryOpsKernel/index";
import { atan2_of_loops, fmod_loops, hypot_of_loops } from "#aten/native/cpu/generated/BinaryOpsKernel/Math";
import {
  acos_of_loops,
  acosh_of_loops,
  asin_of_loops,
  asinh_of_loops,
  atan_of_loops,
  atanh_of_loops,
  cosh_of_loops,
  exp_of_loops,
  exp2_of_loops,
  log_of_loops,
  log2_of_loops,
  log10_of_loops,
  sigmoid_loops,
  sinh_of_loops,
  tanh_of_loops,
} from "#aten/native/cpu/generated/UnaryOpsKernel/index";
import { erfinv_of_loops, lgamma_of_loops } from "#aten/native/cpu/generated/UnaryOpsKernel/Special";
import { calc_erfinv, lgamma } from "#aten/native/Math/index";
import { ScalarType } from "#c10/core/ScalarType";
import { pow_scalar_loops, pow_tensor_loops } from "../../../../src/aten/native/cpu/generated/PowKernel.ts";
import { exact } from "../../../helpers/exact.ts";
import { fromBytes, readFixture } from "../../../helpers/recorded.ts";
import { between, COUNT, everywhere, input, memory, output, run, worst } from "../../../helpers/vector_accuracy.ts";

/** Where exp(-x) is beyond the largest float the result is 0, as PyTorch's is. */
function sigmoid(x: number): number {
  return 1 / (1 + (x < -88.7 ? Math.fround(Math.exp(-x)) : Math.exp(-x)));
}

/** C's, which is 1 for 1 to any power and for -1 to an infinite one. */
function power(x: number, y: number): number {
  return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y;
}

const cases: readonly [
  name: string,
  loops: Loops,
  f: (x: number) => number,
  limit: number,
  low: number,
  high: number,
][] = [
  ["exp", exp_of_loops, Math.exp, 1, -104, 89],
  ["log", log_of_loops, Math.log, 0.85, 0, 4],
  ["tanh", tanh_of_loops, Math.tanh, 1.3, -10, 10],
  ["sigmoid", sigmoid_loops, sigmoid, 3, -90, 90],
  // Those that are computed in doubles.
  ["asin", asin_of_loops, Math.asin, 0.51, -1, 1],
  ["acos", acos_of_loops, Math.acos, 0.51, -1, 1],
  ["atan", atan_of_loops, Math.atan, 0.51, -10, 10],
  ["sinh", sinh_of_loops, Math.sinh, 0.51, -2, 2],
  ["cosh", cosh_of_loops, Math.cosh, 0.51, -90, 90],
  ["asinh", asinh_of_loops, Math.asinh, 0.51, -1, 1],
  ["acosh", acosh_of_loops, Math.acosh, 0.51, 1, 3],
  ["atanh", atanh_of_loops, Math.atanh, 0.51, -1, 1],
  ["log2", log2_of_loops, Math.log2, 0.51, 0, 4],
  ["log10", log10_of_loops, Math.log10, 0.51, 0, 4],
  ["exp2", exp2_of_loops, (x) => 2 ** x, 0.51, -150, 128],
  ["erfinv", erfinv_of_loops, calc_erfinv, 0.51, -1, 1],
  ["lgamma", lgamma_of_loops, lgamma, 0.51, -9, 9],
];

describe("elementary functions for vectors", () => {
  for (const [name, loops, f, limit, low, high] of cases) {
    it(`${name} is within ${limit} units of the last place`, () => {
      for (const lay of [everywhere, () => between(low, high)]) {
        lay();
        run(loops.vec);
        const { ulps, at } = worst(f);
        console.log(`${name}: ${ulps.toFixed(3)} ulp at ${at}`);
        expect(ulps).toBeLessThanOrEqual(limit);
      }
    });
  }

  it("have the corners of C's functions", () => {
    const corners = [0, -0, Infinity, -Infinity, NaN, 1, -1];
    input.set(corners);
    const results = (loops: Loops): number[] => {
      run(loops.vec);
      return [...output.subarray(0, corners.length)];
    };
    expect(results(exp_of_loops)).toEqual([1, 1, Infinity, 0, NaN, Math.fround(Math.E), Math.fround(1 / Math.E)]);
    expect(results(log_of_loops)).toEqual([-Infinity, -Infinity, Infinity, NaN, NaN, 0, NaN]);
    expect(results(tanh_of_loops)).toEqual([0, -0, 1, -1, NaN, Math.fround(Math.tanh(1)), -Math.fround(Math.tanh(1))]);
    expect(results(sigmoid_loops).slice(0, 5)).toEqual([0.5, 0.5, 1, 0, NaN]);
  });

  // ---- powers, whose double is nearly always beyond doubt

  const second = new Float32Array(memory.buffer, 4096 + 8 * COUNT, COUNT);

  /** Base, exponent and result lie one behind the other. */
  function run_two(loops: Loops): void {
    const [out, x, y] = [output, input, second].map((view) => view.byteOffset);
    loops.vec.find(ScalarType.Float)?.function(memory, false)(COUNT, 1, 64, out, 0, x, 4, 0, y, 4, 0);
  }

  it("powers are the nearest float, or as good as that", () => {
    everywhere();
    let state = 7;
    for (let i = 0; i < COUNT; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      // So that the result is neither 0 nor infinite for most; an integer every fourth time.
      const y = ((state / 2 ** 32) * 300 - 150) / Math.max(1, Math.abs(Math.log2(Math.abs(input[i])) || 1));
      second[i] = i % 4 === 0 ? Math.round(y) : y;
    }
    run_two(pow_tensor_loops);
    let index = 0;
    const { ulps, at } = worst((x) => power(x, second[index++]));
    console.log(`pow: ${ulps.toFixed(4)} ulp at ${at}`);
    expect(ulps).toBeLessThanOrEqual(0.51);
  });

  it("a captured exponent keeps its double precision", () => {
    between(0.001, 1000);
    for (const exponent of [0.1, 1 / 3, -2.7, 7, -0.5]) {
      const [out, x] = [output.byteOffset, input.byteOffset];
      pow_scalar_loops.vec.find(ScalarType.Float)?.function(memory, false)(COUNT, 1, 64, out, 0, x, 4, 0, exponent);
      expect(worst((v) => v ** exponent).ulps).toBeLessThanOrEqual(0.51);
    }
  });

  it("powers have the corners of C's pow", () => {
    const xs = [0, -0, 1, -1, 2, -2, 0.5, -0.5, Infinity, -Infinity, NaN, 2 ** -149, -(2 ** -149), 3e38, -3e38];
    const ys = [0, -0, 1, -1, 2, 3, -2, -3, 0.5, -0.5, 2.5, Infinity, -Infinity, NaN, 1e30, -1e30, 16777217];
    const pairs = xs.flatMap((x) => ys.map((y) => [x, y]));
    input.set(pairs.map(([x]) => x));
    second.set(pairs.map(([, y]) => y));
    run_two(pow_tensor_loops);
    for (const [k, [x, y]] of pairs.entries())
      expect([x, y, output[k]]).toEqual([x, y, Math.fround(power(x, Math.fround(y)))]);
  });

  /** Numbers and corners of all kinds beside each other. */
  const CORNERS = [0, -0, 1, -1, 3, -0.75, Infinity, -Infinity, NaN, 2 ** -149, -(2 ** -149), 3e38, -3e38, 2 ** -126];

  it.each([
    ["atan2", atan2_of_loops, Math.atan2, 0.51],
    ["hypot", hypot_of_loops, Math.hypot, 0.51],
    ["fmod", fmod_loops, (x: number, y: number) => x % y, 0],
  ] as const)("%s of two floats of any size", (_, loops, f, limit) => {
    everywhere();
    for (let i = 0; i < COUNT; i++) second[i] = input[(i * 7919 + 13) % COUNT];
    run_two(loops);
    let index = 0;
    expect(worst((x) => f(x, second[index++])).ulps).toBeLessThanOrEqual(limit);
    const pairs = CORNERS.flatMap((x) => CORNERS.map((y) => [x, y]));
    input.set(pairs.map(([x]) => x));
    second.set(pairs.map(([, y]) => y));
    run_two(loops);
    for (const [k, [x, y]] of pairs.entries())
      expect([x, y, output[k]]).toEqual([x, y, Math.fround(f(Math.fround(x), Math.fround(y)))]);
  });

  it("floor division has PyTorch's bits", () => {
    const golden = readFixture<Record<"a" | "b" | "floor", string>>(
      new URL("../../../fixtures/native/floor_division.json.gz", import.meta.url),
    );
    const [a, b, floor] = [golden.a, golden.b, golden.floor].map((text) =>
      Float32Array.from(fromBytes(Buffer.from(text, "base64"), "float32") as number[]),
    );
    input.set(a);
    second.set(b);
    run_two(div_floor_elements_loops);
    for (let k = 0; k < a.length; k++)
      if (!Object.is(output[k], floor[k])) expect.fail(`${a[k]} // ${b[k]}: ${output[k]}, PyTorch has ${floor[k]}`);
  });

  // ---- doubles

  for (const [name, loops, limit, low, high] of [
    ["exp", exp_of_loops, 0.85, -745, 709.7],
    ["exp", exp_of_loops, 0.7, -1, 1],
    ["log", log_of_loops, 1, 1e-300, 1e300],
    ["log", log_of_loops, 1, 0.3, 3],
    ["tanh", tanh_of_loops, 1, -3, 3],
  ] as const) {
    it(`${name} of doubles from ${low} to ${high} is within ${limit} units of the last place`, () => {
      const n = 1 << 14;
      const x = new Float64Array(memory.buffer, 4096, n);
      const y = new Float64Array(memory.buffer, 4096 + 8 * n, n);
      const ratio = low > 0 && high / low > 100 ? high ** 0.25 / low ** 0.25 : 0; // four steps, for their quotient has no double
      for (let i = 0; i < n; i++)
        x[i] = ratio > 0 ? low * ratio ** ((4 * i) / (n - 1)) : low + ((high - low) * (i + 0.37)) / n;
      loops.vec.find(ScalarType.Double)?.function(memory, false)(n, 1, 64, y.byteOffset, 0, x.byteOffset, 8, 0);
      let [ulps, at] = [0, 0];
      for (let i = 0; i < n; i++) {
        const error = Math.abs(exact[name](x[i], y[i]));
        if (!(error <= ulps)) [ulps, at] = [error, x[i]];
      }
      console.log(`${name} of doubles: ${ulps.toFixed(3)} ulp at ${at}`);
      expect(ulps).toBeLessThanOrEqual(limit);
    });
  }

  it("those of doubles have the corners of C's functions", () => {
    const corners = [0, -0, Infinity, -Infinity, NaN, 5e-324, -5e-324, 1e-310, 710, -746];
    const x = new Float64Array(memory.buffer, 4096, corners.length);
    const y = new Float64Array(memory.buffer, 8192, corners.length);
    const results = (loops: Loops): number[] => {
      x.set(corners);
      loops.vec.find(ScalarType.Double)?.function(memory, false)(
        corners.length,
        1,
        64,
        y.byteOffset,
        0,
        x.byteOffset,
        8,
        0,
      );
      return [...y];
    };
    expect(results(exp_of_loops)).toEqual([1, 1, Infinity, 0, NaN, 1, 1, 1, Infinity, 0]);
    expect(results(log_of_loops).slice(0, 8)).toEqual([
      -Infinity,
      -Infinity,
      Infinity,
      NaN,
      NaN,
      Math.log(5e-324),
      NaN,
      Math.log(1e-310),
    ]);
    expect(results(tanh_of_loops)).toEqual([0, -0, 1, -1, NaN, 5e-324, -5e-324, 1e-310, 1, -1]);
    expect(results(sigmoid_loops)).toEqual([0.5, 0.5, 1, 0, NaN, 0.5, 0.5, 0.5, 1, 0]);
  });
});
