/**
 * @file `copy_`: writes one tensor's values into another, broadcasting and converting as needed.
 * @mirrors aten/src/ATen/native/Copy.cpp
 */

import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIterator } from "#aten/TensorIterator";
import type { TypedArray } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { copy_part } from "./cpu/vec/copy_driver.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { clone_preserve_strides } from "./TensorConversions.ts";

export const copy_stub = DEFINE_DISPATCH<(iter: TensorIterator, non_blocking: boolean) => void>("copy_stub");

/** Side of the square tile of `copy_same_type_transpose_`, and with its square the least size worth tiling. */
const BLOCK_SZ = 60;
const MIN_SZ = BLOCK_SZ * BLOCK_SZ;

/** A row-major matrix is to be filled from a column-major one of the same dtype. */
function copy_transpose_valid(self: Tensor, src: Tensor): boolean {
  return (
    src.dim() === 2 &&
    self.is_contiguous() &&
    src.numel() !== 0 &&
    src.strides()[0] === 1 &&
    src.strides()[1] === src.sizes()[0] &&
    self.scalar_type() === src.scalar_type() &&
    sizes_equal(self.sizes(), src.sizes()) &&
    self.is_neg() === src.is_neg() &&
    self.numel() >= MIN_SZ
  );
}

/**
 * Transposes tile by tile through a small buffer, so that both matrices are walked along their rows.
 * Precondition: `copy_transpose_valid`.
 */
function copy_same_type_transpose_(self: Tensor, src: Tensor): void {
  const buf = at.empty_memory_format([BLOCK_SZ, BLOCK_SZ], self.options());
  const rows = self.sizes()[0];
  const columns = self.sizes()[1];
  const to = { tensor: self.impl_, first: 0, inner: 1, outer: columns };
  if (copy_part(to, { tensor: src.impl_, first: 0, inner: rows, outer: 1 }, columns, rows)) return;
  const out = self.impl_.data_view() as Float64Array;
  const source = src.impl_.data_view() as Float64Array;
  const tile = buf.impl_.data_view() as Float64Array;
  const out_offset = self.impl_.data_offset();
  const source_offset = src.impl_.data_offset();
  const tile_offset = buf.impl_.data_offset();
  for (let row = 0; row < rows; row += BLOCK_SZ) {
    const height = Math.min(BLOCK_SZ, rows - row);
    for (let column = 0; column < columns; column += BLOCK_SZ) {
      const width = Math.min(BLOCK_SZ, columns - column);
      for (let c = 0; c < width; c++) {
        const from = source_offset + row + (column + c) * rows; // `height` neighbours: src is column-major
        for (let r = 0; r < height; r++) tile[tile_offset + r * BLOCK_SZ + c] = source[from + r];
      }
      for (let r = 0; r < height; r++) {
        const from = tile_offset + r * BLOCK_SZ;
        (out as TypedArray as Float64Array).set(
          tile.subarray(from, from + width),
          out_offset + (row + r) * columns + column,
        );
      }
    }
  }
}

/** Devices that this file copies from and to; all others bring a `_copy_from`. */
function is_supported_device(device: Device): boolean {
  return device.is_cpu();
}

/** Whether both are the very same elements: nothing to do. */
function is_same_data(self: Tensor, src: Tensor): boolean {
  return (
    self.storage().is_alias_of(src.storage()) &&
    self.storage_offset() === src.storage_offset() &&
    sizes_equal(self.strides(), src.strides()) &&
    sizes_equal(self.sizes(), src.sizes()) &&
    self.scalar_type() === src.scalar_type() &&
    self.is_conj() === src.is_conj() &&
    self.is_neg() === src.is_neg()
  );
}

/** As in Note [Operators are used again] (../StructuredOutputs.ts): every number beside a tensor is copied. */
let idle: TensorIterator | null = null;

/** Where one of the two is not in host memory. */
function copy_elsewhere(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  if (self.is_meta()) {
    // Only the shapes can be wrong.
    const shape = infer_size_dimvector(self.sizes(), src.sizes());
    TORCH_CHECK(
      sizes_equal(self.sizes(), shape),
      "output with shape ",
      self.sizes(),
      " doesn't match the broadcast shape ",
      shape,
    );
    return self;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(!src.is_meta(), "Cannot copy out of meta tensor; no data!");
  at._copy_from(src, self, non_blocking); // for two devices, the kernel of the one that is no CPU
  return self;
}

function copy_impl(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  if (self.is_same(src)) return self;
  if (!is_supported_device(self.device()) || !is_supported_device(src.device()))
    return copy_elsewhere(self, src, non_blocking);
  if (is_same_data(self, src)) return self;
  const iter = idle ?? new TensorIterator();
  idle = null;
  iter.build_copy_op(self, src);
  if (iter.numel() === 0) return self;
  if (copy_transpose_valid(self, src)) {
    copy_same_type_transpose_(self, src);
    return self;
  }
  copy_stub.call(DeviceType.CPU, iter, non_blocking);
  if (tracer === null) {
    iter.release();
    idle = iter;
  }
  return self;
}

// copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)      CompositeExplicitAutograd
export function copy_(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  if (src._is_zerotensor()) return self.zero_();
  return copy_impl(self, src, non_blocking);
}

// copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor               CompositeExplicitAutogradNonFunctional
// The functional form of `copy_`: a tensor with `self`'s sizes, strides and storage size, holding `src`'s values.
export function copy(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  const r =
    self.storage().nbytes() === 0
      ? at.empty_strided(self.sizes(), self.strides(), self.options())
      : clone_preserve_strides(self);
  r.copy_(src, non_blocking);
  return r;
}

// The same                                                                       Meta
export function copy_meta(self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  const r = clone_preserve_strides(self);
  r.copy_(src, non_blocking);
  return r;
}
