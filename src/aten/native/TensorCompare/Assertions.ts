/**
 * @file Assertions that are operators, so that graphs can hold them.
 * @mirrors aten/src/ATen/native/TensorCompare.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { is_nonzero } from "./index.ts";

const message = (assert_msg: string): string => (assert_msg === "" ? "Assertion is failed" : assert_msg);

// _assert_async(Tensor self) -> ()
export function _assert_async_cpu(self: Tensor): void {
  TORCH_CHECK(is_nonzero(self), "Expected Tensor with single nonzero value, but got zero");
}

// _assert_async.msg(Tensor self, str assert_msg) -> ()
export function _assert_async_msg_cpu_msg(self: Tensor, assert_msg: string): void {
  TORCH_CHECK(is_nonzero(self), message(assert_msg));
}

// _assert_scalar(Scalar self, str assert_msg) -> ()                                          CompositeExplicitAutograd
export function _assert_scalar(self: Scalar, assert_msg: string): void {
  TORCH_CHECK(self.toBool(), message(assert_msg));
}

// The same for graphs without side effects: the result orders the check before what uses it.

export function _functional_assert_scalar(self: Scalar, assert_msg: string, dep_token: Tensor): Tensor {
  _assert_scalar(self, assert_msg);
  return dep_token.clone();
}

export function _functional_assert_async_msg_cpu_msg(self: Tensor, assert_msg: string, dep_token: Tensor): Tensor {
  _assert_async_msg_cpu_msg(self, assert_msg);
  return dep_token.clone();
}
