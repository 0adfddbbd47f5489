/**
 * @file Hashes of 128 bits. The hash of a graph decides whether it has been compiled before.
 * @mirrors torch/csrc/lazy/core/hash.h
 * @differs The mixing function is our own, so hashes are other numbers than PyTorch's. Equal graphs have equal hashes in both.
 */
import { Device } from "#c10/core/Device";
import { Scalar } from "#c10/core/Scalar";

/** A number of 128 bits. */
export type hash_t = bigint;

const MASK = (1n << 128n) - 1n;
const PRIME = 0x0000000001000000000000000000013bn;
/** The hash of a value that is not given: it differs from the hash of any given value. */
export const kNullOpt: hash_t = 0x8655d738f3678ddan;
export const kHashSeed: hash_t = 0x5a2d296e9n;
const EMPTY_LIST: hash_t = 0x85ebca77c2b2ae63n;
const NO_ARGUMENTS: hash_t = 0x165667b19e3779f9n;

/** The order of `a` and `b` counts. */
export function HashCombine(a: hash_t, b: hash_t): hash_t {
  return ((a ^ (b * PRIME + 0x9e3779b97f4a7c15n + (a << 6n) + (a >> 2n))) * PRIME) & MASK;
}

export function StringHash(text: string): hash_t {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * PRIME) & MASK;
  return hash;
}

const bits = new DataView(new ArrayBuffer(8));

function NumberHash(value: number): hash_t {
  bits.setFloat64(0, value);
  return HashCombine(kHashSeed, bits.getBigUint64(0));
}

/** An attribute of a node, beside its operands. */
export type Hashable = number | bigint | boolean | string | null | Scalar | Device | object | readonly Hashable[];

const of_objects = new WeakMap<object, hash_t>();
let next_object = 1n;

/** An object without contents of its own, such as a random number generator, is hashed by its identity. */
function ObjectHash(value: object): hash_t {
  let hash = of_objects.get(value);
  if (hash === undefined) of_objects.set(value, (hash = HashCombine(EMPTY_LIST, next_object++)));
  return hash;
}

export function Hash(value: Hashable): hash_t {
  if (value === null) return kNullOpt;
  if (typeof value === "number") return NumberHash(value);
  if (typeof value === "bigint") return HashCombine(kHashSeed, BigInt.asUintN(64, value));
  if (typeof value === "boolean") return value ? 2n : 1n;
  if (typeof value === "string") return StringHash(value);
  if (Array.isArray(value)) return ContainerHash(value as readonly Hashable[]);
  if (value instanceof Scalar) return HashCombine(BigInt(value.type()), StringHash(String(value)));
  return value instanceof Device ? StringHash(value.str()) : ObjectHash(value);
}

export function ContainerHash(values: readonly Hashable[]): hash_t {
  return values.reduce<hash_t>((hash, value) => HashCombine(hash, Hash(value)), EMPTY_LIST);
}

/** The hash of several values. */
export function MHash(...values: readonly Hashable[]): hash_t {
  return values.reduceRight<hash_t>((hash, value) => HashCombine(Hash(value), hash), NO_ARGUMENTS);
}

/** The 16 bytes of a hash, least significant first. */
export function HashToBytes(hash: hash_t): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => Number((hash >> BigInt(8 * i)) & 0xffn));
}

export function BytesToHash(bytes: ArrayLike<number>): hash_t {
  let hash = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) hash = (hash << 8n) | BigInt(bytes[i]);
  return hash;
}
