/**
 * @file The cheapest set of edges that separates a source from a sink.
 * @original PyTorch calls `networkx.minimum_cut`; of several minimum cuts, both give the one that lies nearest to the sink.
 */

interface Edge {
  readonly to: string;
  capacity: number;
  /** The edge in the other direction. */
  readonly reverse: Edge;
}

export class FlowNetwork {
  private readonly edges = new Map<string, Edge[]>();

  add_edge(from: string, to: string, capacity: number): void {
    const known = this.of(from).find((edge) => edge.to === to);
    if (known !== undefined) {
      known.capacity = capacity; // the last call counts
      return;
    }
    const edge = { to, capacity } as { -readonly [K in keyof Edge]: Edge[K] };
    const reverse: Edge = { to: from, capacity: 0, reverse: edge };
    edge.reverse = reverse;
    this.of(from).push(edge);
    this.of(to).push(reverse);
  }

  private of(node: string): Edge[] {
    let edges = this.edges.get(node);
    if (edges === undefined) {
      edges = [];
      this.edges.set(node, edges);
    }
    return edges;
  }

  /** A shortest path with room, as its edges; null if there is none. */
  private path(source: string, sink: string): Edge[] | null {
    const came_by = new Map<string, Edge | null>([[source, null]]);
    const queue = [source];
    for (const node of queue) {
      for (const edge of this.of(node)) {
        if (edge.capacity <= 0 || came_by.has(edge.to)) continue;
        came_by.set(edge.to, edge);
        if (edge.to === sink) return this.walk_back(came_by, sink);
        queue.push(edge.to);
      }
    }
    return null;
  }

  private walk_back(came_by: ReadonlyMap<string, Edge | null>, sink: string): Edge[] {
    const path: Edge[] = [];
    for (let edge = came_by.get(sink); edge; edge = came_by.get(edge.reverse.to)) path.push(edge);
    return path;
  }

  /**
   * The nodes on the sink's side of a minimum cut; null if no cut is finite.
   * Postcondition: the capacities are what is left of them.
   */
  sink_side(source: string, sink: string): Set<string> | null {
    for (let path = this.path(source, sink); path !== null; path = this.path(source, sink)) {
      const room = Math.min(...path.map((edge) => edge.capacity));
      if (room === Number.POSITIVE_INFINITY) return null;
      for (const edge of path) {
        edge.capacity -= room;
        edge.reverse.capacity += room;
      }
    }
    const side = new Set([sink]);
    for (const node of side) for (const edge of this.of(node)) if (edge.reverse.capacity > 0) side.add(edge.to);
    return side;
  }
}
