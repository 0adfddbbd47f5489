/**
 * @file Operators that only check something, on tensors without data: metadata is compared at once, values are promised to the `ShapeEnv`.
 * @mirrors torch/_subclasses/fake_impls.py#assert_tensor_metadata
 */
import { AssertionError } from "#c10/util/Exception";
import { equal, str } from "#python/Objects/object";
import { by_name } from "./fake_tensor/call_arguments.ts";
import type { FakeTensor } from "./fake_tensor/index.ts";
import { register_op_impl } from "./fake_tensor/op_implementations.ts";

register_op_impl("_assert_tensor_metadata", (_mode, func, args, kwargs) => {
  const { a, size, stride, dtype, layout, device } = by_name(func, args, kwargs) as Record<string, unknown>;
  const t = a as FakeTensor;
  const check = (name: string, expected: unknown, got: unknown): void => {
    if (expected === null || expected === undefined || equal(expected, got)) return;
    throw new AssertionError(`Tensor ${name} mismatch! Expected: ${str(expected)}, Got: ${str(got)}`);
  };
  check("sizes", size, size == null ? null : [...t.shape]);
  check("strides", stride, stride == null ? null : [...(t.stride() as number[])]);
  check("dtype", dtype, t.dtype);
  check("layout", layout, t.layout);
  check("device", device, t.device);
  return null;
});

/** The value of the tensor is not known: the check waits for the run of the graph. */
register_op_impl("_assert_async _assert_async.msg", () => null);
register_op_impl(
  "_functional_assert_async.msg",
  (_mode, func, args, kwargs) => by_name(func, args, kwargs)["dep_token"],
);
