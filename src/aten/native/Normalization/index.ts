/**
 * @file Normalization by the mean and variance of each channel: batch_norm, its gradient and related operators, and
 * instance_norm.
 * @mirrors aten/src/ATen/native/Normalization.cpp
 */
import { toAccumulateType } from "#aten/AccumulateType";
import { check_floating_types_and2 } from "#aten/Dispatch";
import { infer_size_dimvector } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  accessor_1d,
  accessor_with_stride,
  batch_norm_cpu_backward_stub,
  batch_norm_cpu_collect_stats_stub,
  batch_norm_cpu_stub,
  check_channels,
  check_dims_match_num_input_features,
  conditional_accessor_1d,
  type Gradients,
  type Statistics,
  type TensorAccessor,
} from "#aten/native/batch_norm";
import { batch_norm_cpu_backward_kernel, transform_input, var_sums } from "#aten/native/cpu/batch_norm_kernel";
import { check_mixed_data_type, is_mixed_type, param_scalar_type } from "#aten/native/cpu/mixed_data_type";
import { resize_output } from "#aten/native/Resize";
import { toOpMathType } from "#aten/OpMathType";
import { defined } from "#aten/TensorMethods";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { reducedFloatingType, round_to_reduced } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { same_int } from "#c10/core/SymInt";
import { length_error, TORCH_CHECK, TORCH_CHECK_VALUE, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

type MaybeTensor = Tensor | null;
type Three = [Tensor, Tensor, Tensor];

/** Whether the tensor is contiguous in any memory format, so that the fast loops can use it. */
function is_contiguous(t: Tensor | null): boolean {
  return (
    t === null ||
    t.is_contiguous() ||
    t.is_contiguous(MemoryFormat.ChannelsLast) ||
    t.is_contiguous(MemoryFormat.ChannelsLast3d)
  );
}

/** Suggested memory format; a tensor that is contiguous in several formats counts as plainly contiguous. */
function suggest_memory_format_contig(t: Tensor): MemoryFormat {
  return t.is_contiguous() ? MemoryFormat.Contiguous : t.suggest_memory_format();
}

function plainly(t: MaybeTensor): boolean {
  return t === null || t.is_contiguous();
}

/** All dims except the channel's. */
function reduce_dims_of(input: Tensor): number[] {
  return input.sizes().flatMap((_, d) => (d === 1 ? [] : [d]));
}

/** `t` (C) as (1, C, 1, ...), to broadcast with `input`. */
function as_nd(t: Tensor | null, input: Tensor): Tensor {
  TORCH_INTERNAL_ASSERT(t !== null && t.dim() === 1);
  const sizes = new Array<number>(input.dim()).fill(1);
  const strides = new Array<number>(input.dim()).fill(0);
  sizes[1] = t.size(0);
  strides[1] = t.strides()[0];
  return t.as_strided(sizes, strides);
}

function batch_norm_cpu_transform_input_template(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  save_mean: Tensor,
  save_invstd: Tensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  train: boolean,
  eps: number,
  output: Tensor,
): Three {
  const mixed_type = is_mixed_type(input, weight, bias, save_mean, save_invstd, running_mean, running_var);
  if (is_contiguous(input) && [weight, bias, running_mean, running_var].every(plainly)) {
    const statistics: Statistics = { running_mean, running_var, save_mean, save_invstd, train, eps };
    batch_norm_cpu_stub.call(DeviceType.CPU, output, input, weight, bias, statistics);
    return [output, save_mean, save_invstd];
  }
  const dtype = param_scalar_type(input, mixed_type);
  const mean = as_nd(train ? save_mean : running_mean, input);
  const invstd = as_nd(train ? save_invstd : inverse_std(running_var as Tensor, eps), input);
  const w = weight === null ? null : as_nd(weight, input);
  const b = bias === null ? null : as_nd(bias, input);
  for (const t of [mean, invstd, w, b]) if (t !== null) infer_size_dimvector(input.sizes(), t.sizes());
  const along = (t: Tensor) => accessor_with_stride(t, dtype, t.size(1) === 1 ? 0 : t.stride(1));
  transform_input(
    output,
    input,
    along(mean),
    along(invstd),
    w === null ? everywhere(1) : along(w),
    b === null ? everywhere(0) : along(b),
  );
  return [output, save_mean, save_invstd];
}

/** `1 / sqrt(variance + eps)`, in the order of C++'s operators. */
function inverse_std(variance: Tensor, eps: number): Tensor {
  const std = variance.add_Scalar(Scalar.fromDouble(eps), Scalar.ONE).sqrt();
  return at.empty_like(std).fill__Scalar(Scalar.ONE).div__Tensor(std);
}

/** Accessor for `n` new numbers. */
function numbers(n: number): TensorAccessor {
  const held = new Float64Array(n);
  return {
    get: (i) => held[i],
    set: (i, value) => {
      held[i] = value;
    },
  };
}

function everywhere(value: number): TensorAccessor {
  return { get: () => value, set: () => {} };
}

/** Function of the mean of squared distances: the statistic that is saved. */
type VarTransform = (variance: number, eps: number) => number;
const InvStd: VarTransform = (variance, eps) => (variance !== 0 || eps !== 0 ? 1 / Math.sqrt(variance + eps) : 0);
const Var: VarTransform = (variance) => variance;

/** Writes the batch's statistics to `saved`, and moves the running statistics, if there are any, towards them. */
function batch_norm_cpu_update_stats(
  input: Tensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  momentum: number,
  eps: number,
  transform: VarTransform,
  saved: [mean: Tensor, var_transform: Tensor],
): void {
  const [save_mean, save_var_transform] = saved;
  const n_input = input.size(1);
  TORCH_CHECK(
    input.numel() !== 0,
    "input tensor must have at least one element, but got input_sizes = ",
    input.sizes(),
  );
  const dtype = param_scalar_type(input, is_mixed_type(input, running_mean, running_var, save_mean));
  const n = input.numel() / n_input;
  const save_mean_a = accessor_1d(save_mean, dtype);
  const save_var_transform_a = accessor_1d(save_var_transform, dtype);
  const running_mean_a = conditional_accessor_1d(running_mean, dtype);
  const running_var_a = conditional_accessor_1d(running_var, dtype);
  check_channels(n_input, { running_mean, running_var });
  let mean_a = save_mean_a;
  let var_sum_a = numbers(n_input);
  if (is_contiguous(input)) {
    // Sums of float16 are kept as floats, those of bfloat16 as bfloat16.
    const computed = dtype === ScalarType.BFloat16 ? dtype : toOpMathType(dtype);
    const mean = at.empty_memory_format([n_input], input.options().dtype(computed));
    const var_sum = at.empty_memory_format([n_input], input.options().dtype(computed));
    batch_norm_cpu_collect_stats_stub.call(DeviceType.CPU, mean, var_sum, input);
    mean_a = accessor_1d(mean, computed);
    var_sum_a = accessor_1d(var_sum, computed);
  } else {
    var_sums(var_sum_a, input, (f) => mean_a.get(f));
  }
  // A bfloat16 divided by an integer is a bfloat16, and the integer is rounded to one, too.
  const bfloat16 = is_contiguous(input) && dtype === ScalarType.BFloat16 ? reducedFloatingType(dtype) : null;
  const rounded = (x: number): number => (bfloat16 === null ? x : round_to_reduced(bfloat16, x));
  const [count, count_1] = [rounded(n), rounded(n - 1)];
  for (let f = 0; f < n_input; f++) {
    const sum = var_sum_a.get(f);
    save_mean_a.set(f, mean_a.get(f));
    save_var_transform_a.set(f, transform(rounded(sum / count), eps));
    running_mean_a?.set(f, momentum * save_mean_a.get(f) + (1 - momentum) * running_mean_a.get(f));
    running_var_a?.set(f, momentum * rounded(sum / count_1) + (1 - momentum) * running_var_a.get(f));
  }
}

/** Like batch_norm_cpu_update_stats, into new tensors of `dtype`. */
function batch_norm_cpu_update_stats_template(
  input: Tensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  momentum: number,
  eps: number,
  transform: VarTransform,
  dtype: ScalarType,
): [Tensor, Tensor] {
  const options = input.options().dtype(dtype);
  input.size(1);
  const mean = is_contiguous(input)
    ? at.empty_memory_format([input.size(1)], options)
    : at.mean_dim(input, reduce_dims_of(input), false, dtype);
  const var_transform = at.empty_memory_format([input.size(1)], options);
  const saved: [Tensor, Tensor] = [mean, var_transform];
  batch_norm_cpu_update_stats(input, running_mean, running_var, momentum, eps, transform, saved);
  return saved;
}

/** Number of channels: the second size. For a tensor without a second size, PyTorch reads a 0 there. */
function features_of(input: Tensor): number {
  return input.dim() > 1 ? input.size(1) : 0;
}

/** Refuses a tensor without dims: PyTorch makes a list of all dims except one. */
function check_has_dims(input: Tensor): void {
  if (input.dim() === 0)
    throw new length_error(
      "SmallVector unable to grow. Requested capacity (18446744073709551615) is larger than maximum value for size type (4294967295)",
    );
}

// native_batch_norm                                                                                  CPU
export function batch_norm_cpu(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  train: boolean,
  momentum: number,
  eps: number,
): Three {
  const all_contiguous = is_contiguous(self) && [weight, bias, running_mean, running_var].every(plainly);
  const format = all_contiguous ? suggest_memory_format_contig(self) : self.suggest_memory_format();
  const output = at.empty_like(self, self.options().memory_format(format));
  check_has_dims(self);
  const dtype = param_scalar_type(self, is_mixed_type(self, weight, bias, running_mean, running_var));
  const options = self.options().dtype(dtype);
  const mean = (): Tensor =>
    is_contiguous(self)
      ? at.empty_memory_format([self.size(1)], options)
      : at.mean_dim(self, reduce_dims_of(self), false, dtype);
  const save_mean = train ? mean() : at.empty_memory_format([0], options);
  const save_invstd = at.empty_memory_format([train ? self.size(1) : 0], options);
  return batch_norm_cpu_out(
    self,
    weight,
    bias,
    running_mean,
    running_var,
    train,
    momentum,
    eps,
    output,
    save_mean,
    save_invstd,
  );
}

// native_batch_norm.out                                                                              CPU
/** If the input is not contiguous, the mean is not computed here: `save_mean` must already hold it. */
export function batch_norm_cpu_out(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  train: boolean,
  momentum: number,
  eps: number,
  out: Tensor,
  save_mean: Tensor,
  save_invstd: Tensor,
): Three {
  TORCH_CHECK_VALUE(
    (running_mean === null) === (running_var === null),
    "running_mean and running_var must either both be None or neither be None",
  );
  resize_output(out, self.sizes());
  check_floating_types_and2(self.scalar_type(), "batch_norm");
  if (is_mixed_type(self, weight, bias, running_mean, running_var))
    check_mixed_data_type(self, weight, bias, running_mean, running_var);
  if (train) {
    resize_output(save_mean, [self.size(1)]);
    resize_output(save_invstd, [self.size(1)]);
    batch_norm_cpu_update_stats(self, running_mean, running_var, momentum, eps, InvStd, [save_mean, save_invstd]);
  }
  return batch_norm_cpu_transform_input_template(
    self,
    weight,
    bias,
    save_mean,
    save_invstd,
    running_mean,
    running_var,
    train,
    eps,
    out,
  );
}

// native_batch_norm_backward                                                                         CPU
export function batch_norm_backward_cpu(
  grad_out: Tensor,
  input: Tensor,
  weight_opt: MaybeTensor,
  running_mean_opt: MaybeTensor,
  running_var_opt: MaybeTensor,
  save_mean_opt: MaybeTensor,
  save_invstd_opt: MaybeTensor,
  train: boolean,
  eps: number,
  grad_input_mask: readonly boolean[],
): Three {
  const weight = defined(weight_opt);
  const running_mean = defined(running_mean_opt);
  const running_var = defined(running_var_opt);
  const save_mean = defined(save_mean_opt);
  const save_invstd = defined(save_invstd_opt);
  check_floating_types_and2(input.scalar_type(), "batch_norm_backward_cpu");
  const mixed_type = is_mixed_type(input, weight, running_mean, running_var, save_mean, save_invstd);
  if (mixed_type) check_mixed_data_type(input, weight, running_mean, running_var, save_mean, save_invstd);
  const param_options = input.options().dtype(param_scalar_type(input, mixed_type));
  const contiguous = (t: Tensor, format: MemoryFormat) => at.empty_like(t, t.options().memory_format(format));
  let grad_input = grad_input_mask[0] ? contiguous(input, input.suggest_memory_format()) : null;
  const grad_weight = grad_input_mask[1] ? at.empty_memory_format([input.size(1)], param_options) : null;
  const grad_bias = grad_input_mask[2] ? at.empty_memory_format([input.size(1)], param_options) : null;
  const all_contiguous =
    is_contiguous(input) &&
    is_contiguous(grad_out) &&
    input.suggest_memory_format() === grad_out.suggest_memory_format();
  let sum: TensorAccessor | null = null;
  if (!all_contiguous) {
    const summed = at.sum_dim_IntList(grad_out, reduce_dims_of(input), false, null);
    sum = accessor_1d(summed, input.scalar_type());
  } else if (grad_input !== null) {
    grad_input = contiguous(input, suggest_memory_format_contig(input));
  }
  const statistics: Statistics = { running_mean, running_var, save_mean, save_invstd, train, eps };
  const grads: Gradients = { grad_input, grad_weight, grad_bias };
  if (sum === null) batch_norm_cpu_backward_stub.call(DeviceType.CPU, grads, grad_out, input, weight, statistics);
  else batch_norm_cpu_backward_kernel(grads, grad_out, input, weight, statistics, sum);
  return [grad_input ?? new Tensor(), grad_weight ?? new Tensor(), grad_bias ?? new Tensor()];
}

// batch_norm_update_stats                                                                            CPU
export function batch_norm_update_stats_cpu(
  self: Tensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  momentum: number,
): [Tensor, Tensor] {
  check_floating_types_and2(self.scalar_type(), "batch_norm_update_stats_cpu");
  const mixed_type = is_mixed_type(self, running_mean, running_var);
  if (mixed_type) check_mixed_data_type(self, running_mean, running_var);
  const dtype = param_scalar_type(self, mixed_type);
  return batch_norm_cpu_update_stats_template(self, running_mean, running_var, momentum, 0, Var, dtype);
}

// Composite ---------------------------------------------------------------------------------------------------------------

/** Number of the native backend, the only one here; cuDNN and MIOpen have numbers 1 and 2. */
const NATIVE_BACKEND = 0;

// _batch_norm_impl_index                                                                             CompositeImplicitAutograd
export function _batch_norm_impl_index(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  training: boolean,
  momentum: number,
  eps: number,
  _cudnn_enabled: boolean,
): [...Three, Tensor, number] {
  const empty = same_int(input.sym_numel(), 0);
  const num_features = features_of(input);
  if (empty) {
    const reserve = at.empty_memory_format([0], input.options().dtype(ScalarType.Byte));
    const options = input.options().dtype(toAccumulateType(input.scalar_type(), input.device().type()));
    const save_mean = at.empty_memory_format([num_features], options);
    const save_invstd = at.empty_memory_format([num_features], options);
    // A clone, not `input` itself or a new empty tensor, so that gradients flow through it.
    let out = input.clone();
    if (weight !== null) out = out.mul_Tensor(weight.select_int(0, 0));
    if (bias !== null) out = out.add_Tensor(bias.select_int(0, 0));
    return [out, save_mean, save_invstd, reserve, NATIVE_BACKEND];
  }
  check_dims_match_num_input_features("running_mean", num_features, running_mean);
  TORCH_CHECK(training || running_mean !== null, "running_mean must be defined in evaluation mode");
  check_dims_match_num_input_features("running_var", num_features, running_var);
  TORCH_CHECK(training || running_var !== null, "running_var must be defined in evaluation mode");
  check_dims_match_num_input_features("weight", num_features, weight);
  check_dims_match_num_input_features("bias", num_features, bias);
  const reserve = at.empty_memory_format([0], input.options().dtype(ScalarType.Byte));
  const result = at.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
  return [...result, reserve, NATIVE_BACKEND];
}

// _batch_norm_impl_index_backward                                                                    CompositeImplicitAutograd
export function _batch_norm_impl_index_backward(
  impl_index: number,
  input: Tensor,
  grad_output: Tensor,
  weight: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  save_mean: MaybeTensor,
  save_var_transform: MaybeTensor,
  train: boolean,
  epsilon: number,
  output_mask: boolean[],
  _reservedSpace: Tensor,
): Three {
  if (input.numel() === 0) {
    const dims = reduce_dims_of(input);
    // Computed from the gradient instead of a new empty tensor, so that gradients flow through it.
    const grad_bias = output_mask[2] ? grad_output.sum_dim_IntList(dims) : new Tensor();
    const grad_weight = output_mask[1] ? grad_output.mul_Tensor(input).sum_dim_IntList(dims) : new Tensor();
    const grad_input =
      output_mask[0] && defined(weight) !== null
        ? grad_output.mul_Tensor((weight as Tensor).select_int(0, 0))
        : new Tensor();
    return [grad_input, grad_weight, grad_bias];
  }
  TORCH_INTERNAL_ASSERT(
    impl_index === NATIVE_BACKEND || !train,
    "Unsupported impl_index in _batch_norm_impl_index_backward: ",
    impl_index,
  );
  return at.native_batch_norm_backward(
    grad_output,
    input,
    weight,
    running_mean,
    running_var,
    save_mean,
    save_var_transform,
    train,
    epsilon,
    output_mask,
  );
}

// batch_norm                                                                                         CompositeImplicitAutograd
export function batch_norm(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  training: boolean,
  momentum: number,
  eps: number,
  cudnn_enabled: boolean,
): Tensor {
  const indexed = at._batch_norm_impl_index(
    input,
    weight,
    bias,
    running_mean,
    running_var,
    training,
    momentum,
    eps,
    cudnn_enabled,
  );
  return indexed[0];
}

// _native_batch_norm_legit                                                                           CPU
export function _batch_norm_legit_cpu(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: Tensor,
  running_var: Tensor,
  train: boolean,
  momentum: number,
  eps: number,
): Three {
  return batch_norm_cpu(self, weight, bias, running_mean, running_var, train, momentum, eps);
}

// _native_batch_norm_legit.no_stats                                                                  CPU
export function _batch_norm_legit_no_stats_cpu(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  train: boolean,
  momentum: number,
  eps: number,
): Three {
  return batch_norm_cpu(self, weight, bias, null, null, train, momentum, eps);
}

// _native_batch_norm_legit_no_training                                                               CompositeExplicitAutograd
export function _batch_norm_legit_no_training(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: Tensor,
  running_var: Tensor,
  momentum: number,
  eps: number,
): Three {
  return at._native_batch_norm_legit(self, weight, bias, running_mean, running_var, false, momentum, eps);
}

// _native_batch_norm_legit.out                                                                       CPU
export function _batch_norm_legit_cpu_out(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: Tensor,
  running_var: Tensor,
  train: boolean,
  momentum: number,
  eps: number,
  out: Tensor,
  save_mean: Tensor,
  save_invstd: Tensor,
): Three {
  return batch_norm_cpu_out(
    self,
    weight,
    bias,
    running_mean,
    running_var,
    train,
    momentum,
    eps,
    out,
    save_mean,
    save_invstd,
  );
}

// _native_batch_norm_legit.no_stats_out                                                              CPU
export function _batch_norm_legit_no_stats_cpu_out(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  train: boolean,
  momentum: number,
  eps: number,
  out: Tensor,
  save_mean: Tensor,
  save_invstd: Tensor,
): Three {
  return batch_norm_cpu_out(self, weight, bias, null, null, train, momentum, eps, out, save_mean, save_invstd);
}

// _batch_norm_with_update                                                                            CPU
export function _batch_norm_with_update_cpu(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: Tensor,
  running_var: Tensor,
  momentum: number,
  eps: number,
): [...Three, Tensor] {
  const result = batch_norm_cpu(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return [...result, at.empty_memory_format([0], input.options().dtype(ScalarType.Byte))];
}

// _batch_norm_with_update.out                                                                        CPU
export function _batch_norm_with_update_cpu_out(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: Tensor,
  running_var: Tensor,
  momentum: number,
  eps: number,
  out: Tensor,
  save_mean: Tensor,
  save_invstd: Tensor,
  reserve: Tensor,
): [...Three, Tensor] {
  const result = batch_norm_cpu_out(
    input,
    weight,
    bias,
    running_mean,
    running_var,
    true,
    momentum,
    eps,
    out,
    save_mean,
    save_invstd,
  );
  return [...result, reserve];
}

// _batch_norm_no_update                                                                              CompositeExplicitAutograd
export function _batch_norm_no_update(
  input: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  momentum: number,
  eps: number,
): [...Three, Tensor] {
  const result = batch_norm_cpu(input, weight, bias, running_mean, running_var, false, momentum, eps);
  return [...result, at.empty_memory_format([0], input.options().dtype(ScalarType.Byte))];
}

// batch_norm_backward                                                                                CPU
export function _new_batch_norm_backward_cpu(
  grad_output: Tensor,
  input: Tensor,
  weight: Tensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  save_mean: MaybeTensor,
  save_var: MaybeTensor,
  update: boolean,
  eps: number,
  grad_input_mask: boolean[],
  _reserve: Tensor,
): Three {
  return batch_norm_backward_cpu(
    grad_output,
    input,
    weight,
    running_mean,
    running_var,
    save_mean,
    save_var,
    update,
    eps,
    grad_input_mask,
  );
}

/** Repeats the tensor for each instance of a batch. */
function repeat_if_defined(t: MaybeTensor, repeat: number): MaybeTensor {
  return t === null ? null : t.repeat([repeat]);
}

// instance_norm                                                                                      CompositeImplicitAutograd
export function instance_norm(
  input: Tensor, // (N, C, *)
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  use_input_stats: boolean,
  momentum: number,
  eps: number,
  cudnn_enabled: boolean,
): Tensor {
  TORCH_CHECK(
    use_input_stats || (running_mean !== null && running_var !== null),
    "Expected running_mean and running_var to be defined when use_input_stats is false",
  );
  const b = input.size(0);
  const c = input.size(1);
  const weight_ = repeat_if_defined(weight, b);
  const bias_ = repeat_if_defined(bias, b);
  const dtype = input.scalar_type(); // the statistics have this dtype, too, while they are used
  const running_mean_ = repeat_if_defined(running_mean?.to_dtype(dtype) ?? null, b);
  const running_var_ = repeat_if_defined(running_var?.to_dtype(dtype) ?? null, b);

  // All instances become one image with N * C channels, so a channel of batch_norm is one channel of one instance.
  const input_reshaped = input.contiguous().view([1, b * c, ...input.sizes().slice(2)]);
  const out = at.batch_norm(
    input_reshaped,
    weight_,
    bias_,
    running_mean_,
    running_var_,
    use_input_stats,
    momentum,
    eps,
    cudnn_enabled,
  );
  average_back(running_mean, running_mean_, [b, c]);
  average_back(running_var, running_var_, [b, c]);
  return out.view(input.sizes().slice());
}

/** Averages the statistics of all instances and writes them to the original tensor. */
function average_back(running: MaybeTensor, repeated: MaybeTensor, shape: number[]): void {
  if (running === null || repeated === null) return;
  const mean = (t: Tensor): Tensor => t.view(shape).mean_dim([0], false);
  at.alias(running).copy_(mean(repeated).to_dtype(running.scalar_type()));
}
