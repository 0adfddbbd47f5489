/**
 * @file The base of all nodes of the TorchScript backend: a node that can be lowered to a graph of TorchScript.
 * @mirrors torch/csrc/lazy/ts_backend/ts_node.h
 */
import type { Value as JitValue } from "../../jit/ir/ir.ts";
import { HashCombine, type hash_t, kHashSeed } from "../core/hash.ts";
import { tensor_list_opkind } from "../core/internal_ops/ltc_ops.ts";
import { Node, OperandHashes, type OpKind, type OpList, Output, type Value } from "../core/ir.ts";
import type { Shape } from "../core/shape.ts";
import type { TSLoweringContext } from "./ts_lowering_context.ts";

/** A value of TorchScript for each output. */
export type TSOpVector = JitValue[];

/** Whether two attributes are equal. */
export function same(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((each, i) => each === b[i]);
}

export abstract class TsNode extends Node {
  private readonly dag_hash_: hash_t;

  /** @param hash_seed the hash of what the node holds beside its operands */
  constructor(op: OpKind, operands: OpList, shapes: readonly Shape[], num_outputs = 1, hash_seed: hash_t = kHashSeed) {
    super(op, operands, shapes, num_outputs);
    const own = shapes.reduce((hash, shape) => HashCombine(hash, shape.hash()), HashCombine(op.hash(), hash_seed));
    this.dag_hash_ = OperandHashes(operands, own);
  }

  override hash(): hash_t {
    return this.dag_hash_;
  }

  /** Adds the node to the context's graph. */
  abstract Lower(loctx: TSLoweringContext): TSOpVector;
}

/** Several tensors as one operand. It has no shape. */
export class TensorList extends TsNode {
  constructor(values: readonly Value[]) {
    super(tensor_list_opkind, values, []);
  }

  CanBeReused(values: readonly Value[]): boolean {
    const operands = this.operands();
    return operands.length === values.length && operands.every((operand, i) => Output.equal(operand, values[i]));
  }

  override Lower(loctx: TSLoweringContext): TSOpVector {
    return [loctx.CreateTensorList(this.operands().map((operand) => loctx.GetOutputOp(operand)))];
  }
}
