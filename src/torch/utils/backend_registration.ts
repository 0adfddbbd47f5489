/**
 * @file The name of a backend that is built outside of PyTorch.
 * @mirrors torch/utils/backend_registration.py
 * @differs The methods that PyTorch can generate (`x.foo()`, `x.is_foo`) are not built; `x.to("foo")` is.
 */
import { _C } from "#torch/_C";
import { def } from "#torch/_signature";

/** From now on PrivateUse1's devices answer to this name: `torch.device("foo:0")`. Once for a process. */
export const rename_privateuse1_backend = def(
  "rename_privateuse1_backend(backend_name)",
  (backend_name: string): void => _C._rename_privateuse1_backend(backend_name),
);
