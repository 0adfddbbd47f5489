/**
 * @file Options of pooling, for 1, 2 and 3 dimensions: entry `D - 1` of each list.
 * @mirrors torch/csrc/api/include/torch/nn/options/pooling.h
 */
import {
  bool,
  double,
  expanding,
  expanding_like,
  expanding_optional,
  list,
  type Made,
  optional,
  optional_int,
  TORCH_OPTIONS,
  tensor,
} from "../../arg.ts";
import { type Expanding, ExpandingArray } from "../../expanding_array.ts";

const dimensions = [1, 2, 3] as const;
/** A window and its step; without a setter the step is the window. */
const windows = (D: number) => ({ kernel_size: expanding(D), stride: expanding_like(D, "kernel_size") }) as const;

const avg = (D: number) =>
  TORCH_OPTIONS(`AvgPool${D}dOptions`, ["kernel_size"], {
    ...windows(D),
    padding: expanding(D, 0),
    ceil_mode: bool(false),
    count_include_pad: bool(true),
    divisor_override: optional_int,
  });
export const AvgPoolOptions: readonly ReturnType<typeof avg>[] = dimensions.map(avg);
export type AvgPoolOptions = Made<ReturnType<typeof avg>>;

const max = (D: number) =>
  TORCH_OPTIONS(`MaxPool${D}dOptions`, ["kernel_size"], {
    ...windows(D),
    padding: expanding(D, 0),
    dilation: expanding(D, 1),
    ceil_mode: bool(false),
  });
export const MaxPoolOptions: readonly ReturnType<typeof max>[] = dimensions.map(max);
export type MaxPoolOptions = Made<ReturnType<typeof max>>;

const adaptive = (name: string) => (D: number) =>
  TORCH_OPTIONS(`Adaptive${name}Pool${D}dOptions`, ["output_size"], { output_size: expanding_optional(D) });
type AdaptiveOptions = ReturnType<ReturnType<typeof adaptive>>;
export const AdaptiveMaxPoolOptions: readonly AdaptiveOptions[] = dimensions.map(adaptive("Max"));
export const AdaptiveAvgPoolOptions: readonly AdaptiveOptions[] = dimensions.map(adaptive("Avg"));
export type AdaptivePoolOptions = Made<AdaptiveOptions>;

const unpool = (D: number) =>
  TORCH_OPTIONS(`MaxUnpool${D}dOptions`, ["kernel_size"], { ...windows(D), padding: expanding(D, 0) });
export const MaxUnpoolOptions: readonly ReturnType<typeof unpool>[] = dimensions.map(unpool);
export type MaxUnpoolOptions = Made<ReturnType<typeof unpool>>;
const unpool_func = (D: number) =>
  TORCH_OPTIONS(`MaxUnpool${D}dFuncOptions`, ["kernel_size"], {
    ...windows(D),
    padding: expanding(D, 0),
    output_size: { ...optional<readonly number[]>(list().convert) },
  });
export const MaxUnpoolFuncOptions: readonly ReturnType<typeof unpool_func>[] = dimensions.map(unpool_func);
export type MaxUnpoolFuncOptions = Made<ReturnType<typeof unpool_func>>;

const fractional = (D: number) => {
  const sizes = {
    convert: (given: Expanding | null) => (given === null ? null : ExpandingArray(D, given)),
    initial: () => null,
  } as const;
  return TORCH_OPTIONS(`FractionalMaxPool${D}dOptions`, ["kernel_size"], {
    kernel_size: expanding(D),
    output_size: sizes,
    output_ratio: sizes,
    _random_samples: tensor,
  });
};
/** Options for 2 and 3 dimensions: entry `D - 2`. */
export const FractionalMaxPoolOptions: readonly ReturnType<typeof fractional>[] = [2, 3].map(fractional);
export type FractionalMaxPoolOptions = Made<ReturnType<typeof fractional>>;

const lp = (D: number) =>
  TORCH_OPTIONS(`LPPool${D}dOptions`, ["norm_type", "kernel_size"], {
    norm_type: double(),
    ...windows(D),
    ceil_mode: bool(false),
  });
export const LPPoolOptions: readonly ReturnType<typeof lp>[] = dimensions.map(lp);
export type LPPoolOptions = Made<ReturnType<typeof lp>>;
