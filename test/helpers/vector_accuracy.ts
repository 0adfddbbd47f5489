/**
 * @file A million floats through a vector loop, and how far the worst result is from what a function of doubles says.
 * @original
 */
import type { VecLoops } from "#aten/cpu/vec/VecLoops";
import { ScalarType } from "#c10/core/ScalarType";

export const COUNT = 1 << 20;
export const memory = new WebAssembly.Memory({ initial: 195, maximum: 195, shared: true });
export const input = new Float32Array(memory.buffer, 4096, COUNT);
export const output = new Float32Array(memory.buffer, 4096 + 4 * COUNT, COUNT);
const bits = new Uint32Array(memory.buffer, 4096, COUNT);

export function run(loops: VecLoops): void {
  const [out, x] = [output.byteOffset, input.byteOffset];
  loops.find(ScalarType.Float)?.function(memory, false)(COUNT, 1, 64, out, 0, x, 4, 0);
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
export function worst(f: (x: number) => number): { ulps: number; at: number } {
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
export function everywhere(): void {
  for (let i = 0; i < COUNT; i++) bits[i] = Math.imul(i, 4096 + 7) + (i >>> 3);
}

/** The floats whose bits begin at `first`. */
export function from_bits(first: number): void {
  for (let i = 0; i < COUNT; i++) bits[i] = first + i;
}

export function between(low: number, high: number): void {
  for (let i = 0; i < COUNT; i++) input[i] = low + ((high - low) * i) / (COUNT - 1);
}
