/**
 * @file Simplifications without tensors: None tests that are decided, conditions that repeat a condition, integer arithmetic with constants.
 * @mirrors torch/csrc/jit/passes/peephole_non_tensor.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { BoolType, IntType, NoneType, type Type } from "#aten/core/jit_type";
import { unifyTypes, unshapedType } from "#aten/core/type";
import { toIValue } from "../ir/constants.ts";
import { type Block, type Graph, type Node, type Value, withInsertPoint } from "../ir/ir.ts";

/** An integer constant; null if the value is none. */
function constantInt(value: Value): number | null {
  const constant = toIValue(value);
  return constant?.isInt() === true ? Number(constant.payload) : null;
}

/** The constant operand of an operator on two ints. In a sum or product it is moved to the right. */
function checkArithNode(node: Node): number | null {
  if (node.inputs().length !== 2 || node.inputs().some((input) => input.type() !== IntType)) return null;
  if (node.kind() === "aten::mul" || node.kind() === "aten::add") {
    const left = constantInt(node.input(0));
    if (left !== null) {
      node.permuteInputs([1, 0]);
      return left;
    }
  }
  return constantInt(node.input(1));
}

function trySimplifyMulOrDiv(node: Node): boolean {
  if (checkArithNode(node) !== 1) return false;
  node.output().replaceAllUsesWith(node.input(0));
  return true;
}

/** `(x + 2) + 3` becomes `x + 5`. */
function trySimplifyAddOrSub(node: Node): boolean {
  const constant = checkArithNode(node);
  if (constant === null) return false;
  if (constant === 0) {
    node.output().replaceAllUsesWith(node.input(0));
    return true;
  }
  const inner = node.input(0).node();
  if (inner.kind() !== "aten::add" && inner.kind() !== "aten::sub") return false;
  const delta = checkArithNode(inner);
  if (delta === null) return false;
  const merged = inner.kind() === node.kind() ? constant + delta : constant - delta;
  if (merged === 0) {
    node.output().replaceAllUsesWith(inner.input(0));
    return true;
  }
  withInsertPoint(node, () => {
    node.replaceInput(0, inner.input(0));
    node.replaceInput(1, node.owningGraph().insertConstant(IValue.fromInt(merged)));
  });
  return true;
}

/** An If gives its condition if it gives true in one branch and false in the other; and an Optional that is never None is its element. */
function simplifyIf(node: Node): boolean {
  let changed = false;
  const [yes, no] = node.blocks();
  for (const [i, output] of node.outputs().entries()) {
    if (output.type() !== BoolType) continue;
    const on_true = toIValue(yes.outputs()[i]);
    const on_false = toIValue(no.outputs()[i]);
    if (on_true?.toBool() !== true || on_false?.toBool() !== false) continue;
    output.replaceAllUsesWith(node.input());
    changed = true;
  }
  for (const [i, output] of node.outputs().entries()) {
    const a = yes.outputs()[i].type();
    const b = no.outputs()[i].type();
    if (output.type().kind() !== "OptionalType" || a.kind() === "OptionalType" || b.kind() === "OptionalType") continue;
    const unified = unifyTypes(a, b);
    if (unified === null) continue;
    output.setType(unified);
    changed = true;
  }
  return changed;
}

/** `x is None` where x is never None. */
function simplifyIs(node: Node): boolean {
  let changed = false;
  for (const i of [0, 1]) {
    if (!node.input(i).mustBeNone() || !node.input(1 - i).mustNotBeNone()) continue;
    withInsertPoint(node, () =>
      node
        .output()
        .replaceAllUsesWith(node.owningGraph().insertConstant(IValue.fromBool(node.kind() === "aten::__isnot__"))),
    );
    changed = true;
  }
  return changed;
}

const neverThrows = (type: Type): boolean => ["BoolType", "IntType", "FloatType", "NoneType"].includes(type.kind());

/** `x == x`, where comparing cannot fail. */
function simplifyComparison(node: Node): boolean {
  if (node.inputs().length !== 2 || node.input(0) !== node.input(1)) return false;
  const type = node.input(0).type();
  const container = type.kind() === "ListType" || type.kind() === "DictType";
  if (!(container ? type.containedTypes().every(neverThrows) : neverThrows(type))) return false;
  withInsertPoint(node, () =>
    node.output().replaceAllUsesWith(node.owningGraph().insertConstant(IValue.fromBool(node.kind() === "aten::eq"))),
  );
  return true;
}

function replaceByInput(node: Node): true {
  node.output().replaceAllUsesWith(node.input());
  return true;
}

function simplify(node: Node): boolean {
  switch (node.kind()) {
    case "prim::If":
      return simplifyIf(node);
    case "aten::__is__":
    case "aten::__isnot__":
      return simplifyIs(node);
    case "prim::unchecked_unwrap_optional":
    case "aten::_unwrap_optional":
      return node.input().mustNotBeNone() && replaceByInput(node);
    case "prim::unchecked_cast":
      return unshapedType(node.input().type()).isSubtypeOf(unshapedType(node.output().type())) && replaceByInput(node);
    case "aten::Int":
    case "aten::ceil":
      return node.inputs().length === 1 && node.input().type() === IntType && replaceByInput(node);
    case "aten::ne":
    case "aten::eq":
      return simplifyComparison(node);
    case "aten::mul":
    case "aten::floordiv":
    case "aten::div":
      return trySimplifyMulOrDiv(node);
    case "aten::add":
    case "aten::sub":
      return trySimplifyAddOrSub(node);
    default:
      return false;
  }
}

function optimizeBlock(block: Block): boolean {
  let changed = false;
  for (const node of block.nodes()) {
    for (const inner of node.blocks()) changed = optimizeBlock(inner) || changed;
    if (node.kind() !== "prim::Constant") {
      for (const output of node.outputs()) {
        if (output.type() !== NoneType) continue;
        withInsertPoint(node, () => output.replaceAllUsesWith(node.owningGraph().insertConstant(IValue.None)));
        changed = true;
      }
    }
    changed = simplify(node) || changed;
  }
  return changed;
}

export function PeepholeOptimizeNonTensor(graph: Graph): boolean {
  return optimizeBlock(graph.block());
}
