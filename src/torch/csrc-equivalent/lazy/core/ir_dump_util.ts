/**
 * @file A graph as text, as a drawing in the dot language, and as the text of the backend.
 * @mirrors torch/csrc/lazy/core/ir_dump_util.h
 */
import type { BackendDevice } from "../backend/backend_device.ts";
import { getBackend } from "../backend/backend_interface.ts";
import { LoweringContext } from "../backend/lowering_context.ts";
import type { Node, Value } from "./ir.ts";
import { ComputePostOrder } from "./ir_util.ts";

interface AttrTag {
  readonly name: string;
  readonly value: string;
}

/** Splits the text of a node at the commas outside of brackets. */
function top_level_parts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if ("([{".includes(text[i])) depth++;
    else if (")]}".includes(text[i])) depth--;
    else if (depth === 0 && text.startsWith(", ", i)) {
      parts.push(text.slice(start, i));
      start = i + 2;
    }
  }
  return [...parts, text.slice(start)];
}

/** The attributes of a node, read from its text: `[Float[2]] aten::sum, dim=1, keepdim=0`. */
function GetNodeTags(node: Node): AttrTag[] {
  return top_level_parts(String(node)).flatMap((part) => {
    const tag = /^([\w-]+)=(.*)$/s.exec(part);
    return tag === null ? [] : [{ name: tag[1], value: tag[2] }];
  });
}

/** Numbers of nodes in the post-order, and of roots in the list that was asked for. If a node is two roots, the later one counts. */
function numbered(nodes: readonly Node[]): Map<Node, number> {
  return new Map(nodes.map((node, i) => [node, i]));
}

/** `_ZTS` name of a node's class, which C++ prints: `N5torch4lazy9AddTensorE`. */
export function type_name(node: Node): string {
  const { name } = node.constructor;
  return `N5torch4lazy${name.length}${name}E`;
}

function PostOrderToText(post_order: readonly Node[], roots: readonly Node[]): string {
  const ids = numbered(post_order);
  const roots_ids = numbered(roots);
  const lines = post_order.map((node) => {
    const operands = node.operands().map((operand) => {
      const output = operand.node.num_outputs() > 1 ? `.${operand.index}` : "";
      return `%${ids.get(operand.node)}${output}`;
    });
    const tags = GetNodeTags(node).map(({ name, value }) => `, ${name}=${value}`);
    const root = roots_ids.has(node) ? `, ROOT=${roots_ids.get(node)}` : "";
    const spec = `%${ids.get(node)} = [${node.shapes().join(", ")}] ${node.op()}(${operands.join(", ")})${tags.join("")}`;
    return `  ${spec}${root}, NodeType=${type_name(node)}\n`;
  });
  return `IR {\n${lines.join("")}}\n`;
}

/** The two characters at which dot breaks the lines of a label. */
const NEW_LINE = "\\n";

function PostOrderToDot(post_order: readonly Node[], roots: readonly Node[]): string {
  const ids = numbered(post_order);
  const roots_ids = numbered(roots);
  const nodes = post_order.map((node) => {
    const tags = GetNodeTags(node)
      .filter(({ name }) => name !== "num_outputs")
      .map(({ name, value }) => `${name}=${value}`);
    const root = roots_ids.has(node) ? [`ROOT=${roots_ids.get(node)}`] : [];
    const label = [node.op(), node.shapes().join(", "), ...tags, ...root].join(NEW_LINE);
    return `  node${ids.get(node)} [label="${label}"]\n`;
  });
  const edges = post_order.toReversed().flatMap((node) => {
    const operands = node.operands();
    return operands.map((operand, i) => {
      const input = operands.length > 1 ? [`i=${i}`] : [];
      const output = operand.node.num_outputs() > 1 ? [`o=${operand.index}`] : [];
      const label = [...input, ...output].join(",");
      return `  node${ids.get(operand.node)} -> node${ids.get(node)}${label === "" ? "" : ` [label="${label}"]`}\n`;
    });
  });
  return `digraph G {\n${nodes.join("")}${edges.join("")}}\n`;
}

export const DumpUtil = {
  /** A line for each node, operands first. Roots have `ROOT=` and their place in `nodes`. */
  ToText(nodes: readonly Node[]): string {
    return PostOrderToText(ComputePostOrder(nodes), nodes);
  },

  ToDot(nodes: readonly Node[]): string {
    return PostOrderToDot(ComputePostOrder(nodes), nodes);
  },

  /** The text of the computation: for this backend, a graph of TorchScript. */
  ToBackend(values: readonly Value[], device: BackendDevice): string {
    const lowering_ctx = LoweringContext.Create("IrToBackend", device);
    for (const value of values) lowering_ctx.AddResult(value);
    return getBackend().GetComputationBackendText(lowering_ctx.Build());
  },
};
