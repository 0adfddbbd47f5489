/**
 * @file softmax and log_softmax, and their backward operators.
 * @mirrors aten/src/ATen/native/SoftMax.cpp
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH, type DispatchStub } from "#aten/native/DispatchStub";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

type ForwardFn = (result: Tensor, self: Tensor, dim: number) => void;
type BackwardFn = (grad_input: Tensor, grad: Tensor, output: Tensor, dim: number) => void;
export const softmax_lastdim_kernel = DEFINE_DISPATCH<ForwardFn>("softmax_lastdim_kernel");
export const log_softmax_lastdim_kernel = DEFINE_DISPATCH<ForwardFn>("log_softmax_lastdim_kernel");
export const softmax_kernel = DEFINE_DISPATCH<ForwardFn>("softmax_kernel");
export const log_softmax_kernel = DEFINE_DISPATCH<ForwardFn>("log_softmax_kernel");
export const softmax_backward_lastdim_kernel = DEFINE_DISPATCH<BackwardFn>("softmax_backward_lastdim_kernel");
export const log_softmax_backward_lastdim_kernel = DEFINE_DISPATCH<BackwardFn>("log_softmax_backward_lastdim_kernel");
export const softmax_backward_kernel = DEFINE_DISPATCH<BackwardFn>("softmax_backward_kernel");
export const log_softmax_backward_kernel = DEFINE_DISPATCH<BackwardFn>("log_softmax_backward_kernel");

function check_dim(dim: number, ndim: number): void {
  TORCH_CHECK(dim >= 0 && dim < Math.max(ndim, 1), "dim must be non-negative and less than input dimensions");
}

// meta --------------------------------------------------------------------------------------------------------------------

function forward_meta(meta: MetaBase, input: Tensor, dim: number, half_to_float: boolean): void {
  const dim_ = maybe_wrap_dim(dim, input.dim());
  let options = input.options().memory_format(MemoryFormat.Contiguous);
  if (half_to_float) options = options.dtype(ScalarType.Float);
  check_dim(dim_, input.dim());
  meta.set_output_raw_strided(0, input.sizes(), [], options);
}

export abstract class structured__softmax extends MetaBase {
  meta(input: Tensor, dim: number, half_to_float: boolean): void {
    forward_meta(this, input, dim, half_to_float);
  }
}

export abstract class structured__log_softmax extends MetaBase {
  meta(input: Tensor, dim: number, half_to_float: boolean): void {
    forward_meta(this, input, dim, half_to_float);
  }
}

function backward_meta(meta: MetaBase, grad: Tensor, dim: number, input_dtype: ScalarType): void {
  const dim_ = maybe_wrap_dim(dim, grad.dim());
  let options = grad.options().memory_format(MemoryFormat.Contiguous);
  // Only accelerators compute a half softmax in float; then the gradient is returned as half.
  if (grad.scalar_type() === ScalarType.Float && input_dtype === ScalarType.Half)
    options = options.dtype(ScalarType.Half);
  check_dim(dim_, grad.dim());
  meta.set_output_raw_strided(0, grad.sizes(), [], options);
}

function check_same_size(grad: Tensor, output: Tensor, caller: string): void {
  TORCH_CHECK(
    sizes_equal(grad.sizes(), output.sizes()),
    "Expected tensor for argument #1 'grad' to have same size as tensor for argument #2 'output'; but ",
    grad.sizes(),
    " does not equal ",
    output.sizes(),
    ` (while checking arguments for ${caller})`,
  );
}

export abstract class structured__softmax_backward_data extends MetaBase {
  meta(grad: Tensor, output: Tensor, dim: number, input_dtype: ScalarType): void {
    check_same_size(grad, output, "softmax_backward");
    backward_meta(this, grad, dim, input_dtype);
  }
}

export abstract class structured__log_softmax_backward_data extends MetaBase {
  meta(grad: Tensor, _output: Tensor, dim: number, input_dtype: ScalarType): void {
    backward_meta(this, grad, dim, input_dtype);
  }
}

// CPU ---------------------------------------------------------------------------------------------------------------------

/**
 * `result` as a contiguous tensor: the kernels write row by row from its start and ignore the strides of an `out=`. They
 * must not write past the end of its memory, which `as_strided_tensorimpl` checks.
 */
function rows_of(result: Tensor): Tensor {
  if (result.is_contiguous()) return result;
  const sizes = result.sizes();
  const strides = sizes.map((_, d) => sizes.slice(d + 1).reduce((step, size) => step * size, 1));
  return as_strided_tensorimpl(result, sizes, strides, null);
}

function forward_impl(
  input: Tensor,
  dim: number,
  half_to_float: boolean,
  output: Tensor,
  lastdim: DispatchStub<ForwardFn>,
  anydim: DispatchStub<ForwardFn>,
): void {
  TORCH_CHECK(!half_to_float, "softmax with half to float conversion is not supported on CPU");
  if (input.numel() === 0) return;
  let input_ = input.contiguous();
  const dim_ = maybe_wrap_dim(dim, input_.dim());
  if (input_.dim() === 0) input_ = input_.view([1]);
  const stub = dim_ === input_.dim() - 1 ? lastdim : anydim;
  stub.call(input.device_type(), rows_of(output), input_, dim_);
}

export abstract class structured_softmax_cpu_out extends structured__softmax {
  impl(input: Tensor, dim: number, half_to_float: boolean, output: Tensor): void {
    forward_impl(input, dim, half_to_float, output, softmax_lastdim_kernel, softmax_kernel);
  }
}

export abstract class structured_log_softmax_cpu_out extends structured__log_softmax {
  impl(input: Tensor, dim: number, half_to_float: boolean, output: Tensor): void {
    forward_impl(input, dim, half_to_float, output, log_softmax_lastdim_kernel, log_softmax_kernel);
  }
}

function backward_impl(
  grad: Tensor,
  output: Tensor,
  dim: number,
  grad_input: Tensor,
  lastdim: DispatchStub<BackwardFn>,
  anydim: DispatchStub<BackwardFn>,
): void {
  const dim_ = maybe_wrap_dim(dim, grad.dim());
  let grad_ = grad.contiguous();
  let output_ = output.contiguous();
  if (grad_.dim() === 0) grad_ = grad_.view([1]);
  if (output_.dim() === 0) output_ = output_.view([1]);
  if (grad.numel() === 0) return;
  const stub = dim_ === grad_.dim() - 1 ? lastdim : anydim;
  stub.call(grad.device_type(), rows_of(grad_input), grad_, output_, dim_);
}

export abstract class structured_softmax_backward_cpu_out extends structured__softmax_backward_data {
  impl(grad: Tensor, output: Tensor, dim: number, _input_dtype: ScalarType, grad_input: Tensor): void {
    backward_impl(grad, output, dim, grad_input, softmax_backward_lastdim_kernel, softmax_backward_kernel);
  }
}

export abstract class structured_log_softmax_backward_cpu_out extends structured__log_softmax_backward_data {
  impl(grad: Tensor, output: Tensor, dim: number, _input_dtype: ScalarType, grad_input: Tensor): void {
    const fits = output.numel() >= grad.numel() || output.scalar_type() !== grad.scalar_type();
    // @differs Ours checks this; PyTorch does not, and reads past the end of `output`.
    if (!fits && isFloatingType(grad.scalar_type())) check_same_size(grad, output, "log_softmax_backward");
    backward_impl(grad, output, dim, grad_input, log_softmax_backward_lastdim_kernel, log_softmax_backward_kernel);
  }
}

// Composite ----------------------------------------------------------------------------------------------------------------

/** Equivalent of `Tensor::toType`. */
function toType(self: Tensor, dtype: ScalarType | null): Tensor {
  return dtype === null ? self : self.to_dtype_layout(self.options().dtype(dtype));
}

/** An `out` with other strides gets a copy of a contiguous result, which first has its sizes. */
function through_contiguous(input: Tensor, dim: number, out: Tensor, softmax_out_: typeof at._softmax_out): Tensor {
  if (out.is_contiguous()) return softmax_out_(input, dim, false, out);
  const output_temp = at.empty_memory_format(out.sizes(), out.options());
  softmax_out_(input, dim, false, output_temp);
  return out.resize_(output_temp.sizes()).copy_(output_temp);
}

// softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor               CompositeImplicitAutograd
export function softmax(input: Tensor, dim: number, dtype: ScalarType | null): Tensor {
  return at._softmax(toType(input, dtype), dim, false);
}

export function softmax_out(input: Tensor, dim: number, dtype: ScalarType | null, out: Tensor): Tensor {
  return through_contiguous(toType(input, dtype), dim, out, at._softmax_out);
}

// log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor           CompositeImplicitAutograd
export function log_softmax(input: Tensor, dim: number, dtype: ScalarType | null): Tensor {
  return at._log_softmax(toType(input, dtype), dim, false);
}

export function log_softmax_out(input: Tensor, dim: number, dtype: ScalarType | null, out: Tensor): Tensor {
  return through_contiguous(toType(input, dtype), dim, out, at._log_softmax_out);
}
