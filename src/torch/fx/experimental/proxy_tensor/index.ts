/**
 * @file `make_fx`: a function runs on real tensors, and the operators that reach the dispatcher become a graph.
 * @mirrors torch/fx/experimental/proxy_tensor.py
 *
 * `symbolic_trace` sees the functions that a program calls, because its values are proxies. `make_fx` sees the operators that remain below autograd: the
 * values are tensors, and a mode notes every call:
 *
 *     F.silu(x)  ->  aten.silu.default(x)   the mode finds the proxy of x, adds a node, runs the operator, and remembers the proxy of its result
 *
 * A tensor that nobody tracks is a constant and becomes an attribute of the module.
 */
import { AssertionError } from "#c10/util/Exception";
import { CO } from "#python/compiler/code";
import { FUNCTION } from "#python/Objects/call";
import { is_function } from "#python/Objects/funcobject";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { with_python_dispatcher } from "#torch/_dispatch/python";
import { def } from "#torch/_signature";
import { detect_fake_mode, FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import "#torch/_subclasses/fake_tensor/python_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Module } from "#torch/nn/modules/module/index";
import { flatten, map_leaves } from "#torch/utils/_pytree/index";
import { PH } from "../../_symbolic_trace/index.ts";
import { type RootFunction, root_function } from "../../_symbolic_trace/root_function.ts";
import { call_function } from "../../callables.ts";
import type { Graph } from "../../graph/index.ts";
import { GraphModule } from "../../graph_module.ts";
import { has_name, name_of } from "../../qualified_names.ts";
import { DimDynamic, ShapeEnv } from "../symbolic_shapes/index.ts";
import { PreDispatchTorchFunctionMode } from "./pre_dispatch_functions.ts";
import { ProxyTorchDispatchMode, type Table } from "./proxy_mode.ts";
import { ModuleStackTracer, PythonKeyTracer } from "./tracer.ts";

export { PreDispatchTorchFunctionMode, ProxyTorchDispatchMode, PythonKeyTracer };

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

export interface TraceOptions {
  readonly decomposition_table?: Table;
  readonly error_on_data_dependent_ops?: boolean;
  /** The mode of the arguments, if they have no data. */
  readonly fake_mode?: FakeTensorMode | null;
  /** Whether operators are noted above autograd. */
  readonly pre_dispatch?: boolean;
  /** The module whose submodules the nodes remember. */
  readonly scope_root?: Module | null;
  /** Gives the tensor that stands for one from outside; without it such a tensor is a constant of the graph. */
  readonly inside?: ProxyTorchDispatchMode["inside"];
  /** Names of the parameters, if `f` does not tell them. */
  readonly names?: readonly string[] | null;
}

/** The operators that `f` runs. */
export function trace(f: unknown, args: PyTuple, options: TraceOptions = {}): GraphModule {
  const { fake_mode = null, pre_dispatch = false, scope_root = null } = options;
  const tracer = scope_root === null ? new PythonKeyTracer() : new ModuleStackTracer(scope_root);
  tracer.has_gradients = options.names?.[1] === "tangents";
  const table = options.decomposition_table ?? new Map();
  const mode = new ProxyTorchDispatchMode(tracer, table, pre_dispatch, options.error_on_data_dependent_ops ?? true);
  mode.inside = options.inside ?? null;
  const root = parameters_of(f, args.length, options.names ?? null);
  const [leaves] = flatten(args);
  const in_modes = (body: () => unknown): unknown => {
    const noted = (): unknown => mode.with(body);
    const above = (): unknown => (pre_dispatch ? new PreDispatchTorchFunctionMode(tracer).with(noted) : noted());
    const dispatched = (): unknown =>
      pre_dispatch || fake_mode?.static_shapes === false ? with_python_dispatcher(above) : above();
    return fake_mode === null ? dispatched() : fake_mode.with(dispatched);
  };
  const run = (proxies: readonly unknown[]): unknown => {
    const [flat_proxies] = flatten(tuple(proxies));
    if (flat_proxies.length !== leaves.length)
      throw new AssertionError(`Expected same length: ${flat_proxies.length} vs ${leaves.length}`);
    for (const [i, leaf] of leaves.entries()) tracer.track(leaf, flat_proxies[i], null);
    const out = in_modes(() => call_function(f, args));
    return map_leaves(out, (leaf) => {
      if (leaf instanceof Tensor) return tracer.tracked(leaf)?.proxy ?? leaf;
      return is_symbol(leaf) ? tracer.symnode_tracker.value_of(leaf) : leaf;
    });
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

/** Traces on arguments whose sizes are symbols; an int becomes a symbol, too. */
function trace_symbolic(f: unknown, args: PyTuple, allow_non_fake_inputs: boolean, options: TraceOptions): GraphModule {
  const known = detect_fake_mode(flatten(args)[0]);
  const shape_env = known?.shape_env ?? new ShapeEnv();
  const fake_mode = known ?? new FakeTensorMode({ allow_non_fake_inputs, shape_env });
  let count = 0;
  const symbolic = (leaf: unknown): unknown => {
    if (leaf instanceof Tensor) return fake_mode.from_tensor(leaf, { source: `input${count++}` });
    if (typeof leaf !== "number" || !Number.isInteger(leaf)) return leaf;
    const expr = shape_env.create_symbol(leaf, `input${count++}`, DimDynamic.DUCK);
    return expr.constant ?? shape_env.create_symintnode(expr);
  };
  const gm = trace(f, map_leaves(args, symbolic) as PyTuple, { ...options, fake_mode });
  return Object.assign(gm, { shape_env });
}

/**
 * A function that traces `f` with its arguments and gives the graph of the operators that ran.
 * @param decomposition_table functions by operator: each runs in place of its operator
 * @param tracing_mode "real", "fake" (tensors without data), or "symbolic" (sizes and ints are symbols)
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
      record_module_stack: boolean,
      _allow_fake_constant: boolean,
      error_on_data_dependent_ops: boolean,
    ): unknown => {
      if (!["real", "fake", "symbolic"].includes(tracing_mode))
        throw new AssertionError(`tracing_mode must be real/fake/symbolic, got ${tracing_mode}`);
      const scope_root = record_module_stack ? ((f as { readonly _orig_mod?: Module })._orig_mod ?? null) : null;
      const options = {
        decomposition_table: decomposition_table ?? new Map(),
        error_on_data_dependent_ops,
        pre_dispatch,
        scope_root,
      };
      return has_name("torch.fx.experimental.proxy_tensor.wrapped", (...given: unknown[]): GraphModule => {
        const args = tuple(given);
        if (tracing_mode === "real") return trace(f, args, options);
        if (tracing_mode === "symbolic") return trace_symbolic(f, args, allow_non_fake_inputs, options);
        const fake_mode = detect_fake_mode(flatten(args)[0]) ?? new FakeTensorMode({ allow_non_fake_inputs });
        const fake = (leaf: unknown): unknown => (leaf instanceof Tensor ? fake_mode.from_tensor(leaf) : leaf);
        return trace(f, map_leaves(args, fake) as PyTuple, { ...options, fake_mode });
      });
    },
  ),
);
