/**
 * @file The elementary functions of vectors against doubles: over a million floats of all magnitudes, and where they have corners.
 * @original
 */
import { describe, expect, it } from "vitest";
import type { Loops } from "#aten/Dispatch";
import { ScalarType } from "#c10/core/ScalarType";
import {
  exp_of_loops,
  log_of_loops,
  sigmoid_loops,
  tanh_of_loops,
} from "../../../../src/aten/native/cpu/generated/UnaryOpsKernel.ts";

const COUNT = 1 << 20;
const limits = { initial: 130, maximum: 130, shared: true };
const memory = new WebAssembly.Memory(limits);
const input = new Float32Array(memory.buffer, 4096, COUNT);
const output = new Float32Array(memory.buffer, 4096 + 4 * COUNT, COUNT);
const bits = new Uint32Array(memory.buffer, 4096, COUNT);

function run(loops: Loops, relaxed = false): void {
  loops.vec.find(ScalarType.Float)?.function({ ...limits, memory, relaxed })(
    COUNT,
    1,
    64,
    output.byteOffset,
    0,
    input.byteOffset,
    4,
    0,
  );
}

const scratch = new Float32Array(1);
const scratch_bits = new Int32Array(scratch.buffer);

/** The distance of floats around `x`. */
function ulp(x: number): number {
  scratch[0] = Math.abs(x);
  if (scratch[0] === Infinity) return 2 ** 104;
  const low = scratch[0];
  scratch_bits[0]++;
  return scratch[0] === Infinity ? 2 ** 104 : scratch[0] - low;
}

/** The greatest error in units of the last place, and where. */
function worst(f: (x: number) => number): { ulps: number; at: number } {
  let ulps = 0;
  let at = 0;
  for (let i = 0; i < COUNT; i++) {
    const want = f(input[i]);
    const got = output[i];
    if (Math.fround(want) === got || (Number.isNaN(want) && Number.isNaN(got))) continue;
    const error = Math.abs(got - want) / ulp(want);
    if (!(error <= ulps)) [ulps, at] = [error, input[i]];
  }
  return { ulps, at };
}

/** Floats of every sign and exponent, NaN and infinities among them. */
function everywhere(): void {
  for (let i = 0; i < COUNT; i++) bits[i] = Math.imul(i, 4096 + 7) + (i >>> 3);
}

function between(low: number, high: number): void {
  for (let i = 0; i < COUNT; i++) input[i] = low + ((high - low) * i) / (COUNT - 1);
}

/** Where exp(-x) is beyond the largest float the result is 0, as PyTorch's is. */
function sigmoid(x: number): number {
  return 1 / (1 + (x < -88.7 ? Math.fround(Math.exp(-x)) : Math.exp(-x)));
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
];

describe("elementary functions for vectors", () => {
  for (const [name, loops, f, limit, low, high] of cases) {
    it(`${name} is within ${limit} units of the last place`, () => {
      for (const lay of [everywhere, () => between(low, high)]) {
        lay();
        run(loops);
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
      run(loops);
      return [...output.subarray(0, corners.length)];
    };
    expect(results(exp_of_loops)).toEqual([1, 1, Infinity, 0, NaN, Math.fround(Math.E), Math.fround(1 / Math.E)]);
    expect(results(log_of_loops)).toEqual([-Infinity, -Infinity, Infinity, NaN, NaN, 0, NaN]);
    expect(results(tanh_of_loops)).toEqual([0, -0, 1, -1, NaN, Math.fround(Math.tanh(1)), -Math.fround(Math.tanh(1))]);
    expect(results(sigmoid_loops).slice(0, 5)).toEqual([0.5, 0.5, 1, 0, NaN]);
  });
});
