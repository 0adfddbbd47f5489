/**
 * @file `torch.utils`.
 * @mirrors torch/utils/__init__.py
 */
export { rename_privateuse1_backend } from "./backend_registration.ts";
