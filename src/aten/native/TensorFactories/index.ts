/**
 * @file Factories of tensors, from nothing or from another tensor's shape: `empty`, `full` and operators composed of
 * them. Each composite is an empty tensor followed by an in-place operation, so a new backend gets them all by
 * implementing these two.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 * @see Random.ts (rand, randn, randint, randperm), ../RangeFactories/index.ts (arange): the rest of the same PyTorch
 * file
 */
import { fills_uninitialized_memory } from "#aten/Context/index";
import {
  check_size_nonnegative,
  empty_cpu as detail_empty_cpu,
  empty_strided_cpu as detail_empty_strided_cpu,
  empty_generic,
  empty_meta,
  empty_strided_meta,
} from "#aten/EmptyTensor";
import { infer_dense_strides } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { scalar_fill } from "#aten/ScalarOps";
import { ZeroTensorAllocator } from "#aten/ZeroTensorAllocator";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { fill_empty_deterministic_ } from "./fill_empty_deterministic.ts";

const one = Scalar.fromDouble(1);

/** Combines the four optional arguments, which the dispatcher passes separately, to one value. */
export function optionsOf(
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): TensorOptions {
  return new TensorOptions(dtype, layout, device, pin_memory);
}

// empty ---------------------------------------------------------------------------------------------------------------

// empty.memory_format(SymInt[] size, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CPU
export function empty_cpu(
  size: number[],
  dtype: ScalarType | null,
  _layout: Layout | null,
  _device: Device | null,
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
): Tensor {
  const result = detail_empty_cpu(size, dtype ?? get_default_dtype(), pin_memory ?? false, memory_format);
  if (fills_uninitialized_memory) fill_empty_deterministic_(result);
  return result;
}

// Same schema                                                                    Meta
export function empty_meta_symint(
  size: number[],
  dtype: ScalarType | null,
  _layout: Layout | null,
  _device: Device | null,
  _pin_memory: boolean | null, // there is no memory to pin
  memory_format: MemoryFormat | null,
): Tensor {
  return empty_meta(size, dtype ?? get_default_dtype(), memory_format);
}

function check_physical_layout(dim: number, physical_layout: readonly number[]): void {
  TORCH_CHECK(
    physical_layout.length === dim,
    "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ",
    dim,
    " is not equal to len(physical_layout) = ",
    physical_layout.length,
  );
  const seen = new Set<number>();
  for (const [i, d] of physical_layout.entries()) {
    TORCH_CHECK(
      d >= 0 && d < dim,
      `Dimension out of range (expected to be between 0 and ${dim - 1}, but got ${d} at index ${i}).  `,
      "NB: negative dims not currently supported; file an issue if you want it.",
    );
    TORCH_CHECK(!seen.has(d), "Duplicate dim not allowed");
    seen.add(d);
  }
}

// empty_permuted(SymInt[] size, int[] physical_layout, *, <options>) -> Tensor   CompositeExplicitAutograd
export function empty_permuted_symint(
  size: number[],
  physical_layout: number[], // dims from the outermost in memory to the innermost: NHWC is [0, 2, 3, 1]
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  check_physical_layout(size.length, physical_layout);
  const phys_size = physical_layout.map((d) => size[d]);
  const phys_tensor = at.empty_memory_format(phys_size, optionsOf(dtype, layout, device, pin_memory));
  const strides = new Array<number>(size.length);
  for (const [i, stride] of phys_tensor.strides().entries()) strides[physical_layout[i]] = stride;
  return phys_tensor.as_strided(size, strides);
}

// empty_strided(SymInt[] size, SymInt[] stride, *, <options>) -> Tensor          CPU
export function empty_strided_cpu(
  size: number[],
  stride: number[],
  dtype: ScalarType | null,
  _layout: Layout | null,
  _device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  const result = detail_empty_strided_cpu(size, stride, dtype ?? get_default_dtype(), pin_memory ?? false);
  if (fills_uninitialized_memory) fill_empty_deterministic_(result);
  return result;
}

// Same schema                                                                    Meta
export function empty_strided_meta_symint(
  size: number[],
  stride: number[],
  dtype: ScalarType | null,
  _layout: Layout | null,
  _device: Device | null,
  _pin_memory: boolean | null,
): Tensor {
  return empty_strided_meta(size, stride, dtype ?? get_default_dtype());
}

// empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)      CompositeImplicitAutograd
export function empty_out(size: number[], memory_format: MemoryFormat | null, result: Tensor): Tensor {
  TORCH_CHECK(memory_format === null, "'memory_format' argument is incompatible with 'out' tensor argument");
  check_size_nonnegative(size);
  if (result.is_sparse()) return result;
  result.resize_(size);
  if (fills_uninitialized_memory) fill_empty_deterministic_(result);
  return result;
}

// empty_like(Tensor self, *, <options>, MemoryFormat? memory_format=None) -> Tensor          CompositeExplicitAutograd
export function empty_like(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  optional_memory_format: MemoryFormat | null,
): Tensor {
  const options = self.options().merge_in(optionsOf(dtype, layout, device, pin_memory));
  const memory_format = optional_memory_format ?? MemoryFormat.Preserve;
  if (memory_format !== MemoryFormat.Preserve) {
    return at.empty_memory_format(self.sizes(), options, memory_format);
  }
  // "Preserve" keeps the order of the dimensions, but not gaps or broadcasts: these strides are made dense first.
  if (self.is_non_overlapping_and_dense()) return at.empty_strided(self.sizes(), self.strides(), options);
  if (!self.device().supports_as_strided()) return at.empty_memory_format(self.sizes(), options, null);
  return at.empty_strided(self.sizes(), infer_dense_strides(self.sizes(), self.strides()), options);
}

// new_empty(Tensor self, SymInt[] size, *, <options>) -> Tensor                  CompositeExplicitAutograd
export function new_empty_symint(
  self: Tensor,
  size: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return at.empty_memory_format(size, optionsLike(self, dtype, layout, device, pin_memory), null);
}

/** `self`'s options, overridden by the given arguments. */
function optionsLike(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): TensorOptions {
  return new TensorOptions(dtype ?? self.scalar_type(), layout ?? self.layout(), device ?? self.device(), pin_memory);
}

// new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, <options>) -> Tensor     CompositeExplicitAutogradNonFunctional
export function new_empty_strided_symint(
  self: Tensor,
  size: number[],
  stride: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return at.empty_strided(size, stride, optionsLike(self, dtype, layout, device, pin_memory));
}

// full ----------------------------------------------------------------------------------------------------------------

/** Dtype of `full` without an explicit dtype: bool or int64 for such values, else the default dtype. */
function infer_full_options(
  fill_value: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): TensorOptions {
  if (dtype !== null) return optionsOf(dtype, layout, device, pin_memory);
  const type = fill_value.isBoolean() ? ScalarType.Bool : fill_value.isIntegral(false) ? ScalarType.Long : null;
  return optionsOf(type ?? get_default_dtype(), layout, device, pin_memory);
}

// full(SymInt[] size, Scalar fill_value, *, <options>) -> Tensor                 CompositeExplicitAutograd
export function full(
  size: number[],
  fill_value: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  TORCH_CHECK(layout !== Layout.Sparse, "full(...) is not implemented for sparse layout");
  const result = at.empty_memory_format(size, infer_full_options(fill_value, dtype, layout, device, pin_memory), null);
  return result.fill__Scalar(fill_value);
}

// full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)    CompositeExplicitAutograd
export function full_out(size: number[], fill_value: Scalar, result: Tensor): Tensor {
  TORCH_CHECK(!result.is_sparse(), "full(...) is not implemented for sparse layout");
  result.resize_(size);
  return result.fill__Scalar(fill_value);
}

// full_like(Tensor self, Scalar fill_value, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function full_like(
  self: Tensor,
  fill_value: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
): Tensor {
  const result = at.empty_like(self, optionsOf(dtype, layout, device, pin_memory), memory_format);
  return result.fill__Scalar(fill_value);
}

// new_full(Tensor self, SymInt[] size, Scalar fill_value, *, <options>) -> Tensor     CompositeExplicitAutograd
export function new_full(
  self: Tensor,
  size: number[],
  fill_value: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return self.new_empty(size, optionsOf(dtype, layout, device, pin_memory)).fill__Scalar(fill_value);
}

// ones ----------------------------------------------------------------------------------------------------------------

// ones(SymInt[] size, *, <options>) -> Tensor                                    CompositeExplicitAutograd
export function ones(
  size: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return full(size, one, dtype, layout, device, pin_memory);
}

// ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)                       CompositeExplicitAutograd
export function ones_out(size: number[], result: Tensor): Tensor {
  return full_out(size, one, result);
}

// ones_like(Tensor self, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function ones_like(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
): Tensor {
  return at.empty_like(self, optionsOf(dtype, layout, device, pin_memory), memory_format).fill__Scalar(one);
}

// new_ones(Tensor self, SymInt[] size, *, <options>) -> Tensor                   CompositeExplicitAutograd
export function new_ones(
  self: Tensor,
  size: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return self.new_empty(size, optionsOf(dtype, layout, device, pin_memory)).fill__Scalar(one);
}

// scalar_tensor(Scalar s, *, <options>) -> Tensor                                CompositeExplicitAutograd
export function scalar_tensor(
  s: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  const options = optionsOf(dtype, layout, device, pin_memory);
  // On the CPU the dispatcher is not used, because every mixed operation converts its number here.
  if (options.device().type() === DeviceType.CPU) {
    const result = detail_empty_cpu([], options.dtype(), pin_memory ?? false);
    scalar_fill(result, s);
    return result;
  }
  return at.empty_memory_format([], options, null).fill__Scalar(s);
}

// zeros ---------------------------------------------------------------------------------------------------------------

// zeros(SymInt[] size, *, <options>) -> Tensor                                   CompositeExplicitAutograd
export function zeros_symint(
  size: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  // In PyTorch the meta device has another kernel (a decomposition in Python), which leaves this to `empty`.
  if (device === null || device.type() !== DeviceType.Meta) {
    for (const n of size) TORCH_CHECK(n >= 0, "zeros: Dimension size must be non-negative.");
  }
  return at.empty_memory_format(size, optionsOf(dtype, layout, device, pin_memory), null).zero_();
}

// zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)                      CompositeExplicitAutograd
export function zeros_out(size: number[], result: Tensor): Tensor {
  result.resize_(size);
  return result.zero_();
}

const zero_cpu_ks = DispatchKeySet.of(DispatchKey.CPU, DispatchKey.ZeroTensor);
const zero_meta_ks = DispatchKeySet.of(DispatchKey.Meta, DispatchKey.ZeroTensor);

// _efficientzerotensor(SymInt[] size, *, <options>) -> Tensor                    CPU
export function _efficientzerotensor(
  size: number[],
  dtype: ScalarType | null,
  _layout: Layout | null,
  device: Device | null,
  _pin_memory: boolean | null,
): Tensor {
  const allocator = new ZeroTensorAllocator(device ?? Device.of(DeviceType.CPU));
  return empty_generic(size, allocator, zero_cpu_ks, dtype ?? get_default_dtype(), null);
}

// Same schema                                                                    Meta
export function _efficientzerotensor_meta_symint(
  size: number[],
  dtype: ScalarType | null,
  _layout: Layout | null,
  device: Device | null,
  _pin_memory: boolean | null,
): Tensor {
  const allocator = new ZeroTensorAllocator(device ?? Device.of(DeviceType.Meta));
  return empty_generic(size, allocator, zero_meta_ks, dtype ?? get_default_dtype(), null);
}

// zeros_like(Tensor self, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function zeros_like(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  memory_format: MemoryFormat | null,
): Tensor {
  return at.empty_like(self, optionsOf(dtype, layout, device, pin_memory), memory_format).zero_();
}

// new_zeros(Tensor self, SymInt[] size, *, <options>) -> Tensor                  CompositeExplicitAutograd
export function new_zeros(
  self: Tensor,
  size: number[],
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return self.new_empty(size, optionsOf(dtype, layout, device, pin_memory)).zero_();
}

// clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor              CompositeExplicitAutograd
export function clone(src: Tensor, optional_memory_format: MemoryFormat | null): Tensor {
  const memory_format = optional_memory_format ?? MemoryFormat.Preserve;
  let self: Tensor;
  if (memory_format === MemoryFormat.Preserve) {
    const options = src.options(); // read first, because an undefined tensor has no device
    self = src.is_non_overlapping_and_dense()
      ? at.empty_strided(src.sizes(), src.strides(), options)
      : at.empty_like(src);
  } else {
    self = at.empty_like(src, src.options(), memory_format);
  }
  if (src._is_zerotensor()) self.zero_();
  else self.copy_(src);
  return self;
}
