/**
 * @file Tensor hooks registered below the front end (`at::Tensor::register_hook`, `retain_grad`).
 * @mirrors torch/csrc/autograd/cpp_hook.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import { check_variable_result } from "./custom_function/check_variable_result.ts";
import type { FunctionPreHook } from "./function_hook.ts";

/** A hook returns the gradient to use instead, or nothing to leave it. */
export type TensorHook = (grad: Tensor) => Tensor | undefined;

/** A removed hook leaves a null, so that the positions returned by `_register_hook` stay valid. */
export type hooks_list = (TensorHook | null)[];

/** All hooks of one tensor, run in the order of registration; each receives the previous one's result. */
export class CppFunctionTensorPreHook implements FunctionPreHook {
  readonly hooks_: hooks_list;
  readonly value_idx_: number;

  constructor(hooks: hooks_list, value_idx: number) {
    this.hooks_ = hooks;
    this.value_idx_ = value_idx;
  }

  call(values: Tensor[]): Tensor[] {
    let value = values[this.value_idx_];
    for (let i = 0; i < this.hooks_.length; i++) {
      const hook = this.hooks_[i];
      if (hook === null) continue;
      const res = hook(value);
      // A hook without a result leaves the gradient as it is.
      if (res === undefined || !res.defined()) continue;
      check_variable_result(value, res, String(i));
      value = res;
    }
    const results = [...values];
    results[this.value_idx_] = value;
    return results;
  }
}

/** A single hook that only reads the gradient: `retain_grad`. */
export class CppFunctionSingleTensorPreHook implements FunctionPreHook {
  readonly hook_: TensorHook;
  readonly value_idx_: number;

  constructor(hook: TensorHook, value_idx: number) {
    this.hook_ = hook;
    this.value_idx_ = value_idx;
  }

  call(values: Tensor[]): Tensor[] {
    const value = values[this.value_idx_] ?? new Tensor();
    const res = this.hook_(value);
    TORCH_CHECK(
      res === undefined || !res.defined(),
      "CppFunctionSingleTensorPreHook currently only supports hooks that don't return",
    );
    return values;
  }
}
