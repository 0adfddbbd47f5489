/**
 * @file `torch.jit.script` and `torch.jit.CompilationUnit`.
 * @mirrors torch/jit/_script.py
 * @differs `optimize` and `example_inputs` are accepted and not used, and there is no DeprecationWarning, which Python's default
 * filters hide.
 */
import type { Function } from "#aten/core/function";
import type { FunctionSchema } from "#aten/core/function_schema";
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { builtins } from "#python/Objects/builtins_of";
import { is_function } from "#python/Objects/funcobject";
import { getattr, getattr_or_undefined, repr } from "#python/Objects/object";
import { info_of } from "#python/Objects/typeobject";
import { thread } from "#python/vm/frame";
import { def } from "#torch/_signature";
import { body_of_function } from "../../_bodies/index.ts";
import torch from "../../index.ts";
import {
  code_of,
  createStackForSchema,
  executor_of,
  type Graph,
  type GraphFunction,
  graph_for,
  incompatible_constructor,
  inlined,
  PyGraphExecutorState,
  PythonResolver,
  type ResolutionCallback,
  result_for_python,
  runAndInsertCall,
  splitKwargs,
  CompilationUnit as Unit,
} from "../_C.ts";
import {
  _qualified_name,
  createResolutionCallbackForClassMethods,
  createResolutionCallbackFromFrame,
} from "../_jit_internal.ts";
import {
  as_function,
  check_directly_compile_overloaded,
  compile_and_register_class,
  compile_function,
  compile_interface,
  register_script_function,
} from "../_recursive/index.ts";
import { create_script_module, infer_methods_to_compile } from "../_recursive/modules.ts";
import { archives, ScriptModule } from "./script_module.ts";

/** Calls a compiled function with values of the front end. */
function call_function(fn: GraphFunction, args: readonly unknown[]): unknown {
  const { positional, kwargs } = splitKwargs(args);
  const stack = createStackForSchema(fn.getSchema(), positional, kwargs);
  runAndInsertCall(fn, stack, false, (values) => executor_of(fn).run(values));
  return result_for_python(stack);
}

/** A compiled function, which can be called. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class ScriptFunction {
  static readonly __name__ = "ScriptFunction";
  declare private readonly function_: GraphFunction;
  declare readonly __doc__: unknown;

  constructor(fn: GraphFunction, doc: unknown = null) {
    const self = ((...args: unknown[]) => call_function(fn, args)) as unknown as ScriptFunction;
    Reflect.deleteProperty(self, "name");
    Object.setPrototypeOf(self, new.target.prototype);
    Object.assign(self, { function_: fn, __doc__: doc });
    register_script_function(self, fn);
    // biome-ignore lint/correctness/noConstructorReturn: a callable object
    return self;
  }

  get graph(): Graph {
    return this.function_.graph();
  }

  /** The graph with the bodies of all functions that it calls. */
  get inlined_graph(): Graph {
    return inlined(this.function_.graph());
  }

  get code(): string {
    return code_of(this.function_, false);
  }

  get schema(): FunctionSchema {
    return this.function_.getSchema();
  }

  get name(): string {
    return this.function_.name();
  }

  get __name__(): string {
    return this.function_.name();
  }

  get qualified_name(): string {
    return this.function_.qualname();
  }

  get_debug_state(): PyGraphExecutorState {
    return new PyGraphExecutorState(executor_of(this.function_).getDebugState());
  }

  /** The graph that runs for these arguments. */
  graph_for(...args: unknown[]): Graph {
    return graph_for(this, args);
  }

  /** Writes the function as an archive. */
  save(f: string, kwargs: { _extra_files?: unknown } = {}): null {
    archives.save(this, f, { extra_files: kwargs._extra_files ?? null, bytecode_format: false });
    return null;
  }
  save_to_buffer(kwargs: { _extra_files?: unknown } = {}): Uint8Array {
    return archives.save(this, null, {
      extra_files: kwargs._extra_files ?? null,
      bytecode_format: false,
    }) as Uint8Array; // without a target the bytes are returned
  }
}
export interface ScriptFunction {
  // biome-ignore lint/style/useShorthandFunctionType: merged with the class
  (...args: unknown[]): unknown;
}

/** The object for a compiled function; always the same for the same function. */
const wrappers = new WeakMap<Function, ScriptFunction>();

export function wrap(fn: GraphFunction, doc: unknown = null): ScriptFunction {
  let wrapper = wrappers.get(fn);
  if (wrapper === undefined) {
    wrapper = new ScriptFunction(fn, doc);
    wrappers.set(fn, wrapper);
  }
  return wrapper;
}

/** The names around the call: those of the Python program that runs; `torch` and Python's builtins for TypeScript. */
function names_of_caller(): ResolutionCallback {
  if (thread.frame !== null) return createResolutionCallbackFromFrame();
  return (name) => (name === "torch" ? torch : builtins.get(name));
}

/** Functions that are compiled from a text. They are its attributes: `unit.f(x)`. */
export class CompilationUnit {
  readonly [name: string]: unknown;

  constructor(lang: string | null = null) {
    if (lang !== null && typeof lang !== "string")
      throw incompatible_constructor(
        "torch._C.CompilationUnit(lang: str = '', _frames_up: typing.SupportsInt | typing.SupportsIndex = 0)",
        [lang],
      );
    Object.defineProperty(this, "unit_", { value: new Unit() });
    if (lang !== null) define(this, lang);
  }

  find_function(name: string): ScriptFunction | null {
    const fn = unit_of(this).find_function(name);
    return fn === null ? null : wrap(fn);
  }

  get_functions(): ScriptFunction[] {
    return unit_of(this)
      .get_functions()
      .map((fn) => wrap(fn));
  }

  define(source: string): null {
    define(this, source);
    return null;
  }
}

function unit_of(wrapper: CompilationUnit): Unit {
  return (wrapper as unknown as { unit_: Unit }).unit_;
}

/** Compiles the functions of a text and makes them attributes, unless the class has the name. */
function define(wrapper: CompilationUnit, source: string): void {
  const functions = unit_of(wrapper).define_source(null, source, new PythonResolver(names_of_caller()), null);
  for (const fn of functions) {
    if (!(fn.name() in wrapper)) Object.defineProperty(wrapper, fn.name(), { value: wrap(fn), enumerable: true });
  }
}

function script_class(cls: object): object {
  const name = _qualified_name(cls);
  const info = info_of(cls);
  if ((cls as { prototype: object }).prototype instanceof torch.nn.Module) {
    throw new RuntimeError(
      `Type '${repr(cls)}' cannot be compiled since it inherits from nn.Module, consider passing an instance instead`,
    );
  }
  const known = getattr_or_undefined(cls, "__members__");
  if (known !== undefined) return cls; // enums can be used without
  if (info !== undefined && info.mro.length > 2) {
    throw new RuntimeError(
      "TorchScript classes does not support inheritance yet. Please directly inherit from 'object'.",
    );
  }
  compile_and_register_class(cls, names_of_class(cls), name);
  return cls;
}

/** The names around a class statement, or those that its methods see. */
function names_of_class(cls: object): ResolutionCallback {
  const [inner, outer] = [createResolutionCallbackForClassMethods(cls), names_of_caller()];
  return (name) => outer(name) ?? inner(name);
}

/** Compiles a function or a class. */
export const script = def(
  "script(obj: object, optimize=None, _frames_up=0, _rcb=None, example_inputs=None)",
  (obj: unknown, _optimize: unknown, _frames_up: unknown, _rcb: ResolutionCallback | null): unknown => {
    if (as_function(obj) !== null) return obj;
    if (obj instanceof ScriptModule) return obj;
    if (obj instanceof torch.nn.Module) return create_script_module(obj, infer_methods_to_compile);
    if (is_function(obj)) {
      check_directly_compile_overloaded(obj);
      return wrap(compile_function(obj, _rcb) as GraphFunction, getattr(obj, "__doc__"));
    }
    if (info_of(obj) !== undefined) return script_class(obj as object);
    if (typeof obj === "function") {
      const body = body_of_function(obj);
      if (is_function(body)) return wrap(compile_function(body, _rcb) as GraphFunction, getattr(body, "__doc__"));
      compile_function(obj); // raises: its text is not Python
    }
    throw new TypeError_(`torch.jit.script cannot compile ${repr(obj)}`);
  },
);

/** Declares an interface: a class whose methods have no bodies. */
export const interface_ = def("interface(obj)", (obj: unknown): unknown => {
  compile_interface(obj as object, names_of_class(obj as object));
  return obj;
});
