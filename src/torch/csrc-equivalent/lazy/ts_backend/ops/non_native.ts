/**
 * @file Nodes that stand for no operator of the program: a number, an expansion, a cast.
 * @mirrors torch/csrc/lazy/generated/LazyNonNativeIr.h
 * @differs Written by hand; PyTorch generates them from the list `non_native` in ts_native_functions.yaml.
 */

import { IValue } from "#aten/core/ivalue";
import * as at from "#aten/generated/Functions";
import type { Scalar as ScalarValue } from "#c10/core/Scalar";
import { type ScalarType, toString as scalarTypeToString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { MHash } from "../../core/hash.ts";
import { ltc_cast } from "../../core/internal_ops/ltc_ops.ts";
import { OpKind, Output, type Value } from "../../core/ir.ts";
import { Shape } from "../../core/shape.ts";
import type { TSLoweringContext } from "../ts_lowering_context.ts";
import { type TSOpVector, TsNode } from "../ts_node.ts";
import { attribute, LowerTSBuiltin } from "../ts_node_lowering.ts";

const same = (a: readonly number[], b: readonly number[]): boolean => String(a) === String(b);

/** A number that is a part of the graph: a bound of a slice. */
export class Scalar extends TsNode {
  readonly value: ScalarValue;
  readonly type: ScalarType;

  constructor(value: ScalarValue, type: ScalarType) {
    super(OpKind.Get("prim::Constant"), [], [new Shape(type, [])], 1, MHash(value, type));
    this.value = value;
    this.type = type;
  }

  override toString(): string {
    return `${super.toString()}, value=${this.value}, type=${scalarTypeToString(this.type)}`;
  }

  override Lower(loctx: TSLoweringContext): TSOpVector {
    const value = at.scalar_tensor(this.value, new TensorOptions(this.type));
    return [loctx.graph().insertConstant(IValue.fromTensor(value))];
  }
}

export class Expand extends TsNode {
  readonly size: readonly number[];
  readonly is_scalar_expand: boolean;

  constructor(input: Value, size: readonly number[], is_scalar_expand: boolean) {
    const shape = new Shape(input.shape().scalar_type(), size);
    super(OpKind.Get("aten::expand"), [input], [shape], 1, MHash(size, is_scalar_expand));
    this.size = size;
    this.is_scalar_expand = is_scalar_expand;
  }

  CanBeReused(input: Value, size: readonly number[], is_scalar_expand: boolean): boolean {
    return Output.equal(this.operand(0), input) && same(this.size, size) && this.is_scalar_expand === is_scalar_expand;
  }

  override toString(): string {
    return `${super.toString()}, size=${this.size.join(" ")}, is_scalar_expand=${Number(this.is_scalar_expand)}`;
  }

  override Lower(loctx: TSLoweringContext): TSOpVector {
    const input = loctx.GetOutputOp(this.operand(0));
    const expanded = LowerTSBuiltin(loctx, this.op(), [input, attribute("size", "int[]", this.size)]);
    // All strides of an expanded number are 0: a write into it would be refused as one into overlapping memory.
    return this.is_scalar_expand ? LowerTSBuiltin(loctx, OpKind.Get("aten::clone"), expanded) : expanded;
  }
}

export class Cast extends TsNode {
  readonly dtype: ScalarType;
  readonly stype: ScalarType | null;

  constructor(input: Value, dtype: ScalarType, stype: ScalarType | null) {
    super(ltc_cast, [input], [new Shape(dtype, input.shape().sizes())], 1, MHash(dtype, stype));
    this.dtype = dtype;
    this.stype = stype;
  }

  CanBeReused(input: Value, dtype: ScalarType, stype: ScalarType | null): boolean {
    return Output.equal(this.operand(0), input) && this.dtype === dtype && this.stype === stype;
  }

  override toString(): string {
    const stype = this.stype === null ? "null" : scalarTypeToString(this.stype);
    return `${super.toString()}, dtype=${scalarTypeToString(this.dtype)}, stype=${stype}`;
  }

  override Lower(loctx: TSLoweringContext): TSOpVector {
    const input = loctx.GetOutputOp(this.operand(0));
    return LowerTSBuiltin(loctx, OpKind.Get("aten::to"), [input, attribute("dtype", "int", this.dtype)]);
  }
}
