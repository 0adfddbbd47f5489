/**
 * @file Options of convolutions, made once for each number of dimensions, as C++'s templates are.
 * @mirrors torch/csrc/api/include/torch/nn/options/conv.h
 */
import { type Arg, bool, expanding, int64, type Made, one_of, TORCH_OPTIONS, tensor } from "../../arg.ts";
import { type EnumValue, enumtype } from "../../enum.ts";
import { type Expanding, ExpandingArray } from "../../expanding_array.ts";

/** Padding by numbers, `torch.kSame` or `torch.kValid`. */
type Padding = number[] | EnumValue<"kSame" | "kValid">;
type GivenPadding = Expanding | EnumValue<"kSame" | "kValid">;

function padding(D: number): Arg<Padding, GivenPadding, false> {
  const convert = (given: GivenPadding): Padding =>
    given === enumtype.kSame || given === enumtype.kValid ? given : ExpandingArray(D, given as Expanding);
  return { convert, initial: () => convert(0) };
}

const padding_mode = one_of(enumtype.kZeros, enumtype.kReflect, enumtype.kReplicate, enumtype.kCircular);

function common(D: number) {
  return {
    in_channels: int64(),
    out_channels: int64(),
    kernel_size: expanding(D),
    stride: expanding(D, 1),
    dilation: expanding(D, 1),
    groups: int64(1),
    bias: bool(true),
    padding_mode,
  } as const;
}
const positional = ["in_channels", "out_channels", "kernel_size"] as const;

const conv = (D: number) => TORCH_OPTIONS(`Conv${D}dOptions`, positional, { ...common(D), padding: padding(D) });
export const Conv1dOptions: ReturnType<typeof conv> = conv(1);
export const Conv2dOptions: ReturnType<typeof conv> = conv(2);
export const Conv3dOptions: ReturnType<typeof conv> = conv(3);
export type ConvOptions = Made<typeof Conv1dOptions>;

const transposed = (D: number) =>
  TORCH_OPTIONS(`ConvTranspose${D}dOptions`, positional, {
    ...common(D),
    padding: expanding(D, 0),
    output_padding: expanding(D, 0),
  });
export const ConvTranspose1dOptions: ReturnType<typeof transposed> = transposed(1);
export const ConvTranspose2dOptions: ReturnType<typeof transposed> = transposed(2);
export const ConvTranspose3dOptions: ReturnType<typeof transposed> = transposed(3);
export type ConvTransposeOptions = Made<typeof ConvTranspose1dOptions>;

const func = (D: number) =>
  TORCH_OPTIONS(`Conv${D}dFuncOptions`, [], {
    bias: tensor,
    stride: expanding(D, 1),
    padding: padding(D),
    dilation: expanding(D, 1),
    groups: int64(1),
  });
export const Conv1dFuncOptions: ReturnType<typeof func> = func(1);
export const Conv2dFuncOptions: ReturnType<typeof func> = func(2);
export const Conv3dFuncOptions: ReturnType<typeof func> = func(3);
export type ConvFuncOptions = Made<typeof Conv1dFuncOptions>;

const transposed_func = (D: number) =>
  TORCH_OPTIONS(`ConvTranspose${D}dFuncOptions`, [], {
    bias: tensor,
    stride: expanding(D, 1),
    padding: expanding(D, 0),
    output_padding: expanding(D, 0),
    groups: int64(1),
    dilation: expanding(D, 1),
  });
export const ConvTranspose1dFuncOptions: ReturnType<typeof transposed_func> = transposed_func(1);
export const ConvTranspose2dFuncOptions: ReturnType<typeof transposed_func> = transposed_func(2);
export const ConvTranspose3dFuncOptions: ReturnType<typeof transposed_func> = transposed_func(3);
export type ConvTransposeFuncOptions = Made<typeof ConvTranspose1dFuncOptions>;
