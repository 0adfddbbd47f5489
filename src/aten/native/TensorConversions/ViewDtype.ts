/**
 * @file `view(dtype)`: the same bytes as elements of another dtype.
 * @mirrors aten/src/ATen/native/TensorConversions.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { elementSize, type ScalarType, toString } from "#c10/core/ScalarType";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK } from "#c10/util/Exception";

// view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)                      CompositeExplicitAutograd
export function view_dtype(self: Tensor, dtype: ScalarType): Tensor {
  const impl = self.impl_;
  TORCH_CHECK(
    !self.is_neg(),
    "torch.Tensor.view is not supported for tensors with negative bit set when converting to a different dtype.",
  );
  // A new tensor, not a view of the impl: in inference mode it is an inference tensor.
  const result = new TensorImpl(impl.storage(), impl.key_set_, dtype);
  const from = elementSize(impl.dtype());
  const to = elementSize(dtype);
  const what = ` to view ${toString(impl.dtype())} as ${toString(dtype)} (different element sizes)`;
  if (from === to) {
    result.set_sizes_and_strides(impl.sizes(), impl.strides(), impl.storage_offset());
    return new Tensor(result);
  }
  TORCH_CHECK(self.dim() > 0, "self.dim() cannot be 0", what);
  if (from > to) shrink(impl, result, from / to, what);
  else widen(impl, result, to / from, what);
  return new Tensor(result);
}

function check_last_stride(impl: TensorImpl, what: string): void {
  const stride = impl.stride(-1);
  TORCH_CHECK(stride === 1, "self.stride(-1) must be 1", what, ", but got ", stride);
}

/** Each element becomes `ratio` smaller ones. */
function shrink(impl: TensorImpl, result: TensorImpl, ratio: number, what: string): void {
  check_last_stride(impl, what);
  const last = impl.dim() - 1;
  const sizes = impl.sizes().map((size, dim) => (dim === last ? size * ratio : size));
  const strides = impl.strides().map((stride, dim) => (dim === last ? stride : stride * ratio));
  result.set_sizes_and_strides(sizes, strides, impl.storage_offset() * ratio);
}

/** `ratio` adjacent elements become one, so sizes, strides and offset must be multiples of it. */
function widen(impl: TensorImpl, result: TensorImpl, ratio: number, what: string): void {
  const last = impl.dim() - 1;
  const size = impl.size(-1);
  TORCH_CHECK(size % ratio === 0, "self.size(-1) must be divisible by ", ratio, what, ", but got ", size);
  const offset = impl.storage_offset();
  TORCH_CHECK(offset % ratio === 0, "self.storage_offset() must be divisible by ", ratio, what, ", but got ", offset);
  check_last_stride(impl, what);
  const sizes = impl.sizes().map((extent, dim) => (dim === last ? extent / ratio : extent));
  const strides = impl.strides().map((stride, dim) => {
    if (dim === last) return stride;
    TORCH_CHECK(
      stride % ratio === 0,
      "self.stride(",
      dim,
      ") must be divisible by ",
      ratio,
      what,
      ", but got ",
      stride,
    );
    return stride / ratio;
  });
  result.set_sizes_and_strides(sizes, strides, offset / ratio);
}
