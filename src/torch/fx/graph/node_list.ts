/**
 * @file The list of a graph's nodes, the place where new nodes go, and the table that finds nodes by their function.
 * @mirrors torch/fx/graph.py
 */
import { TAKES_VALUES } from "#python/Objects/allocated";
import { equal } from "#python/Objects/object";
import { compare_keys, type Node } from "../node.ts";
import type { Graph } from "./index.ts";

/** The nodes in their order; a loop may erase the node that it has reached. */
export class _node_list {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.graph";
  private readonly graph: Graph;
  private readonly backward: boolean;

  constructor(graph: Graph, backward = false) {
    this.graph = graph;
    this.backward = backward;
  }

  get length(): number {
    return this.graph._len;
  }

  *[Symbol.iterator](): Generator<Node, undefined> {
    const { _root: root } = this.graph;
    let at = this.backward ? root._prev : root._next;
    while (at !== root) {
      if (!at._erased) yield at;
      at = this.backward ? at._prev : at._next;
    }
    return undefined;
  }

  __reversed__(): Iterator<Node> {
    return this.reversed()[Symbol.iterator]();
  }

  reversed(): _node_list {
    return new _node_list(this.graph, !this.backward);
  }
}

/** Where new nodes go while a `with` statement or a function runs. */
export class _InsertPoint {
  static readonly __module__ = "torch.fx.graph";
  private readonly graph: Graph;
  private readonly before: (node: Node) => void;

  constructor(graph: Graph, insert: (node: Node) => void) {
    this.graph = graph;
    this.before = graph._insert;
    graph._insert = insert;
  }

  __enter__(): null {
    return null;
  }

  __exit__(): void {
    this.graph._insert = this.before;
  }

  [Symbol.dispose](): void {
    this.__exit__();
  }
}

/** Nodes by operation, those of functions also by the function. */
export class _FindNodesLookupTable {
  private readonly table = new Map<string, Map<unknown, Set<Node>>>();

  private nodes_like({ op, target }: Node): Set<Node> {
    let by_target = this.table.get(op);
    if (by_target === undefined) this.table.set(op, (by_target = new Map()));
    const key = op === "call_function" ? target : null;
    let nodes = by_target.get(key);
    if (nodes === undefined) by_target.set(key, (nodes = new Set()));
    return nodes;
  }

  has(node: Node): boolean {
    return this.nodes_like(node).has(node);
  }

  insert(node: Node): void {
    this.nodes_like(node).add(node);
  }

  remove(node: Node): void {
    this.nodes_like(node).delete(node);
  }

  find_nodes(op: string, target: unknown): Node[] {
    const nodes = [...(this.table.get(op)?.get(op === "call_function" ? target : null) ?? [])];
    return op === "call_function" || target === null ? nodes : nodes.filter((node) => equal(node.target, target));
  }
}

export const sorted = (nodes: readonly Node[]): Node[] => [...nodes].sort(compare_keys);
