/**
 * @file The graph of lazy tensors: nodes, and values that are outputs of nodes.
 * @mirrors torch/csrc/lazy/core/ir.h
 * @differs A node does not remember the Python frame that made it, so texts lack PyTorch's `source="..."`; recordings have the frames.
 *
 *     b = a * 2; c = b + a             nodes                              operands
 *     %0  lazy_tensors::device_data    a's memory
 *     %1  lazy_tensors::device_data    the number 2
 *     %2  aten::mul                    shape Float[2,3]                   (%0, %1)
 *     %3  aten::add                    shape Float[2,3]                   (%2, %0, ...)
 *
 * Nothing is computed: an operator on lazy tensors makes a node, and its result holds the node's output. Whoever holds the output
 * holds all nodes below it. Each node knows the hash of everything below it.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { HashCombine, type hash_t, kNullOpt, StringHash } from "./hash.ts";
import type { Shape } from "./shape.ts";

/** The operation of a node: `aten::add`, `lazy_tensors::device_data`. There is one object for each name. */
export class OpKind {
  readonly op: string;
  private readonly hash_: hash_t;
  private static readonly known = new Map<string, OpKind>();

  private constructor(op: string) {
    this.op = op;
    this.hash_ = StringHash(op);
  }

  static Get(name: string): OpKind {
    let kind = OpKind.known.get(name);
    if (kind === undefined) OpKind.known.set(name, (kind = new OpKind(name)));
    return kind;
  }

  hash(): hash_t {
    return this.hash_;
  }

  toString(): string {
    return this.op;
  }
}

/** One output of a node. */
export class Output {
  readonly node: Node;
  readonly index: number;

  constructor(node: Node, index = 0) {
    this.node = node;
    this.index = index;
  }

  hash(): hash_t {
    return HashCombine(this.node.hash(), BigInt(this.index));
  }

  shape(): Shape {
    return this.node.shape(this.index);
  }

  /** Whether it is the same output of the same node; an operand that is not given equals only another one. */
  static equal(a: Output | null, b: Output | null): boolean {
    return a === null || b === null ? a === b : a.node === b.node && a.index === b.index;
  }

  toString(): string {
    return `${this.node}, index=${this.index}`;
  }
}

/** The output that a lazy tensor holds, or that a node takes. In C++ a Value keeps its node alive and an Output does not. */
export class Value extends Output {}

/** Operands of a node to be made; null for an optional one that is not given. */
export type OpList = readonly (Value | null)[];

export abstract class Node {
  private readonly op_: OpKind;
  private readonly num_outputs_: number;
  private readonly operands_: readonly Output[];
  private readonly shapes_: readonly Shape[];

  constructor(op: OpKind, operands: OpList, shapes: readonly Shape[], num_outputs = 1) {
    this.op_ = op;
    this.num_outputs_ = num_outputs;
    this.operands_ = operands.filter((operand) => operand !== null);
    this.shapes_ = shapes;
  }

  op(): OpKind {
    return this.op_;
  }

  num_outputs(): number {
    return this.num_outputs_;
  }

  shapes(): readonly Shape[] {
    return this.shapes_;
  }

  shape(output_index = 0): Shape {
    return this.shapes_[output_index];
  }

  /** The operands that were given. */
  operands(): readonly Output[] {
    return this.operands_;
  }

  operand(i: number): Output {
    TORCH_CHECK(i < this.operands_.length, "Node ", this.op_, " has no operand ", i);
    return this.operands_[i];
  }

  /** Null if there are not so many. */
  nullable_operand(i: number): Output | null {
    return this.operands_[i] ?? null;
  }

  /** The hash of the node and of everything below it: equal hashes mean one compiled graph. */
  abstract hash(): hash_t;

  toString(): string {
    const outputs = this.num_outputs_ > 1 ? `, num_outputs=${this.num_outputs_}` : "";
    return `[${this.shapes_.join(", ")}] ${this.op_}${outputs}`;
  }
}

/** The hash of operands after `seed`. */
export function OperandHashes(operands: OpList, seed: hash_t): hash_t {
  return operands.reduce<hash_t>((hash, operand) => HashCombine(hash, operand?.hash() ?? kNullOpt), seed);
}
