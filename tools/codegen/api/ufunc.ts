/**
 * @file Names of functions generated for `ufunc_inner_loop`.
 * @mirrors torchgen/api/ufunc.py
 */
import type { FunctionSchema } from "../function_schema.ts";
import type { DispatchKey } from "../model.ts";

/** `add.out` on CPU -> `ufunc_add_CPU`. */
export function schema_kernel_name(func: FunctionSchema, dispatch_key: DispatchKey): string {
  return `ufunc_${func.name.name}_${dispatch_key}`;
}
