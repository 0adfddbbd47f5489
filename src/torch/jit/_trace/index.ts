/**
 * @file `torch.jit.trace`: a function or a module runs once, and what it does becomes a script.
 * @mirrors torch/jit/_trace.py
 * @differs There is no DeprecationWarning, which Python's default filters hide.
 */
import { AttributeError, RuntimeError, TypeError_, warn } from "#c10/util/Exception";
import { call_with_keywords } from "#python/Objects/call";
import { NameError } from "#python/Objects/exceptions";
import { is_method, METHOD } from "#python/Objects/funcobject";
import { getattr } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { def } from "../../_signature.ts";
import { Tensor } from "../../_tensor/index.ts";
import { Module } from "../../nn/modules/module/index.ts";
import {
  createGraphByTracing,
  createGraphByTracingWithDict,
  get_python_cu,
  isTracing,
  type TracedFunction,
  toTraceableStack,
  WARN_PYTHON_DATAFLOW,
} from "../_C.ts";
import { _qualified_name } from "../_jit_internal.ts";
import { type ScriptFunction, script, wrap } from "../_script/index.ts";
import { RecursiveScriptModule, ScriptModule } from "../_script/script_module.ts";
import { _check_trace, type Traced } from "./check.ts";
import { name_of_tensor } from "./frames.ts";
import { _clone_inputs, entries_of, forward_argument_names, get_callable_argument_names } from "./inputs.ts";
import { type LibraryFrame, with_library_frames } from "./library_frames.ts";
import { size_tests_of } from "./library_warnings.ts";
import { with_scopes_of } from "./scopes.ts";
import { with_traced_tensors } from "./tensors.ts";
import { make_traced_module, TopLevelTracedModule, type TracedModuleClass } from "./traced_module.ts";
import { at_line, ignore_lib_warnings, warn_in_library } from "./warnings.ts";

export { TracingCheckError } from "./check.ts";
export { TopLevelTracedModule, TracedModule } from "./traced_module.ts";
export { TracerWarning } from "./warnings.ts";

/** The options that traces of functions and of modules have in common. */
interface Options {
  readonly check_trace: boolean;
  readonly check_inputs: Iterable<unknown> | null;
  readonly check_tolerance: number;
  readonly strict: boolean;
  readonly force_outplace: boolean;
  readonly module_class: TracedModuleClass | null;
  readonly store_inputs: boolean;
}

/** Lines of `torch/jit/_trace.py`: the calls of the tracer with a tuple and with a dict; those of the check with inputs for it and without. */
const LINES = {
  trace: [776, 766],
  trace_method: [1216, 1204],
  function: [790, 802],
  module: [1232, 1244],
} as const;

/** A tuple of example inputs. */
function make_tuple(example_inputs: unknown): unknown[] {
  if (example_inputs instanceof Tensor || entries_of(example_inputs) !== null) return [example_inputs];
  if (Array.isArray(example_inputs)) return example_inputs;
  if (typeof (example_inputs as Iterable<unknown> | null)?.[Symbol.iterator] !== "function") {
    throw new TypeError_(`'${type_of(example_inputs).name}' object is not iterable`);
  }
  return [...(example_inputs as Iterable<unknown>)];
}

function traced_function(func: unknown, argument_names: readonly string[], options: Options): TracedFunction {
  const { strict, force_outplace } = options;
  return { func, lookup_var_name_fn: name_of_tensor, strict, force_outplace, argument_names };
}

/** PyTorch's function would test sizes, which are tensors in a trace. */
function warn_of_size_tests({ name, locals }: LibraryFrame): void {
  if (!isTracing()) return;
  const [count, line] = size_tests_of(name, locals);
  for (let i = 0; i < count; i++) {
    warn_in_library("torch.nn.functional", line, `Converting a tensor to a Python boolean${WARN_PYTHON_DATAFLOW}`);
  }
}

function while_tracing<T>(line: number, function_name: string, run: () => T): T {
  ignore_lib_warnings();
  return at_line(line, function_name, () => with_library_frames(warn_of_size_tests, () => with_traced_tensors(run)));
}

/** Traces a function. @param kwargs the example inputs by name, if they are given so */
function trace_function(func: unknown, inputs: unknown, kwargs: ReadonlyMap<string, unknown> | null, options: Options) {
  const name = _qualified_name(func);
  const traced = traced_function(func, get_callable_argument_names(func), options);
  const graph = while_tracing(LINES.trace[kwargs === null ? 0 : 1], "_trace_impl", () =>
    kwargs === null
      ? createGraphByTracing(traced, toTraceableStack(make_tuple(inputs)), null)
      : createGraphByTracingWithDict(traced, kwargs, null)[0],
  );
  const script_function = wrap(get_python_cu().create_function(name, graph, true));
  if (!options.check_trace) return script_function;
  const given = options.check_inputs !== null;
  _check_trace(options.check_inputs ?? [kwargs ?? make_tuple(inputs)], {
    func,
    traced: script_function,
    trace_again: (check): ScriptFunction => {
      const copies = _clone_inputs(check);
      const named = kwargs === null ? null : (new Map(entries_of(copies)) as ReadonlyMap<string, unknown>);
      return trace_function(func, copies, named, { ...options, check_trace: false });
    },
    check_tolerance: options.check_tolerance,
    inputs_are_kwargs: kwargs !== null,
    line: LINES.function[given ? 0 : 1],
  });
  return script_function;
}

/** The example inputs by name; null if they are given by position. */
function keyword_inputs(value: unknown): ReadonlyMap<string, unknown> | null {
  const entries = value === null ? null : entries_of(value);
  return entries === null ? null : (new Map(entries) as ReadonlyMap<string, unknown>);
}

const PARAMETERS =
  "optimize=None, check_trace=True, check_inputs=None, check_tolerance=1e-05, strict=True, _force_outplace=False, _module_class=None, _compilation_unit=None";

/** Traces a function, a module, or a module's method `forward`. */
export const trace = def(
  `trace(func: object, example_inputs=None, ${PARAMETERS}, example_kwarg_inputs=None, _store_inputs=True)`,
  (
    func: unknown,
    example_inputs: unknown,
    optimize: unknown,
    check_trace: boolean,
    check_inputs: Iterable<unknown> | null,
    check_tolerance: number,
    strict: boolean,
    _force_outplace: boolean,
    _module_class: TracedModuleClass | null,
    _compilation_unit: unknown,
    example_kwarg_inputs: unknown,
    _store_inputs: boolean,
  ): unknown => {
    warn_optimize(optimize);
    if (func instanceof ScriptModule) {
      warn_in_library(
        "torch.jit._trace",
        1022,
        "The input to trace is already a ScriptModule, tracing it is a no-op. Returning the object as is.",
        "UserWarning",
      );
      return func;
    }
    const options: Options = {
      check_trace,
      check_inputs,
      check_tolerance,
      strict,
      force_outplace: _force_outplace,
      module_class: _module_class,
      store_inputs: _store_inputs,
    };
    const kwargs = keyword_inputs(example_kwarg_inputs);
    const self = is_method(func) ? func[METHOD].self : null;
    const is_forward = self instanceof Module && getattr(func, "__name__") === "forward";
    const module = func instanceof Module ? func : is_forward ? self : null;
    if (module !== null) {
      if (example_inputs === null && kwargs === null) throw new RuntimeError("example_kwarg_inputs should be a dict");
      const checks = check_inputs === null ? null : [...check_inputs].map((inputs) => new Map([["forward", inputs]]));
      const inputs = new Map([["forward", example_inputs ?? kwargs]]);
      return trace_methods(module, inputs, kwargs !== null, { ...options, check_inputs: checks });
    }
    if (self instanceof Module) {
      throw new AttributeError(
        "trace doesn't support compiling individual module's functions.\nPlease use trace_module",
      );
    }
    return trace_function(func, example_inputs, kwargs, options);
  },
);

function warn_optimize(optimize: unknown): void {
  if (optimize !== null) {
    warn(
      "FutureWarning",
      "`optimize` is deprecated and has no effect. Use `with torch.jit.optimized_execution()` instead",
    );
  }
}

/** Traces methods of a module. */
export const trace_module = def(
  `trace_module(mod: object, inputs: dict, ${PARAMETERS}, example_inputs_is_kwarg=False, _store_inputs=True)`,
  (
    mod: unknown,
    inputs: unknown,
    optimize: unknown,
    check_trace: boolean,
    check_inputs: Iterable<unknown> | null,
    check_tolerance: number,
    strict: boolean,
    _force_outplace: boolean,
    _module_class: TracedModuleClass | null,
    _compilation_unit: unknown,
    example_inputs_is_kwarg: boolean,
    _store_inputs: boolean,
  ): unknown => {
    warn_optimize(optimize);
    if (!(mod instanceof Module)) throw new AttributeError("expected torch.nn.Module as the first argument");
    const entries = entries_of(inputs);
    if (entries === null) throw new AttributeError("expected a dictionary of (method_name, input) pairs");
    return trace_methods(mod, new Map(entries) as ReadonlyMap<string, unknown>, example_inputs_is_kwarg, {
      check_trace,
      check_inputs,
      check_tolerance,
      strict,
      force_outplace: _force_outplace,
      module_class: _module_class,
      store_inputs: _store_inputs,
    });
  },
);

/** @param inputs the example inputs by the names of the methods */
function trace_methods(
  mod: Module,
  inputs: ReadonlyMap<string, unknown>,
  inputs_are_kwargs: boolean,
  options: Options,
): ScriptModule {
  return with_scopes_of(mod, () => {
    const module = make_traced_module(mod, options.module_class ?? TopLevelTracedModule);
    for (const [method_name, example_inputs] of inputs) {
      const traced = trace_method(mod, module, method_name, example_inputs, inputs_are_kwargs, options);
      if (options.check_trace) check_method(mod, traced, inputs, inputs_are_kwargs, options);
    }
    return module;
  });
}

/** Traces one method and adds it to the traced module. */
function trace_method(
  mod: Module,
  module: ScriptModule,
  method_name: string,
  example_inputs: unknown,
  inputs_are_kwargs: boolean,
  options: Options,
): Traced {
  const is_forward = method_name === "forward";
  const func = is_forward ? mod : getattr(mod, method_name);
  const names = is_forward ? forward_argument_names(mod) : get_callable_argument_names(func);
  const traced = traced_function(func, names, options);
  const kwargs = inputs_are_kwargs ? keyword_inputs(example_inputs) : null;
  while_tracing(LINES.trace_method[kwargs === null ? 0 : 1], "trace_module", () => {
    if (kwargs === null) {
      module._c._create_method_from_trace(method_name, traced, make_tuple(example_inputs), options.store_inputs);
      return;
    }
    for (const key of kwargs.keys()) {
      if (names.includes(key)) continue;
      throw new NameError(
        `'${key}' is not in forward() method's arguments,\n                         valid arguments name are [${names.join(",")}]`,
      );
    }
    module._c._create_method_from_trace_with_dict(method_name, traced, kwargs, options.store_inputs);
  });
  if (module instanceof RecursiveScriptModule) module.refresh();
  return module._c._get_method(method_name);
}

function check_method(
  mod: Module,
  traced: Traced,
  inputs: ReadonlyMap<string, unknown>,
  inputs_are_kwargs: boolean,
  options: Options,
): void {
  const of_method = (check: unknown): unknown => {
    const entries = new Map(entries_of(check) as Iterable<[string, unknown]>);
    const given = entries.get(traced.name);
    if (entries_of(given) !== null && inputs_are_kwargs) return given;
    return make_tuple(given);
  };
  const checks = options.check_inputs === null ? [inputs] : [...options.check_inputs];
  for (const check of checks) {
    const copies = new Map(
      [...(entries_of(check) as Iterable<[string, unknown]>)].map(([name, given]) => [name, _clone_inputs(given)]),
    );
    _check_trace([of_method(check)], {
      func: traced.name === "forward" ? mod : getattr(mod, traced.name),
      traced,
      trace_again: () => {
        const again = trace_methods(mod, copies, inputs_are_kwargs, {
          ...options,
          check_trace: false,
          store_inputs: false,
        });
        return again._c._get_method(traced.name);
      },
      check_tolerance: options.check_tolerance,
      inputs_are_kwargs,
      line: LINES.module[options.check_inputs === null ? 1 : 0],
    });
  }
}

/** Compiles a function when it is first called in a trace; elsewhere the function itself is called. */
export const script_if_tracing = def("script_if_tracing(fn)", (fn: unknown): unknown => {
  const wrapper = (...args: unknown[]): unknown => {
    const callee = isTracing() ? script(fn) : fn;
    return call_with_keywords(callee, args, new Map());
  };
  return wrapper;
});
