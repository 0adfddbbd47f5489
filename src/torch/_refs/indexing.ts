/**
 * @file References of reads and fills at indices along one dim.
 * @mirrors torch/_refs/__init__.py
 */

import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import { canonicalize_dim, check, check_vector, is_tensor, type TensorOrNumber } from "../_prims_common/index.ts";
import { type Keywords, out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";

type IndexFill = [x: Tensor, dim: number, index: Tensor, value: TensorOrNumber, kw: Keywords];

/** The value as a tensor with the shape of the slices. */
function slices_of(value: TensorOrNumber, x: Tensor, shape: number[]): Tensor {
  if (!is_tensor(value)) {
    const { dtype, layout, device } = x;
    return torch.scalar_tensor(value, { dtype, layout, device }).expand(shape);
  }
  check(
    value.dim() === 0,
    () => `Only supports 0-dimensional value tensor. Got a tensor with ${value.dim()} dimensions.`,
  );
  return value.expand(shape);
}

function _index_fill(inplace: boolean, [x, given, index, value]: IndexFill): Tensor {
  check_vector(index);
  const zero_dim = x.dim() === 0;
  const y = zero_dim ? x.unsqueeze(0) : x;
  const dim = canonicalize_dim(y.dim(), given);
  const values = slices_of(value, x, [...y.shape].with(dim, index.numel()));
  if (inplace) {
    y.index_copy_(dim, index, values);
    return x;
  }
  const out = torch.index_copy(y, dim, index, values);
  const result = zero_dim ? out.squeeze(0).clone() : out;
  // The result keeps the strides of a dense tensor; `index_copy` returns a contiguous one.
  return torch.empty_like(x).copy_(result);
}
register_decomposition("index_fill_.int_Scalar index_fill_.int_Tensor", (...args: IndexFill) =>
  _index_fill(true, args),
);
register_decomposition(
  "index_fill.int_Scalar index_fill.int_Tensor index_fill.int_Scalar_out index_fill.int_Tensor_out",
  out_wrapper((...args: IndexFill) => _index_fill(false, args)),
);

register_decomposition(
  "index_select.out",
  out_wrapper((x: Tensor, given: number, index: Tensor) => {
    const dim = canonicalize_dim(x.dim(), given);
    check_vector(index);
    return x.new_empty(x.dim() === 0 ? [] : [...x.shape].with(dim, index.numel()));
  }),
);
