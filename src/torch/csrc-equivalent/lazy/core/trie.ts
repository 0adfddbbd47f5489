/**
 * @file Nodes of earlier steps, to be used again: a step that makes the same nodes in the same order walks down one path of a tree.
 * @mirrors torch/csrc/lazy/core/trie.h
 *
 *     step 1: x * 2, + 1         root -> device_data -> device_data -> mul -> add
 *     step 2: x * 2, - 1         root -> device_data -> device_data -> mul -> sub (a second successor of mul)
 *
 * It is off by default: `torch._lazy.config.set_reuse_ir(True)`.
 */
import { FLAGS } from "./config.ts";
import type { Node } from "./ir.ts";
import { TORCH_LAZY_COUNTER } from "./metrics.ts";

let next_unique_id = 0;

export class TrieNode {
  readonly unique_id = next_unique_id++;
  /** Number of times that its node was used again. */
  hit_counter = 0;
  readonly ir_node: Node | null;
  /** The most recently used first. */
  readonly successors: TrieNode[] = [];

  constructor(ir_node: Node | null = null) {
    this.ir_node = ir_node;
  }
}

export class TrieCache {
  private static instance: TrieCache | null = null;
  private readonly root_ = new TrieNode();
  private current_: TrieNode = this.root_;

  static Get(): TrieCache {
    TrieCache.instance ??= new TrieCache();
    return TrieCache.instance;
  }

  Current(): TrieNode {
    return this.current_;
  }

  /** Goes down to a successor of the current node, and puts it first. */
  SetCurrent(successor: TrieNode): void {
    const { successors } = this.current_;
    successors.splice(successors.indexOf(successor), 1);
    successors.unshift(successor);
    this.current_ = successor;
  }

  /** Back to the root: a step ends. */
  ResetCurrent(): void {
    this.current_ = this.root_;
  }

  Insert(ir_node: Node): void {
    const inserted = new TrieNode(ir_node);
    this.current_.successors.unshift(inserted);
    this.current_ = inserted;
  }

  Clear(): void {
    this.ResetCurrent();
    this.root_.successors.length = 0;
  }

  /** The tree in the dot language. */
  ToDot(): string {
    const lines: string[] = [];
    const visit = (node: TrieNode): void => {
      const what = node.ir_node === null ? "root" : String(node.ir_node.op());
      lines.push(`${node.unique_id} [label="${what}, ${node.hit_counter} hits"]`);
      for (const successor of node.successors) {
        lines.push(`${node.unique_id} -> ${successor.unique_id}`);
        visit(successor);
      }
    };
    visit(this.root_);
    return `digraph G {\n${lines.join("\n")}\n}\n`;
  }
}

/** A class of nodes. Its `CanBeReused` takes the arguments of the constructor, without the shapes. */
export interface NodeClass<N extends Node, Args extends unknown[]> {
  readonly prototype: N & { CanBeReused(...args: Args): boolean };
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a constructor takes more than the arguments that are compared
  new (...args: any[]): N;
}

/** The first successor of the current node that is of this class and can stand for the node to be made; null if there is none. */
export function LookupNodeFromTrieCache<N extends Node, Args extends unknown[]>(
  type: NodeClass<N, Args>,
  ...args: Args
): N | null {
  const cache = TrieCache.Get();
  for (const successor of cache.Current().successors) {
    const { ir_node } = successor;
    if (!(ir_node instanceof type) || !type.prototype.CanBeReused.apply(ir_node, args)) continue;
    TORCH_LAZY_COUNTER(`IrNodeReused_torch::lazy::${type.name}`);
    successor.hit_counter++;
    cache.SetCurrent(successor);
    return ir_node;
  }
  return null;
}

/** A node that can be used again, if that is on; null otherwise. */
export function ReuseNode<N extends Node, Args extends unknown[]>(type: NodeClass<N, Args>, ...args: Args): N | null {
  return FLAGS.torch_lazy_reuse_ir ? LookupNodeFromTrieCache(type, ...args) : null;
}

/** Makes a node known to later steps. */
export function CacheNode<N extends Node>(node: N): N {
  if (FLAGS.torch_lazy_reuse_ir) TrieCache.Get().Insert(node);
  return node;
}
