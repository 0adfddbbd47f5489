/**
 * @file The check of the learner's engine on graphs from PyTorch: how many gradients a node waits for, and the order in
 * which nodes run.
 * @original
 */
import type { Order } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import type { Scope } from "./run.ts";

interface Golden {
  readonly graphs: readonly {
    readonly name: string;
    /** The nodes; the first is the root. */
    readonly nodes: readonly {
      readonly name: string;
      /** The sequence number; null for AccumulateGrad's, which is the highest. */
      readonly sequence_nr: number | null;
      readonly next_edges: readonly (number | null)[];
    }[];
    /** Numbers of nodes, in the order in which they ran. */
    readonly order: readonly number[];
  }[];
}

interface Node {
  readonly name: string;
  readonly sequence_nr: number;
  readonly next_edges: (Node | null)[];
}

export async function order(spec: Order, { host, yours }: Scope): Promise<Finding | null> {
  const golden = (await host.golden(spec.golden)) as Golden;
  for (const graph of golden.graphs) {
    if (!spec.graphs.includes(graph.name)) continue;
    const nodes = graph.nodes.map(
      ({ name, sequence_nr }): Node => ({ name, sequence_nr: sequence_nr ?? Number.POSITIVE_INFINITY, next_edges: [] }),
    );
    for (const [i, { next_edges }] of graph.nodes.entries())
      nodes[i].next_edges.push(...next_edges.map((next) => (next === null ? null : nodes[next])));
    const [expected, found] =
      spec.compute === "order"
        ? [graph.order.map((i) => label(nodes[i])), (yours["execute"](nodes[0]) as Node[]).map(label)]
        : counts(nodes, yours["compute_dependencies"](nodes[0]) as Map<Node, number>);
    const finding = compareRows(expected, found, () => ({
      headline: graph.name,
      because: `the graph: ${nodes.map((node) => `${label(node)} -> ${node.next_edges.map(label).join(" and ") || "nothing"}`).join("; ")}`,
    }));
    if (finding !== null) return finding;
  }
  return null;
}

function label(node: Node | null): string {
  if (node === null) return "null";
  return `${node.name.replace("Backward0", "")} ${node.sequence_nr === Number.POSITIVE_INFINITY ? "*" : node.sequence_nr}`;
}

/** The number of edges that lead to each node, and the learner's count. */
function counts(nodes: readonly Node[], found: ReadonlyMap<Node, number>): [expected: string[], yours: string[]] {
  const edges = nodes.flatMap((node) => node.next_edges);
  const rows = (count: (node: Node) => number): string[] =>
    nodes.slice(1).map((node) => `${label(node)}: ${count(node)}`);
  return [rows((node) => edges.filter((next) => next === node).length), rows((node) => found.get(node) ?? 0)];
}
