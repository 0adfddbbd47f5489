/**
 * @file Compilation of what a script uses: functions, classes, interfaces.
 * @mirrors torch/jit/_recursive.py
 */
import type { ClassType } from "#aten/core/class_type";
import type { Function } from "#aten/core/function";
import { ScalarType } from "#c10/core/ScalarType";
import { RuntimeError } from "#c10/util/Exception";
import { is_namespace } from "#python/bridge/mappings";
import { builtins } from "#python/Objects/builtins_of";
import { FUNCTION } from "#python/Objects/call";
import { exception_types } from "#python/Objects/exception_types";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { equal, getattr, getattr_or_undefined, setattr, str } from "#python/Objects/object";
import { info_of, type TypeObject } from "#python/Objects/typeobject";
import { as_boolean_dispatch, body_of_context, body_of_function } from "../../_bodies/index.ts";
import { _OpNamespace, _Ops } from "../../_ops.ts";
import torch from "../../index.ts";
import { _find_builtin } from "../_builtins.ts";
import {
  ErrorReport,
  type FunctionDefaults,
  get_python_cu,
  type PythonFrontend,
  PythonResolver,
  python_frontend,
  type ResolutionCallback,
  type SourceRange,
  script_class_compile,
  script_compile_function,
  script_compile_overloaded_function,
} from "../_C.ts";
import {
  _clear_fn_overloads,
  _get_fn_overloads,
  _qualified_name,
  createResolutionCallbackForClassMethods,
  createResolutionCallbackFromClosure,
  functions_of,
  is_ignored_fn,
  should_drop,
} from "../_jit_internal.ts";
import { _add_python_class, _get_python_class } from "../_state.ts";
import { classes, enum_type, named_tuple_type, try_ann_to_type } from "../annotations.ts";
import { FrontendError } from "../frontend/errors.ts";
import { get_jit_class_def, get_jit_def } from "../frontend/index.ts";
import { ignored_function, is_autograd_function, schema_of_ignored } from "./ignored.ts";

/** Default values of a Python function's parameters by name. */
export function get_default_args(fn: unknown): FunctionDefaults {
  const result = new Map<string, unknown>();
  if (!is_function(fn)) return result;
  const { code, defaults, kwdefaults } = (fn as PyFunction)[FUNCTION];
  const values = defaults === null ? [] : [...defaults];
  const names = code.co_varnames.slice(code.co_argcount - values.length, code.co_argcount);
  for (const [i, name] of names.entries()) result.set(name, values[i]);
  for (const [name, value] of kwdefaults ?? []) result.set(name as string, value);
  return result;
}

/** Compiled functions of Python functions. */
const function_cache = new WeakMap<object, Function>();
const overload_cache = new WeakMap<object, readonly Function[]>();
/** Functions behind objects that `torch.jit.script` returned. */
const script_functions = new WeakMap<object, Function>();

export function register_script_function(wrapper: object, fn: Function): void {
  script_functions.set(wrapper, fn);
}

export function as_function(obj: unknown): Function | null {
  if ((typeof obj !== "object" && typeof obj !== "function") || obj === null) return null;
  return script_functions.get(obj) ?? null;
}

/** Compiles a function, once. */
export function compile_function(fn: object, rcb: ResolutionCallback | null = null): Function {
  const known = function_cache.get(fn);
  if (known !== undefined) return known;
  const name = getattr(fn, "__name__") as string;
  const def = get_jit_def(fn, name);
  const callback = rcb ?? createResolutionCallbackFromClosure(fn);
  const compiled = script_compile_function(_qualified_name(fn), def, get_default_args(fn), callback);
  function_cache.set(fn, compiled);
  return compiled;
}

export function check_directly_compile_overloaded(fn: object): void {
  const name = _qualified_name(fn);
  if (_get_fn_overloads(name) === undefined && !overload_cache.has(fn)) return;
  throw new RuntimeError(
    `Function ${name} cannot be directly compiled because it is overloaded. It must be used in a context of a function where its inputs can determine which overload to call.`,
  );
}

function try_compile_fn(fn: unknown): Function | null {
  if (is_ignored_fn(fn)) return null;
  check_directly_compile_overloaded(fn as object);
  return compile_function(fn as object);
}

function check_overload_defaults(impl: FunctionDefaults, overload: FunctionDefaults, loc: SourceRange): void {
  for (const [name, value] of overload) {
    if (impl.has(name) && equal(impl.get(name), value)) continue;
    throw new FrontendError(
      loc,
      `Default parameters on overloads do not affect the runtime so they must equal to the default parameter on the implementation function. Found on parameter ${name}`,
    );
  }
}

function compile_overload(declaration: unknown, name: string, impl: unknown): Function {
  const overload = get_jit_def(declaration, getattr(declaration, "__name__") as string);
  const implementation = get_jit_def(impl, getattr(impl, "__name__") as string);
  const defaults = get_default_args(impl);
  const overload_defaults = get_default_args(declaration);
  check_overload_defaults(defaults, overload_defaults, overload.decl().range());
  return script_compile_overloaded_function(
    name,
    { overload, implementation },
    { defaults, overload_defaults },
    createResolutionCallbackFromClosure(impl),
  );
}

/** The compiled overloads of a function; null if it has none. */
function get_overloads(fn: unknown): readonly Function[] | null {
  const existing = overload_cache.get(fn as object) ?? null;
  const name = _qualified_name(fn);
  const uncompiled = _get_fn_overloads(name);
  if (uncompiled === undefined) return existing;
  if (uncompiled.includes(fn)) {
    throw new RuntimeError(
      `Implementation for the function "${name}" is missing. Please make sure a definition is provided and defined after all overload declarations.\n`,
    );
  }
  const compiled = [...(existing ?? []), ...uncompiled.map((declaration) => compile_overload(declaration, name, fn))];
  overload_cache.set(fn as object, compiled);
  _clear_fn_overloads(name);
  return compiled;
}

// Classes

const compiled_classes = new WeakMap<object, ClassType>();

/** Compiles a class, once. */
export function compile_and_register_class(cls: object, rcb: ResolutionCallback, name: string): ClassType {
  const known = compiled_classes.get(cls);
  if (known !== undefined) return known;
  const def = get_jit_class_def(cls, getattr(cls, "__name__") as string);
  const defaults = new Map(functions_of(cls).map(([method, fn]) => [method, get_default_args(fn)]));
  const type = script_class_compile(name, def, defaults, rcb);
  compiled_classes.set(cls, type);
  _add_python_class(type, cls);
  return type;
}

/** Classes of programs can be compiled, unless they are exceptions, modules or containers. */
function can_compile_class(cls: unknown, info: TypeObject): boolean {
  if (!info.heap || is_ignored_fn(cls)) return false;
  const bases = [exception_types.Exception, info_of(builtins.get("tuple")), info_of(builtins.get("list"))];
  if (bases.some((base) => base !== undefined && info.is_subtype(base))) return false;
  if ((cls as { prototype: object }).prototype instanceof torch.nn.Module) return false;
  return true;
}

function as_class(given: unknown, loc: SourceRange): ClassType | null {
  const cls = body_of_context(given) ?? given;
  const info = info_of(cls);
  if (info === undefined || !can_compile_class(cls, info)) return null;
  const known = compiled_classes.get(cls as object);
  if (known !== undefined) return known;
  const name = _qualified_name(cls);
  const registered = get_python_cu().get_class(name);
  if (registered !== null) return registered;
  return ErrorReport.withCall(name, loc, () =>
    compile_and_register_class(cls as object, createResolutionCallbackForClassMethods(cls), name),
  );
}
classes.compile = as_class;

/** `@torch.jit.interface` */
export function compile_interface(cls: object, rcb: ResolutionCallback): void {
  const name = _qualified_name(cls);
  const def = get_jit_class_def(cls, getattr(cls, "__name__") as string);
  const cu = get_python_cu();
  const free = cu.get_type(name) === null ? name : cu.mangle(name);
  const is_module = (cls as { prototype: object }).prototype instanceof torch.nn.Module;
  cu.define_interface(free, def, new PythonResolver(rcb), is_module);
  setattr(cls, "__torch_script_interface__", free);
}

/** The body of a method that scripts cannot call. */
export { should_drop };

const LEGACY: readonly (readonly [string, ScalarType])[] = [
  ["BoolTensor", ScalarType.Bool],
  ["LongTensor", ScalarType.Long],
  ["ByteTensor", ScalarType.Byte],
  ["CharTensor", ScalarType.Char],
  ["DoubleTensor", ScalarType.Double],
  ["FloatTensor", ScalarType.Float],
  ["IntTensor", ScalarType.Int],
  ["ShortTensor", ScalarType.Short],
  ["HalfTensor", ScalarType.Half],
];

/** Functions of `torch.jit` that scripts treat as forms of their own. */
export const special_forms = new Map<unknown, string>();

const frontend: PythonFrontend = {
  find_builtin: _find_builtin,
  is_unsupported_builtin: (obj) =>
    typeof obj === "function" && !is_function(obj) && info_of(obj) === undefined && str(obj).startsWith("<built-in"),
  special_form: (obj) => special_forms.get(obj) ?? null,
  legacy_tensor: (obj) => {
    const found = LEGACY.find(([name]) => (torch as unknown as Record<string, unknown>)[name] === obj);
    return obj === undefined || found === undefined ? null : found[1];
  },
  as_function,
  overloads: get_overloads,
  try_compile_fn,
  is_namespace,
  operator_namespace: (obj) => (obj instanceof _Ops ? "" : obj instanceof _OpNamespace ? obj.name : null),
  as_enum_class: (obj, loc) => enum_type(obj, info_of(obj), loc),
  as_named_tuple: (obj, loc) => named_tuple_type(obj, info_of(obj), loc),
  as_class,
  is_script_class: (cls) => typeof cls === "function" && compiled_classes.has(cls),
  python_class: _get_python_class,
  body_of_function,
  boolean_dispatch: as_boolean_dispatch,
  schema_of_ignored,
  is_autograd_function,
  should_drop: (fn) => should_drop(ignored_function(fn)),
  try_ann_to_type,
  qualified_name: (obj) => {
    const name = _qualified_name(obj, false);
    return getattr_or_undefined(obj, "__module__") === undefined ? `builtins.${name}` : name;
  },
};
python_frontend.current = frontend;
