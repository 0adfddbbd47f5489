/**
 * @file Finds types of tensors from the types of the inputs: dtype, device, number of dimensions, and sizes where they are certain.
 * @mirrors torch/csrc/jit/passes/shape_analysis.cpp
 * @differs Fewer operators have a rule of their own, and no `expand` is inserted. An operator without a rule is run on zeros, as in PyTorch.
 *
 * The mechanism in miniature: nodes are visited in order. If every tensor is known completely, a rule may give complete types
 * (complete.ts). Otherwise, or if there is none, a rule may give dtype and number of dimensions (dimensioned.ts). Otherwise the operator
 * runs on tensors of zeros. What remains gets the type without facts. A loop is visited until the types of its carried values are stable.
 */
import { IValue } from "#aten/core/ivalue";
import { FloatType, ListType, NumberType, TensorType, TupleType, type Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import {
  concrete_sizes,
  create_with_dim,
  isComplete,
  strides_of,
  tensor_facts,
  tensor_type_from,
} from "#aten/core/tensor_type";
import { unifyTypes, unshapedType } from "#aten/core/type";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { isIntegralType, ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ErrorReport } from "../../frontend/error_report.ts";
import { AliasDb } from "../../ir/alias_analysis.ts";
import { toIValue } from "../../ir/constants.ts";
import type { Block, Graph, Node, Value } from "../../ir/ir.ts";
import { completeTypeOf } from "./complete.ts";
import { dimensionedTypesOf } from "./dimensioned.ts";

const CPU = Device.of(DeviceType.CPU);
/** Operators that change the size of a tensor in place. */
const resize_ops = new Set(["aten::resize_", "aten::resize_as_"]);

function setUnshapedType(value: Value): void {
  value.setType(unshapedType(value.type()));
}

/** Whether zeros may stand for the value: integers may be indices or divisors. */
function isValidArgumentForRunning(value: Value): boolean {
  if (toIValue(value) !== null) return true;
  const type = value.type();
  if (type.kind() !== "TensorType") return type.isSubtypeOf(FloatType);
  return isComplete(type) && !isIntegralType(tensor_facts(type).scalarType as ScalarType, false);
}

/** Precondition: `isValidArgumentForRunning(value)`. */
function representativeValue(value: Value): IValue {
  const constant = toIValue(value);
  if (constant !== null) return constant;
  if (value.type().kind() !== "TensorType") return IValue.fromDouble(0);
  const facts = tensor_facts(value.type());
  const sizes = concrete_sizes(facts.sizes) as readonly number[];
  const strides = concrete_sizes(strides_of(facts)) as readonly number[];
  const options = new TensorOptions().dtype(facts.scalarType as ScalarType).device(facts.device as Device);
  return IValue.fromTensor(at.empty_strided([...sizes], [...strides], options).zero_());
}

class ShapePropagator {
  private readonly alias_db: AliasDb;
  private readonly resized = new Set<Value>();
  private readonly mutated = new Map<Node, boolean>();

  constructor(graph: Graph) {
    this.alias_db = new AliasDb(graph);
    this.collectResizeSet(graph.block());
  }

  propagateBlock(block: Block): void {
    for (const node of block.nodes()) {
      try {
        this.propagateNode(node);
      } catch (error) {
        const message = (error as Error).message;
        throw new ErrorReport(
          node.sourceRange(),
          message,
          "\nThe above operation failed shape propagation in this context",
        );
      }
    }
  }

  private collectResizeSet(block: Block): void {
    for (const node of block.nodes()) {
      for (const inner of node.blocks()) this.collectResizeSet(inner);
      if (!resize_ops.has(node.kind())) continue;
      for (const input of node.inputs()) if (this.alias_db.writesToAlias(node, [input])) this.resized.add(input);
    }
  }

  private mayAliasResizedSet(values: readonly Value[]): boolean {
    if (this.resized.size === 0) return false;
    const found = values.filter((value) => this.alias_db.mayAlias([value], this.resized));
    for (const value of found) setUnshapedType(value);
    return found.length > 0;
  }

  private propagateNode(node: Node): void {
    if (this.mayAliasResizedSet(node.inputs())) {
      node.outputs().forEach(setUnshapedType);
      return;
    }
    switch (node.kind()) {
      case "prim::If": {
        const [then_block, else_block] = node.blocks();
        this.propagateBlock(then_block);
        this.propagateBlock(else_block);
        mergeTypes(then_block.outputs(), else_block.outputs(), node.outputs());
        return;
      }
      case "prim::Loop":
        this.propagateLoop(node);
        return;
      case "aten::Bool":
      case "aten::Int":
      case "aten::Float":
      case "aten::ScalarImplicit":
      case "aten::FloatImplicit":
      case "aten::IntImplicit":
        return;
      case "prim::NumToTensor": {
        const integral = node.input().type().kind() !== "FloatType";
        node.output().setType(create_with_dim(integral ? ScalarType.Long : ScalarType.Double, CPU, 0, null));
        return;
      }
      case "prim::TupleConstruct":
        // A named tuple keeps its names.
        if (node.output().type().fieldNames() === null)
          node.output().setType(TupleType.create(node.inputs().map((input) => input.type())));
        return;
      case "prim::TupleUnpack":
        for (const [i, type] of node.input().type().containedTypes().entries()) node.output(i).setType(type);
        return;
      case "prim::Constant":
        if (node.output().type().isSubtypeOf(TensorType)) node.output().inferTypeFrom(node.t("value"));
        return;
      case "prim::unchecked_unwrap_optional":
      case "aten::_unwrap_optional":
      case "prim::unchecked_cast":
        return;
    }
    if (node.hasSideEffects()) return;
    this.propagateOperator(node);
  }

  private propagateLoop(node: Node): void {
    const [body] = node.blocks();
    const carried = body.inputs().slice(1);
    for (const [i, input] of node.inputs().slice(2).entries()) carried[i].setType(input.type());
    do this.propagateBlock(body);
    while (mergeTypes(carried, body.outputs().slice(1), carried));
    this.propagateBlock(body);
    for (const [i, output] of node.outputs().entries()) output.setType(carried[i].type());
  }

  private propagateOperator(node: Node): void {
    const tensors = tensorTypes(node);
    if (tensors !== null && tensors.length > 0) {
      const complete = tensors.every(isComplete) ? completeTypeOf(node, tensors, !this.dependsOnMutation(node)) : null;
      if (complete !== null) {
        node.output().setType(complete);
        return;
      }
      const types = tensors.every(hasDim) ? dimensionedTypesOf(node, tensors) : null;
      if (types !== null) {
        for (const [i, type] of types.entries()) node.output(i).setType(type);
        return;
      }
    }
    if (!this.propagateByRunningIt(node)) node.outputs().forEach(setUnshapedType);
  }

  /** Whether what the node takes, or what that was made of, is written to somewhere. */
  private dependsOnMutation(node: Node): boolean {
    let depends = this.mutated.get(node);
    if (depends === undefined) {
      depends = this.alias_db.hasWriters(node) || node.inputs().some((input) => this.dependsOnMutation(input.node()));
      this.mutated.set(node, depends);
    }
    return depends;
  }

  private propagateByRunningIt(node: Node): boolean {
    const returns_known = (value: Value): boolean =>
      value.type().isSubtypeOf(TensorType) || value.type().isSubtypeOf(NumberType);
    if (node.maybeOperator() === null || this.dependsOnMutation(node)) return false;
    if (!node.inputs().every(isValidArgumentForRunning) || !node.outputs().every(returns_known)) return false;
    const stack: Stack = node.inputs().map(representativeValue);
    node.getOperation()(stack);
    TORCH_INTERNAL_ASSERT(stack.length === node.outputs().length);
    for (const [i, value] of stack.entries())
      if (value.isTensor()) node.output(i).setType(tensor_type_from(value.toTensor()));
    return true;
  }
}

function hasDim(type: Type): boolean {
  const facts = tensor_facts(type);
  return facts.sizes !== null && facts.scalarType !== null && facts.device !== null;
}

/** Types of the arguments that the schema says are tensors. Null: some may be, but nobody knows which. */
function tensorTypes(node: Node): Type[] | null {
  const schema = node.maybeSchema();
  if (schema === null || schema.is_vararg()) return null;
  const types: Type[] = [];
  for (const [i, argument] of schema.arguments().entries()) {
    if (argument.type().isSubtypeOf(ListType.create(TensorType))) return null;
    if (!argument.type().isSubtypeOf(TensorType)) continue;
    if (node.input(i).type().kind() !== "TensorType") return null;
    types.push(node.input(i).type());
  }
  return types;
}

/** Gives outputs the type that two values have in common. Returns whether a type changed. */
function mergeTypes(lhs: readonly Value[], rhs: readonly Value[], outputs: readonly Value[]): boolean {
  let changed = false;
  for (const [i, output] of outputs.entries()) {
    const before = output.type();
    const type = unifyTypes(lhs[i].type(), rhs[i].type());
    TORCH_INTERNAL_ASSERT(type !== null);
    output.setType(type);
    if (!before.equals(type)) changed = true;
  }
  return changed;
}

export function PropagateInputShapes(graph: Graph): void {
  new ShapePropagator(graph).propagateBlock(graph.block());
}
