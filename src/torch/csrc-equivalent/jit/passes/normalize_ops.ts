/**
 * @file Replaces an operator that is another's alias, such as `aten::absolute`, by that other; and a few calls by their usual form.
 * @mirrors torch/csrc/jit/passes/normalize_ops.cpp
 */
import * as types from "#aten/core/jit_type";
import type { Block, Graph, Node } from "../ir/ir.ts";

const inverses = "cos sin tan cosh sinh tanh tan2";

/** Aliases and their originals, in pairs of words. In-place forms are added where there is one. */
const functional = `
  absolute abs  clip clamp  fix trunc  negative neg  subtract sub  greater_equal ge  greater gt  less_equal le  less lt
  not_equal ne  divide div  multiply mul  true_divide div  swapdims transpose  swapaxes transpose
  ${inverses
    .split(" ")
    .map((name) => `arc${name} a${name}`)
    .join(" ")}`;

const others = `
  det linalg_det  matrix_power linalg_matrix_power  matrix_exp linalg_matrix_exp  ger outer  linalg_matmul matmul
  inverse linalg_inv  concat cat  concatenate cat  row_stack vstack  moveaxis movedim  special_erf erf  special_erfc erfc
  special_erfinv erfinv  special_expit sigmoid  special_exp2 exp2  special_expm1 expm1  special_logit logit
  special_logsumexp logsumexp  special_round round  special_log1p log1p  special_sinc sinc  special_digamma digamma
  special_psi digamma  special_i0 i0  special_xlogy xlogy  special_log_softmax log_softmax
  orgqr linalg_householder_product  adjoint mH  special_multigammaln mvlgamma  special_polygamma polygamma
  special_softmax softmax  special_gammainc igamma  special_gammaincc igammac  special_gammaln lgamma`;

function pairs(text: string, suffix: string): (readonly [string, string])[] {
  const words = text.trim().split(/\s+/);
  const found: (readonly [string, string])[] = [];
  for (let i = 0; i < words.length; i += 2) {
    found.push([`aten::${words[i]}${suffix}`, `aten::${words[i + 1]}${suffix}`]);
  }
  return found;
}

const aliases: ReadonlyMap<string, string> = new Map([
  ...pairs(functional, ""),
  ...pairs(functional, "_"),
  ...pairs(others, ""),
]);

/** Aliases of operators, by the alias. */
export function getOperatorAliasMap(): ReadonlyMap<string, string> {
  return aliases;
}

/** Replaces the node and returns what stands in its place, or null if it stays. */
function normalize(node: Node): Node | null {
  const inputs = node.inputs();
  const original = aliases.get(node.kind());
  // Numbers have operators of such names too, which are no aliases.
  if (original !== undefined && inputs.length > 0 && inputs[0].type().kind() === "TensorType") {
    return node.replaceWithNewSymbol(original);
  }
  if (
    node.kind() === "aten::rsub" &&
    node.matches("aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
  ) {
    const [self, other] = inputs;
    const sub = node.replaceWithNewSymbol("aten::sub");
    sub.replaceInput(0, other);
    sub.replaceInput(1, self);
    return sub;
  }
  if (inputs.length === 2 && inputs.every((input) => input.type() === types.BoolType)) {
    if (node.kind() === "aten::__is__") return node.replaceWithNewSymbol("aten::eq");
    if (node.kind() === "aten::__isnot__") return node.replaceWithNewSymbol("aten::ne");
  }
  return null;
}

function normalizeBlock(block: Block): void {
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) normalizeBlock(inner);
    if (normalize(node) !== null) node.destroy();
  }
}

export function NormalizeOps(graph: Graph): void {
  normalizeBlock(graph.block());
}
