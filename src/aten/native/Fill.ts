/**
 * @file `fill_` and `zero_`: one value in every element.
 * @mirrors aten/src/ATen/native/Fill.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { GRAIN_SIZE } from "#aten/Parallel";
import { scalar_fill } from "#aten/ScalarOps";
import { type TensorIterator, TensorIteratorConfig } from "#aten/TensorIterator";
import { cpu_heap } from "#c10/core/CPUHeap";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

export const fill_stub = DEFINE_DISPATCH<(iter: TensorIterator, value: Scalar) => void>("fill_stub");

function fill_out(self: Tensor, value: Scalar): Tensor {
  if (self.is_cpu() && self.numel() === 1) return scalar_fill(self, value);
  const iter = new TensorIteratorConfig()
    .set_check_mem_overlap(false) // an expanded tensor may be filled, because every write is the same
    .check_all_same_dtype(false)
    .add_output(self)
    .resize_outputs(false)
    .build();
  fill_stub.call(iter.device_type(0), iter, value);
  return self;
}

// fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)                      CPU
export function fill__Scalar(self: Tensor, value: Scalar): Tensor {
  return fill_out(self, value);
}

function check_0_dim(value: Tensor): void {
  TORCH_CHECK(
    value.dim() === 0,
    "fill_ only supports 0-dimension value tensor but got tensor with ",
    value.dim(),
    " dimensions.",
  );
}

// fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)                      CPU
export function fill__Tensor(self: Tensor, value: Tensor): Tensor {
  check_0_dim(value);
  if (!self.device().eq(value.device())) return fill_out(self, value.item());
  // The value may be an element of `self` itself, which filling would change while it is read.
  const aliases = self.storage().is_alias_of(value.storage());
  self.copy_(aliases ? value.clone() : value);
  return self;
}

// fill_.Scalar, fill_.Tensor                                                     Meta
export function fill_meta__Scalar(self: Tensor, _value: Scalar): Tensor {
  return self;
}

export function fill_meta__Tensor(self: Tensor, value: Tensor): Tensor {
  check_0_dim(value);
  return self;
}

// fill.Scalar(Tensor self, Scalar value) -> Tensor                               CompositeExplicitAutograd
export function fill_Scalar(self: Tensor, value: Scalar): Tensor {
  return at.empty_like(self).fill__Scalar(value);
}

// fill.Tensor(Tensor self, Tensor value) -> Tensor                               CompositeExplicitAutograd
export function fill_Tensor(self: Tensor, value: Tensor): Tensor {
  return at.empty_like(self).fill__Tensor(value);
}

/** Bytes of zero are a zero in every dtype. Precondition: `self` is dense and its storage has bytes. */
function zero_cpu_(self: Tensor, nelements: number): Tensor {
  const impl = self.impl_;
  const offset = impl.data_offset();
  const data = impl.data_view();
  if (impl.storage().data_ptr().block?.in_heap === true) {
    const itemsize = self.itemsize();
    cpu_heap()?.fill(offset * itemsize, 0, nelements * itemsize);
  } else if (data instanceof BigInt64Array || data instanceof BigUint64Array) data.fill(0n, offset, offset + nelements);
  else data.fill(0, offset, offset + nelements);
  return self;
}

// zero_(Tensor(a!) self) -> Tensor(a!)                                           CPU
export function zero_(self: Tensor): Tensor {
  const nelements = self.numel();
  const clearBytes = self.is_cpu() && self.is_non_overlapping_and_dense() && nelements < GRAIN_SIZE && nelements > 0;
  return clearBytes ? zero_cpu_(self, nelements) : self.fill__Scalar(Scalar.ZERO);
}

// Same schema                                                                    Meta
export function zero_meta_(self: Tensor): Tensor {
  return self;
}

// fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)     CompositeImplicitAutograd
// A step along the diagonal is one step along every dim.
export function fill_diagonal_(self: Tensor, fill_value: Scalar, wrap: boolean): Tensor {
  const ndim = self.dim();
  TORCH_CHECK(ndim >= 2, "dimensions must larger than 1");
  const [height, width] = self.sizes();
  if (ndim > 2)
    TORCH_CHECK(
      self.sizes().every((size) => size === height),
      "all dimensions of input must be of equal length",
    );
  const size = Math.min(height, width);
  const stride = self.strides().reduce((sum, each) => sum + each, 0);
  self.as_strided([size], [stride], self.storage_offset()).fill__Scalar(fill_value);
  if (wrap && ndim === 2 && height > width + 1) {
    // In a tall matrix, one row after the end of the diagonal is left out, and the next diagonal begins.
    const step = width + 1;
    const wrap_size = Math.floor((self.numel() + step - 1) / step) - size;
    const offset = self.strides()[0] * step;
    self.as_strided([wrap_size], [stride], self.storage_offset() + offset).fill__Scalar(fill_value);
  }
  return self;
}
