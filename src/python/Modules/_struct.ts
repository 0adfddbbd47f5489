/**
 * @file Values as bytes in a given format: `struct` itself is Lib/struct.py, which defines the class of its errors.
 * @mirrors Modules/_struct.c (CPython 3.11)
 */
import { PyBytes } from "../Objects/bytesobject.ts";
import { call } from "../Objects/call.ts";
import { TypeError_ } from "../Objects/exceptions.ts";
import { float_value } from "../Objects/floatobject.ts";
import { int_value } from "../Objects/longobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { truth } from "../Objects/object.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import { index, real } from "./arguments.ts";

/** Sizes of ints in bytes; capital letters are without sign. `l` has 8 bytes where the format is native. */
const INTS: Readonly<Record<string, number>> = { b: 1, h: 2, i: 4, l: 4, q: 8, n: 8 };
const FLOATS: Readonly<Record<string, number>> = { f: 4, d: 8 };

interface Field {
  readonly letter: string;
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

interface Layout {
  readonly fields: readonly Field[];
  readonly size: number;
  readonly little: boolean;
}

const error_class: { value: unknown } = { value: null };
const failed = (message: string): unknown => call(error_class.value, message);

function layout_of(value: unknown): Layout {
  const format = value instanceof PyBytes ? String.fromCharCode(...value.data) : value;
  if (typeof format !== "string")
    throw new TypeError_(`Struct() argument 1 must be a str or bytes object, not ${type_of(value).tp_name}`);
  const order = /^[@=<>!]/.test(format) ? (format[0] as string) : "@";
  const native = order === "@";
  const fields: Field[] = [];
  let offset = 0;
  const text = format.replace(/^[@=<>!]/, "").replace(/\s+/g, "");
  for (const [whole, digits, letter = ""] of text.matchAll(/(\d*)(.?)/g)) {
    if (whole === "") continue;
    if (letter === "") throw failed("repeat count given without format specifier");
    const small = letter.toLowerCase();
    const of_int = letter === "n" || letter === "N" ? (native ? 8 : undefined) : INTS[small];
    const size = "xcsp?".includes(letter) ? 1 : small === "l" && native ? 8 : (of_int ?? FLOATS[letter]);
    if (size === undefined) throw failed("bad char in struct format");
    const count = digits === "" ? 1 : Number(digits);
    if (native) offset = Math.ceil(offset / size) * size;
    fields.push({ letter, count, size, offset });
    offset += size * count;
  }
  return { fields, size: offset, little: order !== ">" && order !== "!" };
}

/** How many values a field takes: a text is one, padding none. */
const values_in = ({ letter, count }: Field): number =>
  letter === "x" ? 0 : letter === "s" || letter === "p" ? 1 : count;

function put(view: DataView, at: number, letter: string, size: number, value: unknown, little: boolean): void {
  if (letter === "?") view.setUint8(at, truth(value) ? 1 : 0);
  else if (letter === "c") {
    if (!(value instanceof PyBytes) || value.data.length !== 1)
      throw failed("char format requires a bytes object of length 1");
    view.setUint8(at, value.data[0] as number);
  } else if (letter === "f" || letter === "d") {
    let number: number;
    try {
      number = real(value);
    } catch (error) {
      throw error instanceof TypeError_ ? failed("required argument is not a float") : error;
    }
    if (letter === "d") view.setFloat64(at, number, little);
    else view.setFloat32(at, number, little);
  } else put_int(view, at, letter, size, value, little);
}

function put_int(view: DataView, at: number, letter: string, size: number, value: unknown, little: boolean): void {
  let number: bigint;
  try {
    number = BigInt(index(value));
  } catch (error) {
    throw error instanceof TypeError_ ? failed("required argument is not an integer") : error;
  }
  const signed = letter === letter.toLowerCase();
  const bits = 8 * size;
  const [low, high] = signed
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  if (number < low || number > high) {
    const name = { 1: signed ? "byte" : "ubyte", 2: signed ? "short" : "ushort" }[size];
    throw failed(`${name ?? `'${letter}'`} format requires ${low} <= number <= ${high}`);
  }
  for (let i = 0; i < size; i++)
    view.setUint8(at + (little ? i : size - 1 - i), Number(BigInt.asUintN(8, number >> BigInt(8 * i))));
}

function get(view: DataView, at: number, letter: string, size: number, little: boolean): unknown {
  if (letter === "?") return view.getUint8(at) !== 0;
  if (letter === "c") return new PyBytes(new Uint8Array([view.getUint8(at)]));
  if (letter === "f") return float_value(view.getFloat32(at, little));
  if (letter === "d") return float_value(view.getFloat64(at, little));
  let number = 0n;
  for (let i = size - 1; i >= 0; i--) number = (number << 8n) | BigInt(view.getUint8(at + (little ? i : size - 1 - i)));
  return int_value(letter === letter.toLowerCase() ? BigInt.asIntN(8 * size, number) : number);
}

function pack(format: unknown, values: readonly unknown[]): PyBytes {
  const { fields, size, little } = layout_of(format);
  const wanted = fields.reduce((sum, field) => sum + values_in(field), 0);
  if (wanted !== values.length) throw failed(`pack expected ${wanted} items for packing (got ${values.length})`);
  const data = new Uint8Array(size);
  const view = new DataView(data.buffer);
  let next = 0;
  for (const field of fields) {
    const { letter, count, offset } = field;
    if (letter === "s" || letter === "p") {
      const value = values[next++];
      if (!(value instanceof PyBytes)) throw failed(`argument for '${letter}' must be a bytes object`);
      const room = letter === "p" ? Math.max(0, count - 1) : count;
      const part = value.data.subarray(0, room);
      if (letter === "p" && count > 0) data[offset] = Math.min(255, part.length);
      data.set(part, offset + (letter === "p" ? 1 : 0));
    } else if (letter !== "x")
      for (let i = 0; i < count; i++) put(view, offset + i * field.size, letter, field.size, values[next++], little);
  }
  return new PyBytes(data);
}

function unpack(format: unknown, buffer: unknown): unknown {
  const { fields, size, little } = layout_of(format);
  if (!(buffer instanceof PyBytes))
    throw new TypeError_(`a bytes-like object is required, not '${type_of(buffer).tp_name}'`);
  if (buffer.data.length !== size) throw failed(`unpack requires a buffer of ${size} bytes`);
  const { data } = buffer;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const values: unknown[] = [];
  for (const field of fields) {
    const { letter, count, offset } = field;
    if (letter === "s") values.push(new PyBytes(data.slice(offset, offset + count)));
    else if (letter === "p") values.push(new PyBytes(data.slice(offset + 1, offset + 1 + (data[offset] ?? 0))));
    else if (letter !== "x")
      for (let i = 0; i < count; i++) values.push(get(view, offset + i * field.size, letter, field.size, little));
  }
  return tuple(values);
}

export function _struct(): Map<string, unknown> {
  return functions("_struct", {
    "calcsize(format, /)": (format) => layout_of(format).size,
    "pack(format, /, *values)": pack,
    "unpack(format, buffer, /)": unpack,
    "set_error(cls, /)": (cls) => {
      error_class.value = cls;
    },
  });
}
