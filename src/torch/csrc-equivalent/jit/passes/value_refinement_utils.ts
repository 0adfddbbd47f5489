/**
 * @file Knowledge of values that a branch gives: inside `if n == 3` the value of n is 3, and behind `if n != 3: raise` too.
 * @mirrors torch/csrc/jit/passes/value_refinement_utils.h
 */
import { toIValue } from "../ir/constants.ts";
import type { Block, Node, Value } from "../ir/ir.ts";

/** Known integers by value. */
export type ListRefinement = Map<Value, number>;

/** Integers that are known if a condition is true, and if it is false. */
interface BooleanRefinementMapping {
  readonly true_refine: ListRefinement;
  readonly false_refine: ListRefinement;
}

function union(a: ListRefinement, b: ListRefinement): ListRefinement {
  return new Map([...a, ...b]);
}

function intersection(a: ListRefinement, b: ListRefinement): ListRefinement {
  return new Map([...a].filter(([value, known]) => b.get(value) === known));
}

/** Walks the blocks of a graph with the integers that are known there. */
export abstract class RefinementWalk {
  private readonly active: ListRefinement[] = [];
  private readonly conditions = new Map<Value, BooleanRefinementMapping>();
  /** Blocks that always end in an exception. */
  private readonly throwing_blocks = new Set<Block>();

  /** Integers that `a == constant` tells; null for none. */
  protected abstract refinementOf(node: Node): ListRefinement | null;
  /** Called for each node; the known integers can be asked for. */
  protected abstract visit(node: Node): void;

  protected tryFindRefinement(value: Value): number | null {
    for (const known of this.active) {
      const found = known.get(value);
      if (found !== undefined) return found;
    }
    return null;
  }

  protected walk(block: Block, known: ListRefinement): ListRefinement {
    this.active.push(known);
    for (const node of block.nodes()) {
      this.visit(node);
      if (node.kind() === "prim::If") this.walkIf(node, known);
      else if (
        node.matches("aten::eq.int(int a, int b) -> bool") ||
        node.matches("aten::ne.int(int a, int b) -> bool")
      ) {
        const refinement = this.refinementOf(node);
        if (refinement === null) continue;
        const equal = node.kind() === "aten::eq";
        this.conditions.set(node.output(), {
          true_refine: equal ? refinement : new Map(),
          false_refine: equal ? new Map() : refinement,
        });
      } else this.walkOther(node);
    }
    this.active.pop();
    return known;
  }

  private walkOther(node: Node): void {
    if (node.kind() === "prim::RaiseException") {
      this.throwing_blocks.add(node.owningBlock());
    } else if (node.kind() === "aten::__not__" && node.inputs().length === 1) {
      const inner = this.conditions.get(node.input());
      if (inner !== undefined)
        this.conditions.set(node.output(), { true_refine: inner.false_refine, false_refine: inner.true_refine });
    } else {
      for (const inner of node.blocks()) this.walk(inner, new Map());
    }
  }

  private walkIf(node: Node, known: ListRefinement): void {
    const [yes, no] = node.blocks();
    const condition = this.conditions.get(node.input());
    const in_yes = this.walk(yes, new Map(condition?.true_refine));
    const in_no = this.walk(no, new Map(condition?.false_refine));
    const yes_throws = this.throwing_blocks.has(yes);
    const no_throws = this.throwing_blocks.has(no);
    if (yes_throws && no_throws) {
      this.throwing_blocks.add(node.owningBlock());
      return;
    }
    // What holds behind the If: the knowledge of the branch that does not throw, or of both.
    const after = yes_throws ? in_no : no_throws ? in_yes : intersection(in_yes, in_no);
    for (const [value, integer] of after) known.set(value, integer);
    for (const [i, output] of node.outputs().entries())
      this.joinCondition(output, yes.outputs()[i], no.outputs()[i], in_yes, in_no);
  }

  /** A condition that is made of two: `a and b` is an If that gives `b` or false. */
  private joinCondition(
    output: Value,
    on_yes: Value,
    on_no: Value,
    in_yes: ListRefinement,
    in_no: ListRefinement,
  ): void {
    if (output.type().kind() !== "BoolType") return;
    const none: BooleanRefinementMapping = { true_refine: new Map(), false_refine: new Map() };
    const yes_constant = toIValue(on_yes);
    const no_constant = toIValue(on_no);
    const yes = this.conditions.get(on_yes) ?? none;
    const no = this.conditions.get(on_no) ?? none;
    const branches: { refine: BooleanRefinementMapping; inside: ListRefinement; constant: boolean | null }[] = [
      { refine: yes, inside: in_yes, constant: yes_constant?.isBool() === true ? yes_constant.toBool() : null },
      { refine: no, inside: in_no, constant: no_constant?.isBool() === true ? no_constant.toBool() : null },
    ];
    const known = (outcome: boolean): ListRefinement => {
      const possible = branches
        .filter(({ constant }) => constant === null || constant === outcome)
        .map(({ refine, inside }) => union(inside, outcome ? refine.true_refine : refine.false_refine));
      if (possible.length === 0) return new Map();
      return possible.length === 1 ? possible[0] : intersection(possible[0], possible[1]);
    };
    this.conditions.set(output, { true_refine: known(true), false_refine: known(false) });
  }
}
