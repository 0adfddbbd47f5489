/**
 * @file The exports of `torch.utils`.
 * @mirrors torch/utils/__init__.py
 */
export * as _device from "./_device.ts";
export * as _python_dispatch from "./_python_dispatch.ts";
export * as backend_registration from "./backend_registration.ts";
export { generate_methods_for_privateuse1_backend, rename_privateuse1_backend } from "./backend_registration.ts";
export * as checkpoint from "./checkpoint.ts";
export * as data from "./data/index.ts";
export { deterministic } from "./deterministic.ts";
export { swap_tensors } from "./swap_tensors.ts";
