/**
 * @file Every vector loop against its JavaScript loop, in the same bytes: all lengths to 40, every mix of broadcast inputs, tiles, in place,
 * special values; nothing is written where the loop has no business.
 * @original
 */
/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from "vitest";
import type { Kernel, Operation, Value } from "#aten/cpu/vec/ir";
import type { VecLoop } from "#aten/cpu/vec/VecLoops";
import type { Loops } from "#aten/Dispatch";
import { ScalarType } from "#c10/core/ScalarType";
import { f32_from_bits, round_to_bfloat16 } from "#c10/util/BFloat16";
import { fp16_ieee_to_fp32_value, round_to_half } from "#c10/util/Half";

const modules: Record<string, Record<string, unknown>> = {
  ...import.meta.glob("../../../../src/aten/native/cpu/generated/**/*.ts", { eager: true }),
  ...import.meta.glob("../../../../src/aten/native/ufunc/generated/*.ts", { eager: true }),
};

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });

interface Facts {
  readonly scalarType: ScalarType;
  readonly size: number;
  readonly view: ArrayLike<number | bigint> & { [i: number]: number | bigint };
  /** Values worth trying, as they lie in memory. */
  readonly values: readonly (number | bigint)[];
  /** Inputs whose products are finite: JavaScript computes in double, where fewer values overflow. */
  readonly moderate?: readonly number[];
}

const b = memory.buffer as unknown as ArrayBuffer;
const special = [0, -0, 1, -1, 0.5, -2.5, 3.25, 1e-3, 7, 100.25, -88, -1e-10, Infinity, -Infinity, NaN];
const floats = [...special, 1e10, 2 ** -140, 65504, 3e38, -3e38];
const halves = [
  0, 0x8000, 0x3c00, 0xbc00, 0x3555, 1, 0x83ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x4248, 0x0400, 0x2e66,
];
const bfloats = [0, 0x8000, 0x3f80, 0xbf80, 0x4049, 1, 0x807f, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x3eab, 0x42c8];
const facts: Readonly<Record<string, Facts>> = {
  float32: { scalarType: ScalarType.Float, size: 4, view: new Float32Array(b), values: floats, moderate: special },
  float64: { scalarType: ScalarType.Double, size: 8, view: new Float64Array(b), values: floats },
  float16: { scalarType: ScalarType.Half, size: 2, view: new Uint16Array(b), values: halves },
  bfloat16: {
    scalarType: ScalarType.BFloat16,
    size: 2,
    view: new Uint16Array(b),
    values: bfloats,
    moderate: bfloats.filter((v) => (v & 0x7f00) !== 0x7f00 || (v & 0xff) >= 0x80),
  },
  uint8: {
    scalarType: ScalarType.Byte,
    size: 1,
    view: new Uint8Array(b),
    values: [0, 1, 2, 3, 100, 127, 128, 200, 255],
  },
  int8: { scalarType: ScalarType.Char, size: 1, view: new Int8Array(b), values: [0, 1, -1, 2, 100, 127, -128, -77] },
  int16: {
    scalarType: ScalarType.Short,
    size: 2,
    view: new Int16Array(b),
    values: [0, 1, -1, 300, 32767, -32768, -777],
  },
  int32: {
    scalarType: ScalarType.Int,
    size: 4,
    view: new Int32Array(b),
    values: [0, 1, -1, 2147483647, -2147483648, 123456789, -7],
  },
  int64: {
    scalarType: ScalarType.Long,
    size: 8,
    view: new BigInt64Array(b),
    values: [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 123456789012n, -7n],
  },
  bool: { scalarType: ScalarType.Bool, size: 1, view: new Uint8Array(b), values: [0, 1, 1, 0, 2, 255] },
};

/** Kernels of numbers from 0 to 1, without 1. */
const OF_UNIFORMS: ReadonlySet<string> = new Set(["normal_fill"]);
const uniforms = [0, 2 ** -24, 2 ** -20, 0.0625, 0.25, 0.3125, 0.5, 0.70703125, 0.75, 0.8125, 1 - 2 ** -24];

/** Operations that round nothing, or once and as JavaScript does: their results must be the same bits. */
const INEXACT: ReadonlySet<Operation | string> = new Set(["add", "sub", "mul", "div", "sqrt", "fmadd"]);

/** Roundings to float beside an elementary function of doubles; if there are more, one of floats is there, too. */
const FEW = 4;

/**
 * How far results may be apart, in units of the last place of what is stored. A double made of bits is in an elementary function: one that
 * is within a unit, as JavaScript's is, or one for floats, which differs where that of JavaScript stands between two of them.
 */
function tolerance(kernel: Kernel): number {
  if (OF_UNIFORMS.has(kernel.name.split(" ")[0])) return 0; // random numbers are PyTorch's to the bit
  const is_elementary = kernel.values.some((v) => v.op === "from_bits" && v.type === "f64");
  const rounded = kernel.values.filter((v) => INEXACT.has(v.op) && v.type === "f32").length;
  if (is_elementary && rounded <= FEW) return kernel.outputs[0].dtype === "float64" ? 3 : 1;
  if (rounded <= 1) return 0;
  return 8;
}

interface Evaluated {
  /** The value of the first output, in float32 as in the graph. */
  readonly value: number;
  /** The largest number that was rounded on the way: what cancels leaves its error behind. */
  readonly largest: number;
}

/** The graph's values for one element, by another hand; null if it has an operation that is not known here. */
function evaluate(kernel: Kernel, inputs: readonly number[], captures: readonly (number | bigint)[]): Evaluated | null {
  const known = new Map<string, number>();
  kernel.inputs.forEach(({ name }, k) => void known.set(name, inputs[k]));
  kernel.captures.forEach(({ name }, k) => void known.set(name, Number(captures[k])));
  const of = (v: Value): number => (v.op === "const" ? Number(v.value) : (known.get(v.name) as number));
  let largest = 0;
  for (const v of kernel.values) {
    const compute = EVALUATED[v.op];
    if (compute === undefined || v.type === "f64") return null;
    const value = v.args.map(of);
    const result = compute(value[0], value[1], value[2]);
    known.set(v.name, v.type === "f32" ? Math.fround(result) : result);
    if (v.type === "f32") largest = Math.max(largest, Math.abs(Math.fround(result))); // NaN stays
  }
  return { value: of(kernel.outputs[0].value), largest };
}

/** Whether they are apart because float32 rounds, or overflows, on the way, where the doubles of JavaScript do not. */
function rounds_apart(at: Evaluated | null, limit: number, got: number, want: number): boolean {
  if (at === null || !(Object.is(at.value, got) || (got === 0 && at.value === 0))) return false;
  return !Number.isFinite(at.largest) || Math.abs(got - want) <= limit * 2 ** -24 * at.largest;
}

/** Kernels in which numbers near 1 cancel to what may be far less: what a float loses there, it loses in PyTorch's vectors too. */
const CANCELLING: ReadonlySet<string> = new Set([
  "gelu",
  "gelu_tanh",
  "gelu_backward",
  "gelu_tanh_backward",
  "silu_backward",
  "lstm_step",
  "lstm_step_backward",
]);
/** Kernels that are only ever given what other kernels made, and values as those make them. */
const ACTIVATED: ReadonlySet<string> = new Set([
  "lstm_step",
  "lstm_step_backward",
  "flash_restore",
  "flash_restore_masked",
]);
const activations = [0, -0, 1, -1, 0.5, -0.25, 0.875, 0.3, -0.7, 1e-3, -1e-10, 2 ** -140];
function cancels(kernel: Kernel, inputs: readonly number[], apart: number): boolean {
  if (!CANCELLING.has(kernel.name.split(" ")[0]) || !inputs.every(Number.isFinite)) return false;
  const scale = inputs.reduce((product, x) => product * Math.max(1, Math.abs(x)), 1);
  return apart <= 8 * 2 ** -24 * scale;
}

/** The number that a dtype's bits mean, and the float32 that is stored as these bits. */
function number_of(dtype: string, stored: number | bigint): number {
  if (dtype === "float16") return fp16_ieee_to_fp32_value(Number(stored));
  return dtype === "bfloat16" ? f32_from_bits(Number(stored)) : Number(stored);
}
function as_stored(dtype: string, at: Evaluated | null): Evaluated | null {
  if (at === null || dtype === "float32") return at;
  return { ...at, value: dtype === "float16" ? round_to_half(at.value) : round_to_bfloat16(at.value) };
}

const EVALUATED: Readonly<Record<string, (a: number, b: number, c: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  fmadd: (a, b, c) => Math.fround(a * b) + c,
  sqrt: Math.sqrt,
  neg: (a) => -a,
  abs: Math.abs,
  lt: (a, b) => Number(a < b),
  le: (a, b) => Number(a <= b),
  gt: (a, b) => Number(a > b),
  ge: (a, b) => Number(a >= b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  not: (a) => 1 - a,
  select: (a, b, c) => (a === 0 ? c : b),
};

/** Places of floats on the number line, in units of the last place. */
function place(dtype: string, v: number | bigint): number {
  const n = v as number;
  if (dtype === "float16" || dtype === "bfloat16") return n & 0x8000 ? -(n & 0x7fff) : n;
  if (dtype === "float64") {
    const wide = new BigInt64Array(new Float64Array([n]).buffer)[0];
    return Number(wide < 0n ? -(wide & (2n ** 63n - 1n)) : wide);
  }
  const bits = new Int32Array(new Float32Array([n]).buffer)[0];
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

function isNaNOf(dtype: string, v: number | bigint): boolean {
  if (dtype === "float16") return ((v as number) & 0x7fff) > 0x7c00;
  if (dtype === "bfloat16") return ((v as number) & 0x7fff) > 0x7f80;
  return typeof v === "number" && Number.isNaN(v);
}

let state = 1;
function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const PAD = 64;
const BASE = 4096;
const AREA = 2048;

/** The operand k's memory begins here. */
function area(k: number): number {
  return BASE + AREA * k;
}

function fill(k: number, dtype: string, values: readonly (number | bigint)[]): void {
  const { view, size } = facts[dtype];
  for (let i = 0, at = area(k) / size; i < AREA / size; i++) view[at + i] = values[random(values.length)];
}

function values_for(kernel: Kernel, dtype: string): readonly (number | bigint)[] {
  const name = kernel.name.split(" ")[0];
  if (ACTIVATED.has(name)) return activations;
  if (OF_UNIFORMS.has(name)) return uniforms;
  const { values, moderate = values } = facts[dtype];
  return tolerance(kernel) === 0 ? values : moderate;
}

interface Tile {
  readonly n: number;
  readonly m: number;
  /** By operand, 1 or 0; of outputs 1. */
  readonly inner: readonly number[];
  readonly outer: readonly number[];
  readonly in_place: boolean;
}

function compare(loops: Loops, loop: VecLoop, tile: Tile): void {
  const kernel = loop.kernel as Kernel;
  const dtypes = [...kernel.outputs, ...kernel.inputs].map((o) => o.dtype);
  const outputs = kernel.outputs.length;
  const by = (k: number): ScalarType => facts[dtypes[k]].scalarType;
  const js = loops.by1 < 0 ? loops.get(by(loops.by0)) : loops.get2(by(loops.by0), by(loops.by1));
  const captures = kernel.captures.map((c) => (c.type === "i64" ? 3n : c.type.startsWith("f") ? 0.75 : 1));
  const limit = tolerance(kernel);
  for (const [k, dtype] of dtypes.entries()) fill(k, dtype, values_for(kernel, dtype));
  const places = dtypes.map((_, k) => (tile.in_place && k === outputs ? area(0) : area(k)));
  const before = new Uint8Array(b).slice();
  const original = before.slice().buffer;
  const { n, m, inner, outer } = tile;
  const js_args: unknown[] = [n, m];
  for (const [k, dtype] of dtypes.entries())
    js_args.push(facts[dtype].view, places[k] / facts[dtype].size, inner[k], outer[k]);
  js(...js_args, ...captures);
  const expected = new Uint8Array(b).slice();
  new Uint8Array(b).set(before);
  const args: unknown[] = [n, m, PAD];
  for (const [k, dtype] of dtypes.entries()) {
    const { size } = facts[dtype];
    args.push(places[k]);
    if (k >= outputs) args.push(inner[k] * size);
    args.push(outer[k] * size);
  }
  loop.function(memory, false)(...args, ...captures);
  const told = `${kernel.name} ${JSON.stringify(tile)}`;
  const after = new Uint8Array(b);
  for (let k = 0; k < outputs; k++) {
    const { view, size } = facts[dtypes[k]];
    const wanted = new (view.constructor as Float32ArrayConstructor)(expected.buffer) as unknown as typeof view;
    for (let j = 0; j < m; j++)
      for (let i = 0; i < n; i++) {
        const at = places[k] / size + i + j * outer[k];
        for (let byte = at * size; byte < (at + 1) * size; byte++) before[byte] = after[byte];
        const [got, want] = [view[at], wanted[at]];
        if (got === want || (isNaNOf(dtypes[k], got) && isNaNOf(dtypes[k], want))) continue;
        const apart = limit === 0 ? Number.POSITIVE_INFINITY : Math.abs(place(dtypes[k], got) - place(dtypes[k], want));
        if (apart <= limit) continue;
        const inputs = dtypes.slice(outputs).map((from, input) => {
          const o = outputs + input;
          const all = new (facts[from].view.constructor as Float32ArrayConstructor)(original);
          return number_of(from, all[places[o] / facts[from].size + i * inner[o] + j * outer[o]]);
        });
        if (cancels(kernel, inputs, Math.abs(number_of(dtypes[k], got) - number_of(dtypes[k], want)))) continue;
        const element = limit === 8 && k === 0 ? as_stored(dtypes[k], evaluate(kernel, inputs, captures)) : null;
        if (!rounds_apart(element, limit, number_of(dtypes[k], got), number_of(dtypes[k], want)))
          expect.fail(`${told} [${j}, ${i}]: ${got}, JavaScript has ${want} (${apart} ulp)`);
      }
  }
  // What lies outside of the outputs is as it was; the pad may be anything.
  if (Buffer.compare(before.subarray(BASE), after.slice(BASE)) !== 0)
    expect.fail(`${told}: a byte beside the output was written`);
}

/** Tiles for a kernel of so many operands: all lengths side by side, the others with every mix of broadcast inputs. */
function tiles(outputs: number, operands: number): Tile[] {
  const ones = new Array<number>(operands).fill(1);
  const out: Tile[] = [];
  for (let n = 1; n <= 40; n++) out.push({ n, m: 1, inner: ones, outer: ones.map(() => 0), in_place: false });
  const inputs = operands - outputs;
  for (let mix = 0; mix < 2 ** inputs; mix++) {
    const inner = ones.map((_, k) => (k >= outputs && (mix >> (k - outputs)) & 1 ? 0 : 1));
    for (const n of [3, 18, 37])
      out.push({ n, m: 3, inner, outer: inner.map((s, k) => (k < outputs ? 41 : s === 0 ? 1 : 43)), in_place: false });
  }
  return out;
}

const all = Object.values(modules)
  .flatMap((m) => Object.values(m))
  .filter((x): x is Loops => (x as Loops)?.vec !== undefined);

describe("vector loops and JavaScript loops give the same", () => {
  it("are there", () => {
    expect(all.length).toBeGreaterThan(50);
  });
  for (const loops of all) {
    const known = loops.vec.all().filter((loop) => loop.kernel !== null);
    if (known.length === 0) continue;
    it(`${loops.label} ${loops.symbol}, ${known[0].kernel?.name.split(" ")[0]}: ${known.length} loops`, () => {
      for (const loop of known) {
        const { outputs, inputs } = loop.kernel as Kernel;
        const sizes = [...outputs, ...inputs].map((o) => facts[o.dtype].size);
        const operands = sizes.length;
        for (const tile of tiles(outputs.length, operands)) compare(loops, loop, tile);
        if (sizes[0] === sizes[outputs.length] && operands > outputs.length) {
          const ones = new Array<number>(operands).fill(1);
          compare(loops, loop, { n: 37, m: 1, inner: ones, outer: ones.map(() => 0), in_place: true });
        }
      }
    });
  }
});
