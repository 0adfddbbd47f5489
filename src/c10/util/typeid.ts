/**
 * @file The C++ names of the element types, as some error messages print them.
 * @mirrors c10/util/typeid.h
 */
import { ScalarType, toString } from "../core/ScalarType.ts";

const names: ReadonlyMap<ScalarType, string> = new Map<ScalarType, string>([
  [ScalarType.Byte, "unsigned char"],
  [ScalarType.Char, "signed char"],
  [ScalarType.Short, "short int"],
  [ScalarType.Int, "int"],
  [ScalarType.Long, "long int"],
  [ScalarType.Half, "c10::Half"],
  [ScalarType.Float, "float"],
  [ScalarType.Double, "double"],
  [ScalarType.ComplexHalf, "c10::complex<c10::Half>"],
  [ScalarType.ComplexFloat, "c10::complex<float>"],
  [ScalarType.ComplexDouble, "c10::complex<double>"],
  [ScalarType.Bool, "bool"],
  [ScalarType.BFloat16, "c10::BFloat16"],
]);

/** What `caffe2::TypeMeta::name()` gives for an element type. */
export function typeMetaName(t: ScalarType): string {
  return names.get(t) ?? toString(t);
}
