/**
 * @file The transforms as one module: what `glasstorch/func` loads.
 * @original
 */

export { custom_function_call_vmap_helper } from "./autograd_function/index.ts";
export { _vjp_with_argnums, debug_unwrap_impl, grad_and_value_impl, grad_impl } from "./eager_transforms/grad.ts";
export { jacrev_impl } from "./eager_transforms/jacrev.ts";
export { _jvp_with_argnums, jacfwd_impl } from "./eager_transforms/jvp.ts";
export { linearize_impl } from "./eager_transforms/linearize.ts";
export { retrieve_current_functorch_interpreter } from "./pyfunctorch.ts";
export { transformed } from "./transformed.ts";
export { _check_randomness_arg, _vmap_internals, vmap_impl } from "./vmap.ts";
