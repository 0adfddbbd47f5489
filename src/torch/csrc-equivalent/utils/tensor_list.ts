/**
 * @file A tensor as nested lists of numbers.
 * @mirrors torch/csrc/utils/tensor_list.h
 */
import { maybeGetTensorWrapper } from "#aten/functorch/TensorWrapper";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { TypedArray } from "#c10/core/Allocator";
import { DeviceType } from "#c10/core/DeviceType";
import type { ScalarType } from "#c10/core/ScalarType";
import { NotImplementedError, TORCH_CHECK } from "#c10/util/Exception";
import { load_scalar } from "./python_scalars.ts";

const NO_ELEMENTS = new Uint8Array(0);

export type NestedNumbers = number | bigint | boolean | NestedNumbers[];

export function tensor_to_list(tensor: Tensor): NestedNumbers {
  const data = without_wrappers(tensor.resolve_conj().resolve_neg());
  if (data.device().is_meta()) throw new NotImplementedError("Cannot copy out of meta tensor; no data!");
  const host = data.device().is_cpu() ? data : data.to_dtype_layout(data.options().device(DeviceType.CPU));
  const impl = host.unsafeGetTensorImpl();
  if (!impl.has_storage()) impl.data(); // refuses: a batch of `vmap` has no numbers of its own
  TORCH_CHECK(
    host.numel() === 0 || impl.storage().data_ptr().block !== null,
    "tolist() shouldn't be called on a tensor with unallocated storage",
  );
  const view = host.numel() === 0 ? NO_ELEMENTS : impl.data_view();
  return recursive_to_list(view, impl.data_offset(), host.sizes(), host.strides(), 0, host.scalar_type());
}

/** Numbers are read from below the wrappers of `grad` and `jvp`. */
function without_wrappers(tensor: Tensor): Tensor {
  const wrapped = maybeGetTensorWrapper(tensor);
  return wrapped === null ? tensor : without_wrappers(wrapped.value());
}

function recursive_to_list(
  data: TypedArray,
  at: number,
  sizes: readonly number[],
  strides: readonly number[],
  dim: number,
  scalarType: ScalarType,
): NestedNumbers {
  if (dim === sizes.length) return load_scalar(data, at, scalarType);
  const n = sizes[dim];
  const stride = strides[dim];
  const list = new Array<NestedNumbers>(n);
  for (let i = 0; i < n; i++) list[i] = recursive_to_list(data, at + i * stride, sizes, strides, dim + 1, scalarType);
  return list;
}
