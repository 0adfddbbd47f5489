/**
 * @file A value: what one node computes and others use. It has a number, perhaps a name, and a type.
 * @mirrors torch/csrc/jit/ir/ir.cpp#Value
 */

import { NoneType, TensorType, type Type } from "#aten/core/jit_type";
import type { TensorBase } from "#aten/core/TensorBase";
import { isComplete, tensor_facts, tensor_type_from } from "#aten/core/tensor_type";
import { canHoldType } from "#aten/core/union_type";
import { RuntimeError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { needs_owner } from "#torch/csrc-equivalent/utils/pybind";
import type { Graph } from "./graph.ts";
import type { Node } from "./node.ts";

/** One place where a value is used: input number `offset` of `user`. */
export interface Use {
  readonly user: Node;
  offset: number;
}

// Note [Numbers and names of values]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Every value that is made takes the next number of its graph, also if it has a name or is removed later: a gap in the numbers tells that
// something was there. A name is unique in the graph. The newest owner of a name keeps it, and the older owner is renamed: `x` becomes
// `x.1`, the next `x.3`, because the counter of a base name moves once for the suffix that is given and once for the one that is looked for.

/** `x.12` is the base `x` with suffix 12. A name without a numeric suffix is its own base. */
function splitSuffix(name: string): { base: string; suffix: number | null } {
  const match = /^(.*)\.([0-9]+)$/s.exec(name);
  return match === null ? { base: name, suffix: null } : { base: match[1], suffix: Number(match[2]) };
}

export class Value {
  private readonly node_: Node;
  private offset_: number;
  private readonly unique_: number;
  private readonly uses_: Use[] = [];
  private unique_name_ = "";
  private type_: Type = TensorType;

  constructor(node: Node, offset: number) {
    needs_owner("Value", node, "owningGraph");
    this.node_ = node;
    this.offset_ = offset;
    this.unique_ = node.owningGraph().nextUnique();
  }

  setType(type: Type): this {
    this.type_ = type;
    // Another overload may fit the users now.
    for (const use of this.uses_) use.user.forgetOperator();
    return this;
  }
  inferTypeFrom(output: TensorBase): void {
    this.setType(tensor_type_from(output));
  }
  type(): Type {
    return this.type_;
  }
  requires_grad(): boolean {
    return requires_grad(this.type_);
  }
  isCompleteTensor(): boolean {
    return this.type_.kind() === "TensorType" && isComplete(this.type_);
  }
  mustBeNone(): boolean {
    return this.type_ === NoneType || this.node_.mustBeNone();
  }
  mustNotBeNone(): boolean {
    const type = this.type_;
    return (
      this.node_.kind() !== "prim::AutogradAdd" &&
      type !== NoneType &&
      type.kind() !== "OptionalType" &&
      !(type.kind() === "UnionType" && canHoldType(type, NoneType))
    );
  }

  /** The number, unique in the graph. */
  unique(): number {
    return this.unique_;
  }
  hasDebugName(): boolean {
    return this.unique_name_ !== "";
  }
  /** The name, or the number if there is none. */
  debugName(): string {
    return this.unique_name_ === "" ? String(this.unique_) : this.unique_name_;
  }
  debugNameBase(): string {
    return splitSuffix(this.debugName()).base;
  }
  /** A name may not be a number. */
  static isValidName(name: string): boolean {
    return !/^[0-9]+$/.test(name);
  }
  /**
   * Gives a name, which another value may lose by it; see Note [Numbers and names of values]. The empty name takes the name away.
   * @throws {RuntimeError} "Invalid name" for a number
   */
  setDebugName(name: string): this {
    if (!Value.isValidName(name)) throw new RuntimeError(`Invalid name: '${name}'`);
    const { names, suffixes } = this.node_.owningGraph().naming();
    if (this.unique_name_ !== "") {
      names.delete(this.unique_name_);
      this.unique_name_ = "";
    }
    if (name === "") return this;

    const old_owner = names.get(name);
    if (old_owner !== undefined) {
      const { base, suffix: given } = splitSuffix(name);
      let suffix = given ?? 1;
      const last = suffixes.get(base);
      if (last !== undefined) suffix = Math.max(suffix, last + 1);
      let replacement: string;
      do replacement = `${base}.${suffix++}`;
      while (names.has(replacement));
      suffixes.set(base, suffix);
      old_owner.setDebugName(replacement);
    }
    names.set(name, this);
    this.unique_name_ = name;
    return this;
  }

  /** The node that computes it. Graph and block inputs belong to a `prim::Param`. */
  node(): Node {
    return this.node_;
  }
  /** Which output of its node it is. */
  offset(): number {
    return this.offset_;
  }
  setOffset(offset: number): void {
    this.offset_ = offset;
  }
  owningGraph(): Graph {
    return this.node_.owningGraph();
  }
  /** All uses in the order in which they were made. The list itself, not a copy: nodes keep it up to date. */
  uses(): Use[] {
    return this.uses_;
  }
  hasUses(): boolean {
    return this.uses_.length > 0;
  }

  replaceFirstUseWith(newValue: Value): void {
    TORCH_INTERNAL_ASSERT(this.owningGraph() === newValue.owningGraph());
    const use = this.uses_.shift() as Use;
    use.user.setInput(use.offset, newValue);
    newValue.uses_.push(use);
  }
  /** Makes every user take `newValue` instead. */
  replaceAllUsesWith(newValue: Value): void {
    while (this.hasUses()) this.replaceFirstUseWith(newValue);
  }
  /** The users behind `node` take `newValue` instead. Whether they may is not checked. */
  replaceAllUsesAfterNodeWith(node: Node, newValue: Value): void {
    this.replaceUsesIf((use) => use.user.isAfter(node), newValue);
  }
  /** The users that run only after `node` and can see its outputs take `newValue` instead. */
  replaceAllUsesDominatedByNodeWith(node: Node, newValue: Value): void {
    this.replaceUsesIf((use) => use.user.isDominatedBy(node), newValue);
  }
  private replaceUsesIf(test: (use: Use) => boolean, newValue: Value): void {
    const kept: Use[] = [];
    for (const use of this.uses_) {
      if (test(use)) {
        use.user.setInput(use.offset, newValue);
        newValue.uses_.push(use);
      } else {
        kept.push(use);
      }
    }
    this.uses_.splice(0, this.uses_.length, ...kept);
  }

  /** Takes type and name of another value. */
  copyMetadata(from: Value): this {
    this.setType(from.type());
    if (from.hasDebugName()) this.setDebugName(from.debugName());
    return this;
  }

  toString(): string {
    return `%${this.debugName()}`;
  }
}

/** Whether a value of the type, or one inside it, may require gradients. A tensor type that does not say may. */
export function requires_grad(type: Type): boolean {
  if (type.kind() === "TensorType") return tensor_facts(type).requiresGrad ?? true;
  return type.containedTypes().some(requires_grad);
}
