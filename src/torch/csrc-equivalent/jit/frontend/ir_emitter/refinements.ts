/**
 * @file Facts about the types of variables that a condition tells, where it holds and where it does not.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#RefinementSet
 */
import type { Type } from "#aten/core/jit_type";
import type { Value } from "../../ir/ir.ts";

/** `identifier` is of this type. */
export interface Refinement {
  readonly identifier: string;
  readonly type: Type;
}

type Refinements = readonly Refinement[];

/** Both hold. Two different types for one variable say nothing. */
function unionSet(a: Refinements, b: Refinements): Refinements {
  const result = [...a];
  for (const refinement of b) {
    const i = result.findIndex((other) => other.identifier === refinement.identifier);
    if (i < 0) result.push(refinement);
    else if (!result[i].type.equals(refinement.type)) result.splice(i, 1);
  }
  return result;
}

/** One of them holds: what both say. */
function intersectSet(a: Refinements, b: Refinements): Refinements {
  return a.filter((refinement) => {
    const other = b.find(({ identifier }) => identifier === refinement.identifier);
    return other?.type.equals(refinement.type) ?? false;
  });
}

export class RefinementSet {
  private readonly true_refinements_: Refinements;
  private readonly false_refinements_: Refinements;

  constructor(true_refinements: Refinements = [], false_refinements: Refinements = []) {
    this.true_refinements_ = true_refinements;
    this.false_refinements_ = false_refinements;
  }

  And(rhs: RefinementSet): RefinementSet {
    return new RefinementSet(
      unionSet(this.true_refinements_, rhs.true_refinements_),
      intersectSet(this.false_refinements_, rhs.false_refinements_),
    );
  }

  Or(rhs: RefinementSet): RefinementSet {
    return new RefinementSet(
      intersectSet(this.true_refinements_, rhs.true_refinements_),
      unionSet(this.false_refinements_, rhs.false_refinements_),
    );
  }

  Not(): RefinementSet {
    return new RefinementSet(this.false_refinements_, this.true_refinements_);
  }

  /** Facts where the condition is true. */
  activeRefinements(): Refinements {
    return this.true_refinements_;
  }
}

/** A condition: its value, what it says, and, for `is None` and its like, the result if it is known now. */
export interface CondValue {
  readonly value: Value;
  readonly refinements: RefinementSet;
  /** Not null: only that branch of an `if` is compiled. A variable that holds a constant does not count. */
  readonly staticIf: boolean | null;
}
