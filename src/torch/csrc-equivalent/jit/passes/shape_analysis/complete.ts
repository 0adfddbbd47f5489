/**
 * @file Complete types of results, where all tensors are known completely.
 * @mirrors torch/csrc/jit/passes/shape_analysis.cpp#PropagateCompleteShapeOnNode
 */
import type { Type } from "#aten/core/jit_type";
import {
  concrete_sizes,
  create_tensor_type,
  createContiguous,
  strides_of,
  tensor_facts,
  with_facts,
} from "#aten/core/tensor_type";
import { infer_size_dimvector } from "#aten/ExpandUtils";
import { get_default_dtype_as_scalartype } from "#c10/core/DefaultDtype";
import type { Device } from "#c10/core/Device";
import { isIntegralType, promoteTypes, type ScalarType } from "#c10/core/ScalarType";
import { toIValue } from "../../ir/constants.ts";
import { OperatorSet } from "../../ir/ir/operator_set.ts";
import type { Node } from "../../ir/ir.ts";

const of_two_tensors = new OperatorSet([
  "aten::add(Tensor self, Tensor other, *, Scalar alpha) -> Tensor",
  "aten::sub(Tensor self, Tensor other, *, Scalar alpha) -> Tensor",
  "aten::mul(Tensor self, Tensor other) -> Tensor",
  "aten::div(Tensor self, Tensor other) -> Tensor",
]);
const of_tensor_and_number = new OperatorSet([
  "aten::add(Tensor self, Scalar other, Scalar alpha) -> Tensor",
  "aten::sub(Tensor self, Scalar other, Scalar alpha) -> Tensor",
  "aten::mul(Tensor self, Scalar other) -> Tensor",
  "aten::div(Tensor self, Scalar other) -> Tensor",
  "aten::pow(Tensor self, Scalar exponent) -> Tensor",
]);
const of_one_tensor = new OperatorSet(["neg", "sigmoid", "tanh"].map((name) => `aten::${name}(Tensor self) -> Tensor`));
const UNSQUEEZE = "aten::unsqueeze(Tensor self, int dim) -> Tensor";

/** A quotient is no integer. */
function resultType(node: Node, dtype: ScalarType): ScalarType {
  return node.kind() === "aten::div" && isIntegralType(dtype, true) ? get_default_dtype_as_scalartype() : dtype;
}

/**
 * Null: there is no rule. Precondition: every type is complete.
 * @param alone Whether nothing that the node depends on is written to. Two tensors are broadcast only then.
 */
export function completeTypeOf(node: Node, tensors: readonly Type[], alone: boolean): Type | null {
  const facts = tensors.map(tensor_facts);
  const dtypes = facts.map((each) => each.scalarType as ScalarType);
  const sizes = facts.map((each) => concrete_sizes(each.sizes) as readonly number[]);
  if (node.isMemberOf(of_one_tensor)) return tensors[0];
  if (node.isMemberOf(of_two_tensors)) {
    if (!alone) return null;
    // A tensor without dimensions does not always take part in type promotion, so that case is left to the other rules.
    if (dtypes[0] !== dtypes[1] && sizes.some((size) => size.length === 0)) return null;
    const dtype = resultType(node, promoteTypes(dtypes[0], dtypes[1]));
    return createContiguous(dtype, facts[0].device as Device, infer_size_dimvector(sizes[0], sizes[1]));
  }
  if (node.isMemberOf(of_tensor_and_number)) {
    const is_float = node.input(1).type().kind() === "FloatType";
    const promoted = is_float && isIntegralType(dtypes[0], true) ? get_default_dtype_as_scalartype() : dtypes[0];
    return with_facts(tensors[0], { scalarType: resultType(node, promoted) });
  }
  if (node.matches(UNSQUEEZE, ["dim"])) {
    const strides = concrete_sizes(strides_of(facts[0])) as readonly number[];
    const raw = (toIValue(node.input(1)) as NonNullable<ReturnType<typeof toIValue>>).toInt();
    const dim = raw < 0 ? raw + sizes[0].length + 1 : raw;
    const stride = dim >= sizes[0].length ? 1 : sizes[0][dim] * strides[dim];
    const insert = (list: readonly number[], value: number): number[] => [
      ...list.slice(0, dim),
      value,
      ...list.slice(dim),
    ];
    return create_tensor_type(
      dtypes[0],
      facts[0].device,
      insert(sizes[0], 1),
      insert(strides, stride),
      facts[0].requiresGrad,
    );
  }
  return null;
}
