/**
 * @file Stubs and helpers that Normalization and its kernels share: statistics are read as numbers.
 * @mirrors aten/src/ATen/native/batch_norm.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_type } from "#aten/TensorMethods";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { isReducedFloatingType, type ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

type MaybeTensor = Tensor | null;

/**
 * Statistics by which a channel is normalized: in training the batch's mean and invstd, else the running ones with
 * `eps`.
 */
export interface Statistics {
  readonly running_mean: MaybeTensor;
  readonly running_var: MaybeTensor;
  readonly save_mean: MaybeTensor;
  readonly save_invstd: MaybeTensor;
  readonly train: boolean;
  readonly eps: number;
}

/** The gradients that are wanted; others are null. */
export interface Gradients {
  readonly grad_input: MaybeTensor;
  readonly grad_weight: MaybeTensor;
  readonly grad_bias: MaybeTensor;
}

type batch_norm_fn = (
  output: Tensor,
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  statistics: Statistics,
) => void;
type batch_norm_collect_stats_fn = (mean: Tensor, var_sum: Tensor, input: Tensor) => void;
type batch_norm_backward_fn = (
  grads: Gradients,
  grad_output: Tensor,
  input: Tensor,
  weight: MaybeTensor,
  statistics: Statistics,
) => void;

export const batch_norm_cpu_stub = DEFINE_DISPATCH<batch_norm_fn>("batch_norm_cpu_stub");
export const batch_norm_cpu_collect_stats_stub = DEFINE_DISPATCH<batch_norm_collect_stats_fn>(
  "batch_norm_cpu_collect_stats_stub",
);
export const batch_norm_cpu_backward_stub = DEFINE_DISPATCH<batch_norm_backward_fn>("batch_norm_cpu_backward_stub");

/** The elements of a 1-D tensor as numbers; a half is rounded when it is written. */
export interface TensorAccessor {
  get(i: number): number;
  set(i: number, value: number): void;
}

/** Accessor for a tensor that may be absent. */
export function conditional_accessor_1d(t: Tensor | null, dtype: ScalarType): TensorAccessor | null {
  return t === null ? null : accessor_1d(t, dtype);
}

/** Precondition: the tensor is floating and on the CPU. The accessor is valid as long as `t` is alive. */
export function accessor_1d(t: Tensor, dtype: ScalarType): TensorAccessor {
  TORCH_CHECK(t.dim() === 1, "TensorAccessor expected 1 dims but tensor has ", t.dim());
  return accessor_with_stride(t, dtype, t.strides()[0]);
}

/** Accessor for a contiguous tensor with any dims. */
export function conditional_accessor_data(t: Tensor | null, dtype: ScalarType): TensorAccessor | null {
  return t === null ? null : accessor_with_stride(t, dtype, 1);
}

/**
 * Checks that each of `params` has one number per channel.
 * @differs Ours always checks this; PyTorch checks only in `_batch_norm_impl_index`, and an operator called directly
 * reads and writes outside the tensors' memory.
 */
export function check_channels(n_channel: number, params: Readonly<Record<string, MaybeTensor>>): void {
  for (const [name, t] of Object.entries(params)) check_dims_match_num_input_features(name, n_channel, t);
}

export function check_dims_match_num_input_features(arg_name: string, expected: number, t: MaybeTensor): void {
  if (t === null) return;
  TORCH_CHECK(t.numel() === expected, arg_name, " should contain ", expected, " elements not ", t.numel());
}

export function accessor_with_stride(t: Tensor, dtype: ScalarType, stride: number): TensorAccessor {
  check_type(t, dtype);
  const view = t.data_view() as Float32Array | Float64Array | Uint16Array;
  const offset = t.data_offset();
  const half = isReducedFloatingType(dtype) ? reducedFloatingType(dtype) : null;
  if (half === null)
    return {
      get: (i) => view[offset + i * stride],
      set: (i, value) => {
        view[offset + i * stride] = value;
      },
    };
  return {
    get: (i) => half.to_float(view[offset + i * stride]),
    set: (i, value) => {
      view[offset + i * stride] = half.from_float(value);
    },
  };
}
