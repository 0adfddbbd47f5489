/**
 * @file Floats of the program that differ from call to call, and what is computed of them. In the graph such a float is a tensor whose `item()` is taken.
 * @mirrors torch/_dynamo/variables/builder.py#wrap_symfloat
 *
 *     def f(x, lr): return x * lr        l_lr_ = L_lr_; item = l_lr_.item(); mul = l_x_ * item
 * A condition on such a number is decided by the value in this call, and becomes a guard that computes it anew in each call.
 */

import { repr } from "#python/Objects/object";
import { bool_type, float_type, int_type, type TypeObject, type_of } from "#python/Objects/typeobject";
import type { Frame } from "#python/vm/frame";
import type { Node } from "#torch/fx/node";
import { by_code, same_constant } from "../guards.ts";
import type { Source } from "../source.ts";
import type { Translator } from "./base.ts";
import { NumberVariable } from "./tensor.ts";

/** How a number is found in another call, and how it is written in guards. */
export interface Formula {
  readonly text: string;
  readonly compute: (frame: Frame) => unknown;
}

export class FloatVariable extends NumberVariable {
  /** The number in this call. */
  readonly hint: unknown;
  readonly formula: Formula;
  private readonly tx: Translator;

  constructor(tx: Translator, node: Node, hint: unknown, formula: Formula, source: Source | null = null) {
    super(node, source);
    this.tx = tx;
    this.hint = hint;
    this.formula = formula;
  }
  override get vt_name(): string {
    return "SymNodeVariable";
  }
  override python_type(): TypeObject {
    const type = type_of(this.hint);
    return type === bool_type || type === int_type ? type : float_type;
  }
  evaluate(): unknown {
    const { hint } = this;
    const { text, compute } = this.formula;
    const code = hint === true ? text : hint === false ? `not (${text})` : `${text} == ${repr(hint)}`;
    this.tx.output.install_guard({
      ...by_code("SHAPE_ENV", null, [code], () => true),
      detail: code,
      check: (frame) => same_constant(compute(frame), hint),
    });
    return hint;
  }
  override truth(): boolean {
    return this.fixed().truth();
  }
}
