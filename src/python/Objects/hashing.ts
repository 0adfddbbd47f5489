/**
 * @file Hashes, and the canonical values by which a dict or set finds a key.
 * @mirrors Python/pyhash.c (CPython 3.11)
 * @differs Strings and bytes hash without a random seed, and identities count objects; a hash is not CPython's number, except that of an int or float.
 */
import { PyBytes } from "./bytesobject.ts";
import { call_unbound } from "./call.ts";
import { PyComplex } from "./complexobject.ts";
import { TypeError_ } from "./exceptions.ts";
import { FloatValue } from "./floatobject.ts";
import { int_value } from "./longobject.ts";
import { is_builtin } from "./methodobject.ts";
import { PyTuple } from "./tupleobject.ts";
import { plain_value, type_of } from "./typeobject.ts";

/** Equal keys have equal canonical values. A string stands for a key that is no string itself. */
export type HashKey = unknown;

const identities = new WeakMap<object, number>();
let objects = 0;

/** `id(value)` of an object: a number that no other object has. */
export function identity(value: object): number {
  let id = identities.get(value);
  if (id === undefined) {
    id = ++objects;
    identities.set(value, id);
  }
  return id;
}

const numbers_of_primitives = new Map<unknown, object>();

/** `id(value)`. Equal numbers and strings are one object. */
export function id_of(value: unknown): number {
  let object = value;
  if ((typeof value !== "object" && typeof value !== "function") || value === null) {
    object = numbers_of_primitives.get(value);
    if (object === undefined) {
      object = {};
      numbers_of_primitives.set(value, object as object);
    }
  }
  return 0x7f0000000000 + identity(object as object) * 16;
}

/** `0x7f...`, as texts of objects show where they are. */
export function address(value: unknown): string {
  return `0x${id_of(value).toString(16)}`;
}

/** The int that equals this float, or the float itself if no int does. */
export function whole(value: number): number | bigint {
  if (Number.isSafeInteger(value)) return value + 0; // -0 becomes 0
  return Number.isInteger(value) ? BigInt(value) : value;
}

/** Equal structure gives equal text; null: an element compares by a method of its own. */
function tuple_key(elements: readonly unknown[]): string | null {
  let text = "(";
  for (const element of elements) {
    const key = typeof element === "string" ? element : hash_key(element);
    if (typeof key === "string")
      text += typeof element === "string" ? `s${key.length}:${key}` : `k${key.length}:${key}`;
    else if (typeof key === "object" && key !== null) text += `o${identity(key)}`;
    else if (typeof key === "function") text += `o${identity(key)}`;
    else text += String(key);
    text += ",";
  }
  return `${text})`;
}

/** The canonical value of a key; the key itself if a Map compares it as Python does. Raises TypeError if it is unhashable. */
export function hash_key(key: unknown): HashKey {
  switch (typeof key) {
    case "string":
    case "bigint":
      return key;
    case "number":
      return Number.isSafeInteger(key) || !Number.isInteger(key) ? key : BigInt(key);
    case "boolean":
      return key ? 1 : 0;
  }
  if (key === null) return key;
  if (key instanceof FloatValue) return whole(key.value);
  if (key instanceof PyTuple) return tuple_key(key);
  if (key instanceof PyBytes) return `b${String.fromCharCode(...key.data)}`;
  if (key instanceof PyComplex) return key.imag === 0 ? whole(key.real) : `c${key.real},${key.imag}`;
  const type = type_of(key);
  const method = type.lookup("__hash__");
  if (method === object_hash.method) return key;
  if (method === null || method === undefined) throw new TypeError_(`unhashable type: '${type.tp_name}'`);
  const plain = plain_value(key);
  if (plain !== key && is_builtin(method)) return hash_key(plain);
  return `h${String(hash_of(key))}`;
}

/** `object.__hash__`, which compares identities; object.ts defines it. */
export const object_hash: { method: unknown } = { method: undefined };

/** Equality of two keys that have the same canonical value; object.ts sets it. */
export const key_equality: { equal: (a: unknown, b: unknown) => boolean } = { equal: (a, b) => a === b };

const is_primitive = (key: unknown): boolean => typeof key !== "object" && typeof key !== "function";

/** Whether two keys with the same canonical value are equal: only methods of a program, and what depends on them, can still tell them apart. */
export function same_key(stored: unknown, key: unknown): boolean {
  if (stored === key) return true;
  if (is_primitive(stored) && is_primitive(key)) return true;
  return key_equality.equal(stored, key);
}

/** 2^61 - 1, the prime by which CPython reduces numbers. */
const MODULUS = (1n << 61n) - 1n;

function hash_of_int(value: bigint): number | bigint {
  const rest = value < 0n ? -(-value % MODULUS) : value % MODULUS;
  return rest === -1n ? -2 : int_value(rest);
}

/** A fraction is the numerator times the inverse of the power of two below it, modulo the prime. */
function hash_of_float(value: number): number | bigint {
  if (Number.isNaN(value)) return 0;
  if (!Number.isFinite(value)) return value > 0 ? 314159 : -314159;
  if (Number.isInteger(value)) return hash_of_int(BigInt(value));
  let numerator = Math.abs(value);
  let shift = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    shift++;
  }
  let result = BigInt(numerator) % MODULUS;
  const half = 1n << 60n; // the inverse of 2
  for (let i = 0; i < shift % 61; i++) result = (result * half) % MODULUS;
  if (value < 0) result = -result;
  return result === -1n ? -2 : int_value(result);
}

function hash_of_complex({ real, imag }: PyComplex): number | bigint {
  const hash = BigInt.asIntN(64, BigInt(hash_of_float(real)) + 1000003n * BigInt(hash_of_float(imag)));
  return hash === -1n ? -2 : int_value(hash);
}

function hash_of_text(text: string): number {
  let hash = 5381n;
  for (let i = 0; i < text.length; i++) hash = BigInt.asIntN(52, hash * 33n + BigInt(text.charCodeAt(i)));
  return Number(hash);
}

const UINT64 = (1n << 64n) - 1n;
const PRIMES = [11400714785074694791n, 14029467366897019727n, 2870177450012600261n] as const;

/** The hash of a tuple mixes those of its elements by the rounds of xxHash. */
function hash_of_tuple(elements: readonly unknown[]): number | bigint {
  let sum: bigint = PRIMES[2];
  for (const element of elements) {
    sum = (sum + (BigInt(hash_of(element)) & UINT64) * PRIMES[1]) & UINT64;
    sum = (((sum << 31n) | (sum >> 33n)) * PRIMES[0]) & UINT64;
  }
  sum = (sum + (BigInt(elements.length) ^ (PRIMES[2] ^ 3527539n))) & UINT64;
  return sum === UINT64 ? 1546275796 : int_value(BigInt.asIntN(64, sum));
}

/** `hash(value)`. */
export function hash_of(value: unknown): number | bigint {
  switch (typeof value) {
    case "string":
      return hash_of_text(value);
    case "bigint":
      return hash_of_int(value);
    case "number":
      return Number.isInteger(value)
        ? value === -1
          ? -2
          : Number.isSafeInteger(value)
            ? hash_of_int(BigInt(value))
            : hash_of_float(value)
        : hash_of_float(value);
    case "boolean":
      return value ? 1 : 0;
  }
  if (value === null) return 268435456;
  if (value instanceof FloatValue) return hash_of_float(value.value);
  if (value instanceof PyComplex) return hash_of_complex(value);
  if (value instanceof PyTuple) return hash_of_tuple(value);
  if (value instanceof PyBytes) {
    const key = hash_key(value);
    return typeof key === "string" ? hash_of_text(key) : hash_of(key);
  }
  const type = type_of(value);
  const method = type.lookup("__hash__");
  if (method === null || method === undefined) throw new TypeError_(`unhashable type: '${type.tp_name}'`);
  if (method === object_hash.method) return identity(value as object) * 16;
  const plain = plain_value(value);
  if (plain !== value && is_builtin(method)) return hash_of(plain);
  const hash = is_builtin(method)
    ? (method as unknown as (self: unknown) => unknown)(value)
    : call_unbound(method, value, [], null, type);
  if (typeof hash === "boolean") return hash ? 1 : 0;
  if (typeof hash === "number" && Number.isInteger(hash)) return hash === -1 ? -2 : hash;
  // A number of 64 bits is taken as it is.
  if (typeof hash === "bigint") return BigInt.asIntN(64, hash) === hash ? hash : hash_of_int(hash);
  throw new TypeError_("__hash__ method should return an integer");
}
