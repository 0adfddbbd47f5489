/**
 * @file `tensordot`, and `einsum` for two tensors: dims are permuted and flattened, so that one matrix product computes
 * the sum.
 *
 *   einsum("ijk,klj->il"):   (i, jk) @ (jk, l) -> (i, l)
 *
 * @mirrors aten/src/ATen/native/Linear.cpp
 * @see Einsum.ts, which reads the equation
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { resize_output } from "#aten/native/Resize";
import { dim_list_to_bitset } from "#aten/WrapDimUtilsMulti";
import { GradMode } from "#c10/core/GradMode";
import { toString } from "#c10/core/ScalarType";
import { multiply_integers } from "#c10/util/accumulate";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Dims of a tensor that are not marked in `contracted`. */
function kept(t: Tensor, contracted: readonly boolean[]): number[] {
  return [...t.sizes().keys()].filter((dim) => !contracted[dim]);
}

export function tensordot(self: Tensor, other: Tensor, dims_self: number[], dims_other: number[]): Tensor {
  TORCH_CHECK(dims_self.length === dims_other.length, "both dimension lists should have same length");
  TORCH_CHECK(self.scalar_type() === other.scalar_type(), "both inputs should have same dtype");
  let t1 = self;
  let t2 = other;
  let csize = 1;
  for (const [i, dim1] of dims_self.entries()) {
    const dim2 = dims_other[i];
    const s1 = self.size(dim1);
    const s2 = other.size(dim2);
    // A dim that is broadcast against the other tensor can be summed immediately.
    if (s2 === 1) t1 = t1.sum_dim_IntList([dim1], true, t1.scalar_type());
    else if (s1 === 1) t2 = t2.sum_dim_IntList([dim2], true, t2.scalar_type());
    else {
      TORCH_CHECK(
        s1 === s2,
        "contracted dimensions need to match, but first has size ",
        s1,
        " in dim ",
        dim1,
        " and second has size ",
        s2,
        " in dim ",
        dim2,
      );
      csize *= s1;
    }
  }
  const kept1 = kept(self, dim_list_to_bitset(dims_self, self.dim()));
  const kept2 = kept(other, dim_list_to_bitset(dims_other, other.dim()));
  const rsizes1 = kept1.map((dim) => t1.size(dim));
  const rsizes2 = kept2.map((dim) => t2.size(dim));
  const p1 = [...kept1, ...dims_self];
  const p2 = [...dims_other, ...kept2];
  const rsizes = [...rsizes1, ...rsizes2];
  if (multiply_integers(rsizes) === 1) {
    // One number. Rows that would have to be copied first are multiplied as they are.
    const left = t1.permute(p1);
    const right = t2.permute(p2);
    const number =
      left.is_contiguous() && right.is_contiguous()
        ? at.dot(left.flatten_using_ints(0, -1), right.flatten_using_ints(0, -1))
        : left.squeeze().mul_Tensor(right.squeeze()).sum(t1.scalar_type());
    return number.reshape(rsizes);
  }
  const left = t1.permute(p1).reshape([multiply_integers(rsizes1), csize]);
  const right = t2.permute(p2).reshape([csize, multiply_integers(rsizes2)]);
  return at.mm(left, right).reshape(rsizes);
}

export function tensordot_out(
  self: Tensor,
  other: Tensor,
  dims_self: number[],
  dims_other: number[],
  out: Tensor,
): Tensor {
  const result = tensordot(self, other, dims_self, dims_other);
  TORCH_CHECK(
    !(out.requires_grad() && GradMode.is_enabled() && !sizes_equal(out.sizes(), result.sizes())),
    "tensordot(): the 'out' tensor was specified and requires gradients, and its shape does not match the expected result. ",
    "Either remove the 'out' argument, ensure it does not require gradients, or make sure its shape matches the expected output.",
  );
  TORCH_CHECK(
    out.device().eq(self.device()) && self.device().eq(other.device()),
    "tensordot: Expected the output and input tensors to be on the same device, but got the output tensor on ",
    out.device(),
    ", input tensor a on ",
    self.device(),
    ", and input tensor b on ",
    other.device(),
  );
  TORCH_CHECK(
    result.scalar_type() === out.scalar_type(),
    "tensordot: Expected the output tensor to have dtype ",
    toString(result.scalar_type()),
    ", but got an output tensor with dtype ",
    toString(out.scalar_type()),
  );
  resize_output(out, result.sizes());
  return out.copy_(result);
}

/**
 * `(left * right).sum(sum_dims, keepdim)` by `bmm`, for tensors with the same number of dims. First come the dims that
 * both have and the result keeps (lro), then those of one side (lo, ro) and those that are summed.
 */
export function sumproduct_pair(left_: Tensor, right_: Tensor, sum_dims: readonly number[]): Tensor {
  if (sum_dims.length === 0) return at.mul_Tensor(left_, right_);
  let left = left_;
  let right = right_;
  const lro: number[] = [];
  let lo: number[] = [];
  let ro: number[] = [];
  for (let dim = 0; dim < left.dim(); dim++) {
    const sl = left.size(dim) !== 1;
    const sr = right.size(dim) !== 1;
    if (sl && sr) TORCH_CHECK(left.size(dim) === right.size(dim), "non-broadcast dimensions must match");
    if (!sum_dims.includes(dim)) (sl && sr ? lro : sl ? lo : ro).push(dim);
    else if (sl && !sr) left = left.sum_dim_IntList([dim], true, null);
    else if (sr && !sl) right = right.sum_dim_IntList([dim], true, null);
  }
  // The side whose dims come first in the result becomes the first factor, so that the product has the result's layout.
  if (lo.length > 0 && ro.length > 0 && ro[ro.length - 1] < lo[0]) {
    [left, right] = [right, left];
    [lo, ro] = [ro, lo];
  }
  const sizes = (t: Tensor, dims: readonly number[]): number[] => dims.map((dim) => t.size(dim));
  const batch = multiply_integers(sizes(left, lro));
  const summed = multiply_integers(sizes(left, sum_dims));
  const out_size = [...sizes(left, [...lro, ...lo]), ...sum_dims.map(() => 1), ...sizes(right, ro)];
  const order = [...lro, ...lo, ...sum_dims, ...ro];
  const opermutation = order.map((_, dim) => order.indexOf(dim));
  left = left.permute(order).reshape([batch, multiply_integers(sizes(left, lo)), summed]);
  right = right
    .permute([...lro, ...sum_dims, ...ro, ...lo])
    .reshape([batch, summed, multiply_integers(sizes(right, ro))]);
  return at.bmm(left, right).view(out_size).permute(opermutation);
}
