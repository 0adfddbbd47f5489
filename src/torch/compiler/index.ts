/**
 * @file `torch.compiler` and `torch.compile`: what code asks that may be compiled, and never is here.
 * @mirrors torch/compiler/__init__.py
 * @differs Nothing is compiled: `torch.compile` says so.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def } from "#torch/_signature";

/**
 * In PyTorch the model, compiled; here it says that this is not built, and that the model can be called as it is.
 * @throws {NotImplementedError} always
 */
export const compile: NotBuilt = not_built(
  "torch.compile",
  "compile(model: object=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, name=None, disable=False, recompile_limit=None, isolate_recompiles=False, shapes_spec=None)",
  "call the model itself: it runs eagerly",
);

/** Whether the code is being compiled: never. */
export const is_compiling = def("is_compiling()", (): boolean => false);
/** Whether the code is being exported: never. */
export const is_exporting = def("is_exporting()", (): boolean => false);
