/**
 * @file `torch.jit`: TorchScript, a language that is a part of Python, its compiler and its functions.
 * @mirrors torch/jit/__init__.py
 */
import { AssertionError, NotImplementedError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { call_with_keywords } from "#python/Objects/call";
import { getattr, repr, str } from "#python/Objects/object";
import { def } from "#torch/_signature";
import { is_scripting } from "../_jit_internal.ts";
import { _register_builtin } from "./_builtins.ts";
import { _export_opnames, set_fusion_strategy as _set_fusion_strategy, lastExecutedOptimizedGraph } from "./_C.ts";
import { is_tracing } from "./_is_tracing.ts";
import { FunctionModifiers, set_modifier } from "./_jit_internal.ts";
import { special_forms } from "./_recursive/index.ts";
import { add_script_method } from "./_recursive/modules.ts";
import { ScriptModule } from "./_script/script_module.ts";

export { JITException as Error } from "./_C.ts";
export { freeze, optimize_for_inference, run_frozen_optimizations } from "./_freeze.ts";
export { _overload, _overload_method } from "./_jit_internal.ts";
export { Attribute } from "./_recursive/concrete_types.ts";
export { CompilationUnit, interface_, ScriptFunction, script } from "./_script/index.ts";
export { RecursiveScriptModule, ScriptModule } from "./_script/script_module.ts";
export { load, save } from "./_serialization.ts";
export {
  script_if_tracing,
  TopLevelTracedModule,
  TracedModule,
  TracerWarning,
  TracingCheckError,
  trace,
  trace_module,
} from "./_trace/index.ts";
export * as mobile from "./mobile/index.ts";
export { is_scripting, is_tracing };

/** Full names of the operators that the methods of a module call. */
export const export_opnames = def("export_opnames(m)", (m: unknown): string[] => {
  if (!(m instanceof ScriptModule)) throw new TypeError_(`export_opnames takes a ScriptModule, not ${repr(m)}`);
  return _export_opnames(m._c.module);
});

/** The graph of the plan that ran last. */
export const last_executed_optimized_graph = def("last_executed_optimized_graph()", () => lastExecutedOptimizedGraph());

/** Sets how often graphs are specialized: pairs of "STATIC" or "DYNAMIC" and a number. Returns what was set before. */
export const set_fusion_strategy = def("set_fusion_strategy(strategy)", (strategy: Iterable<Iterable<unknown>>) =>
  _set_fusion_strategy(strategy),
);

type Decorated = (fn: unknown) => unknown;

function marking(name: string, modifier: (typeof FunctionModifiers)[keyof typeof FunctionModifiers]) {
  return def(`${name}(fn)`, (fn: unknown): unknown => {
    set_modifier(fn, modifier);
    return fn;
  });
}

/** Marks a method that is compiled although nothing calls it. */
const export_ = marking("export", FunctionModifiers.EXPORT);
/** Marks a function whose calls raise in a script. */
export const unused = marking("unused", FunctionModifiers.UNUSED);
const ignore_function = marking("ignore", FunctionModifiers.IGNORE);

/** Marks a function that stays Python: `@torch.jit.ignore` or `@torch.jit.ignore(drop=...)`. */
export const ignore = def("ignore(drop=False)", (drop: unknown): unknown => {
  if (typeof drop === "function") return ignore_function(drop);
  if (typeof drop !== "boolean")
    throw new RuntimeError(`Argument to @torch.jit.ignore must be a bool or a function but got ${str(drop)}`);
  const mark: Decorated = (fn) => (drop === true ? unused(fn) : ignore_function(fn));
  return mark;
});

/** Marks a method of a ScriptModule that is compiled. */
export const script_method = def("script_method(fn)", (fn: unknown): unknown => {
  getattr(fn, "__name__");
  add_script_method(fn as object);
  return fn;
});

/** Gives a value a type, in a script; elsewhere it is the value. */
export const annotate = def("annotate(the_type, the_value)", (_type: unknown, value: unknown): unknown => value);
special_forms.set(annotate, "prim::annotate");

/** The value, which must not be None. */
export const _unwrap_optional = def("_unwrap_optional(x)", (x: unknown): unknown => {
  if (x === null) throw new AssertionError("Unwrapping null optional");
  return x;
});
_register_builtin(_unwrap_optional, "aten::_unwrap_optional");

/** Whether a value has a type, whose parts are looked at too. */
const isinstance_ = def("isinstance(obj, target_type)", (): never => {
  throw new NotImplementedError("torch.jit.isinstance is not implemented outside of scripts: use isinstance");
});
special_forms.set(isinstance_, "prim::isinstance");

export { isinstance_ as isinstance };

/** The result of `fork`. Outside of scripts the function has already run. */
class Future {
  static readonly __name__ = "Future";
  private readonly value_: unknown;

  constructor(value: unknown) {
    this.value_ = value;
  }

  wait(): unknown {
    return this.value_;
  }
}

/** Calls a function; in a script, as a task of its own. */
export const fork = def("fork(func, *args, **kwargs)", (func: unknown, args: unknown[], kwargs: object): Future => {
  return new Future(call_with_keywords(func, args, new Map(Object.entries(kwargs))));
});
special_forms.set(fork, "prim::fork");

/** The result of a task. */
export const wait = def("wait(future)", (future: unknown): unknown => (future as Future).wait());
_register_builtin(wait, "aten::wait");

export { export_ as export, fork as _fork, wait as _wait };
