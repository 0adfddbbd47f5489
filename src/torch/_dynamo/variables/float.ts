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
import type { Kwargs, Translator, VariableTracker } from "./base.ts";
import { ConstantVariable } from "./constant.ts";
import { NodeVariable } from "./tensor.ts";

/** How a number is found in another call, and how it is written in guards. */
export interface Formula {
  readonly text: string;
  readonly compute: (frame: Frame) => unknown;
}

export class FloatVariable extends NodeVariable {
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
  /** The number in this call; from now on the compiled form is right for it alone. */
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
  override truth(tx: Translator): boolean {
    return new ConstantVariable(this.evaluate()).truth(tx) === true;
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    return new ConstantVariable(this.evaluate()).call_method(tx, name, args, kwargs);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return new ConstantVariable(this.evaluate()).var_getattr(tx, name);
  }
  override reconstruct(codegen: Parameters<VariableTracker["reconstruct"]>[0]): void {
    if (this.source !== null) codegen.load_source(this.source);
    else super.reconstruct(codegen);
  }
}
