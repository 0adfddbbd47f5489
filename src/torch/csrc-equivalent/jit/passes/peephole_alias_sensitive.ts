/**
 * @file Simplifications that make two values one, `x + 0` and `x * 1`, and the number of dimensions of a convolution's result.
 * @mirrors torch/csrc/jit/passes/peephole_alias_sensitive.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { IntType } from "#aten/core/jit_type";
import { tensor_facts } from "#aten/core/tensor_type";
import { isFloatingType } from "#c10/core/ScalarType";
import { AliasDb } from "../ir/alias_analysis.ts";
import { type Block, type Graph, type Node, OperatorSet, type Value, withInsertPoint } from "../ir/ir.ts";

/** Dimensions of the result. */
const convolutions: ReadonlyMap<string, number> = new Map([
  ["aten::conv1d", 3],
  ["aten::conv2d", 4],
  ["aten::conv3d", 5],
]);

const additions = new OperatorSet([
  "aten::add(Tensor self, Scalar other, Scalar alpha) -> Tensor",
  "aten::sub(Tensor self, Scalar other, Scalar alpha) -> Tensor",
]);
const multiplications = new OperatorSet([
  "aten::mul(Tensor self, Scalar other) -> Tensor",
  "aten::div(Tensor self, Scalar other) -> Tensor",
]);

class AliasSensitive {
  private readonly alias_db: AliasDb;
  private readonly shape_peepholes: boolean;
  /** Values of which the alias database is out of date, because something became one of them. */
  private readonly stale = new Set<Value>();

  constructor(graph: Graph, shape_peepholes: boolean) {
    this.alias_db = new AliasDb(graph);
    this.shape_peepholes = shape_peepholes;
  }

  run(block: Block): boolean {
    let changed = false;
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) changed = this.run(inner) || changed;
      changed = this.simplify(node) || changed;
    }
    return changed;
  }

  private simplify(node: Node): boolean {
    const dims = convolutions.get(node.kind());
    if (dims !== undefined) return this.replaceDim(node, dims);
    if (additions.contains(node) && node.is_constant("alpha") && node.is_constant("other")) {
      // A float would promote an integral tensor.
      if (
        !this.isFloatingPoint(node) &&
        !node
          .inputs()
          .slice(1, 3)
          .every((input) => input.type().isSubtypeOf(IntType))
      )
        return false;
      const [alpha, other] = ["alpha", "other"].map((name) => node.get(name)?.toScalar().toDouble());
      return alpha === 1 && other === 0 && this.tryToReplaceOutputWithInput(node);
    }
    if (multiplications.contains(node) && node.is_constant("other")) {
      if (!this.isFloatingPoint(node) && (node.kind() === "aten::div" || !node.input(1).type().isSubtypeOf(IntType)))
        return false;
      return node.get("other")?.toScalar().toDouble() === 1 && this.tryToReplaceOutputWithInput(node);
    }
    return false;
  }

  private isFloatingPoint(node: Node): boolean {
    const { scalarType } = tensor_facts(node.input(0).type());
    return this.shape_peepholes && scalarType !== null && isFloatingType(scalarType);
  }

  private replaceDim(node: Node, dims: number): boolean {
    const users = node
      .output()
      .uses()
      .map(({ user }) => user)
      .filter((user) => user.kind() === "aten::dim");
    // Another operator may resize the result in between.
    const written = users.length > 0 && this.alias_db.hasWriters(node.output());
    let changed = false;
    for (const user of users) {
      if (written && !this.alias_db.moveAfterTopologicallyValid(node, user)) continue;
      withInsertPoint(user, () =>
        user.output().replaceAllUsesWith(user.owningGraph().insertConstant(IValue.fromInt(dims))),
      );
      changed = true;
    }
    return changed;
  }

  private tryToReplaceOutputWithInput(node: Node): boolean {
    const input = node.input(0);
    const output = node.output();
    if (!this.alias_db.safeToChangeAliasingRelationship([input], [output])) return false;
    if (this.alias_db.mayAlias([input, output], this.stale)) return false;
    output.replaceAllUsesWith(input);
    this.stale.add(input);
    this.stale.add(output);
    return true;
  }
}

export function PeepholeOptimizeAliasSensitive(graph: Graph, shape_peepholes: boolean): boolean {
  return new AliasSensitive(graph, shape_peepholes).run(graph.block());
}
