/**
 * @file `torch.compiler` and `torch.compile`, for code that may be compiled in PyTorch; it never is here.
 * @mirrors torch/compiler/__init__.py
 * @differs Ours compiles nothing, and `torch.compile` raises; PyTorch compiles.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def } from "#torch/_signature";

/**
 * Compiles a model in PyTorch; here it raises and says that the model can be called as it is.
 * @throws {NotImplementedError} always
 */
export const compile: NotBuilt = not_built(
  "torch.compile",
  "compile(model: object=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, name=None, disable=False, recompile_limit=None, isolate_recompiles=False, shapes_spec=None)",
  "call the model itself: it runs eagerly",
);

/** Whether the code is being compiled: always false. */
export const is_compiling = def("is_compiling()", (): boolean => false);
/** Whether the code is being exported: always false. */
export const is_exporting = def("is_exporting()", (): boolean => false);
