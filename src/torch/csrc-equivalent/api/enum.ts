/**
 * @file The words that options take: `torch.kMean`, `torch.kReLU`. In C++ each is a value of a type of its own, so that a `variant` can
 * hold one of several; here each is one frozen object.
 * @mirrors torch/csrc/api/include/torch/enum.h
 */
import { Reduction } from "#aten/core/Reduction";
import { TORCH_CHECK } from "#c10/util/Exception";

/** A word for an option. Two words are equal if they are the same object. */
export interface EnumValue<Name extends string = string> {
  readonly name: Name;
}

const NAMES = [
  "kLinear", "kConv1D", "kConv2D", "kConv3D", "kConvTranspose1D", "kConvTranspose2D", "kConvTranspose3D", "kSigmoid", "kTanh",
  "kReLU", "kGELU", "kSiLU", "kMish", "kLeakyReLU", "kFanIn", "kFanOut", "kConstant", "kReflect", "kReplicate", "kCircular",
  "kNearest", "kBilinear", "kBicubic", "kTrilinear", "kArea", "kNearestExact", "kSum", "kMean", "kMax", "kNone", "kBatchMean",
  "kZeros", "kBorder", "kReflection", "kRNN_TANH", "kRNN_RELU", "kLSTM", "kGRU", "kValid", "kSame",
] as const; // biome-ignore format: a list of words

export type EnumName = (typeof NAMES)[number];

/** All words by name. */
export const enumtype: { readonly [Name in EnumName]: EnumValue<Name> } = Object.freeze(
  Object.fromEntries(NAMES.map((name) => [name, Object.freeze({ name })])),
) as { readonly [Name in EnumName]: EnumValue<Name> };

/** `"kMean"` for `torch.kMean`. */
export function get_enum_name(value: EnumValue): string {
  return value.name;
}

/** The number by which operators know a reduction. */
export function reduction_get_enum(value: EnumValue): number {
  if (value === enumtype.kNone) return Reduction.None;
  if (value === enumtype.kMean) return Reduction.Mean;
  if (value === enumtype.kSum) return Reduction.Sum;
  TORCH_CHECK(false, get_enum_name(value), " is not a valid value for reduction");
}
