/**
 * @file `torch.compiler` and `torch.compile`, whose parts stand in the entry `glasstorch/compile`.
 * @mirrors torch/compiler/__init__.py
 */
import { door } from "#torch/_doors";
import { def } from "#torch/_signature";

type Compile = (model: unknown, options: Readonly<Record<string, unknown>>) => unknown;
const entry = door<{ readonly compile: Compile }>("torch.compile", {}, "compile");

/**
 * Compiles a function of Python or a module, at its first call and whenever a later call needs it.
 * @param model the function or module; a function that compiles its argument is returned if it is left out
 * @param fullgraph whether a graph break is an error
 * @param dynamic whether all sizes are symbols (true), none are (false), or those that change between calls (null)
 * @param backend what compiles the graphs: a name of `torch._dynamo.list_backends(null)`, or a function
 */
export const compile = def(
  "compile(model: object=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, name=None, disable=False, recompile_limit=None, isolate_recompiles=False, shapes_spec=None)",
  (model: unknown, fullgraph: unknown, dynamic: unknown, backend: unknown, ...rest: unknown[]): unknown =>
    entry.compile(model, {
      ...{ fullgraph, dynamic, backend },
      ...{ mode: rest[0], options: rest[1], disable: rest[3], recompile_limit: rest[4] },
    }),
);

/** Whether the code is being compiled: always false. */
export const is_compiling = def("is_compiling()", (): boolean => false);
/** Whether the code is being exported: always false. */
export const is_exporting = def("is_exporting()", (): boolean => false);
