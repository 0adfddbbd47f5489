/**
 * @file Shared by the operators that take functions: tracing a function into a graph of its own, and running functions without mutation.
 * @mirrors torch/_higher_order_ops/utils.py
 */
import { AssertionError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { getattr_or_undefined, repr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { _functionalization_reapply_views_tls } from "#torch/_functorch/_C";
import { from_fun, to_fun, with_functionalization, without_functionalization } from "#torch/_functorch/functionalize";
import { Tensor } from "#torch/_tensor/index";
import { call_function } from "#torch/fx/callables";
import type { ProxyTorchDispatchMode } from "#torch/fx/experimental/proxy_tensor/index";
import { trace } from "#torch/fx/experimental/proxy_tensor/index";
import type { GraphModule } from "#torch/fx/graph_module";
import { map_leaves } from "#torch/utils/_pytree/index";

type Branch = (...args: unknown[]) => unknown;

/** The graph of `fn`, whose inputs are `arg0_1`, `arg1_1`, ...; the mode says how it is traced. */
export function reenter_make_fx(mode: ProxyTorchDispatchMode, fn: unknown, operands: readonly unknown[]): GraphModule {
  const { decomposition_table, pre_dispatch } = mode;
  const branch: Branch = (...args) => call_function(fn, args);
  const graph_module = trace(branch, tuple(operands), { decomposition_table, pre_dispatch });
  graph_module.graph.eliminate_dead_code(null);
  graph_module.recompile();
  return graph_module;
}

/** Adds graphs under names that are free, with the same number: `true_graph_0` and `false_graph_0`. */
export function register_graphs(
  mode: ProxyTorchDispatchMode,
  graphs: readonly (readonly [prefix: string, graph: GraphModule])[],
): void {
  const { root } = mode.tracer;
  let i = 0;
  while (getattr_or_undefined(root, `${graphs[0][0]}_${i}`) !== undefined) i++;
  for (const [prefix, graph] of graphs) root.register_module(`${prefix}_${i}`, graph);
}

/** Adds the node of a call, runs it, and remembers which proxies stand for the results. */
export function noted_call(mode: ProxyTorchDispatchMode, op: Branch, args: readonly unknown[]): unknown {
  const { tracer } = mode;
  const proxied = map_leaves(tuple(args), (leaf) =>
    leaf instanceof Tensor ? (tracer.tracked(leaf)?.proxy ?? leaf) : leaf,
  );
  const proxy = tracer.create_proxy("call_function", op, proxied, new PyDict(), null, null, null);
  const out = op(...args);
  tracer.track(out, proxy, null);
  return out;
}

/** `fn` for plain tensors: it runs on functional ones. Its result shares no memory with them. */
function functional(fn: unknown): Branch {
  const reapply_views = _functionalization_reapply_views_tls();
  return (...args) => {
    const wrapped = args.map((arg) => (arg instanceof Tensor ? to_fun(arg) : arg));
    return with_functionalization(reapply_views, () => map_leaves(call_function(fn, wrapped), from_fun));
  };
}

/** Calls `op` with the values of functional tensors, and with functions that mutate nothing. */
export function functionalized_call(
  op: Branch,
  args: readonly unknown[],
  is_function: (index: number) => boolean,
): unknown {
  const plain = args.map((arg, i) => (is_function(i) ? functional(arg) : map_leaves(arg, from_fun)));
  const out = without_functionalization(() => op(...plain));
  return map_leaves(out, (leaf) => (leaf instanceof Tensor ? to_fun(leaf) : leaf));
}

/** @throws {AssertionError} for an argument of a graph that is no tensor and no number */
export function validate_subgraph_args_types(lifted_args: readonly unknown[]): void {
  const fits = (arg: unknown): boolean =>
    arg instanceof Tensor || typeof arg === "bigint" || (typeof arg === "number" && Number.isInteger(arg));
  if (lifted_args.every(fits)) return;
  const types = lifted_args.map((arg) => type_of(arg).toString());
  throw new AssertionError(
    `${repr(lifted_args)} can only be of (<class 'torch.Tensor'>, <class 'int'>, <class 'torch.SymInt'>) but got (${types.join(", ")}${types.length === 1 ? "," : ""})`,
  );
}
