/** @file A memory of the tests' own for kernels that work on addresses: what stands in it, and what must not change. */
import { ScalarType } from "#c10/core/ScalarType";
import { round_to_nearest_even } from "#c10/util/BFloat16";
import { fp16_ieee_from_fp32_value } from "#c10/util/Half";

export const memory = new WebAssembly.Memory({ initial: 256, maximum: 256, shared: true });
/** Room for what kernels write down for themselves. */
export const WORK = 1024;
const FIRST = 1 << 20;

export type Floats = Float32Array | Float64Array;
export const FLOATS = [
  { name: "float32", dtype: ScalarType.Float, size: 4, eps: 2 ** -24, make: Float32Array },
  { name: "float64", dtype: ScalarType.Double, size: 8, eps: 2 ** -53, make: Float64Array },
] as const;
/** Their arrays have bits. */
const Bits = Uint16Array as unknown as typeof Float32Array;
export const HALVES = [
  { name: "float16", dtype: ScalarType.Half, size: 2, eps: 2 ** -11, make: Bits, bits: fp16_ieee_from_fp32_value },
  { name: "bfloat16", dtype: ScalarType.BFloat16, size: 2, eps: 2 ** -8, make: Bits, bits: round_to_nearest_even },
] as const;
export type Kind = (typeof FLOATS)[number] | (typeof HALVES)[number];

/** How `x` lies in memory. */
export function stored(kind: Kind, x: number): number {
  return "bits" in kind ? kind.bits(Math.fround(x)) : x;
}

export function view(kind: Kind): Floats {
  return new kind.make(memory.buffer as unknown as ArrayBuffer);
}

const GUARD = 64;
let next = FIRST;

/** An array in the memory with NaN before and behind it: who takes part in a result shows. */
export class Room {
  readonly address: number;
  readonly data: Floats;
  private readonly around: Uint8Array;
  private readonly n: number;

  constructor(kind: Kind, n: number, value: (i: number) => number = () => Number.NaN) {
    this.address = next + GUARD;
    this.n = n * kind.size;
    next += Math.ceil((2 * GUARD + this.n) / 16) * 16;
    if (next > memory.buffer.byteLength) throw new Error("no more room");
    this.around = new Uint8Array(memory.buffer, this.address - GUARD, this.n + 2 * GUARD);
    this.around.fill(0xff);
    this.data = new kind.make(memory.buffer as unknown as ArrayBuffer, this.address, n);
    for (let i = 0; i < n; i++) this.data[i] = stored(kind, value(i));
  }

  /** Whether nothing was written outside. */
  whole(): boolean {
    const { around, n } = this;
    return around.every((byte, k) => byte === 0xff || (k >= GUARD && k < GUARD + n));
  }
}

/** A table of int32 in the memory, as kernels read it. */
export function int32_table(values: ArrayLike<number>): Int32Array {
  const { address } = new Room(FLOATS[0], values.length);
  const table = new Int32Array(memory.buffer, address, values.length);
  table.set(values);
  return table;
}

/** A table of int64 values. */
export function int64_table(values: readonly number[]): BigInt64Array {
  const { address } = new Room(FLOATS[1], values.length);
  const table = new BigInt64Array(memory.buffer, address, values.length);
  table.set(values.map(BigInt));
  return table;
}

/** All rooms may be used again. */
export function clear(): void {
  next = FIRST;
}

/** Numbers between -1 and 1, ever the same. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
