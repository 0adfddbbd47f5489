/**
 * @file The operators that compute many products of matrices at once.
 * @mirrors torch/csrc/jit/passes/batch_mm.cpp#mm_tree_reduction_reg
 * @see ../passes/batch_mm.ts (which puts them into graphs)
 */
import { drop, last, type Stack } from "#aten/core/stack";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { register_operation_creators, register_operations } from "./operator.ts";
import { pop_index } from "./register_ops_utils.ts";
import { pop_tensor, push_tensor } from "./register_prim_ops/tensors.ts";

/** Larger matrices are multiplied one by one. */
const MAX_NUMEL = 1024 * 2048;

const have_same_shape = (tensors: readonly Tensor[]): boolean =>
  tensors.every((tensor) => String(tensor.sizes()) === String(tensors[0].sizes()));

function pop_tensors(stack: Stack, count: number): Tensor[] {
  const tensors = last(stack, count).map((value) => value.toTensor());
  drop(stack, count);
  return tensors;
}

register_operations({
  /** The sum of products: the first half of the inputs are left sides, the second half right sides. */
  "prim::MMTreeReduce": (stack) => {
    const inputs = pop_tensors(stack, pop_index(stack));
    TORCH_INTERNAL_ASSERT(inputs.length > 0 && inputs.length % 2 === 0);
    const half = inputs.length / 2;
    const [left, right] = [inputs.slice(0, half), inputs.slice(half)];
    if (have_same_shape(left) && have_same_shape(right))
      return push_tensor(stack, at.mm(at.cat(left, 1), at.cat(right, 0)));
    const products = left.map((tensor, i) => at.mm(tensor, right[i]));
    return push_tensor(
      stack,
      products.reduce((sum, product) => sum.add_Tensor(product)),
    );
  },
});

register_operation_creators({
  /** Products with one matrix in common, on the node's side; each product is an output. */
  "prim::MMBatchSide": (node) => {
    const count = node.outputs().length;
    const on_left = node.i("side") === 0;
    return (stack) => {
      const others = pop_tensors(stack, count);
      const side = pop_tensor(stack);
      const product = (other: Tensor): Tensor => (on_left ? at.mm(side, other) : at.mm(other, side));
      const together = have_same_shape(others) && others[0].numel() <= MAX_NUMEL;
      const dim = on_left ? 1 : 0;
      const products = together ? at.chunk(product(at.cat(others, dim)), count, dim) : others.map(product);
      for (const each of products) push_tensor(stack, each);
    };
  },
});
