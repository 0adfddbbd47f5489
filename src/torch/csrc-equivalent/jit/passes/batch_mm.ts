/**
 * @file Computes many products of matrices at once: sums of products, and products with one matrix in common.
 * @mirrors torch/csrc/jit/passes/batch_mm.cpp
 *
 * The mechanism in miniature, `[A | B]` being matrices side by side:
 *
 *     A @ C + B @ D   =   [A | B] @ [C]        prim::MMTreeReduce: one product instead of many, and no sums
 *                                   [D]
 *     A @ C, A @ D    =   A @ [C | D]          prim::MMBatchSide: one product, whose parts are the results
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { insert } from "../frontend/schema_matching.ts";
import { SourceRange } from "../frontend/source_range.ts";
import { AliasDb } from "../ir/alias_analysis.ts";
import { type Block, findAllNodes, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";
import { PeepholeOptimize } from "./peephole.ts";

const MM = "aten::mm(Tensor self, Tensor mat2) -> Tensor";
const T = "aten::t(Tensor self) -> Tensor";
const ADD = "aten::add(Tensor self, Tensor other, *, Scalar alpha) -> Tensor";

/** A tree with fewer products stays as it is. */
const min_fusion_size = 4;
/** Products with one matrix in common, if they are fewer, stay as they are. Loops are unrolled eight times. */
const how_many_is_many = 8;

/** A tree of sums whose leaves are products. */
interface TreeToken {
  readonly node: Node;
  /** The number of products. */
  readonly tree_size: number;
  /** False: it is part of a larger tree. */
  is_root: boolean;
}

/** Finds the largest trees of a block and of the blocks inside. */
function BatchMMTreeReduce(block: Block): void {
  const tokens = new Map<Node, TreeToken>();
  for (const node of block.nodes()) {
    if (node.matches(MM)) {
      tokens.set(node, { node, tree_size: 1, is_root: true });
    } else if (node.matches(T)) {
      const product = tokens.get(node.input().node());
      if (product === undefined || !product.node.matches(MM)) continue;
      product.is_root = false;
      tokens.set(node, { node, tree_size: 1, is_root: true });
    } else if (node.matches(ADD)) {
      const [l, r] = node
        .inputs()
        .slice(0, 2)
        .map((input) => tokens.get(input.node()));
      if (l === undefined || r === undefined || l === r || !l.is_root || !r.is_root) continue;
      // A summand with another use stays a tree of its own, and so no summand depends on the other.
      if ([l, r].some((token) => token.node.output().uses().length !== 1)) continue;
      l.is_root = false;
      r.is_root = false;
      tokens.set(node, { node, tree_size: l.tree_size + r.tree_size, is_root: true });
    } else {
      for (const inner of node.blocks()) BatchMMTreeReduce(inner);
    }
  }
  for (const root of tokens.values()) if (root.is_root && root.tree_size >= min_fusion_size) reduceTree(root.node);
}

/** (A @ B).t() is B.t() @ A.t(). */
function transposedProduct(node: Node): Node {
  const product = node.input().node();
  const graph = node.owningGraph();
  const call = (name: string, args: readonly Value[]): Value => insert(graph, name, args, [], SourceRange.empty());
  const result = withInsertPoint(product, () => {
    const [A, B] = product.inputs();
    const AT = call("aten::t", [A]);
    const BT = call("aten::t", [B]);
    return call("aten::mm", [BT, AT]);
  });
  node.output().replaceAllUsesWith(result);
  return result.node();
}

function reduceTree(root: Node): void {
  const products: Node[] = [];
  const queue = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.matches(MM)) products.push(node);
    else if (node.matches(T)) products.push(transposedProduct(node));
    else queue.push(node.input(0).node(), node.input(1).node());
  }
  const sides = [0, 1].flatMap((side) => products.map((product) => product.input(side)));
  const reduced = root.owningGraph().create("prim::MMTreeReduce", sides).insertBefore(root);
  root.output().replaceAllUsesWith(reduced.output());
}

/** Products that take the value on one side, none of which depends on another. */
function gatherIndependentMMUses(value: Value, alias_db: AliasDb): readonly [left: Node[], right: Node[]] {
  const block = value.node().owningBlock();
  const products = (side: number): Node[] => {
    const users = value
      .uses()
      .filter(({ user, offset }) => user.owningBlock() === block && user.matches(MM) && offset === side)
      .map(({ user }) => user)
      .filter((user) => user.input(1 - side) !== value)
      .sort((a, b) => (a.isBefore(b) ? -1 : 1));
    const independent: Node[] = [];
    for (const user of users)
      if (independent.every((other) => alias_db.couldMoveBeforeTopologically(user, other))) independent.push(user);
    return independent;
  };
  return [products(0), products(1)];
}

function batchSide(products: readonly Node[], side: 0 | 1, alias_db: AliasDb): void {
  for (let i = products.length - 2; i >= 0; i--)
    TORCH_INTERNAL_ASSERT(alias_db.moveBeforeTopologicallyValid(products[i], products[i + 1]));
  const graph = products[0].owningGraph();
  const inputs = [products[0].input(side), ...products.map((product) => product.input(1 - side))];
  const batch = graph.create("prim::MMBatchSide", inputs, products.length).insertBefore(products[0]).i_("side", side);
  for (const [i, product] of products.entries()) product.output().replaceAllUsesWith(batch.output(i));
}

function BatchMMSide(block: Block, alias_db: AliasDb): void {
  const considered = new Set<Value>();
  for (const node of block.nodes()) {
    if (!node.matches(MM)) {
      for (const inner of node.blocks()) BatchMMSide(inner, alias_db);
      continue;
    }
    for (const input of [...node.inputs()]) {
      if (considered.has(input)) continue;
      considered.add(input);
      const [left, right] = gatherIndependentMMUses(input, alias_db);
      if (left.length >= how_many_is_many) batchSide(left, 0, alias_db);
      if (right.length >= how_many_is_many) batchSide(right, 1, alias_db);
    }
  }
}

function hasMutableOperators(block: Block): boolean {
  return block.nodes().some((node) => {
    if (node.kind().startsWith("aten::") && node.schema().is_mutable()) return true;
    return node.blocks().some(hasMutableOperators);
  });
}

export function BatchMM(graph: Graph): void {
  const hasMMOperators = findAllNodes(graph, "aten::mm", true).some((node) => node.matches(MM));
  if (!hasMMOperators || hasMutableOperators(graph.block())) return;
  const alias_db = new AliasDb(graph);
  BatchMMTreeReduce(graph.block());
  BatchMMSide(graph.block(), alias_db);
  EliminateDeadCode(graph);
  PeepholeOptimize(graph, true);
}
