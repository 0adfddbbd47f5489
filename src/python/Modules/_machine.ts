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
  BUILTIN,
  type BuiltinFunction,
  builtin_function_type,
  functions,
  is_builtin,
  method_descriptor_type,
} from "../Objects/methodobject.ts";
import { module_type } from "../Objects/moduleobject.ts";
import { namespace_type } from "../Objects/namespaceobject.ts";
import { TYPE, type TypeObject } from "../Objects/typeobject.ts";
import { Frame } from "../vm/frame.ts";
import { format_exception, format_exception_only, format_tb, source_finder, sources } from "../vm/traceback.ts";

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
    "source(filename, /)": source,
    "format_exception(error, /)": (error: BaseException) => format_exception(error),
    "format_exception_only(error, /)": format_exception_only,
    "format_tb(tb, /)": (tb: PyTraceback | null) => format_tb(tb),
    "at_exit(function, /)": (fn: unknown) => void exit_functions.add(fn),
    "signature_text(function, /)": (fn: unknown) => {
      if (!is_builtin(fn)) return null;
      const { text, name } = (fn as BuiltinFunction)[BUILTIN];
      return text.slice(name.length);
    },
  });
  for (const [name, type] of Object.entries(types())) namespace.set(name, type.cls);
  return namespace;
}
