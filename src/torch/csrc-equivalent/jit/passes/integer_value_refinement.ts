/**
 * @file Uses what a branch tells about an integer: inside `if n == 3` the integer is 3.
 * @mirrors torch/csrc/jit/passes/integer_value_refinement.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { IntType } from "#aten/core/jit_type";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";
import { type ListRefinement, RefinementWalk } from "./value_refinement_utils.ts";

class IntegerValueRefiner extends RefinementWalk {
  private readonly graph: Graph;
  private changed = false;

  constructor(graph: Graph) {
    super();
    this.graph = graph;
  }

  run(): boolean {
    if (hasComparison(this.graph.block())) this.walk(this.graph.block(), new Map());
    return this.changed;
  }

  protected override refinementOf(node: Node): ListRefinement | null {
    for (const i of [0, 1]) {
      const constant = toIValue(node.input(i));
      const other = node.input(1 - i);
      if (constant?.isInt() === true && toIValue(other) === null) return new Map([[other, Number(constant.payload)]]);
    }
    return null;
  }

  protected override visit(node: Node): void {
    for (const [i, input] of node.inputs().entries()) {
      const known = this.known(input);
      if (known === null) continue;
      this.changed = true;
      withInsertPoint(node, () => node.replaceInput(i, this.graph.insertConstant(IValue.fromInt(known))));
    }
  }

  private known(value: Value): number | null {
    return value.type() === IntType ? this.tryFindRefinement(value) : null;
  }
}

function hasComparison(block: Block): boolean {
  return block
    .nodes()
    .some(
      (node) =>
        ((node.kind() === "aten::eq" || node.kind() === "aten::ne") &&
          node.inputs().every((input) => input.type() === IntType)) ||
        node.blocks().some(hasComparison),
    );
}

/** Returns whether the graph changed. */
export function RefineIntegerValues(graph: Graph): boolean {
  return new IntegerValueRefiner(graph).run();
}
