/**
 * @file The engine of backward, on one thread: it decides the order in which the nodes of a graph run.
 * @mirrors torch/csrc/autograd/engine.cpp
 */

/** A node of the graph that forward has made. */
interface Node {
  readonly name: string;
  /** Nodes are numbered as forward makes them. AccumulateGrad, which writes x.grad, has the highest number there is. */
  readonly sequence_nr: number;
  /** The nodes that wait for this one's gradients; null where no gradient is wanted. A node may stand here twice. */
  readonly next_edges: readonly (Node | null)[];
}

/** Counts, for every node that can be reached from `root`, how many gradients it will get. */
export function compute_dependencies(root: Node): Map<Node, number> {
  const dependencies = new Map<Node, number>();
  // ex:begin(13.dependencies)
  const seen = new Set([root]);
  const queue = [root];
  for (const node of queue) {
    for (const next of node.next_edges) {
      if (next === null) continue;
      dependencies.set(next, (dependencies.get(next) ?? 0) + 1);
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  }
  // ex:stub
  // ex:end
  return dependencies;
}

/** Removes from `ready` the node that must run next, and returns it. */
export function pop(ready: Node[]): Node {
  // ex:begin(13.order)
  const best = ready.reduce((a, b) => (b.sequence_nr > a.sequence_nr ? b : a));
  ready.splice(ready.indexOf(best), 1);
  return best;
  // ex:stub
  // return ready.shift() as Node;
  // ex:end
}

/** The nodes, in the order in which they run. */
export function execute(root: Node): Node[] {
  const dependencies = compute_dependencies(root);
  const ready = [root];
  const ran: Node[] = [];
  while (ready.length > 0) {
    const node = pop(ready);
    ran.push(node); // here it would compute
    // ex:begin(13.once)
    for (const next of node.next_edges) {
      if (next === null) continue;
      const left = (dependencies.get(next) as number) - 1;
      dependencies.set(next, left);
      if (left === 0) ready.push(next);
    }
    // ex:stub
    // for (const next of node.next_edges) if (next !== null) ready.push(next);
    // ex:end
  }
  return ran;
}
