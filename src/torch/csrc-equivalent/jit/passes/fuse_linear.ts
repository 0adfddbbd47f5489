/**
 * @file Products of matrices with a transposed weight become `aten::linear`.
 * @mirrors torch/csrc/jit/passes/fuse_linear.cpp
 * @differs The patterns are compared by hand; PyTorch writes them as graphs for a general rewriter.
 *
 *     %wt = aten::t(%w)                                %wt = aten::t(%w)
 *     %y = aten::addmm(%b, %x, %wt, 1, 1)      ->      %weight = aten::t(%wt)
 *                                                      %y = aten::linear(%x, %weight, %b)
 *
 * A weight that is transposed twice is used as it is, if nobody else needs the steps between.
 */
import { OptionalType, TensorType } from "#aten/core/jit_type";
import { toIValue } from "../ir/constants.ts";
import type { Graph, Node, Value } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";

function isOne(value: Value): boolean {
  const constant = toIValue(value);
  return constant?.isInt() === true && Number(constant.payload) === 1;
}

const isTransposed = (value: Value): boolean => value.node().kind() === "aten::t";

/** Parts of a match: `input` times the transposed `weight_t`, plus `bias`. */
interface Match {
  readonly input: Value;
  readonly weight_t: Value;
  readonly bias: Value | null;
  /** Its nodes, last first. */
  readonly nodes: readonly Node[];
}

function addmm(node: Node): Match | null {
  if (node.kind() !== "aten::addmm" || node.inputs().length !== 5) return null;
  const [bias, input, weight_t, beta, alpha] = node.inputs();
  return isOne(beta) && isOne(alpha) ? { input, weight_t, bias, nodes: [node] } : null;
}

function matmul(node: Node): Match | null {
  if (node.kind() !== "aten::matmul") return null;
  const [input, weight_t] = node.inputs();
  return { input, weight_t, bias: null, nodes: [node] };
}

function matmul_add(node: Node): Match | null {
  if (node.kind() !== "aten::add_" || node.inputs().length !== 3 || !isOne(node.input(2))) return null;
  const product = matmul(node.input(0).node());
  if (product === null || node.input(0).uses().length !== 1) return null;
  return { ...product, bias: node.input(1), nodes: [node, ...product.nodes] };
}

/** Inserts nodes behind the last of the values that they need. */
function insertBehind(values: readonly Value[], nodes: readonly Node[]): void {
  let last = values[0].node();
  for (const value of values) if (last.isBefore(value.node())) last = value.node();
  for (const node of nodes) last = node.insertAfter(last);
}

function replace(graph: Graph, { input, weight_t, bias, nodes }: Match): void {
  const [old] = nodes;
  const transpose = graph.create("aten::t", [weight_t]);
  const none = bias === null ? graph.create("prim::Constant") : null;
  none?.output().setType(OptionalType.create(TensorType));
  const linear = graph.create("aten::linear", [input, transpose.output(), bias ?? (none as Node).output()]); // one of the two
  const needed = [input, weight_t, ...(nodes.length === 1 && bias === null ? [] : old.inputs().slice(1))];
  insertBehind(
    [...needed, ...(bias === null ? [] : [bias])].filter((value) => !nodes.includes(value.node())),
    none === null ? [transpose, linear] : [transpose, none, linear],
  );
  old.output().replaceAllUsesWith(linear.output());
  for (const node of nodes) node.destroy();
}

/** A linear layer whose weight is transposed twice. */
function cleanUp(graph: Graph, linear: Node): void {
  const second = linear.input(1).node();
  const first = second.kind() === "aten::t" ? second.input(0).node() : second;
  if (second === first || first.kind() !== "aten::t") return;
  if (second.output().uses().length !== 1 || first.output().uses().length !== 1) return;
  const inputs = [linear.input(0), first.input(0), linear.input(2)];
  const plain = graph.create("aten::linear", inputs);
  insertBehind(inputs, [plain]);
  linear.output().replaceAllUsesWith(plain.output());
  for (const node of [linear, second, first]) node.destroy();
}

export function FuseLinear(graph: Graph): void {
  for (const pattern of [addmm, matmul_add, matmul]) {
    for (const node of allNodes(graph)) {
      const match = pattern(node);
      if (match !== null && isTransposed(match.weight_t)) replace(graph, match);
    }
  }
  for (const node of allNodes(graph)) if (node.kind() === "aten::linear") cleanUp(graph, node);
}
