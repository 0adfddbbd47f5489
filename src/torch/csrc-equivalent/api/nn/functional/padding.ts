/**
 * @file Padding as a function.
 * @mirrors torch/csrc/api/include/torch/nn/functional/padding.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { type EnumValue, enumtype } from "../../enum.ts";
import type { PadFuncOptions } from "../options/padding.ts";

/** The numbers of `at::padding_mode` are the positions. */
const modes: readonly EnumValue[] = [enumtype.kReflect, enumtype.kReplicate, enumtype.kCircular, enumtype.kConstant];

export function pad(input: Tensor, options: PadFuncOptions): Tensor {
  const value = options.value();
  return at._pad_enum(input, [...options.pad()], modes.indexOf(options.mode()), value === 0 ? null : value);
}
