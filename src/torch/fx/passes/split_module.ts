/**
 * @file `split_module`: cuts a graph into modules, as a function of its nodes says.
 * @mirrors torch/fx/passes/split_module.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { def } from "#torch/_signature";
import { Module } from "#torch/nn/modules/module/index";
import { call_function } from "../callables.ts";
import { Graph, NO_DEFAULT } from "../graph/index.ts";
import { GraphModule } from "../graph_module.ts";
import { map_arg_, type Node } from "../node.ts";
import { Proxy } from "../proxy/index.ts";
import { has_name } from "../qualified_names.ts";
import { attribute_at } from "./attributes.ts";

/** One part of the graph. */
export class Partition {
  static readonly __module__ = "torch.fx.passes.split_module";
  readonly name: string;
  readonly submod_name: string;
  readonly node_names: string[] = [];
  /** Names of nodes of other parts that go in, and of nodes of this part that come out. */
  inputs = new Set<string>();
  readonly outputs = new Set<string>();
  /** Parts that this one needs, and parts that need it. */
  readonly dependencies = new Set<string>();
  readonly dependents = new Set<string>();
  readonly graph = new Graph();
  readonly environment = new Map<Node, Node>();
  /** Modules and parameters to which the nodes of this part refer. */
  readonly targets = new PyDict();

  constructor(name: string) {
    this.name = name;
    this.submod_name = `submod_${name}`;
  }
}

interface SplitOptions {
  readonly qualname_map: Map<unknown, unknown> | null;
  readonly keep_original_order: boolean;
  readonly keep_original_node_name: boolean;
  readonly keep_original_input_name: boolean;
  readonly partition_affix: string | null;
  readonly tuple_return: boolean;
}

class Splitter {
  private readonly m: GraphModule;
  private readonly options: SplitOptions;
  private readonly partitions = new Map<string, Partition>();
  private readonly partition_of = new Map<Node, Partition>();
  private readonly by_name = new Map<string, Node>();
  private readonly base_graph = new Graph();
  private readonly base_env = new Map<string, Node>();
  private readonly base_attrs = new PyDict();

  constructor(m: GraphModule, options: SplitOptions) {
    this.m = m;
    this.options = options;
  }

  split(split_callback: (node: Node) => unknown): GraphModule {
    const nodes = [...this.m.graph.nodes];
    for (const node of nodes) {
      this.by_name.set(node.name, node);
      if (node.op !== "placeholder" && node.op !== "get_attr" && node.op !== "output")
        this.assign(node, str(split_callback(node)));
    }
    for (const node of nodes) this.record_uses(node);
    const original_order = [...this.partitions.keys()];
    const sorted = this.sorted_partitions();
    for (const name of sorted) this.add_inputs(this.partitions.get(name) as Partition);
    for (const node of nodes) this.copy_node(node);
    this.build(this.options.keep_original_order ? original_order : sorted, nodes);
    const output = this.m.graph.output_node();
    (this.base_graph.output as (result: unknown) => Node).call(
      this.base_graph,
      map_arg_(output.args[0], (n) => this.base_env.get(n.name)),
    );
    return new GraphModule(this.base_attrs, this.base_graph);
  }

  private assign(node: Node, index: string): void {
    const { partition_affix } = this.options;
    const name = partition_affix === null ? index : `${partition_affix}_${index}`;
    let partition = this.partitions.get(name);
    if (partition === undefined) this.partitions.set(name, (partition = new Partition(name)));
    partition.node_names.push(node.name);
    this.partition_of.set(node, partition);
  }

  /** Notes the values that cross from one part into another. */
  private record_uses(node: Node): void {
    if (node.op === "placeholder" || node.op === "get_attr") return;
    const used = this.partition_of.get(node);
    for (const input of node.all_input_nodes) {
      const defined = this.partition_of.get(input);
      if (defined === used) continue;
      defined?.outputs.add(input.name);
      used?.inputs.add(input.name);
      if (defined !== undefined && used !== undefined) {
        defined.dependents.add(used.name);
        used.dependencies.add(defined.name);
      }
    }
  }

  /** The names of the parts, each behind those that it needs. */
  private sorted_partitions(): string[] {
    const ready = [...this.partitions.values()].filter((p) => p.dependencies.size === 0);
    const sorted: string[] = [];
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      sorted.push(next.name);
      for (const name of next.dependents) {
        const dependent = this.partitions.get(name) as Partition;
        dependent.dependencies.delete(next.name);
        if (dependent.dependencies.size === 0) ready.push(dependent);
      }
    }
    if (sorted.length !== this.partitions.size) throw new RuntimeError("cycle exists between partitions!");
    return sorted;
  }

  private add_inputs(partition: Partition): void {
    const is_module = (name: string): boolean => {
      const node = this.by_name.get(name) as Node;
      return node.op === "get_attr" && attribute_at(this.m, node.target as string) instanceof Module;
    };
    const names = [...partition.inputs];
    const inputs = new Set<string>();
    let counter = 0;
    for (const name of [...names.filter((n) => !is_module(n)), ...names.filter(is_module)]) {
      const original = this.by_name.get(name) as Node;
      let node: Node;
      if (is_module(name)) {
        node = (partition.graph.get_attr as (name: unknown) => Node).call(partition.graph, original.target);
        partition.targets.set(original.target, attribute_at(this.m, original.target as string));
      } else {
        const placeholder = this.options.keep_original_input_name ? name : `arg_${counter++}`;
        node = partition.graph.placeholder(placeholder, original.type);
        inputs.add(name);
      }
      node.meta = dict_of(original.meta);
      partition.environment.set(original, node);
    }
    partition.inputs = inputs;
  }

  /** Copies a node into its part. */
  private copy_node(node: Node): void {
    const partition = this.partition_of.get(node);
    if (partition === undefined) return;
    const { environment, graph } = partition;
    const mapped = (n: Node): unknown => environment.get(n);
    let { target } = node;
    if (node.op === "call_module" || node.op === "get_attr") {
      const path = node.target as string;
      target = path.replaceAll(".", "_");
      partition.targets.set(target, attribute_at(this.m, path));
      this.options.qualname_map?.set(`${partition.submod_name}.${target as string}`, path);
    }
    const copy = graph.create_node(
      node.op,
      target,
      map_arg_(node.args, mapped),
      map_arg_(node.kwargs, mapped),
      this.options.keep_original_node_name ? node.name : null,
      node.type,
    );
    copy.meta = dict_of(node.meta);
    environment.set(node, copy);
  }

  /** Makes a parameter or an attribute of the graph one of the outer graph. */
  private add_to_base(node: Node): void {
    const { base_graph, base_env } = this;
    if (node.op === "placeholder") {
      const default_value = node.args.length > 0 ? node.args[0] : NO_DEFAULT;
      const name = this.options.keep_original_node_name ? node.name : node.target;
      base_env.set(node.name, base_graph.placeholder(name, node.type, default_value));
    } else if (node.op === "get_attr") {
      base_env.set(node.name, (base_graph.get_attr as (name: unknown) => Node).call(base_graph, node.target));
      this.base_attrs.set(node.target, attribute_at(this.m, node.target as string));
    } else return;
    (base_env.get(node.name) as Node).meta = dict_of(node.meta);
  }

  /** Ends each part and calls it in the outer graph. */
  private build(order: readonly string[], nodes: readonly Node[]): void {
    const { keep_original_order, tuple_return } = this.options;
    const added = new Set<Node>();
    const add = (node: Node): void => {
      if (added.has(node)) return;
      added.add(node);
      this.add_to_base(node);
    };
    for (const node of nodes) if (!keep_original_order || node.op === "placeholder") add(node);
    for (const name of order) {
      const partition = this.partitions.get(name) as Partition;
      const outputs = [...partition.outputs];
      const values = outputs.map((output) => partition.environment.get(this.by_name.get(output) as Node));
      const many = values.length !== 1 || tuple_return;
      (partition.graph.output as (result: unknown) => Node).call(partition.graph, many ? tuple(values) : values[0]);
      for (const input of partition.inputs) add(this.by_name.get(input) as Node);
      this.base_attrs.set(partition.submod_name, new GraphModule(partition.targets, partition.graph));
      const args = tuple([...partition.inputs].map((input) => this.base_env.get(input)));
      const call = (this.base_graph.call_module as (name: string, args: unknown) => Node).call(
        this.base_graph,
        partition.submod_name,
        args,
      );
      if (outputs.length === 0) continue;
      const proxy = new Proxy(call);
      outputs.forEach((output, i) => {
        this.base_env.set(output, many ? proxy.__getitem__(i).node : call);
      });
    }
    if (keep_original_order) for (const node of nodes) if (this.base_env.size === 0) add(node);
  }
}

/**
 * Cuts a graph module into submodules.
 * @param split_callback gives the part of each node, a number or a name
 * @param qualname_map gets the old names of the modules, by the new ones
 */
export const split_module = has_name(
  "torch.fx.passes.split_module.split_module",
  def(
    "split_module(m, root_m, split_callback, qualname_map=None, keep_original_order=False, keep_original_node_name=False, keep_original_input_name=True, *, partition_affix=None, tuple_return=False)",
    (
      m: GraphModule,
      _root_m: unknown,
      split_callback: unknown,
      qualname_map: Map<unknown, unknown> | null,
      keep_original_order: boolean,
      keep_original_node_name: boolean,
      keep_original_input_name: boolean,
      partition_affix: string | null,
      tuple_return: boolean,
    ): GraphModule => {
      const options = { keep_original_order, keep_original_node_name, keep_original_input_name };
      const splitter = new Splitter(m, { ...options, qualname_map, partition_affix, tuple_return });
      return splitter.split((node) => call_function(split_callback, [node]));
    },
  ),
);
