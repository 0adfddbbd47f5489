/**
 * @file Element types: their numbers, names, sizes, families, and type promotion.
 * @mirrors c10/core/ScalarType.h
 * @see core/typeid's TypeMeta has no counterpart: a ScalarType is enough without custom C++ element types.
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

export const ScalarType = {
  Byte: 0,
  Char: 1,
  Short: 2,
  Int: 3,
  Long: 4,
  Half: 5,
  Float: 6,
  Double: 7,
  ComplexHalf: 8,
  ComplexFloat: 9,
  ComplexDouble: 10,
  Bool: 11,
  QInt8: 12,
  QUInt8: 13,
  QInt32: 14,
  BFloat16: 15,
  QUInt4x2: 16,
  QUInt2x4: 17,
  Bits1x8: 18,
  Bits2x4: 19,
  Bits4x2: 20,
  Bits8: 21,
  Bits16: 22,
  Float8_e5m2: 23,
  Float8_e4m3fn: 24,
  Float8_e5m2fnuz: 25,
  Float8_e4m3fnuz: 26,
  UInt16: 27,
  UInt32: 28,
  UInt64: 29,
  UInt1: 30,
  UInt2: 31,
  UInt3: 32,
  UInt4: 33,
  UInt5: 34,
  UInt6: 35,
  UInt7: 36,
  Int1: 37,
  Int2: 38,
  Int3: 39,
  Int4: 40,
  Int5: 41,
  Int6: 42,
  Int7: 43,
  Float8_e8m0fnu: 44,
  Float4_e2m1fn_x2: 45,
  Undefined: 46,
} as const;
export type ScalarType = (typeof ScalarType)[keyof typeof ScalarType];

export const NumScalarTypes = 46;

export const kByte = ScalarType.Byte;
export const kChar = ScalarType.Char;
export const kShort = ScalarType.Short;
export const kInt = ScalarType.Int;
export const kLong = ScalarType.Long;
export const kHalf = ScalarType.Half;
export const kFloat = ScalarType.Float;
export const kDouble = ScalarType.Double;
export const kComplexHalf = ScalarType.ComplexHalf;
export const kComplexFloat = ScalarType.ComplexFloat;
export const kComplexDouble = ScalarType.ComplexDouble;
export const kBool = ScalarType.Bool;
export const kBFloat16 = ScalarType.BFloat16;

const names: readonly string[] = Object.keys(ScalarType);

/** Name in error messages: `Float`, `Long` (Python says `float32`, `int64`). `Undefined` is not among them. */
export function toString(t: ScalarType): string {
  return t < ScalarType.Undefined ? names[t] : "UNKNOWN_SCALAR";
}

/** Bytes per element, by value of ScalarType. */
const elementSizes: readonly number[] = [
  // biome-ignore format: table
  1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 4, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1,
];

export function elementSize(t: ScalarType): number {
  const size = elementSizes[t];
  TORCH_CHECK(size !== undefined, "Unknown ScalarType");
  return size;
}

export function isIntegralType(t: ScalarType, includeBool: boolean): boolean {
  return (
    t <= ScalarType.Long || (t >= ScalarType.UInt16 && t <= ScalarType.UInt64) || (includeBool && t === ScalarType.Bool)
  );
}

export function isFloat8Type(t: ScalarType): boolean {
  return (t >= ScalarType.Float8_e5m2 && t <= ScalarType.Float8_e4m3fnuz) || t === ScalarType.Float8_e8m0fnu;
}

export function isReducedFloatingType(t: ScalarType): boolean {
  return t === ScalarType.Half || t === ScalarType.BFloat16 || isFloat8Type(t) || t === ScalarType.Float4_e2m1fn_x2;
}

export function isFloatingType(t: ScalarType): boolean {
  return t === ScalarType.Float || t === ScalarType.Double || isReducedFloatingType(t);
}

export function isComplexType(t: ScalarType): boolean {
  return t === ScalarType.ComplexHalf || t === ScalarType.ComplexFloat || t === ScalarType.ComplexDouble;
}

/**
 * Whether a JavaScript array can hold elements of the dtype (halves as their bits). True for Undefined: it is the dtype
 * of an undefined tensor.
 */
export const hasElements: readonly boolean[] = Object.values(ScalarType).map(
  (t) =>
    !isComplexType(t) &&
    !isFloat8Type(t) &&
    !isBitsType(t) &&
    !(t >= ScalarType.UInt1 && t <= ScalarType.Float4_e2m1fn_x2),
);

export function isQIntType(t: ScalarType): boolean {
  return (t >= ScalarType.QInt8 && t <= ScalarType.QInt32) || t === ScalarType.QUInt4x2 || t === ScalarType.QUInt2x4;
}

export function isBitsType(t: ScalarType): boolean {
  return t >= ScalarType.Bits1x8 && t <= ScalarType.Bits16;
}

/** Unsigned types that were added late and promote with almost nothing. */
export function isBarebonesUnsignedType(t: ScalarType): boolean {
  return t >= ScalarType.UInt16 && t <= ScalarType.UInt7;
}

export function isSignedType(t: ScalarType): boolean {
  TORCH_CHECK(!isQIntType(t), "isSignedType not supported for quantized types");
  TORCH_CHECK(!isBitsType(t), "Bits types are undefined");
  TORCH_CHECK(t !== ScalarType.Undefined, "Unknown ScalarType ", toString(t));
  return t !== ScalarType.Byte && t !== ScalarType.Bool && !isBarebonesUnsignedType(t);
}

export function toUnderlying(t: ScalarType): ScalarType {
  switch (t) {
    case ScalarType.QUInt8:
    case ScalarType.QUInt4x2:
    case ScalarType.QUInt2x4:
      return ScalarType.Byte;
    case ScalarType.QInt8:
      return ScalarType.Char;
    case ScalarType.QInt32:
      return ScalarType.Int;
    default:
      return t;
  }
}

export function toRealValueType(t: ScalarType): ScalarType {
  switch (t) {
    case ScalarType.ComplexHalf:
      return ScalarType.Half;
    case ScalarType.ComplexFloat:
      return ScalarType.Float;
    case ScalarType.ComplexDouble:
      return ScalarType.Double;
    default:
      return t;
  }
}

export function toComplexType(t: ScalarType): ScalarType {
  switch (t) {
    case ScalarType.Half:
    case ScalarType.ComplexHalf:
      return ScalarType.ComplexHalf;
    case ScalarType.BFloat16: // there is no complex bfloat16
    case ScalarType.Float:
    case ScalarType.ComplexFloat:
      return ScalarType.ComplexFloat;
    case ScalarType.Double:
    case ScalarType.ComplexDouble:
      return ScalarType.ComplexDouble;
    default:
      TORCH_CHECK(false, "Unknown Complex ScalarType for ", toString(t));
  }
}

/** Whether a result of type `from` may be stored in a tensor of type `to`: not if the family of `to` is lower. */
export function canCast(from: ScalarType, to: ScalarType): boolean {
  if (isComplexType(from) && !isComplexType(to)) return false;
  if (isFloatingType(from) && isIntegralType(to, false)) return false;
  if (from !== ScalarType.Bool && to === ScalarType.Bool) return false;
  return true;
}

/** Both are integral, neither is Bool: the wider one wins. Byte, which is unsigned, and the signed Char give Short. */
function promoteIntegers(a: ScalarType, b: ScalarType): ScalarType {
  const byteWithChar =
    (a === ScalarType.Byte && b === ScalarType.Char) || (a === ScalarType.Char && b === ScalarType.Byte);
  return byteWithChar ? ScalarType.Short : a > b ? a : b; // their numbers ascend with their widths
}

/** Both are real and floating. Half and BFloat16 each hold values that the other lacks, so together they give Float. */
function promoteFloats(a: ScalarType, b: ScalarType): ScalarType {
  if (a === b) return a;
  if (a === ScalarType.Double || b === ScalarType.Double) return ScalarType.Double;
  return ScalarType.Float;
}

function computePromotion(a: ScalarType, b: ScalarType): ScalarType {
  if (a === ScalarType.Bool) return b;
  if (b === ScalarType.Bool) return a;
  if (isComplexType(a) || isComplexType(b)) {
    const realA = isComplexType(a) || isFloatingType(a) ? toRealValueType(a) : null;
    const realB = isComplexType(b) || isFloatingType(b) ? toRealValueType(b) : null;
    if (realA === null) return b;
    if (realB === null) return a;
    return toComplexType(promoteFloats(realA, realB));
  }
  if (isFloatingType(a)) return isFloatingType(b) ? promoteFloats(a, b) : a;
  if (isFloatingType(b)) return b;
  return promoteIntegers(a, b);
}

function hasPromotionRule(t: ScalarType): boolean {
  return t <= ScalarType.Bool || t === ScalarType.BFloat16;
}

/** Promoted type: the smallest type to which both are converted before an operation. */
export function promoteTypes(a: ScalarType, b: ScalarType): ScalarType {
  if (a === ScalarType.Undefined || b === ScalarType.Undefined) return ScalarType.Undefined;
  if (a === b) return a;
  if (isQIntType(a) || isQIntType(b)) {
    TORCH_CHECK(
      false,
      "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, offending types: ",
      toString(a),
      " ",
      toString(b),
    );
  }
  if (isBitsType(a) || isBitsType(b)) return ScalarType.Undefined;
  if (isFloat8Type(a) || isFloat8Type(b)) {
    TORCH_CHECK(
      false,
      "Promotion for Float8 Types is not supported, attempted to promote ",
      toString(a),
      " and ",
      toString(b),
    );
  }
  if (isBarebonesUnsignedType(a) || isBarebonesUnsignedType(b)) {
    if (isFloatingType(a)) return a;
    if (isFloatingType(b)) return b;
    TORCH_CHECK(
      false,
      "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ",
      toString(a),
      " and ",
      toString(b),
    );
  }
  TORCH_INTERNAL_ASSERT(hasPromotionRule(a) && hasPromotionRule(b));
  return computePromotion(a, b);
}

/** Python's names by ScalarType: (name, older name); the older one may be empty. */
const dtypeNames: ReadonlyMap<ScalarType, readonly [string, string]> = new Map([
  [ScalarType.Byte, ["uint8", ""]],
  [ScalarType.Char, ["int8", ""]],
  [ScalarType.Short, ["int16", "short"]],
  [ScalarType.Int, ["int32", "int"]],
  [ScalarType.Long, ["int64", "long"]],
  [ScalarType.Half, ["float16", "half"]],
  [ScalarType.Float, ["float32", "float"]],
  [ScalarType.Double, ["float64", "double"]],
  [ScalarType.ComplexHalf, ["complex32", "chalf"]],
  [ScalarType.ComplexFloat, ["complex64", "cfloat"]],
  [ScalarType.ComplexDouble, ["complex128", "cdouble"]],
  [ScalarType.Bool, ["bool", ""]],
  [ScalarType.QInt8, ["qint8", ""]],
  [ScalarType.QUInt8, ["quint8", ""]],
  [ScalarType.QInt32, ["qint32", ""]],
  [ScalarType.BFloat16, ["bfloat16", ""]],
  [ScalarType.QUInt4x2, ["quint4x2", ""]],
  [ScalarType.QUInt2x4, ["quint2x4", ""]],
] as [ScalarType, [string, string]][]);

/** Python's names for a dtype: `["float32", "float"]`. A type without a special spelling has its C++ name in lower case. */
export function getDtypeNames(t: ScalarType): readonly [string, string] {
  return dtypeNames.get(t) ?? [toString(t).toLowerCase(), ""];
}
