/**
 * @file `torch.export`: a module becomes one graph of operators, with everything that it needs beside it.
 * @mirrors torch/export/__init__.py
 */
import { def } from "#torch/_signature";
import { has_name } from "#torch/fx/qualified_names";
import { check_module, export_module } from "./_trace.ts";
import "./_unlift.ts";
import type { ExportedProgram } from "./exported_program.ts";

export * as exported_program from "./exported_program.ts";
export { ExportedProgram, ModuleCallEntry, ModuleCallSignature } from "./exported_program.ts";
export * as graph_signature from "./graph_signature.ts";
export { ExportGraphSignature } from "./graph_signature.ts";

/**
 * Exports a module: it runs once with tensors without data, and its operators become a graph.
 * @param args example arguments, a tuple
 * @param kwargs example keyword arguments
 * @param dynamic_shapes which sizes of the arguments may vary
 */
const export_ = has_name(
  "torch.export.export",
  def(
    "export(mod: object, args: object, kwargs: object=None, *, dynamic_shapes: object=None, strict=False, preserve_module_call_signature=(), prefer_deferred_runtime_asserts_over_guards=False)",
    (
      mod: unknown,
      args: unknown,
      kwargs: ReadonlyMap<unknown, unknown> | null,
      dynamic_shapes: unknown,
      strict: boolean,
    ): ExportedProgram => {
      check_module(mod);
      return export_module(mod, args, kwargs, dynamic_shapes, strict);
    },
  ),
);

export { export_ as export };
