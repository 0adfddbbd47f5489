/**
 * @file `FxGraphDrawer`: a graph as a diagram.
 * @mirrors torch/fx/passes/graph_drawer.py
 * @differs The diagram is a text for mermaid; PyTorch makes one for graphviz through the package `pydot`.
 */
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import { getattr, str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import type { GraphModule } from "../graph_module.ts";
import { _format_arg, _pretty_print_target, type Node } from "../node.ts";

const SHAPES: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  placeholder: ["([", "])"],
  output: ["([", "])"],
  get_attr: ["[(", ")]"],
  call_module: ["[[", "]]"],
};

const escaped = (text: string): string => text.replaceAll('"', "#quot;").replaceAll("<", "&lt;");

export class FxGraphDrawer extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.passes.graph_drawer";
  private readonly graph_module: GraphModule;
  private readonly name: string;

  constructor(graph_module: GraphModule, name: string) {
    super();
    this.graph_module = graph_module;
    this.name = name;
  }

  /** The diagram as a text for mermaid. */
  get_mermaid(): string {
    const lines = [`%% ${this.name}`, "flowchart TD"];
    for (const node of this.graph_module.graph.nodes) {
      const [begin, end] = SHAPES[node.op] ?? ["[", "]"];
      lines.push(`  ${id(node)}${begin}"${label(node)}"${end}`);
    }
    for (const node of this.graph_module.graph.nodes)
      for (const input of node.all_input_nodes) lines.push(`  ${id(input)} --> ${id(node)}`);
    return `${lines.join("\n")}\n`;
  }
}

const id = (node: Node): string => `n_${node.name}`;

function label(node: Node): string {
  const lines = [`%${node.name} : ${node.op}`];
  if (node.op !== "placeholder" && node.op !== "output")
    lines.push(_pretty_print_target(node.target), `args = ${_format_arg(node.args, 10)}`);
  const meta = node.meta.get("tensor_meta") ?? null;
  if (type_of(meta).name === "TensorMetadata")
    lines.push(`${str(getattr(meta, "dtype"))} ${str(getattr(meta, "shape"))}`);
  return lines.map(escaped).join("<br/>");
}
