/**
 * @file Calling a Python function for every element of one or several tensors; the result overwrites the first tensor's element.
 * @mirrors torch/csrc/utils/tensor_apply.cpp
 */
import { expand_inplace } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK_TYPE } from "#c10/util/Exception";
import { python_type } from "./python_numbers.ts";
import { load_scalar, store_scalar } from "./python_scalars.ts";

type Function_ = (...values: unknown[]) => unknown;

/** `data[i]` is a position in elements, counted from its tensor's first. */
function recursive_apply(fn: unknown, tensors: readonly Tensor[], dim = 0, data = tensors.map(() => 0)): void {
  const [self] = tensors;
  if (dim < self.dim()) {
    const strides = tensors.map((tensor) => tensor.stride(dim));
    for (let i = 0; i < self.size(dim); i++)
      recursive_apply(
        fn,
        tensors,
        dim + 1,
        data.map((at, k) => at + i * strides[k]),
      );
    return;
  }
  TORCH_CHECK_TYPE(typeof fn === "function", `'${python_type(fn)}' object is not callable`);
  const dtype = self.scalar_type();
  const values = tensors.map((t, k) => load_scalar(t.data_view(), t.data_offset() + data[k], dtype));
  const value = (fn as Function_)(...values);
  store_scalar(self.data_view(), self.data_offset() + data[0], dtype, value); // a call of `fn` may have moved the storage, so its memory is looked up again
}

function check_type(name: string, argument: string, self: Tensor, other: Tensor): void {
  TORCH_CHECK_TYPE(
    other.scalar_type() === self.scalar_type() && other.device().type() === self.device().type(),
    name,
    ": expected ",
    self.toString(),
    " for ",
    argument,
    " (got ",
    other.toString(),
    ")",
  );
}

function apply(name: string, self: Tensor, others: readonly Tensor[], fn: unknown): Tensor {
  if (self.is_meta()) return self;
  TORCH_CHECK_TYPE(self.device().is_cpu(), name, " is only implemented on CPU tensors");
  recursive_apply(fn, [self, ...others.map((other) => expand_inplace(self, other))]);
  return self;
}

export function apply_(self: Tensor, fn: unknown): Tensor {
  return apply("apply_", self, [], fn);
}

export function map_(self: Tensor, other: Tensor, fn: unknown): Tensor {
  check_type("map_", "'other'", self, other);
  return apply("map_", self, [other], fn);
}

export function map2_(self: Tensor, x: Tensor, y: Tensor, fn: unknown): Tensor {
  check_type("map2_", "argument 'x'", self, x);
  check_type("map2_", "argument 'y'", self, y);
  return apply("map2_", self, [x, y], fn);
}
