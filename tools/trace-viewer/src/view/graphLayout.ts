/**
 * @file The layout of an autograd graph, by dagre. In a large graph only the neighbourhood of the current node is laid
 * out: a graph larger than the screen cannot be read, and layout takes seconds from a thousand nodes on.
 * @original
 */
import dagre from "@dagrejs/dagre";
import type { AutogradGraph, GraphEdge, GraphNode } from "../model/graph.ts";

export const nodeWidth = 188;
export const nodeHeight = 54;
export const mostNodes = 160;

export interface Placed {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly nodes: readonly Placed[];
  readonly edges: readonly {
    readonly edge: GraphEdge;
    readonly path: string;
    readonly label: { readonly x: number; readonly y: number };
  }[];
  readonly width: number;
  readonly height: number;
}

export function layOutGraph(graph: AutogradGraph, around: number, down: boolean): GraphLayout {
  const kept = new Set(neighbourhood(graph, around));
  const g = new dagre.graphlib.Graph({ multigraph: true });
  g.setGraph({ rankdir: down ? "TB" : "LR", nodesep: 18, ranksep: down ? 34 : 56, marginx: 16, marginy: 16 });
  g.setDefaultEdgeLabel(() => ({}));
  for (const node of graph.nodes)
    if (kept.has(node.id)) g.setNode(String(node.id), { width: nodeWidth, height: nodeHeight });
  const edges = graph.edges.filter((edge) => kept.has(edge.from) && kept.has(edge.to));
  for (const [k, edge] of edges.entries()) g.setEdge(String(edge.from), String(edge.to), {}, String(k));
  dagre.layout(g);
  const { width = 0, height = 0 } = g.graph();
  return {
    nodes: graph.nodes.filter((node) => kept.has(node.id)).map((node) => ({ node, ...at(g.node(String(node.id))) })),
    edges: edges.map((edge, k) => {
      const points = g.edge({ v: String(edge.from), w: String(edge.to), name: String(k) }).points as {
        x: number;
        y: number;
      }[];
      return { edge, path: smooth(points), label: points[points.length >> 1] as { x: number; y: number } };
    }),
    width,
    height,
  };
}

/** dagre returns centres; the page needs corners. */
const at = ({ x, y }: { x: number; y: number }): { x: number; y: number } => ({
  x: x - nodeWidth / 2,
  y: y - nodeHeight / 2,
});

/** The whole graph, or the nodes nearest to one of them, in both directions. */
function neighbourhood(graph: AutogradGraph, around: number): number[] {
  if (graph.nodes.length <= mostNodes) return graph.nodes.map((node) => node.id);
  const next = new Map<number, number[]>();
  const join = (a: number, b: number): void => void (next.get(a) ?? next.set(a, []).get(a))?.push(b);
  for (const { from, to } of graph.edges) {
    join(from, to);
    join(to, from);
  }
  const seen = new Set([around]);
  for (const id of seen) {
    for (const other of next.get(id) ?? []) if (seen.size < mostNodes) seen.add(other);
    if (seen.size >= mostNodes) break;
  }
  return [...seen];
}

/** A curve through dagre's bend points. */
function smooth(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points as [{ x: number; y: number }, ...{ x: number; y: number }[]];
  let path = `M${first.x} ${first.y}`;
  rest.forEach((point, k) => {
    const after = rest[k + 1];
    if (after === undefined) path += ` L${point.x} ${point.y}`;
    else path += ` Q${point.x} ${point.y} ${(point.x + after.x) / 2} ${(point.y + after.y) / 2}`;
  });
  return path;
}
