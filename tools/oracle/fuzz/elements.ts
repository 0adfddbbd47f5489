/**
 * @file Elements as numbers, and the tolerances for comparing them.
 * @original
 */

/** Relative and absolute tolerance per dtype, as in torch.testing. Integers must be equal. */
const TOLERANCES: Readonly<Record<string, readonly [rtol: number, atol: number]>> = {
  float64: [1e-7, 1e-7],
  float32: [1.3e-6, 1e-5],
  bfloat16: [1.6e-2, 1e-5],
  float16: [1e-3, 1e-5],
};

type View = new (buffer: ArrayBuffer) => ArrayLike<number | bigint>;
const VIEWS: Readonly<Record<string, View>> = {
  float64: Float64Array,
  float32: Float32Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  int64: BigInt64Array,
  int32: Int32Array,
  int16: Int16Array,
  int8: Int8Array,
  uint64: BigUint64Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
};

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + mantissa) * 2 ** (exponent - 25);
}

function bfloat16(bits: number): number {
  return new Float32Array(Uint32Array.of(bits << 16).buffer)[0];
}

export function numbers(data: string, dtype: string): (number | bigint)[] {
  const bytes = Uint8Array.from(Buffer.from(data, "base64"));
  const raw = Array.from(new (VIEWS[dtype] ?? Uint8Array)(bytes.buffer));
  if (dtype === "float16") return raw.map((b) => half(b as number));
  if (dtype === "bfloat16") return raw.map((b) => bfloat16(b as number));
  return raw;
}

export function close(a: number | bigint, b: number | bigint, dtype: string): boolean {
  if (a === b || Object.is(a, b)) return true;
  const tolerance = TOLERANCES[dtype];
  if (tolerance === undefined || typeof a === "bigint" || typeof b === "bigint") return false;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= tolerance[1] + tolerance[0] * Math.abs(b);
}

/** The first position at which two sets of elements are not close, or -1. */
export function firstFar(ours: string, theirs: string, dtype: string): number {
  if (ours === theirs) return -1;
  const [a, b] = [numbers(ours, dtype), numbers(theirs, dtype)];
  if (a.length !== b.length) return Math.min(a.length, b.length);
  return a.findIndex((x, i) => !close(x, b[i], dtype));
}

/** Whether two texts are the same except for rounding in the numbers they print. */
export function closeText(a: string, b: string): boolean {
  if (a === b) return true;
  const number = /-?\d+\.\d+(?:e[+-]\d+)?/g;
  const [x, y] = [a.match(number) ?? [], b.match(number) ?? []];
  return (
    a.replace(number, "#") === b.replace(number, "#") && x.every((v, i) => close(Number(v), Number(y[i]), "float64"))
  );
}
