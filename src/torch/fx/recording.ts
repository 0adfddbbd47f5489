/**
 * @file Reports a capture to a trace: which hook recorded which node, and the text of the graph. Without a recording nothing here
 * does more than test whether there is one.
 * @original
 * @see src/c10/util/Trace.ts#CapturedGraph
 */
import { type CapturedGraph, type CapturedNode, current_tracer, traceCall, traceInstant } from "#c10/util/Trace";
import { str } from "#python/Objects/object";
import { Tensor } from "#torch/_tensor/index";
import type { Graph } from "./graph/index.ts";
import type { GraphModule } from "./graph_module.ts";
import { _pretty_print_target, type Node } from "./node.ts";

const known = new WeakMap<Graph, CapturedGraph>();

function captured(graph: Graph): CapturedGraph {
  const record = known.get(graph) ?? {
    ir: "fx",
    text: () => str(graph),
    code: () => code_of(graph),
    nodes: () => nodes_of(graph),
  };
  known.set(graph, record);
  return record;
}

const code_of = (graph: Graph): string => graph.python_code("self").src.trim();

/** The nodes with their lines in both texts. */
function nodes_of(graph: Graph): CapturedNode[] {
  const code = code_of(graph).split("\n");
  let line = 2; // the first is the head
  return [...graph.nodes].map((node): CapturedNode => {
    const found = code.findIndex((text) => begins(text, node));
    const record = { id: node.name, op: node.op, line, ...(found === -1 ? {} : { code_line: found + 1 }) };
    line += (node.format_node as () => string | null).call(node)?.split("\n").length ?? 0;
    return record;
  });
}

/** Whether a line of the code is the one of this node. */
function begins(text: string, node: Node): boolean {
  if (node.op === "placeholder") return text.startsWith("def ");
  return text.trimStart().startsWith(node.op === "output" ? "return " : `${node.name} = `);
}

/** Calls a hook that records nodes, inside one event if there is a recording. */
export function by_hook<A extends readonly unknown[], R>(name: string, hook: (...args: A) => R, args: A): R {
  return current_tracer() === null ? hook(...args) : traceCall("capture", name, hook, args, {}, () => undefined);
}

/** Tells that a node was added to a graph. */
export function node_recorded(graph: Graph, node: Node): void {
  if (current_tracer() === null) return;
  const note = node.op === "call_function" || node.op === "call_method" ? `${node.op} ${target_of(node)}` : node.op;
  traceInstant("capture", "torch.fx.graph.Graph.create_node", {
    graph: captured(graph),
    graph_node: node.name,
    note: `%${node.name}: ${note}`,
  });
}

const target_of = (node: Node): string =>
  typeof node.target === "string" ? node.target : _pretty_print_target(node.target);

/** Tells that a graph is complete. */
export function graph_captured(name: string, graph: Graph): void {
  if (current_tracer() !== null) traceInstant("capture", name, { graphs: { captured: captured(graph) } });
}

/** Tells how a joint graph was cut, and what forward saves for backward. */
export function graph_partitioned(joint: Graph, parts: readonly GraphModule[], num_fwd_outputs: number): void {
  if (current_tracer() === null) return;
  const [forward, backward] = parts as [GraphModule, GraphModule];
  const outputs = forward.graph.output_node().args[0] as readonly Node[];
  const saved = outputs.slice(num_fwd_outputs).map((node) => {
    const value = node.meta.get("val");
    if (!(value instanceof Tensor)) return { name: node.name, dtype: "", shape: [], nbytes: 0 };
    const { dtype, shape } = value;
    return { name: node.name, dtype: str(dtype), shape: [...shape], nbytes: value.numel() * value.itemsize };
  });
  const nbytes = saved.reduce((sum, value) => sum + value.nbytes, 0);
  traceInstant("capture", "torch._functorch.partitioners", {
    graphs: { joint: captured(joint), forward: captured(forward.graph), backward: captured(backward.graph) },
    saved,
    note: `${saved.length} values saved, ${nbytes} bytes`,
  });
}
