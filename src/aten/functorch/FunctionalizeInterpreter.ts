/**
 * @file The transform of `functionalize`: an operator that changes its arguments becomes one that does not.
 * @mirrors aten/src/ATen/functorch/FunctionalizeInterpreter.cpp
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import { setFunctionalizationReapplyViewsTLS, wrapper_of } from "#aten/FunctionalTensorWrapper";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { foreachTensorInplace } from "./DynamicLayer.ts";
import { Interpreter, setup_dispatch_key_tls, TransformType } from "./Interpreter.ts";

const functionalize_ks = DispatchKeySet.of(DispatchKey.Functionalize);

export class FunctionalizeInterpreter extends Interpreter {
  private readonly functionalizeAddBackViews_: boolean;

  constructor(level: number, functionalizeAddBackViews: boolean) {
    super(TransformType.Functionalize, level);
    this.functionalizeAddBackViews_ = functionalizeAddBackViews;
  }

  /** Whether views stay views, or become copies. */
  functionalizeAddBackViews(): boolean {
    return this.functionalizeAddBackViews_;
  }

  process(op: OperatorHandle, stack: Stack): void {
    setup_dispatch_key_tls(TransformType.Functionalize, functionalize_ks);
    const before = setFunctionalizationReapplyViewsTLS(this.functionalizeAddBackViews_);
    try {
      op.callBoxed(stack);
    } finally {
      setFunctionalizationReapplyViewsTLS(before);
    }
    foreachTensorInplace(stack, stack.length - op.schema().returns().length, stack.length, (tensor) => {
      wrapper_of(tensor)?.set_level(this.level());
      return tensor;
    });
  }

  sendToNextInterpreter(op: OperatorHandle, stack: Stack): void {
    op.callBoxed(stack);
  }
}
