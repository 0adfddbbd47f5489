/**
 * @file `symbolic_trace` and `Tracer`: a function or module runs once with proxies, and the graph of its operations is what stays.
 * @mirrors torch/fx/_symbolic_trace.py
 *
 * An idea in miniature
 * ~~~~~~~~~~~~~~~~~~~~
 *     const x = tracer.create_proxy("placeholder", "x");   // one for each parameter
 *     const result = fn(x);                                // x + 1 calls x.__add__, torch.relu(x) calls Proxy.__torch_function__:
 *                                                          // each adds a node to the graph and gives the proxy of this node
 *     tracer.create_node("output", "output", [result.node]);
 *
 * While the function runs, three things are replaced: the call of every module (a leaf becomes one node), the read of every parameter (it becomes a
 * node), and functions in the globals of the program that `wrap` named or that stand in `math`.
 */
import { AssertionError, RuntimeError, warn } from "#c10/util/Exception";
import { TAKES_VALUES } from "#python/Objects/allocated";
import { FUNCTION } from "#python/Objects/call";
import { PyDict } from "#python/Objects/dictobject";
import { NameError } from "#python/Objects/exceptions";
import { FloatValue } from "#python/Objects/floatobject";
import { is_function } from "#python/Objects/funcobject";
import { each } from "#python/Objects/iterobject";
import { PyModule } from "#python/Objects/moduleobject";
import { getattr, getattr_or_undefined, setattr, str, truth } from "#python/Objects/object";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { def_methods, Init, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Sequential } from "#torch/nn/modules/container/index";
import { replace_module_getattr } from "#torch/nn/modules/module/attributes";
import { _call_impl, replace_module_call } from "#torch/nn/modules/module/call";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { flatten, map_leaves, TreeSpec } from "#torch/utils/_pytree/index";
import { call_function, is_callable } from "../callables.ts";
import { Graph } from "../graph/index.ts";
import { _PyTreeCodeGen } from "../graph/pytree_codegen.ts";
import { GraphModule } from "../graph_module.ts";
import type { Node } from "../node.ts";
import { ParameterProxy, type Proxy, Scope, TracerBase } from "../proxy/index.ts";
import { has_name, name_of } from "../qualified_names.ts";
import { by_hook, graph_captured } from "../recording.ts";
import { _Patcher } from "./patcher.ts";
import { type RootFunction, type RootParameter, root_function } from "./root_function.ts";

export { wrap } from "./patcher.ts";

let _is_fx_tracing_flag = false;
/** Whether a tracer runs a program now. */
export const is_fx_tracing = has_name("torch.fx._symbolic_trace.is_fx_tracing", (): boolean => _is_fx_tracing_flag);
export const is_fx_symbolic_tracing = has_name(
  "torch.fx._symbolic_trace.is_fx_symbolic_tracing",
  (): boolean => _is_fx_tracing_flag,
);

/** Stands in `concrete_args` for a value that is not known. */
export class PHBase {
  static readonly __module__ = "torch.fx._symbolic_trace";
  toString(): string {
    return "PH";
  }
}
/** Stands in `concrete_args` for an argument that stays a placeholder. */
export const PH = new PHBase();

export class PHWithMeta extends PHBase {
  static override readonly __module__ = "torch.fx._symbolic_trace";
  readonly ph_key: unknown;
  constructor(ph_key: unknown = null) {
    super();
    this.ph_key = ph_key;
  }
}

/** Refuses another value than None for a parameter that was specialized to it. */
export const _assert_is_none = has_name(
  "torch.fx._symbolic_trace._assert_is_none",
  (value: unknown, msg: string): void => {
    if (value !== null) throw new AssertionError(msg);
  },
);

/** Numbers of names such as `_tensor_constant0`, for all tracers. */
const _qualname_counter = new Map<string, number>();

const Tracer_init = new Init(
  "Tracer.__init__(self, autowrap_modules: object=None, autowrap_functions: object=(), param_shapes_constant=False)",
  types<[autowrap_modules: unknown, autowrap_functions: unknown, param_shapes_constant: boolean]>,
);

type CreateProxy = Parameters<TracerBase["create_proxy"]>;
/** The arguments of `create_proxy` that an override must know. */
const proxy_arguments = (kind: string, target: unknown, args: readonly unknown[], kwargs: unknown): CreateProxy =>
  [kind, target, tuple(args), kwargs] as unknown as CreateProxy;

/** Records a module or a function as a graph: it calls them with proxies. Subclasses say which modules are leaves. */
export class Tracer extends TracerBase {
  static override readonly [TAKES_VALUES] = true;
  static override readonly __module__: string = "torch.fx._symbolic_trace";
  root!: Module;
  root_module_name: string;
  param_shapes_constant: boolean;
  submodule_paths: Map<unknown, string> | null;
  /** Tensors and specs that are attributes of the root, by identity. */
  tensor_attrs: Map<unknown, string>;
  num_calls: Map<string, number>;
  _autowrap_search: PyModule[];
  _autowrap_functions: Set<unknown>;

  static {
    def_methods(Tracer, {
      __init__: Tracer_init,
      get_fresh_qualname: "(self, prefix)",
      create_arg: "(self, a: object)",
      is_leaf_module: "(self, m, module_qualified_name)",
      path_of_module: "(self, mod)",
      call_module: "(self, m, forward, args: object, kwargs: dict)",
      getattr: "(self, attr, attr_val: object, parameter_proxy_cache: dict)",
      trace: "(self, root, concrete_args: object=None)",
    });
  }

  constructor(...given: unknown[]) {
    super();
    const [autowrap_modules, autowrap_functions, param_shapes_constant] = Tracer_init.bind(given);
    const modules = autowrap_modules === null ? [import_module("math")] : [...each(autowrap_modules)];
    this._autowrap_search = modules.filter((module) => module instanceof PyModule);
    this._autowrap_functions = new Set([
      ...this._autowrap_search.flatMap((module) =>
        [...module.__dict__]
          .filter(([name, value]) => !(name as string).startsWith("_") && is_callable(value))
          .map(([, value]) => value),
      ),
      ...each(autowrap_functions),
    ]);
    this.param_shapes_constant = param_shapes_constant;
    this.submodule_paths = null;
    this.root_module_name = "";
    this.tensor_attrs = new Map();
    this.scope = new Scope("", null);
    this.module_stack = new PyDict();
    this.num_calls = new Map();
    this.node_name_to_scope = new PyDict();
  }

  /** A name that the root has not: the prefix with a number. */
  get_fresh_qualname(prefix: string): string {
    let i = _qualname_counter.get(prefix) ?? 0;
    if (getattr_or_undefined(this.root, `${prefix}0`) === undefined) i = 0;
    while (getattr_or_undefined(this.root, `${prefix}${i}`) !== undefined) i++;
    _qualname_counter.set(prefix, i);
    return `${prefix}${i}`;
  }

  override create_arg(a: unknown): unknown {
    const get_attr = (name: string): Node => this.create_node("get_attr", name, tuple([]), new PyDict(), null, null);
    if (a instanceof Parameter) {
      for (const [n, p] of this.root.named_parameters()) if (p === a) return get_attr(n);
      throw new NameError("parameter is not a member of this module");
    }
    if (a instanceof Tensor) {
      for (const [n, b] of this.root.named_buffers()) if (b === a) return get_attr(n);
    } else if (a instanceof Module) {
      for (const [n, m] of this.root.named_modules()) if (m === a) return get_attr(n);
    } else if (a instanceof PyTuple && getattr_or_undefined(a, "_fields") !== undefined) {
      const args = tuple(a.map((elem) => this.create_arg(elem)));
      return this.create_node("call_function", type_of(a).cls, args, new PyDict(), null, null);
    }
    if (a instanceof Tensor || a instanceof TreeSpec) {
      let qualname = this.tensor_attrs.get(a);
      if (qualname === undefined) {
        qualname = this.get_fresh_qualname(a instanceof Tensor ? "_tensor_constant" : "_tree_spec_constant");
        this.tensor_attrs.set(a, qualname);
        setattr(this.root, qualname, a);
      }
      return get_attr(qualname);
    }
    return super.create_arg(a);
  }

  /** Whether a call of the module becomes one node: the modules of `torch.nn` but `Sequential`. */
  is_leaf_module(m: Module, _module_qualified_name: string): boolean {
    const module = str(getattr(m, "__module__"));
    return /^torch\.(?:ao\.)?nn/.test(module) && !(m instanceof Sequential);
  }

  /** The name of a module in the root. @throws {NameError} if it is not in it */
  path_of_module(mod: Module): string {
    const path = this.submodule_paths?.get(mod);
    if (path !== undefined) return path;
    if (this.submodule_paths === null || this.submodule_paths.size === 0)
      for (const [n, m] of this.root.named_modules()) if (m === mod) return n;
    throw new NameError("module is not installed as a submodule");
  }

  /** A call of a module: one node for a leaf, otherwise what `forward` does. */
  call_module(m: Module, forward: unknown, args: unknown, kwargs: unknown): unknown {
    const path = this.path_of_module(m);
    const { module_path, module_type } = this.scope;
    this.scope.module_path = path;
    this.scope.module_type = type_of(m).cls;
    try {
      const num_calls = this.num_calls.get(path) ?? 0;
      const key = num_calls > 0 ? `${path}@${num_calls}` : path;
      this.module_stack.set(key, tuple([path, this.scope.module_type]));
      this.num_calls.set(path, num_calls + 1);
      const result = truth(this.is_leaf_module(m, path))
        ? this.create_proxy(...proxy_arguments("call_module", path, args as unknown[], kwargs))
        : call_function(forward, args as unknown[], kwargs as Map<unknown, unknown>);
      this.module_stack.delete(key);
      return result;
    } finally {
      this.scope.module_path = module_path;
      this.scope.module_type = module_type;
    }
  }

  /** A read of a parameter, buffer or module: a parameter of the root becomes a node, which later reads share. */
  getattr(_attr: string, attr_val: unknown, parameter_proxy_cache: Map<string, unknown>): unknown {
    const proxy_for = (members: Iterable<[string, unknown]>): unknown => {
      for (const [n, p] of members) {
        if (p !== attr_val) continue;
        let proxy = parameter_proxy_cache.get(n);
        if (proxy === undefined) {
          const args = proxy_arguments("get_attr", n, [], new PyDict());
          const make = (node: Node): Proxy => new ParameterProxy(this, node, n, p as Parameter);
          const create = (): Proxy =>
            this.param_shapes_constant
              ? this.create_proxy("get_attr", n, tuple([]), new PyDict(), null, null, make)
              : this.create_proxy(...args);
          proxy = by_hook("torch.fx._symbolic_trace.Tracer.getattr", create, []);
          parameter_proxy_cache.set(n, proxy);
        }
        return proxy;
      }
      return undefined;
    };
    if (attr_val instanceof Parameter) return proxy_for(this.root.named_parameters()) ?? attr_val;
    if (attr_val instanceof Tensor && truth(this.setting("proxy_buffer_attributes")))
      return proxy_for(this.root.named_buffers()) ?? attr_val;
    return attr_val;
  }

  /**
   * The graph of what a function or a module does with its arguments.
   * @param concrete_args values of parameters that are known, by name or as a tuple; `PH` in them is not known
   */
  trace(root: unknown, concrete_args: unknown): Graph {
    const was_tracing = _is_fx_tracing_flag;
    _is_fx_tracing_flag = true;
    try {
      this.trace_into_graph(root, concrete_args);
    } finally {
      _is_fx_tracing_flag = was_tracing;
    }
    return this.graph;
  }

  private trace_into_graph(root: unknown, concrete_args: unknown): void {
    const is_module = root instanceof Module;
    let fn: unknown = root;
    if (is_module) {
      this.root = root;
      const name = str(this.setting("traced_func_name"));
      fn = type_of(root).lookup(name);
      if (fn === undefined) throw new AssertionError(`traced_func_name=${name} doesn't exist in ${type_of(root).name}`);
      if (!is_function(fn)) fn = (root as unknown as Record<string, unknown>)[name];
      this.root_module_name = root._get_name();
      this.submodule_paths = new Map([...root.named_modules()].map(([path, module]) => [module, path]));
    } else this.root = new (Module as unknown as new () => Module)();
    this.graph = new Graph({ tracer_cls: type_of(this).cls });
    this.trace_root(root_function(fn, is_module), is_module, concrete_args);
    this.submodule_paths = null;
  }

  /** Fills the graph, which is empty. */
  protected trace_root(traced: RootFunction, is_module: boolean, concrete_args: unknown): void {
    if (traced.code !== null)
      for (const field of ["co_name", "co_filename", "co_firstlineno"] as const)
        this.graph._co_fields.set(field, traced.code[field]);
    this.tensor_attrs = new Map();
    collect_tensor_attrs(this.root, "", this.tensor_attrs);
    const [run, args] = this.create_args_for_root(traced, is_module, concrete_args);
    this.with_patches(traced, () => {
      const result = this.create_arg(run(args));
      this.create_node("output", "output", tuple([result]), new PyDict(), null, traced.return_annotation);
    });
    graph_captured("torch.fx._symbolic_trace.Tracer.trace", this.graph);
  }

  /** Runs `body` while calls of modules, reads of parameters and wrapped functions are recorded. */
  private with_patches(traced: RootFunction, body: () => void): void {
    const patcher = new _Patcher();
    const cache = new Map<string, unknown>();
    const old_call = replace_module_call((mod, given) => {
      const [args, kwargs] = split_call(given);
      const { forward } = mod as { forward?: unknown };
      const method = type_of(mod).lookup("forward");
      const of_program = is_function(method) ? method : is_function(forward) ? forward : null;
      if (of_program !== null) patcher.autowrap_check(of_program[FUNCTION].globals, this._autowrap_functions);
      const run = (...inner: unknown[]): unknown => _call_impl(mod, inner);
      return by_hook("torch.fx._symbolic_trace.Tracer.call_module", this.call_module.bind(this), [
        mod,
        run,
        tuple(args),
        kwargs,
      ]);
    });
    const old_getattr = replace_module_getattr((_mod, name, value) => this.getattr(name, value, cache));
    try {
      patcher.patch_wrapped_functions();
      if (traced.globals !== null) patcher.autowrap_check(traced.globals, this._autowrap_functions);
      for (const module of this._autowrap_search) patcher.autowrap_check(module.__dict__, this._autowrap_functions);
      body();
    } finally {
      replace_module_call(old_call);
      replace_module_getattr(old_getattr);
      patcher.revert_all_patches();
    }
  }

  /** The function to call and its arguments: a proxy for each parameter, the root first if it is a module. */
  private create_args_for_root(
    traced: RootFunction,
    is_module: boolean,
    concrete_args: unknown,
  ): [run: (args: readonly unknown[]) => unknown, args: unknown[]] {
    const args: unknown[] = is_module ? [this.root] : [];
    const plain = traced.parameters.slice(0, traced.plain);
    let known: Map<unknown, unknown> | null = null;
    if (concrete_args instanceof PyTuple) {
      if (concrete_args.length > 0 && plain.length === 0 && traced.parameters.length > 0) {
        concrete_args.forEach((_, i) => {
          args.push(this.create_proxy(...proxy_arguments("placeholder", `input_${i}`, [], new PyDict())));
        });
        return [(given) => traced.run(given), args];
      }
      if (plain.length !== concrete_args.length)
        throw new RuntimeError(
          `Tracing expected ${plain.length} arguments but got ${concrete_args.length} concrete arguments`,
        );
      known = new Map(plain.map(({ name }, i) => [name, concrete_args[i]]));
    } else if (concrete_args instanceof Map) known = concrete_args;
    else if (concrete_args !== null && typeof concrete_args === "object")
      known = new Map<unknown, unknown>(Object.entries(concrete_args));
    for (const parameter of traced.parameters) args.push(this.proxy_placeholder(parameter, known));
    const [flat_args, in_spec] = flatten(tuple(args));
    if (in_spec.children().every((child) => child.is_leaf())) return [(given) => traced.run(given), args];
    const orig_args = traced.names.slice(0, traced.plain + (is_module ? 1 : 0));
    const codegen = new _PyTreeCodeGen([...orig_args], in_spec, null);
    this.graph._codegen = codegen;
    const flatten_fn = (given: readonly unknown[]): unknown => {
      const [out_args, out_spec] = flatten(traced.run(in_spec.unflatten(given) as PyTuple));
      codegen.out_spec = out_spec;
      return out_args;
    };
    return [flatten_fn, flat_args];
  }

  private proxy_placeholder(parameter: RootParameter, known: ReadonlyMap<unknown, unknown> | null): unknown {
    const { name, default_value, annotation } = parameter;
    const defaults = name.startsWith("*") || default_value === undefined ? [] : [default_value];
    if (known === null || !known.has(name))
      return this.create_proxy("placeholder", name, tuple(defaults), new PyDict(), null, annotation, null);
    let count = 0;
    return map_leaves(known.get(name), (x) => {
      count++;
      const out = this.create_proxy(...proxy_arguments("placeholder", `${name}_${count}`, defaults, new PyDict()));
      if (x instanceof PHBase) {
        if (x instanceof PHWithMeta) Object.assign(out.node, { ph_key: x.ph_key });
        return out;
      }
      if (is_specialized(x)) {
        const equals = out.operate("eq", out, x);
        call_function(torch._assert, [
          equals,
          `${name} has been specialized to have value ${str(x)} but got another value`,
        ]);
      } else if (x === null) {
        const message = `${name} has been specialized to have value None but got another value`;
        this.create_proxy(...proxy_arguments("call_function", _assert_is_none, [out, message], new PyDict()));
      } else
        warn(
          "UserWarning",
          `Was not able to add assertion to guarantee correct input ${name} to specialized function. It is up to the user to make sure that your inputs match the inputs you specialized the function with.`,
        );
      return x;
    });
  }
}

/** Whether a value of a specialized parameter can be compared. */
function is_specialized(x: unknown): boolean {
  if (typeof x === "boolean" || typeof x === "number" || typeof x === "string" || typeof x === "bigint") return true;
  const { dtype, layout, memory_format } = torch;
  if (x instanceof FloatValue || x instanceof dtype || x instanceof layout || x instanceof memory_format) return true;
  return x !== null && type_of(x).name === "device";
}

/** Splits the arguments of a call of a module. */
function split_call(given: readonly unknown[]): [args: unknown[], kwargs: PyDict] {
  const last = given.at(-1);
  const kwargs = new PyDict();
  if (typeof last !== "object" || last === null || Object.getPrototypeOf(last) !== Object.prototype)
    return [[...given], kwargs];
  for (const [name, value] of Object.entries(last)) kwargs.set(name, value);
  return [given.slice(0, -1), kwargs];
}

/** Tensors that are ordinary attributes of a module and its children. */
function collect_tensor_attrs(module: Module, prefix: string, found: Map<unknown, string>): void {
  for (const name of Object.keys(module)) {
    const value = Object.getOwnPropertyDescriptor(module, name)?.value as unknown;
    if (value instanceof Tensor || value instanceof TreeSpec) found.set(value, `${prefix}${name}`);
  }
  for (const [name, child] of module.named_children()) collect_tensor_attrs(child, `${prefix}${name}.`, found);
}

/**
 * Traces a function or a module.
 * @param concrete_args values of parameters that are known, so that the program may decide by them
 * @returns a module that runs the recorded graph
 * @throws {TraceError} if the program asks for the truth or the elements of a value that is not known
 */
export const symbolic_trace = has_name(
  "torch.fx._symbolic_trace.symbolic_trace",
  (...given: unknown[]): GraphModule => {
    const [root, concrete_args] = symbolic_trace_arguments(given);
    const tracer = new Tracer();
    const graph = tracer.trace(root, concrete_args);
    const name = root instanceof Module ? type_of(root).name : (name_of(root) ?? "GraphModule");
    return new GraphModule(tracer.root, graph, name);
  },
);

function symbolic_trace_arguments(given: readonly unknown[]): [root: unknown, concrete_args: unknown] {
  const [root, second] = given;
  if (typeof second === "object" && second !== null && !(second instanceof Map) && "concrete_args" in second)
    return [root, second.concrete_args ?? null];
  if (typeof root === "object" && root !== null && "root" in root && given.length === 1) {
    const named = root as { readonly root: unknown; readonly concrete_args?: unknown };
    return [named.root, named.concrete_args ?? null];
  }
  return [root, second ?? null];
}
