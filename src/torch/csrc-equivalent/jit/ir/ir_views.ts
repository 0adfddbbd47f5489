/**
 * @file The inputs, outputs and blocks of `prim::Loop` and `prim::If` by their meaning.
 * @mirrors torch/csrc/jit/ir/ir_views.h
 */
import { toIValue } from "./constants.ts";
import type { Block } from "./ir/block.ts";
import type { Node } from "./ir/node.ts";
import type { Value } from "./ir/value.ts";

export class IfView {
  private readonly node_: Node;

  constructor(node: Node) {
    this.node_ = node;
  }

  cond(): Value {
    return this.node_.input(0);
  }
  thenBlock(): Block {
    return this.node_.blocks()[0];
  }
  elseBlock(): Block {
    return this.node_.blocks()[1];
  }
  thenOutputs(): readonly Value[] {
    return this.thenBlock().outputs();
  }
  elseOutputs(): readonly Value[] {
    return this.elseBlock().outputs();
  }
  outputs(): readonly Value[] {
    return this.node_.outputs();
  }
  node(): Node {
    return this.node_;
  }
}

/** While: only a condition. For: only a trip count. ModifiedLoop: both. */
export type LoopType = "While" | "For" | "ModifiedLoop";

export class LoopView {
  private readonly node_: Node;

  constructor(node: Node) {
    this.node_ = node;
  }

  bodyBlock(): Block {
    return this.node_.blocks()[0];
  }
  cond(): Value {
    return this.node_.input(0);
  }
  maxTripCount(): Value {
    return this.node_.input(0);
  }
  inputCond(): Value {
    return this.node_.input(1);
  }
  nextCond(): Value {
    return this.bodyBlock().outputs()[0];
  }
  currentTripCount(): Value {
    return this.bodyBlock().inputs()[0];
  }
  carriedInputs(): readonly Value[] {
    return this.node_.inputs().slice(2);
  }
  carriedInputsWithCond(): readonly Value[] {
    return this.node_.inputs().slice(1);
  }
  carriedOutputs(): readonly Value[] {
    return this.node_.outputs();
  }
  bodyCarriedInputs(): readonly Value[] {
    return this.bodyBlock().inputs().slice(1);
  }
  bodyCarriedOutputs(): readonly Value[] {
    return this.bodyBlock().outputs().slice(1);
  }
  replaceMaxTripCount(value: Value): void {
    this.node_.replaceInput(0, value);
  }
  replaceInputCondition(value: Value): void {
    this.node_.replaceInput(1, value);
  }
  node(): Node {
    return this.node_;
  }

  loopType(): LoopType {
    const is_true = (value: Value): boolean => {
      const constant = toIValue(value);
      return constant?.isBool() === true && constant.toBool();
    };
    const trip_count = toIValue(this.maxTripCount());
    const counted =
      trip_count === null || BigInt(trip_count.toInt()) !== 2n ** 63n - 1n || this.currentTripCount().hasUses();
    if (is_true(this.inputCond()) && is_true(this.nextCond())) return counted ? "For" : "While";
    return counted ? "ModifiedLoop" : "While";
  }
}
