/**
 * @file Scalar: one number with its kind (int64, uint64, double, complex double or bool). `alpha=2` travels to a kernel
 * as a Scalar.
 * @mirrors c10/core/Scalar.h
 * @differs A symbol stands in the place of a number, under the number's kind. An int64 is a JS number while it is safe,
 * else a bigint. Scalars are immutable, so 0 and 1 are shared; PyTorch's is a tagged union that is copied.
 */

import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import { reducedFloatingType, reducedFloatingTypes, round_to_reduced } from "./ReducedFloatingType.ts";
import { ScalarType, toString as scalarTypeToString } from "./ScalarType.ts";
import { is_symbolic, type SymNodeImpl } from "./SymInt.ts";

const Tag = { HAS_d: 0, HAS_i: 1, HAS_u: 2, HAS_z: 3, HAS_b: 4 } as const;
type Tag = (typeof Tag)[keyof typeof Tag];

/** C++'s name of each type, for the overflow message. */
const cppNames: ReadonlyMap<ScalarType, string> = new Map([
  [ScalarType.Byte, "uint8_t"],
  [ScalarType.Char, "int8_t"],
  [ScalarType.Short, "int16_t"],
  [ScalarType.Int, "int"],
  [ScalarType.Long, "int64_t"],
  [ScalarType.Float, "float"],
  [ScalarType.Double, "double"],
  [ScalarType.UInt16, "uint16_t"],
  [ScalarType.UInt32, "uint32_t"],
  [ScalarType.UInt64, "uint64_t"],
  ...[...reducedFloatingTypes].map(([t, { name }]) => [t, name]),
] as [ScalarType, string][]);

/** [lowest, largest] value of each type as numbers; the 64-bit bounds round to powers of two, as in C++'s comparison. */
const limits: ReadonlyMap<ScalarType, readonly [number, number]> = new Map([
  [ScalarType.Byte, [0, 255]],
  [ScalarType.Char, [-128, 127]],
  [ScalarType.Short, [-32768, 32767]],
  [ScalarType.Int, [-2147483648, 2147483647]],
  [ScalarType.Long, [-(2 ** 63), 2 ** 63]],
  [ScalarType.UInt16, [0, 65535]],
  [ScalarType.UInt32, [0, 4294967295]],
  [ScalarType.UInt64, [0, 2 ** 64]],
  [ScalarType.Float, [-3.4028234663852886e38, 3.4028234663852886e38]],
  ...[...reducedFloatingTypes].map(([t, { max }]) => [t, [-max, max]]),
] as [ScalarType, [number, number]][]);

function isFloating(t: ScalarType): boolean {
  return t === ScalarType.Float || t === ScalarType.Double || reducedFloatingType(t) !== null;
}

/**
 * Whether a number other than a bool overflows `to`. A negative integer may wrap into an unsigned type that holds its magnitude.
 */
function overflows(value: number, fromInteger: boolean, to: ScalarType): boolean {
  if (to === ScalarType.Double) return false;
  const limit = limits.get(to);
  if (limit === undefined) return false;
  const [lowest, largest] = limit;
  if (fromInteger) {
    if (lowest === 0 && value < 0) return -value > largest;
    return value < lowest || value > largest;
  }
  if (isFloating(to)) {
    if (!Number.isFinite(value)) return false;
  } else if (Number.isNaN(value)) {
    return true;
  }
  return value < lowest || value > largest;
}

/** Width and signedness of each integral type, for wrapping. */
const integralBits: ReadonlyMap<ScalarType, readonly [bits: number, signed: boolean]> = new Map([
  [ScalarType.Byte, [8, false]],
  [ScalarType.Char, [8, true]],
  [ScalarType.Short, [16, true]],
  [ScalarType.Int, [32, true]],
  [ScalarType.UInt16, [16, false]],
  [ScalarType.UInt32, [32, false]],
] as [ScalarType, [number, boolean]][]);

export class Scalar {
  private readonly tag: Tag;
  /** HAS_d: the double; HAS_i, HAS_u: the integer; HAS_b: 0 or 1; HAS_z: the real part. */
  private readonly v: number | bigint;
  private readonly imag_: number;

  private constructor(tag: Tag, v: number | bigint, imag: number) {
    this.tag = tag;
    this.v = v;
    this.imag_ = imag;
  }

  static readonly ZERO = new Scalar(Tag.HAS_i, 0, 0);
  static readonly ONE = new Scalar(Tag.HAS_i, 1, 0);
  static readonly TRUE = new Scalar(Tag.HAS_b, 1, 0);
  static readonly FALSE = new Scalar(Tag.HAS_b, 0, 0);

  /** Makes an int64; a value above int64's range and within uint64's becomes a uint64. */
  static fromInt(value: number | bigint): Scalar {
    if (value === 1) return Scalar.ONE;
    if (value === 0) return Scalar.ZERO;
    if (typeof value === "number" && Number.isSafeInteger(value)) return new Scalar(Tag.HAS_i, value, 0);
    if (is_symbolic(value)) return Scalar.fromSymbol(value, "int");
    const big = BigInt(value);
    if (big > 0x7fffffffffffffffn) {
      TORCH_CHECK(big <= 0xffffffffffffffffn, "Overflow when unpacking long long");
      return new Scalar(Tag.HAS_u, big, 0);
    }
    TORCH_CHECK(big >= -0x8000000000000000n, "Overflow when unpacking long long");
    const small = Number(big);
    return new Scalar(Tag.HAS_i, Number.isSafeInteger(small) ? small : big, 0);
  }

  /** A symbol of a traced program; read as a number it is fixed. */
  static fromSymbol(symbol: SymNodeImpl, kind: "int" | "float" | "bool"): Scalar {
    const tag = kind === "int" ? Tag.HAS_i : kind === "float" ? Tag.HAS_d : Tag.HAS_b;
    return new Scalar(tag, symbol as never, 0);
  }

  static fromDouble(value: number): Scalar {
    return new Scalar(Tag.HAS_d, value, 0);
  }

  static fromBool(value: boolean): Scalar {
    return value ? Scalar.TRUE : Scalar.FALSE;
  }

  static fromComplex(real: number, imag: number): Scalar {
    return new Scalar(Tag.HAS_z, real, imag);
  }

  isFloatingPoint(): boolean {
    return this.tag === Tag.HAS_d;
  }

  isIntegral(includeBool: boolean): boolean {
    return this.tag === Tag.HAS_i || this.tag === Tag.HAS_u || (includeBool && this.tag === Tag.HAS_b);
  }

  isBoolean(): boolean {
    return this.tag === Tag.HAS_b;
  }

  isComplex(): boolean {
    return this.tag === Tag.HAS_z;
  }

  isUnsigned(): boolean {
    return this.tag === Tag.HAS_u || (this.tag === Tag.HAS_i && this.v >= 0);
  }

  isSymbolic(): boolean {
    return typeof this.v === "object";
  }

  /** The number, which may be a symbol in spite of the type. Precondition: it is a double, or `isIntegral(true)`. */
  toSymInt(): number {
    return this.v as number;
  }

  type(): ScalarType {
    switch (this.tag) {
      case Tag.HAS_z:
        return ScalarType.ComplexDouble;
      case Tag.HAS_d:
        return ScalarType.Double;
      case Tag.HAS_i:
        return ScalarType.Long;
      case Tag.HAS_u:
        return ScalarType.UInt64;
      case Tag.HAS_b:
        return ScalarType.Bool;
    }
  }

  /** The nearest number, for any kind. */
  toNumber(): number {
    return Number(this.v);
  }

  real(): number {
    return Number(this.v);
  }

  imag(): number {
    return this.imag_;
  }

  toDouble(): number {
    if (this.tag === Tag.HAS_z && this.imag_ !== 0) this.report_overflow(ScalarType.Double);
    return Number(this.v);
  }

  /**
   * @differs Nothing here computes with complex numbers, so this refuses what `toDouble` refuses; PyTorch gives a
   * `complex<double>`.
   */
  toComplexDouble(): number {
    return this.toDouble();
  }

  toFloat(): number {
    return this.to(ScalarType.Float) as number;
  }

  /** An int64 as a number; `toBigInt` is exact beyond 2^53. */
  toLong(): number {
    if (this.tag === Tag.HAS_i || this.tag === Tag.HAS_b) return Number(this.v);
    return Number(this.toBigInt());
  }

  toInt(): number {
    return this.to(ScalarType.Int) as number;
  }

  toBigInt(): bigint {
    return this.to(ScalarType.Long) as bigint;
  }

  toBool(): boolean {
    return (
      (this.tag === Tag.HAS_i || this.tag === Tag.HAS_u ? BigInt(this.v) !== 0n : Number(this.v) !== 0) ||
      this.imag_ !== 0
    );
  }

  private report_overflow(to: ScalarType): never {
    throw new RuntimeError(
      `value cannot be converted to type ${cppNames.get(to) ?? scalarTypeToString(to)} without overflow`,
    );
  }

  /**
   * `Scalar::to<T>()`: the value as an element of dtype `t`, rounded or truncated; throws if it does not fit. Returns a
   * bigint for Long and UInt64, 0 or 1 for Bool, otherwise a number.
   */
  to(t: ScalarType): number | bigint {
    if (t === ScalarType.Bool) return this.toBool() ? 1 : 0;
    if (this.tag === Tag.HAS_z && this.imag_ !== 0) this.report_overflow(t);
    const fromInteger = this.tag === Tag.HAS_i || this.tag === Tag.HAS_u;
    const value = Number(this.v);
    if (t === ScalarType.Long && this.tag === Tag.HAS_u) this.report_overflow(t);
    if (this.tag !== Tag.HAS_b && overflows(value, fromInteger, t)) this.report_overflow(t);
    switch (t) {
      case ScalarType.Double:
        return value;
      case ScalarType.Float:
        return Math.fround(value);
      case ScalarType.Long:
        return BigInt.asIntN(64, fromInteger ? BigInt(this.v) : BigInt(Math.trunc(value)));
      case ScalarType.UInt64:
        return BigInt.asUintN(64, fromInteger ? BigInt(this.v) : BigInt(Math.trunc(value)));
      default: {
        const reduced = reducedFloatingType(t);
        if (reduced !== null) return round_to_reduced(reduced, value);
        const width = integralBits.get(t);
        TORCH_CHECK(width !== undefined, "Cannot convert a Scalar to ", scalarTypeToString(t));
        const [bits, signed] = width;
        const integer = Math.trunc(value) + 0; // + 0: no negative zero
        if (integer >= 0 || signed) return integer;
        return integer + 2 ** bits;
      }
    }
  }

  /** Whether values are equal. A bool equals only a bool: `Scalar(true)` equals no number. */
  equal(num: number | bigint | boolean): boolean {
    if (typeof num === "boolean") return this.tag === Tag.HAS_b && (this.v !== 0) === num;
    if (this.tag === Tag.HAS_b) return false;
    if (this.tag === Tag.HAS_z && this.imag_ !== 0) return false;
    // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of one value are equal here
    return this.v == num;
  }

  neg(): Scalar {
    TORCH_CHECK(this.tag !== Tag.HAS_b, "torch boolean negative, the `-` operator, is not supported.");
    if (this.tag === Tag.HAS_d) return new Scalar(Tag.HAS_d, -(this.v as number), 0);
    if (this.tag === Tag.HAS_z) return new Scalar(Tag.HAS_z, -(this.v as number), -this.imag_);
    TORCH_CHECK(this.tag === Tag.HAS_i, "Cannot negate an unsigned Scalar");
    // As in int64_t, the lowest value is its own negative.
    return Scalar.fromInt(typeof this.v === "bigint" ? BigInt.asIntN(64, -this.v) : 0 - this.v);
  }

  conj(): Scalar {
    return this.tag === Tag.HAS_z ? new Scalar(Tag.HAS_z, this.v, -this.imag_) : this;
  }

  log(): Scalar {
    TORCH_CHECK(this.tag !== Tag.HAS_z, "log of a complex Scalar is not built");
    TORCH_INTERNAL_ASSERT(this.tag !== Tag.HAS_b, "unknown ivalue tag ", this.tag);
    return Scalar.fromDouble(Math.log(Number(this.v)));
  }

  toString(): string {
    if (this.tag === Tag.HAS_b) return this.v === 0 ? "false" : "true";
    if (this.tag === Tag.HAS_z) return `(${this.v},${this.imag_})`;
    return this.tag === Tag.HAS_d ? format_general(this.v as number) : String(this.v);
  }
}
