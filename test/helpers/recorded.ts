/**
 * @file Values as the recorders in tools/oracle write them, and back: tensors with their strides and storage, dtypes, slices, floats.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import torch from "glasstorch";
import { farthest } from "./assert_close.ts";

// biome-ignore lint/suspicious/noExplicitAny: recorded values are of every type
export type Any = any;

export function readFixture<T>(url: URL): T {
  return JSON.parse(gunzipSync(readFileSync(url)).toString()) as T;
}

const views: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayLike<number | bigint>>> = {
  float64: Float64Array,
  float32: Float32Array,
  int64: BigInt64Array,
  int32: Int32Array,
  int16: Int16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
};

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + mantissa) * 2 ** (exponent - 25);
}

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);
function bfloat16ToNumber(bits: number): number {
  u32[0] = bits << 16;
  return f32[0];
}

/** Raw little-endian bytes as numbers of `dtype`. */
export function fromBytes(bytes: Uint8Array, dtype: string): (number | bigint)[] {
  const View = views[dtype];
  if (View === undefined) throw new Error(`no elements of dtype ${dtype}`);
  const raw = Array.from(new View(new Uint8Array(bytes).buffer));
  if (dtype === "float16") return raw.map((b) => halfToNumber(b as number));
  if (dtype === "bfloat16") return raw.map((b) => bfloat16ToNumber(b as number));
  return raw;
}

/** The elements of a tensor in the order of its indices. */
export function elementsOf(t: Any): (number | bigint)[] {
  const dense = (t._is_zerotensor() ? t.clone() : t).detach().contiguous(); // a tensor of zeros has no memory
  const size = dense.itemsize;
  const from = dense.storage_offset() * size;
  return fromBytes(
    dense
      .untyped_storage()
      .bytes()
      .slice(from, from + dense.numel() * size),
    dtypeName(t),
  );
}

export function dtypeName(t: Any): string {
  return String(t.dtype).replace("torch.", "");
}

export function decode(value: Any): Any {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(decode);
  if ("$tuple" in value) return value.$tuple.map(decode);
  if ("$int" in value) return BigInt(value.$int);
  if ("$f" in value) return new torch.Float(pythonFloat(value.$f));
  if ("$dtype" in value) return (torch as Any)[value.$dtype];
  if ("$device" in value) return value.$device;
  if ("$torch" in value) return (torch as Any)[value.$torch];
  if ("$slice" in value) {
    const [start, stop, step] = value.$slice.map(decode);
    return { start, stop, step };
  }
  if ("$ellipsis" in value) return "...";
  if ("$t" in value) return decodeTensor(value.$t);
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, decode(v)]));
}

export function pythonFloat(text: string): number {
  if (text === "inf") return Number.POSITIVE_INFINITY;
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  return Number(text);
}

type Encoded = readonly [dtype: string, shape: number[], strides: number[], offset: number, data: string | null];

function decodeTensor([dtype, shape, strides, offset, data]: Encoded): Any {
  const dt = (torch as Any)[dtype];
  if (data === null) return torch.empty_strided(shape, strides, { dtype: dt, device: "meta" });
  const bytes = Buffer.from(data, "base64");
  const itemsize = torch.empty([0], { dtype: dt }).itemsize;
  const flat = torch.empty([bytes.length / itemsize], { dtype: dt });
  if (bytes.length > 0) flat.untyped_storage().bytes().set(bytes);
  return flat.as_strided(shape, strides, offset);
}

/** Null when `actual` is what was recorded: dtype, shape, strides, device, values. */
export function differs(actual: Any, recorded: Any, { values = true, strides = true } = {}): string | null {
  if (recorded !== null && typeof recorded === "object" && "$t" in recorded) {
    const [dtype, shape, recordedStrides, , data] = recorded.$t as Encoded;
    if (!(actual instanceof torch.Tensor)) return `got ${String(actual)} instead of a tensor`;
    if (dtypeName(actual) !== dtype) return `dtype ${dtypeName(actual)} instead of ${dtype}`;
    if (JSON.stringify([...actual.shape]) !== JSON.stringify(shape))
      return `shape [${actual.shape}] instead of [${shape}]`;
    if (strides && JSON.stringify([...actual.stride()]) !== JSON.stringify(recordedStrides))
      return `strides [${actual.stride()}] instead of [${recordedStrides}]`;
    if (data === null) return actual.device.type === "meta" ? null : `device ${actual.device} instead of meta`;
    return values ? farthest(elementsOf(actual), fromBytes(Buffer.from(data, "base64"), dtype), dtype) : null;
  }
  const list = Array.isArray(recorded) ? recorded : recorded?.$tuple;
  if (list !== undefined) {
    const items = [...(actual as Iterable<Any>)];
    if (items.length !== list.length) return `${items.length} results instead of ${list.length}`;
    for (let i = 0; i < list.length; i++) {
      const difference = differs(items[i], list[i], { values, strides });
      if (difference !== null) return `result ${i}: ${difference}`;
    }
    return null;
  }
  const expected =
    recorded !== null && typeof recorded === "object" && "$f" in recorded ? pythonFloat(recorded.$f) : decode(recorded);
  const got = actual instanceof torch.Float ? actual.valueOf() : actual;
  return Object.is(got, expected) || got === expected ? null : `${String(got)} instead of ${String(expected)}`;
}
