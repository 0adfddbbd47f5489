/**
 * @file `torch.export`: a module becomes one graph of operators, with everything that it needs beside it.
 * @mirrors torch/export/__init__.py
 */

import { NotImplementedError } from "#c10/util/Exception";
import { takes_values } from "#python/bridge/foreign_functions";
import { core_aten_decompositions } from "#torch/_decomp/core_aten";
import { UserError } from "#torch/_dynamo/exc";
import { def } from "#torch/_signature";
import { UnsupportedOperatorException } from "#torch/_subclasses/fake_tensor/index";
import { ConstraintViolationError, GuardOnDataDependentSymNode } from "#torch/fx/experimental/symbolic_shapes/index";
import { has_name } from "#torch/fx/qualified_names";
import { register_fields } from "#torch/utils/_pytree/dataclass";
import { check_module, export_module } from "./_trace.ts";
import "./_unlift.ts";
import "./decompose.ts";
import type { ExportedProgram } from "./exported_program.ts";
import { load_program, save_program } from "./pt2_archive/_package.ts";

export * as dynamic_shapes from "./dynamic_shapes.ts";
export { Dim, dims } from "./dynamic_shapes.ts";
export * as exported_program from "./exported_program.ts";
export { ExportedProgram, ModuleCallEntry, ModuleCallSignature } from "./exported_program.ts";
export * as graph_signature from "./graph_signature.ts";
export { ExportGraphSignature } from "./graph_signature.ts";

export { UnflattenedModule, unflatten } from "./unflatten/index.ts";

/** Errors that PyTorch's `draft_export` can tell more of. */
const FOR_DRAFT_EXPORT = [
  ConstraintViolationError,
  GuardOnDataDependentSymNode,
  UnsupportedOperatorException,
  UserError,
];
const DRAFT_EXPORT =
  "\n\nThe error above occurred when calling torch.export.export. If you would like to view some more information about this error, and get a list of all other errors that may occur in your export call, you can replace your `export()` call with `draft_export()`.";

type Extra = ReadonlyMap<string, unknown> | null;
type Kwargs = ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>;
type Options = [kwargs: Kwargs | null, dynamic_shapes: unknown, strict: boolean, preserved: readonly string[]];
const OPTIONS = new Set(["kwargs", "dynamic_shapes", "strict", "preserve_module_call_signature"]);

/** An object of these names in the place of `kwargs` holds options; any other object holds the module's keyword arguments. */
function settle([kwargs, dynamic_shapes, strict, preserved]: Options): Options {
  if (kwargs === null || kwargs instanceof Map) return [kwargs, dynamic_shapes, strict, preserved];
  const keys = Object.keys(kwargs);
  if (keys.length === 0 || !keys.every((key) => OPTIONS.has(key))) return [kwargs, dynamic_shapes, strict, preserved];
  const named = kwargs as {
    kwargs?: Kwargs;
    dynamic_shapes?: unknown;
    strict?: boolean;
    preserve_module_call_signature?: readonly string[];
  };
  return [
    named.kwargs ?? null,
    named.dynamic_shapes ?? dynamic_shapes,
    named.strict ?? strict,
    named.preserve_module_call_signature ?? preserved,
  ];
}

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
    (mod: unknown, args: unknown, ...given: Options): ExportedProgram => {
      const [kwargs, dynamic_shapes, strict, preserved] = settle(given);
      check_module(mod);
      if (preserved.length > 0)
        throw new NotImplementedError("torch.export.export is not implemented with preserve_module_call_signature");
      try {
        return export_module(mod, args, kwargs, dynamic_shapes, strict);
      } catch (error) {
        if (error instanceof Error && FOR_DRAFT_EXPORT.some((cls) => error instanceof cls))
          error.message += DRAFT_EXPORT;
        throw error;
      }
    },
  ),
);

export { export_ as export };

/** Exports a module and reports all that prevents it; not implemented. @throws {NotImplementedError} always */
export const draft_export = has_name(
  "torch.export.draft_export",
  def(
    "draft_export(mod: object, args: object, kwargs: object=None, *, dynamic_shapes: object=None, preserve_module_call_signature=(), strict=False, prefer_deferred_runtime_asserts_over_guards=False)",
    (): never => {
      throw new NotImplementedError(
        "torch.export.draft_export is not implemented: torch.export.export reports the first error",
      );
    },
  ),
);

/** The table that `run_decompositions` uses without one. An operator that is taken from it stays in the program. */
export const default_decompositions = takes_values(
  "torch.export.exported_program",
  def("default_decompositions()", () => core_aten_decompositions()),
);

/**
 * Makes a dataclass a container that a program may take or give.
 * @param serialized_type_name the name of the class in an archive
 */
export const register_dataclass = has_name(
  "torch.export.register_dataclass",
  def(
    "register_dataclass(cls: object, *, serialized_type_name: str=None)",
    (cls: unknown, serialized_type_name: string | null): void => {
      register_fields(cls, null, null, serialized_type_name);
    },
  ),
);

/**
 * Writes a program as a `.pt2` archive, which PyTorch reads too.
 * @param f a path or a file object
 * @param extra_files contents by name, which the archive holds besides
 */
export const save = has_name(
  "torch.export.save",
  def(
    "save(ep: object, f: object, *, extra_files: object=None, opset_version: object=None, pickle_protocol=2)",
    (ep: unknown, f: unknown, extra_files: Extra, opset_version: Extra): Uint8Array | null =>
      save_program(ep, f, extra_files, opset_version),
  ),
);

/**
 * Reads a program from a `.pt2` archive.
 * @param extra_files gets the contents of the extra files that it names
 */
export const load = has_name(
  "torch.export.load",
  def(
    "load(f: object, *, extra_files: object=None, expected_opset_version: object=None)",
    (f: unknown, extra_files: Map<string, unknown> | null, expected_opset_version: Extra): ExportedProgram =>
      load_program(f, extra_files, expected_opset_version),
  ),
);
