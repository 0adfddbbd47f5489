/**
 * @file A graph that runs with gradients on or off, or with autocast: `wrap_with_set_grad_enabled`, `wrap_with_autocast`.
 * @mirrors torch/_higher_order_ops/wrap.py
 */

import { torch } from "#torch/_torch";
import { AutocastContext } from "#torch/amp/autocast_mode";
import { call_function } from "#torch/fx/callables";
import { call_inside } from "#torch/utils/_contextlib";
import { HigherOrderOperator } from "./higher_order_operator.ts";

/** `wrap_with_set_grad_enabled(enable_grad, wrapped_func, *args)` */
export const wrap_with_set_grad_enabled = new HigherOrderOperator("wrap_with_set_grad_enabled", {
  dense: ([enabled, wrapped_func, ...args]) => {
    const run = (): unknown => call_function(wrapped_func, args);
    return enabled === true ? torch.enable_grad(run) : torch.no_grad(run);
  },
});

/** `wrap_with_autocast(device_type, dtype, enabled, cache_enabled, wrapped_func, *args)` */
export const wrap_with_autocast = new HigherOrderOperator("wrap_with_autocast", {
  dense: ([device_type, dtype, enabled, cache_enabled, wrapped_func, ...args]) => {
    const region = new AutocastContext(
      device_type as string,
      dtype as never,
      enabled as boolean,
      cache_enabled as boolean | null,
    );
    return call_inside(region, () => call_function(wrapped_func, args));
  },
});
