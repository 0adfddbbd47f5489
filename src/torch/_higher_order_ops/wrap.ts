/**
 * @file `wrap_with_set_grad_enabled`: a graph that runs with gradients on or off.
 * @mirrors torch/_higher_order_ops/wrap.py#WrapWithSetGradEnabled
 */
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { HigherOrderOperator } from "./higher_order_operator.ts";

/** `wrap_with_set_grad_enabled(enable_grad, wrapped_func, *args)` */
export const wrap_with_set_grad_enabled = new HigherOrderOperator("wrap_with_set_grad_enabled", {
  dense: ([enabled, wrapped_func, ...args]) => {
    const run = (): unknown => call_function(wrapped_func, args);
    return enabled === true ? torch.enable_grad(run) : torch.no_grad(run);
  },
});
