/**
 * @file The transforms that differentiate: `grad` (and `vjp`), and `jvp`. On its way down a call is recorded by autograd on wrappers of
 * this level; below this level it runs on their values.
 * @mirrors aten/src/ATen/functorch/ADInterpreters.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { last, type Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { AutogradState } from "#c10/core/AutogradState";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { findAliasedInputs, foreachTensorInplace, getDuringFunctorchTransform, isInplaceOp } from "./DynamicLayer.ts";
import { Interpreter, setup_dispatch_key_tls, TransformType } from "./Interpreter.ts";
import { makeTensorWrapper, maybeGetTensorWrapper, type TensorWrapper, unwrapIfDead } from "./TensorWrapper.ts";

/** The level of a wrapper; 0 if it is dead. */
const level_of = (wrapper: TensorWrapper): number => wrapper.level() ?? 0;

function checkForInvalidMutationOnCaptures(op: OperatorHandle, stack: Stack, cur_level: number): void {
  if (!isInplaceOp(op.schema())) return;
  const [first] = last(stack, op.schema().arguments().length);
  const wrapper = maybeGetTensorWrapper(unwrapIfDead(first.toTensor()));
  if (wrapper !== null && wrapper.level() === cur_level && !wrapper.generated()) return;
  TORCH_CHECK(
    false,
    "During a grad (vjp, jvp, grad, etc) transform, the function provided ",
    "attempted to call in-place operation (",
    op.schema().operator_name(),
    ") ",
    "that would mutate a captured Tensor. This is not supported; please rewrite ",
    "the function being transformed to explicitly accept the mutated Tensor(s) ",
    "as inputs.",
  );
}

export abstract class ADInterpreter extends Interpreter {
  /** Runs `fn` in the mode that the layers below must have. */
  abstract below<R>(fn: () => R): R;

  /** A tensor of this level: the tensor itself if it is one already. */
  lift(tensor: Tensor): Tensor {
    if (!tensor.defined()) return tensor;
    const wrapper = maybeGetTensorWrapper(tensor);
    if (wrapper !== null) {
      TORCH_INTERNAL_ASSERT(level_of(wrapper) <= this.level(), "escaped?");
      if (wrapper.level() === this.level()) return tensor;
    }
    return makeTensorWrapper(tensor, this.level(), getDuringFunctorchTransform());
  }

  process(op: OperatorHandle, stack: Stack): void {
    checkForInvalidMutationOnCaptures(op, stack, this.level());
    foreachTensorInplace(stack, stack.length - op.schema().arguments().length, stack.length, (t) => this.lift(t));
    setup_dispatch_key_tls(this.key(), DispatchKeySet.EMPTY);
    op.callBoxed(stack);
  }

  sendToNextInterpreter(op: OperatorHandle, stack: Stack, grad_special_case: boolean): void {
    const schema = op.schema();
    const level = this.level();
    const args_size = schema.arguments().length;
    const given = last(stack, args_size);

    const front = stack.length - args_size;
    foreachTensorInplace(stack, front, stack.length, (tensor) => {
      const wrapper = tensor.defined() ? maybeGetTensorWrapper(tensor) : null;
      return wrapper !== null && wrapper.level() === level ? wrapper.value() : tensor;
    });
    this.below(() => op.callBoxed(stack));

    // A result that aliases an argument from outside of this level is from outside, too: it stays as it is.
    const unwrapped_outputs: number[] = [];
    if (!grad_special_case)
      for (const [arg, res] of findAliasedInputs(schema)) {
        if (!given[arg].isTensor()) continue;
        const wrapper = maybeGetTensorWrapper(given[arg].toTensor());
        if (wrapper === null || wrapper.generated()) unwrapped_outputs.push(res);
      }
    const wrap = (tensor: Tensor, skipped: boolean): Tensor =>
      tensor.defined() && !skipped ? makeTensorWrapper(tensor, level) : tensor;
    foreachTensorInplace(stack, stack.length - schema.returns().length, stack.length, wrap, unwrapped_outputs);

    // The call may have changed the shapes of arguments.
    if (schema.is_mutable())
      for (const value of given) if (value.isTensor()) maybeGetTensorWrapper(value.toTensor())?.refreshMetadata();
  }
}

export class GradInterpreter extends ADInterpreter {
  private readonly prev_grad_mode_: boolean;

  constructor(level: number, prev_grad_mode: boolean) {
    super(TransformType.Grad, level);
    this.prev_grad_mode_ = prev_grad_mode;
  }

  /** Whether gradients were recorded around the transform: inside, they always are. */
  prevGradMode(): boolean {
    return this.prev_grad_mode_;
  }

  below<R>(fn: () => R): R {
    if (this.prev_grad_mode_ || !GradMode.is_enabled()) return fn();
    GradMode.set_enabled(false);
    try {
      return fn();
    } finally {
      GradMode.set_enabled(true);
    }
  }
}

export class JvpInterpreter extends ADInterpreter {
  private readonly prev_fwd_grad_mode_: boolean;

  constructor(level: number, prev_fwd_grad_mode: boolean) {
    super(TransformType.Jvp, level);
    this.prev_fwd_grad_mode_ = prev_fwd_grad_mode;
  }

  prevFwdGradMode(): boolean {
    return this.prev_fwd_grad_mode_;
  }

  below<R>(fn: () => R): R {
    const state = AutogradState.get_tls_state();
    if (this.prev_fwd_grad_mode_ || !state.get_fw_grad_mode()) return fn();
    state.set_fw_grad_mode(false);
    try {
      return fn();
    } finally {
      state.set_fw_grad_mode(true);
    }
  }
}
