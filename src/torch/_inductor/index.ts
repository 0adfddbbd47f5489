/**
 * @file The names of `torch._inductor`.
 * @mirrors torch/_inductor/__init__.py
 */
export * as compile_fx from "./compile_fx.ts";
export { config } from "./config.ts";
export { metrics } from "./metrics.ts";
export * as utils from "./utils.ts";
