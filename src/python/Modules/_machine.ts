/**
 * @file The door from modules of Lib to the machine itself: the types of values that have no name, texts of programs, tracebacks.
 * @original
 */
import { Code } from "../compiler/code.ts";
import { GetSet } from "../Objects/descrobject.ts";
import type { BaseException, PyTraceback } from "../Objects/exceptions.ts";
import { Cell, function_type, method_type } from "../Objects/funcobject.ts";
import { PyGenerator } from "../Objects/genobject.ts";
import { mappingproxy_type } from "../Objects/mappingproxy.ts";
import {
  BOUND,
  BUILTIN,
  type BuiltinFunction,
  builtin_function_type,
  functions,
  is_builtin,
  method_descriptor_type,
} from "../Objects/methodobject.ts";
import { module_type } from "../Objects/moduleobject.ts";
import { namespace_type } from "../Objects/namespaceobject.ts";
import { type PyTuple, tuple } from "../Objects/tupleobject.ts";
import { INFO, type PyClass, TYPE, type TypeObject } from "../Objects/typeobject.ts";
import { Frame } from "../vm/frame.ts";
import { exception_lines, exception_texts } from "../vm/print_exception.ts";
import { entries_of, format_entries, source_finder, sources } from "../vm/traceback.ts";

/** Functions that run when the program of the command line has ended. */
export const exit_functions = new Set<unknown>();

const type_on = (cls: { prototype: object }): TypeObject => (cls.prototype as { [TYPE]: TypeObject })[TYPE];

/** Types that `types` names; all files have run when a program asks for them. */
const types = (): Readonly<Record<string, TypeObject>> => ({
  FunctionType: function_type,
  MethodType: method_type,
  BuiltinFunctionType: builtin_function_type,
  MethodDescriptorType: method_descriptor_type,
  GetSetDescriptorType: type_on(GetSet),
  ModuleType: module_type,
  GeneratorType: type_on(PyGenerator),
  CodeType: type_on(Code),
  FrameType: type_on(Frame),
  CellType: type_on(Cell),
  MappingProxyType: mappingproxy_type,
  SimpleNamespace: namespace_type,
});

/** The text of a file of the program that runs, or None. */
function source(filename: string): string | null {
  return sources.get(filename) ?? source_finder.find(filename);
}

export function _machine(): Map<string, unknown> {
  const namespace = functions("_machine", {
    "written_in_c(cls, /)": (cls: PyClass) => {
      // Its messages name its module, too.
      cls[INFO].in_messages_full = true;
      return cls;
    },
    "source(filename, /)": source,
    "exception_texts(error, /, chain=True, limit=None, width=15, depth=10)": (
      error: BaseException,
      chain: boolean,
      limit: number | null,
      width: number,
      depth: number,
    ) => exception_texts(error, { chain, limit, width, depth, hints: false }),
    "exception_lines(error, /)": (error: BaseException) => exception_lines(error, false),
    "entries(tb, limit=None, /)": (first: PyTraceback | null, limit: number | null) =>
      entries_of(first, limit).map(({ filename, lineno, name, line, position }) => {
        const { end_lineno = null, col_offset = null, end_col_offset = null } = position ?? {};
        return tuple([filename, lineno, name, line, end_lineno, col_offset, end_col_offset]);
      }),
    "format_entries(entries, /)": (entries: readonly PyTuple[]) =>
      format_entries(
        entries.map((each) => {
          const [filename, lineno, name, line, end_lineno, col_offset, end_col_offset] = each as never[];
          return { filename, lineno, name, line, position: { lineno, end_lineno, col_offset, end_col_offset } };
        }),
      ),
    "at_exit(function, /)": (fn: unknown) => {
      exit_functions.delete(fn); // behind the others, also if these are running
      exit_functions.add(fn);
    },
    "signature_text(function, /)": (fn: unknown) => {
      const unbound = (fn as { readonly [BOUND]?: { readonly fn: BuiltinFunction } } | null)?.[BOUND]?.fn ?? fn;
      if (!is_builtin(unbound)) return null;
      const { text, name, shown } = (unbound as BuiltinFunction)[BUILTIN];
      return shown ?? text.slice(name.length);
    },
  });
  for (const [name, type] of Object.entries(types())) namespace.set(name, type.cls);
  return namespace;
}
