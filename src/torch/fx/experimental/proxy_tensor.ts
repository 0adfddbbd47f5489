/**
 * @file `make_fx`: a function runs on real tensors, and the operators that reach the dispatcher become a graph.
 * @mirrors torch/fx/experimental/proxy_tensor.py
 * @differs Ours traces with real tensors and with tensors without data; PyTorch also traces with sizes that are symbols (`tracing_mode="symbolic"`).
 *
 * `symbolic_trace` sees the functions that a program calls, because its values are proxies. `make_fx` sees the operators that remain below autograd: the
 * values are tensors, and a mode notes every call:
 *
 *     F.silu(x)  ->  aten.silu.default(x)   the mode finds the proxy of x, adds a node, runs the operator, and remembers the proxy of its result
 *
 * A tensor that nobody tracks is a constant and becomes an attribute of the module.
 */
import { AssertionError, NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { as_float } from "#python/bridge/values";
import { CO } from "#python/compiler/code";
import { FUNCTION } from "#python/Objects/call";
import { PyDict } from "#python/Objects/dictobject";
import { is_function } from "#python/Objects/funcobject";
import { NotImplemented, setattr, str } from "#python/Objects/object";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { _dispatch_has_kernel_for_dispatch_key, _dispatch_key_for_device, _TorchDispatchModeKey } from "#torch/_C";
import { type OpOverload, ops } from "#torch/_ops";
import { def } from "#torch/_signature";
import { FakeTensor, FakeTensorMode, is_fake, without_fake_mode } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { _disable_current_modes, TorchDispatchMode } from "#torch/utils/_python_dispatch";
import { flatten, map_leaves } from "#torch/utils/_pytree/index";
import { PH, Tracer } from "../_symbolic_trace/index.ts";
import { type RootFunction, root_function } from "../_symbolic_trace/root_function.ts";
import { call_function } from "../callables.ts";
import { Graph } from "../graph/index.ts";
import { GraphModule } from "../graph_module.ts";
import type { Node } from "../node.ts";
import { _extract_tensor_metadata } from "../passes/shape_prop.ts";
import { Proxy } from "../proxy/index.ts";
import { has_name, name_of } from "../qualified_names.ts";

type Table = ReadonlyMap<unknown, unknown>;

/** The proxy of a tensor, and its value if that does not depend on the inputs. */
interface Tracked {
  readonly proxy: Proxy;
  readonly constant: Tensor | null;
}

/** The largest int64, which C++ writes for the end of a slice. */
const INT64_MAX = 2n ** 63n - 1n;
/** Tensors with more elements are not followed as constants. */
const CONSTANT_NUMEL_LIMIT = 1;

const without_modes = <R>(fn: () => R): R => {
  const context = new (_disable_current_modes as unknown as new () => { __enter__(): unknown; __exit__(): void })();
  context.__enter__();
  try {
    return fn();
  } finally {
    context.__exit__();
  }
};

/** Makes the nodes of a graph of operators. */
export class PythonKeyTracer extends Tracer {
  static override readonly __module__ = "torch.fx.experimental.proxy_tensor";
  /** By the object behind the tensor, which all its wrappers share. */
  readonly tensor_tracker = new WeakMap<object, Tracked>();

  constructor() {
    super({ autowrap_modules: tuple([]) });
  }

  override call_module(_m: Module, forward: unknown, args: unknown, kwargs: unknown): unknown {
    return call_function(forward, args as unknown[], kwargs as Map<unknown, unknown>);
  }

  override getattr(_attr: string, attr_val: unknown): unknown {
    return attr_val;
  }

  override create_arg(a: unknown): unknown {
    if (!(a instanceof Parameter)) return (super.create_arg as (a: unknown) => unknown).call(this, a);
    const get_attr = (name: string): Node => this.create_node("get_attr", name, tuple([]), new PyDict(), null, null);
    for (const [name, parameter] of this.root.named_parameters()) if (parameter === a) return get_attr(name);
    const name = this.get_fresh_qualname("_param_constant");
    setattr(this.root, name, a);
    return get_attr(name);
  }

  tracked(tensor: Tensor): Tracked | undefined {
    return this.tensor_tracker.get(tensor.cdata.unsafeGetTensorImpl());
  }

  /** Remembers which proxy stands for each tensor in a result; elements of a tuple or list are nodes of their own. */
  track(value: unknown, proxy: unknown, constant: Tensor | null): void {
    if (value instanceof Tensor) {
      this.tensor_tracker.set(value.cdata.unsafeGetTensorImpl(), { proxy: proxy as Proxy, constant });
      set_meta((proxy as Proxy).node, value);
    } else if (Array.isArray(value)) {
      const elements = proxy instanceof Proxy ? value.map((_, i) => proxy.__getitem__(i)) : (proxy as unknown[]);
      for (const [i, element] of value.entries()) this.track(element, elements[i], null);
    }
  }

  /** The graph of `run`, whose parameters are named as those of `traced`. */
  trace_operators(traced: RootFunction, concrete_args: PyTuple): Graph {
    this.root = new (Module as unknown as new () => Module)();
    this.graph = new Graph();
    this.trace_root(traced, false, concrete_args);
    return this.graph;
  }
}

/** A fake tensor of this shape, and its description. */
function set_meta(node: Node, value: Tensor): void {
  without_modes(() => {
    const { shape, dtype, device } = value;
    const stride = value.stride() as number[];
    const mode = value instanceof FakeTensor ? value.fake_mode : new FakeTensorMode();
    const val = mode.with(() => torch.empty_strided([...shape], stride, { dtype, device }));
    node.meta.set("val", val);
    node.meta.set("tensor_meta", _extract_tensor_metadata(value));
  });
}

/** The mode that notes every operator. */
export class ProxyTorchDispatchMode extends TorchDispatchMode {
  static readonly __module__ = "torch.fx.experimental.proxy_tensor";
  readonly _mode_key = _TorchDispatchModeKey.PROXY;
  readonly tracer: PythonKeyTracer;
  readonly decomposition_table: Table;
  private readonly error_on_data_dependent_ops: boolean;

  constructor(tracer: PythonKeyTracer, decomposition_table: Table, error_on_data_dependent_ops = true) {
    super();
    this.tracer = tracer;
    this.decomposition_table = decomposition_table;
    this.error_on_data_dependent_ops = error_on_data_dependent_ops;
  }

  static override is_infra_mode(): boolean {
    return true;
  }

  override __torch_dispatch__(func: OpOverload, _types: readonly unknown[], args: unknown[], given: object): unknown {
    if (func.namespace === "prim") return func(...args);
    const kwargs = new PyDict();
    for (const [name, value] of Object.entries(given ?? {})) kwargs.set(name, value);
    return proxy_call(this, func, args, kwargs, this.error_on_data_dependent_ops);
  }
}

const has_tag = (func: OpOverload, tag: string): boolean => func.tags.includes(tag);

/** A number as Python shows it: where the schema has a float, 2 is 2.0. */
function as_declared(arg: unknown, { type }: { readonly type: unknown }): unknown {
  return typeof arg === "number" && /^(?:Optional\[)?float\]?\??$/.test(String(type)) ? as_float(arg) : arg;
}

/** Whether only inference mode let a composite operator come here: its device has no kernel of its own. */
function autograd_would_have_decomposed(func: OpOverload, args: readonly unknown[]): boolean {
  const [first] = flatten(tuple(args))[0].filter((leaf) => leaf instanceof Tensor);
  const key = first === undefined ? null : _dispatch_key_for_device(first.device.type);
  return key === null || !_dispatch_has_kernel_for_dispatch_key(func.name(), key);
}

/** Runs an operator and adds its node. */
function proxy_call(
  mode: ProxyTorchDispatchMode,
  given: OpOverload,
  args: unknown[],
  kwargs: PyDict,
  strict: boolean,
): unknown {
  const { tracer, decomposition_table } = mode;
  const decomposition = decomposition_table.get(given);
  if (decomposition !== undefined) {
    const result = mode.with(() => call_function(decomposition, args, kwargs));
    if (result !== NotImplemented) return result;
  }
  if (given._can_decompose() && autograd_would_have_decomposed(given, args))
    return mode.with(() => call_function(given.decompose.bind(given), args, kwargs));
  const [leaves] = flatten(tuple([tuple(args), kwargs]));
  const tracked = leaves.map((leaf) => (leaf instanceof Tensor ? tracer.tracked(leaf) : undefined));
  const known = tracked.filter((it) => it !== undefined);
  const all_constant = known.every((it) => it.constant !== null);
  const with_constants = (): unknown => call_function(given, constants(args) as unknown[], constants(kwargs) as PyDict);
  const constants = (value: unknown): unknown =>
    map_leaves(value, (leaf) => (leaf instanceof Tensor ? (tracer.tracked(leaf)?.constant ?? leaf) : leaf));
  if (has_tag(given, "data_dependent_output")) {
    if (all_constant) return without_fake_mode(with_constants);
    if (strict && leaves.every((leaf) => !is_fake(leaf)))
      throw new RuntimeError(
        `It appears that you're trying to get value out of a tracing tensor with ${str(given)} - erroring out! It's likely that this is caused by data-dependent control flow or similar.  It may be possible to trace this with dynamic shapes; try setting tracing_mode='symbolic' in your make_fx call.`,
      );
  }
  const func = given === ops.aten.lift_fresh.default ? (ops.aten.lift_fresh_copy.default as OpOverload) : given;
  const proxied = (value: unknown): unknown =>
    map_leaves(value, (leaf) => {
      if (leaf instanceof Tensor) return tracer.tracked(leaf)?.proxy ?? leaf;
      return leaf === Number.MAX_SAFE_INTEGER ? INT64_MAX : leaf; // the end of a slice that has none
    });
  const name = tracer.graph._target_to_str(func.overloadpacket.__name__);
  const proxy_out = tracer.create_proxy(
    "call_function",
    func,
    tuple((proxied(args) as unknown[]).map((arg, i) => as_declared(arg, func._schema.arguments[i]))),
    proxied(kwargs),
    name,
    null,
    null,
  );
  const out = call_function(func, args, kwargs);
  let constant: Tensor | null = null;
  if (func === ops.aten.lift_fresh_copy.default) {
    const [value] = args as [Tensor];
    if (value.numel() <= CONSTANT_NUMEL_LIMIT && !is_fake(value)) constant = without_modes(() => value.clone());
  } else if (
    all_constant &&
    known.length > 0 &&
    !has_tag(given, "nondeterministic_seeded") &&
    out instanceof Tensor &&
    out.numel() <= CONSTANT_NUMEL_LIMIT
  )
    constant = without_fake_mode(() => with_constants()) as Tensor;
  tracer.track(out, proxy_out, constant);
  return out;
}

/** The parameters of `f`; a function without its own names has `arg0`, `arg1`, ... */
function parameters_of(f: unknown, count: number, given_names: readonly string[] | null): RootFunction {
  const wrapped = (f as { readonly __wrapped__?: unknown }).__wrapped__;
  if (wrapped !== undefined) return parameters_of(wrapped, count, given_names);
  const named = is_function(f) && (f[FUNCTION].code.co_flags & CO.VARARGS) === 0;
  if (named) return root_function(f, false);
  const parameters = Array.from({ length: count }, (_, i) => ({
    name: given_names?.[i] ?? `arg${i}`,
    default_value: undefined,
    annotation: null,
  }));
  const names = parameters.map(({ name }) => name);
  const run = (args: readonly unknown[]): unknown => call_function(f, args);
  return { parameters, plain: count, return_annotation: null, globals: null, code: null, names, run };
}

let active: PythonKeyTracer | null = null;

/** The graph that is being recorded; null if none is. */
export function traced_graph(): Graph | null {
  return active?.graph ?? null;
}

/**
 * The operators that `f` runs.
 * @param fake_mode the mode of the arguments, if they have no data
 * @param given_names names of the parameters, if `f` does not tell them
 */
export function trace(
  f: unknown,
  args: PyTuple,
  table: Table,
  strict: boolean,
  fake_mode: FakeTensorMode | null,
  given_names: readonly string[] | null = null,
): GraphModule {
  const tracer = new PythonKeyTracer();
  const mode = new ProxyTorchDispatchMode(tracer, table, strict);
  const root = parameters_of(f, args.length, given_names);
  const [leaves] = flatten(args);
  const run = (proxies: readonly unknown[]): unknown => {
    const [flat_proxies] = flatten(tuple(proxies));
    if (flat_proxies.length !== leaves.length)
      throw new AssertionError(`Expected same length: ${flat_proxies.length} vs ${leaves.length}`);
    for (const [i, leaf] of leaves.entries()) tracer.track(leaf, flat_proxies[i], null);
    const recorded = (): unknown => mode.with(() => call_function(f, args));
    const out = fake_mode === null ? recorded() : fake_mode.with(recorded);
    return map_leaves(out, (leaf) => (leaf instanceof Tensor ? (tracer.tracked(leaf)?.proxy ?? leaf) : leaf));
  };
  const placeholders = tuple(args.map((arg) => map_leaves(arg, () => PH)));
  const cache = torch.is_autocast_cache_enabled();
  torch.set_autocast_cache_enabled(false);
  const outer = active;
  active = tracer;
  try {
    const graph = tracer.trace_operators({ ...root, run }, placeholders);
    return new GraphModule(tracer.root, graph, name_of(f) ?? "<lambda>");
  } finally {
    active = outer;
    torch.set_autocast_cache_enabled(cache);
  }
}

/**
 * A function that traces `f` with its arguments and gives the graph of the operators that ran.
 * @param decomposition_table functions by operator: each runs in place of its operator
 * @throws {NotImplementedError} for tracing modes other than "real"
 */
export const make_fx = has_name(
  "torch.fx.experimental.proxy_tensor.make_fx",
  def(
    "make_fx(f, decomposition_table=None, tracing_mode='real', _allow_non_fake_inputs=False, *, pre_dispatch=False, record_module_stack=False, _allow_fake_constant=False, _error_on_data_dependent_ops=True, record_stack_traces=False, proxy_module_inputs=False, _disable_torch_fn_metadata_mode=False)",
    (
      f: unknown,
      decomposition_table: Table | null,
      tracing_mode: string,
      allow_non_fake_inputs: boolean,
      pre_dispatch: boolean,
      _record_module_stack: boolean,
      _allow_fake_constant: boolean,
      error_on_data_dependent_ops: boolean,
    ): unknown => {
      if (!["real", "fake", "symbolic"].includes(tracing_mode))
        throw new AssertionError(`tracing_mode must be real/fake/symbolic, got ${tracing_mode}`);
      if (tracing_mode === "symbolic")
        throw new NotImplementedError(
          `torch.fx.experimental.proxy_tensor.make_fx is not implemented with tracing_mode='${tracing_mode}': tracing_mode='fake' is`,
        );
      if (pre_dispatch)
        throw new NotImplementedError(
          "torch.fx.experimental.proxy_tensor.make_fx is not implemented with pre_dispatch=True",
        );
      return has_name("torch.fx.experimental.proxy_tensor.wrapped", (...given: unknown[]): GraphModule => {
        const table = decomposition_table ?? new Map();
        const args = tuple(given);
        if (tracing_mode === "real") return trace(f, args, table, error_on_data_dependent_ops, null);
        const known = flatten(args)[0].find((leaf) => leaf instanceof FakeTensor) as FakeTensor | undefined;
        const fake_mode = known?.fake_mode ?? new FakeTensorMode({ allow_non_fake_inputs });
        const fake = (leaf: unknown): unknown => (leaf instanceof Tensor ? fake_mode.from_tensor(leaf) : leaf);
        return trace(f, map_leaves(args, fake) as PyTuple, table, error_on_data_dependent_ops, fake_mode);
      });
    },
  ),
);
