/**
 * @file C++'s names of the element types. Some of PyTorch's messages contain them (`out of bounds for unsigned char`).
 * @mirrors c10/util/typeid.h
 * @differs A TypeMeta is a ScalarType here, and only its name is left; PyTorch's holds size, constructors and
 * destructor of any type.
 */
import { reducedFloatingTypes } from "#c10/core/ReducedFloatingType";
import { ScalarType, toString } from "#c10/core/ScalarType";

const names: ReadonlyMap<ScalarType, string> = new Map([
  [ScalarType.Byte, "unsigned char"],
  [ScalarType.Char, "signed char"],
  [ScalarType.Short, "short int"],
  [ScalarType.Int, "int"],
  [ScalarType.Long, "long int"],
  [ScalarType.UInt16, "short unsigned int"],
  [ScalarType.UInt32, "unsigned int"],
  [ScalarType.UInt64, "long unsigned int"],
  [ScalarType.Float, "float"],
  [ScalarType.Double, "double"],
  [ScalarType.ComplexHalf, "c10::complex<c10::Half>"],
  [ScalarType.ComplexFloat, "c10::complex<float>"],
  [ScalarType.ComplexDouble, "c10::complex<double>"],
  [ScalarType.Bool, "bool"],
  [ScalarType.Undefined, "nullptr (uninitialized)"],
  ...[...reducedFloatingTypes].map(([t, { name }]) => [t, name]),
] as [ScalarType, string][]);

/** `TypeMeta::name()`. */
export function typeMetaName(t: ScalarType): string {
  return names.get(t) ?? toString(t);
}
