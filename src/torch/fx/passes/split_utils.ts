/**
 * @file `split_by_tags`: cuts a graph into modules by `node.tag`.
 * @mirrors torch/fx/passes/split_utils.py
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { dict_of, PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { def } from "#torch/_signature";
import { Graph } from "../graph/index.ts";
import { GraphModule } from "../graph_module.ts";
import { map_arg_, type Node } from "../node.ts";
import { Proxy } from "../proxy/index.ts";
import { has_name } from "../qualified_names.ts";
import { attribute_or_undefined } from "./attributes.ts";
import { copy_node } from "./tools_common.ts";
import { HolderModule, lift } from "./utils/common.ts";

/** `obj.a.b`; None if there is no such attribute. */
export const getattr_recursive = has_name(
  "torch.fx.passes.split_utils.getattr_recursive",
  (obj: unknown, name: string): unknown => attribute_or_undefined(obj, name) ?? null,
);
/** `obj.a.b = value`. */
export const setattr_recursive = has_name(
  "torch.fx.passes.split_utils.setattr_recursive",
  (obj: unknown, attr: string, value: unknown): void => {
    const path = attr.split(".");
    const field = path.pop() as string;
    setattr(path.reduce(getattr, obj), field, value);
  },
);

/** One part while it is made. */
class Component {
  readonly graph = new Graph();
  readonly order: number;
  readonly name: string;
  readonly inputs = new Map<Node, Node>();
  readonly outputs: Node[] = [];
  readonly getattrs = new Map<Node, Node>();
  module: GraphModule | null = null;

  constructor(order: number, name: string) {
    this.order = order;
    this.name = name;
  }

  /** The node of this part that stands for one of the whole graph. */
  mapped(x: Node, owner: ReadonlyMap<Node, Component>, copies: ReadonlyMap<Node, Node>): Node {
    if (x.op === "get_attr") {
      let copy = this.getattrs.get(x);
      if (copy === undefined) {
        copy = (this.graph.get_attr as (name: unknown, type: unknown) => Node).call(this.graph, x.target, x.type);
        copy.meta = dict_of(x.meta);
        this.getattrs.set(x, copy);
      }
      return copy;
    }
    if (x.op !== "placeholder" && owner.get(x) === this) return copies.get(x) as Node;
    let placeholder = this.inputs.get(x);
    if (placeholder === undefined) {
      placeholder = this.graph.placeholder(x.name, x.type);
      placeholder.meta = dict_of(x.meta);
      this.inputs.set(x, placeholder);
    }
    return placeholder;
  }
}

function split(gm: GraphModule, tags: readonly string[], return_tuple: boolean): [GraphModule, PyDict] {
  const components = tags.map((tag, i) => new Component(i, tag));
  const by_tag = new Map(components.map((component) => [component.name, component]));
  const owner = new Map<Node, Component>();
  const copies = new Map<Node, Node>();
  const main = new Graph();
  const in_main = new Map<Node, Node>();
  const used_in_main = new Set<Node>();
  let output: Node | null = null;
  for (const node of gm.graph.nodes) {
    if (node.op === "output") {
      if (output !== null) throw new RuntimeError("Multiple output nodes in graph!");
      output = node;
    } else if (node.op === "placeholder") {
      const placeholder = main.placeholder(node.name, node.type);
      placeholder.meta = dict_of(node.meta);
      in_main.set(node, placeholder);
    } else if (node.op !== "get_attr") {
      const tag = getattr_or_undefined(node, "tag");
      if (tag === undefined)
        throw new AssertionError(`Node does not have tag: ${(node.format_node as () => string | null).call(node)}`);
      const component = by_tag.get(tag as string) as Component;
      owner.set(node, component);
      const before = node.all_input_nodes.map((x) => owner.get(x)?.order ?? 0);
      const latest = Math.max(0, ...before);
      if (component.order < latest)
        throw new AssertionError(
          `Component ${component.name} order must be >= max of its upstream components, order=${component.order} and max=${latest}`,
        );
      const known = component.inputs.size;
      const copy = copy_node(component.graph, node, (x) => component.mapped(x, owner, copies));
      if (component.inputs.size > known) for (const x of component.inputs.keys()) used_in_main.add(x);
      setattr(copy, "tag", tag);
      copies.set(node, copy);
    }
  }
  if (output === null) throw new RuntimeError("Graph had no output node!");
  for (const x of output.all_input_nodes)
    if (x.op === "get_attr")
      in_main.set(x, (main.get_attr as (name: unknown, type: unknown) => Node).call(main, x.name, x.type));
    else used_in_main.add(x);
  for (const n of used_in_main) if (n.op !== "placeholder") owner.get(n)?.outputs.push(n);
  const names = new PyDict();
  for (const component of components) {
    const outs = component.outputs.map((n) => copies.get(n));
    const single = outs.length === 1 && !return_tuple;
    (component.graph.output as (result: unknown) => Node).call(component.graph, single ? outs[0] : tuple(outs));
    const [module, mapping] = lift(gm, component.graph, component.name, "GraphModule");
    component.module = module;
    for (const [old, name] of mapping) names.set(old, name);
    const args = tuple([...component.inputs.keys()].map((x) => in_main.get(x)));
    const call = (main.call_module as (name: string, args: unknown) => Node).call(main, component.name, args);
    const proxy = new Proxy(call);
    for (const [i, n] of component.outputs.entries()) in_main.set(n, single ? call : proxy.__getitem__(i).node);
  }
  const result = map_arg_(output.args[0], (n) => in_main.get(n));
  (main.output as (result: unknown) => Node).call(main, result);
  const root = new HolderModule(new Map(components.map(({ name, module }) => [name, module])));
  main._codegen = gm.graph._codegen;
  for (const x of output.all_input_nodes)
    if (x.op === "get_attr") setattr(root, x.name, attribute_or_undefined(gm, x.target as string));
  return [new GraphModule(root, main), names];
}

/** Cuts a graph by the `tag` of its nodes; the parts stand in the order of `tags`. */
export const split_by_tags = has_name(
  "torch.fx.passes.split_utils.split_by_tags",
  def(
    "split_by_tags(gm, tags, return_fqn_mapping=False, return_tuple=False, GraphModuleCls=None)",
    (gm: GraphModule, tags: string[], return_fqn_mapping: boolean, return_tuple: boolean, _cls: unknown): unknown => {
      const [module, names] = split(gm, tags, return_tuple);
      return return_fqn_mapping ? tuple([module, names]) : module;
    },
  ),
);
