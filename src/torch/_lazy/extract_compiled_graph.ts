/**
 * @file `extract_compiled_graph`: a module of fx becomes the graph that lazy tensors make of it, to be run without making the nodes again.
 *
 *   example_inputs -> lazy tensors -> the module runs once -> nodes -> hash -> compiled graph in the cache
 *   a call         -> values of the leaves: arguments, or what the module held -> the compiled graph -> outputs on the CPU
 *
 * The arguments are outputs of the graph, too: if the module wrote to one, the new value is copied into the tensor of the call.
 * @mirrors torch/_lazy/extract_compiled_graph.py
 * @differs PyTorch's classes `GraphInputMatcher` and `ReturnValueHandler` are functions here; nothing else uses them.
 */
import { RuntimeError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { deepcopy } from "#torch/_deepcopy";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _lazy } from "./_C_lazy.ts";
import { get_graph_hash, get_tensors_ts_device_data_node, run_cached_graph } from "./computation.ts";
import * as metrics from "./metrics.ts";
import { tensor_factory_functions } from "./tensor_factory_functions.ts";

/** The part of a `torch.fx.GraphModule` that is needed here. */
interface FxModule {
  (...inputs: Tensor[]): unknown;
  readonly graph: { readonly nodes: Iterable<FxNode> };
  to(device: string): this;
  recompile(): unknown;
}
interface FxNode {
  readonly target: unknown;
  args: readonly unknown[];
  kwargs: ReadonlyMap<unknown, unknown>;
}

const is_device = (value: unknown): value is { readonly index: number | null } => value instanceof torch.device;

/** The lazy device with the same index; anything else stays. */
function to_lazy_device(value: unknown): unknown {
  if (!is_device(value)) return value;
  return value.index === null ? torch.device("lazy") : torch.device("lazy", value.index);
}

/** Lets the functions of a graph that make tensors make lazy ones. */
export const force_lazy_device = def("force_lazy_device(model)", (model: FxModule) => {
  for (const node of model.graph.nodes) {
    const names_device = [...node.args, ...node.kwargs.values()].some(is_device);
    node.args = tuple(node.args.map(to_lazy_device));
    const kwargs = new Map([...node.kwargs].map(([name, value]) => [name, to_lazy_device(value)]));
    if (tensor_factory_functions.has(node.target) && !names_device) kwargs.set("device", torch.device("lazy"));
    node.kwargs = kwargs;
  }
  model.recompile();
});

/** The operators that ran on the CPU since the last reset, and how often. */
export const get_fallback_ops = def("get_fallback_ops()", (): string[] =>
  (metrics.counter_names() as string[])
    .filter((name) => name.includes("aten::") && Number(metrics.counter_value(name)) > 0)
    .map((name) => `${name}=${metrics.counter_value(name)}`),
);

/** Runs the module on lazy tensors. @throws {RuntimeError} if an operator has no lazy kernel: its graph would be cut in two */
function lazy_outputs(model: FxModule, lazy_args: readonly Tensor[]): Tensor[] {
  const lazy_model = deepcopy(model).to("lazy");
  force_lazy_device(lazy_model);
  metrics.reset();
  const out = lazy_model(...lazy_args);
  const fallback_ops = get_fallback_ops() as string[];
  metrics.reset();
  if (fallback_ops.length > 0)
    throw new RuntimeError(`Fail to extract the compiled graph because of fallback: ${fallback_ops.join(",")}`);
  return (Array.isArray(out) ? [...out] : [out]) as Tensor[];
}

/** Values of the graph's leaves for the arguments of a call. A leaf that is no argument keeps its value. */
function graph_inputs_of(arg_ids: readonly unknown[], lazy_tensors: readonly Tensor[]) {
  const argument_of = new Map(arg_ids.map((id, i) => [id, i]));
  const [ids, values] = get_tensors_ts_device_data_node(lazy_tensors as Tensor[]) as [number[], Tensor[]];
  const places = ids.map((id) => argument_of.get(id));
  return (args: readonly Tensor[]): Tensor[] =>
    places.map((place, i) => (place === undefined ? values[i] : args[place]));
}

/** The place among the graph's outputs for each tensor: one that comes twice is computed once. */
function places_of(lazy_tensors: readonly Tensor[]): number[] {
  const places = new Map<Tensor, number>();
  for (const tensor of lazy_tensors) if (!places.has(tensor)) places.set(tensor, places.size);
  return lazy_tensors.map((tensor) => places.get(tensor) as number);
}

/**
 * Compiles a module of fx through lazy tensors.
 * @param model it must do the same with all arguments of these sizes: nothing is checked at a call
 * @returns a function that takes tensors on the CPU and returns the list of outputs
 * @throws {RuntimeError} if an operator has no lazy kernel
 */
export const extract_compiled_graph = def(
  "extract_compiled_graph(model: object, example_inputs)",
  (model: FxModule, example_inputs: readonly Tensor[]) => {
    const lazy_args = example_inputs.map((arg) => arg.to({ device: "lazy" }));
    const arg_ids = lazy_args.map((arg) => _lazy._get_tensor_id(arg)); // now: a write gives a tensor another number
    const args_and_out = [...lazy_args, ...lazy_outputs(model, lazy_args)];
    const places = places_of(args_and_out);
    const inputs_for = graph_inputs_of(arg_ids, args_and_out);
    const graph_hash = get_graph_hash(args_and_out);
    _lazy._sync_multi(args_and_out, []); // puts the compiled graph into the cache
    return def("optimized_mod(*args)", (args: readonly Tensor[]): Tensor[] => {
      if (args_and_out.length === 0) return [];
      const computed = run_cached_graph(graph_hash, inputs_for(args)) as Tensor[];
      const results = places.map((place) => computed[place]);
      for (const [i, arg] of args.entries()) if (arg !== results[i]) arg.copy_(results[i]);
      return results.slice(args.length);
    });
  },
);
