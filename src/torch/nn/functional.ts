/**
 * @file The functions behind the modules.
 * @mirrors torch/nn/functional.py
 */
import { ValueError } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import { _C, isDict } from "#torch/_C";
import type { Tensor } from "#torch/_tensor";
import { handle_torch_function, has_torch_function_unary, has_torch_function_variadic } from "#torch/overrides";
import type { _float, dtype } from "#torch/types";
import { get_enum, type Reduction } from "./_reduction.ts";

const _VF = _C._VariableFunctions;

/** `input @ weight.T + bias`.   `(*, in), (out, in), (out) -> (*, out)` */
export const linear = _C._nn.linear;

/** The same function as `torch.prelu`. */
export const prelu = _VF.prelu;

/** `max(0, input)`. */
export function relu(input: Tensor, inplace: boolean | { inplace?: boolean } = false): Tensor {
  const inplace_ = isDict(inplace) ? (inplace.inplace ?? false) : inplace;
  if (tracer !== null) return traceCall("python", "torch.nn.functional.relu", relu_impl, [input, inplace_]);
  return relu_impl(input, inplace_);
}

function relu_impl(input: Tensor, inplace: boolean): Tensor {
  if (has_torch_function_unary(input)) return handle_torch_function(relu, [input], [input], { inplace }) as Tensor;
  return inplace ? _VF.relu_(input) : _VF.relu(input);
}

export interface DropoutOptions {
  p?: number;
  training?: boolean;
  inplace?: boolean;
}

/** Zeroes each element with probability `p` and scales the others by `1 / (1 - p)`. */
export function dropout(
  input: Tensor,
  p: _float | DropoutOptions = 0.5,
  training: boolean | DropoutOptions = true,
  inplace = false,
): Tensor {
  if (isDict(p)) {
    const o: DropoutOptions = p;
    return dropout(input, o.p ?? 0.5, o.training ?? true, o.inplace ?? false);
  }
  if (isDict(training)) {
    const o: DropoutOptions = training;
    return dropout(input, p, o.training ?? true, o.inplace ?? inplace);
  }
  const p_ = p as number;
  const training_ = training as boolean;
  if (tracer !== null)
    return traceCall("python", "torch.nn.functional.dropout", dropout_impl, [input, p_, training_, inplace]);
  return dropout_impl(input, p_, training_, inplace);
}

function dropout_impl(input: Tensor, p: number, training: boolean, inplace: boolean): Tensor {
  if (has_torch_function_unary(input))
    return handle_torch_function(dropout, [input], [input], { p, training, inplace }) as Tensor;
  if (p < 0 || p > 1) throw new ValueError(`dropout probability has to be between 0 and 1, but got ${p}`);
  if (!inplace) return _VF.dropout(input, p, training);
  return (_VF as unknown as { dropout_: typeof _VF.dropout }).dropout_(input, p, training);
}

interface SoftmaxOptions {
  dim?: number | null;
  dtype?: dtype | null;
}

/** The dimension that `softmax` took before it had to be named. */
function get_softmax_dim(ndim: number): number {
  return ndim === 0 || ndim === 1 || ndim === 3 ? 0 : 1;
}

function softmax_arguments(
  input: Tensor,
  dim: number | null | SoftmaxOptions | undefined,
  dtype_: dtype | null,
): { dim: number; dtype: dtype | null } {
  const o = isDict(dim) ? (dim as SoftmaxOptions) : { dim: dim as number | null | undefined, dtype: dtype_ };
  return { dim: o.dim ?? get_softmax_dim(input.dim()), dtype: o.dtype ?? null };
}

/** Exponentials along `dim`, divided by their sum. */
export function softmax(input: Tensor, dim?: number | null | SoftmaxOptions, dtype_: dtype | null = null): Tensor {
  if (tracer !== null) return traceCall("python", "torch.nn.functional.softmax", softmax_impl, [input, dim, dtype_]);
  return softmax_impl(input, dim, dtype_);
}

function softmax_impl(input: Tensor, dim: number | null | SoftmaxOptions | undefined, dtype_: dtype | null): Tensor {
  const a = softmax_arguments(input, dim, dtype_);
  if (has_torch_function_unary(input)) return handle_torch_function(softmax, [input], [input], a) as Tensor;
  return a.dtype === null ? input.softmax(a.dim) : input.softmax(a.dim, a.dtype);
}

/** The logarithm of `softmax`, computed in one. */
export function log_softmax(input: Tensor, dim?: number | null | SoftmaxOptions, dtype_: dtype | null = null): Tensor {
  if (tracer !== null)
    return traceCall("python", "torch.nn.functional.log_softmax", log_softmax_impl, [input, dim, dtype_]);
  return log_softmax_impl(input, dim, dtype_);
}

function log_softmax_impl(
  input: Tensor,
  dim: number | null | SoftmaxOptions | undefined,
  dtype_: dtype | null,
): Tensor {
  const a = softmax_arguments(input, dim, dtype_);
  if (has_torch_function_unary(input)) return handle_torch_function(log_softmax, [input], [input], a) as Tensor;
  return a.dtype === null ? input.log_softmax(a.dim) : input.log_softmax(a.dim, a.dtype);
}

/** `1 / (1 + exp(-input))`. */
export function sigmoid(input: Tensor): Tensor {
  return input.sigmoid();
}

/** The hyperbolic tangent. */
export function tanh(input: Tensor): Tensor {
  return input.tanh();
}

/** `threshold`, in place. */
export function threshold_(input: Tensor, threshold: number, value: number): Tensor {
  return _VF.threshold_(input, threshold, value);
}
/** `value` where `input <= threshold`, else `input`. */
export function threshold(input: Tensor, threshold_: number, value: number, inplace = false): Tensor {
  return inplace ? _VF.threshold_(input, threshold_, value) : _VF.threshold(input, threshold_, value);
}

export interface LossOptions {
  weight?: Tensor | null;
  ignore_index?: number;
  reduction?: Reduction;
  label_smoothing?: number;
}

/**
 * Cross entropy between unnormalized scores and class indices (or probabilities).   `(N, C, ...), (N, ...) -> ()`
 * @param target int64 classes of shape `(N, ...)`, or probabilities of `input`'s shape.
 */
export function cross_entropy(
  input: Tensor,
  target: Tensor,
  options: Tensor | null | LossOptions = null,
  kwargs: LossOptions = {},
): Tensor {
  const o: LossOptions = isDict(options) ? options : { ...kwargs, weight: options as Tensor | null };
  if (tracer !== null)
    return traceCall("python", "torch.nn.functional.cross_entropy", cross_entropy_impl, [input, target, o]);
  return cross_entropy_impl(input, target, o);
}

function cross_entropy_impl(input: Tensor, target: Tensor, o: LossOptions): Tensor {
  const { weight = null, ignore_index = -100, reduction = "mean", label_smoothing = 0 } = o;
  if (has_torch_function_variadic(input, target, weight)) {
    return handle_torch_function(cross_entropy, [input, target, weight], [input, target], {
      weight,
      ignore_index,
      reduction,
      label_smoothing,
    }) as Tensor;
  }
  return _C._nn.cross_entropy_loss(input, target, weight, get_enum(reduction), ignore_index, label_smoothing);
}

/** Negative log likelihood of log-probabilities. */
export function nll_loss(
  input: Tensor,
  target: Tensor,
  options: Tensor | null | LossOptions = null,
  kwargs: LossOptions = {},
): Tensor {
  const o: LossOptions = isDict(options) ? options : { ...kwargs, weight: options as Tensor | null };
  if (tracer !== null) return traceCall("python", "torch.nn.functional.nll_loss", nll_loss_impl, [input, target, o]);
  return nll_loss_impl(input, target, o);
}

function nll_loss_impl(input: Tensor, target: Tensor, o: LossOptions): Tensor {
  const { weight = null, ignore_index = -100, reduction = "mean" } = o;
  if (has_torch_function_variadic(input, target, weight)) {
    return handle_torch_function(nll_loss, [input, target, weight], [input, target], {
      weight,
      ignore_index,
      reduction,
    }) as Tensor;
  }
  return _C._nn.nll_loss_nd(input, target, weight, get_enum(reduction), ignore_index);
}
