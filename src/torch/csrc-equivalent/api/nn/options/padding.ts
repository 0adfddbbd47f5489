/**
 * @file Options of padding: two numbers a dimension, the last dimension first.
 * @mirrors torch/csrc/api/include/torch/nn/options/padding.h
 */
import { double, expanding, list, type Made, one_of, TORCH_OPTIONS } from "../../arg.ts";
import { enumtype } from "../../enum.ts";

const sides = (name: string) => (D: number) =>
  TORCH_OPTIONS(`${name}${D}dOptions`, ["padding"], { padding: expanding(2 * D) });
type SidesOptions = ReturnType<ReturnType<typeof sides>>;
export const ReflectionPadOptions: readonly SidesOptions[] = [1, 2, 3].map(sides("ReflectionPad"));
export const ReplicationPadOptions: readonly SidesOptions[] = [1, 2, 3].map(sides("ReplicationPad"));
export const ZeroPadOptions: readonly SidesOptions[] = [1, 2, 3].map(sides("ZeroPad"));
export type PadOptions = Made<SidesOptions>;

const constant = (D: number) =>
  TORCH_OPTIONS(`ConstantPad${D}dOptions`, ["padding", "value"], { padding: expanding(2 * D), value: double() });
export const ConstantPadOptions: readonly ReturnType<typeof constant>[] = [1, 2, 3].map(constant);
export type ConstantPadOptions = Made<ReturnType<typeof constant>>;

export const PadFuncOptions = TORCH_OPTIONS("PadFuncOptions", ["pad"], {
  pad: list(),
  mode: one_of(enumtype.kConstant, enumtype.kReflect, enumtype.kReplicate, enumtype.kCircular),
  value: double(0),
});
export type PadFuncOptions = Made<typeof PadFuncOptions>;
