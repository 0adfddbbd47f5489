/**
 * @file Decompositions of writes at indices along one dim, in terms of `index_put`.
 * @mirrors torch/_decomp/decompositions.py
 * @differs Ours serves Meta tensors only, where no value is computed; PyTorch's decompositions compute values.
 */

import type { Tensor } from "#torch/_tensor/index";
import { ops } from "../_ops.ts";
import {
  canonicalize_dim,
  check,
  check_vector,
  dtype_to_type,
  is_weakly_lesser_type,
  type NumberType,
  number_type,
  type Shape,
  same_shape,
  size_at,
  size_repr,
} from "../_prims_common/index.ts";
import { type Keywords, out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import { register_decomposition } from "./index.ts";

/** `index_put` of `values` at `index` along `dim`; a 0-dim tensor is treated as a vector of one element. */
function put_along(
  x: Tensor,
  dim: number,
  index: Tensor,
  values: Tensor,
  inplace: boolean,
  accumulate: boolean,
): Tensor {
  const zero_dim = x.dim() === 0;
  const x1 = zero_dim ? x.unsqueeze(0) : x;
  const idx = [...new Array<null>(dim).fill(null), index];
  if (inplace) {
    ops.aten.index_put_.default(x1, idx, values, accumulate);
    return x;
  }
  const out: Tensor = ops.aten.index_put.default(x1, idx, values, accumulate); // `torch.index_put` refuses None
  return zero_dim ? out.squeeze(0) : out.contiguous();
}

function check_devices(name: string, x: Tensor, index: Tensor, tensor: Tensor): void {
  check(
    String(x.device) === String(index.device) && String(x.device) === String(tensor.device),
    () =>
      `${name}(): self, index and source expected to be in the same device, ` +
      `but got (self) ${x.device}, (index) ${index.device}, and (source) ${tensor.device}`,
  );
}

type IndexAdd = [x: Tensor, dim: number, index: Tensor, tensor: Tensor, kw: Keywords & { alpha: NumberType }];

function _index_add(inplace: boolean, [x, given, index, tensor, { alpha }]: IndexAdd): Tensor {
  const dim = canonicalize_dim(x.dim(), given);
  check_devices("index_add", x, index, tensor);
  check_vector(index);
  const index_size = index.dim() === 1 ? size_at(index, 0) : 1;
  const tensor_size = tensor.dim() > 0 ? tensor.size(dim) : 1;
  check(
    tensor_size === index_size,
    () => `Number of indices (${index_size}) should be equal to tensor.size(dim) (${tensor_size}), for dim=${dim}`,
  );
  if (Number(alpha) === 1) return put_along(x, dim, index, tensor, inplace, true);
  const python_type = dtype_to_type(x.dtype);
  check(
    python_type === "bool" || is_weakly_lesser_type(number_type(alpha), python_type),
    () =>
      `alpha argument of type <class '${number_type(alpha)}'> cannot be safely cast to type <class '${python_type}'>!`,
  );
  return put_along(x, dim, index, torch.mul(tensor, alpha), inplace, true);
}
register_decomposition("index_add_", (...args: IndexAdd) => _index_add(true, args));
register_decomposition(
  "index_add index_add.out",
  out_wrapper((...args: IndexAdd) => _index_add(false, args)),
);

function without(shape: Shape, dim: number): Shape {
  return shape.filter((_, d) => d !== dim);
}

function check_index_copy(x: Tensor, dim: number, index: Tensor, tensor: Tensor): void {
  check_vector(index);
  const num_indices = index.numel();
  check(
    tensor.dim() !== 0 || num_indices === 1,
    () => `index_copy_(): When source is scalar, index should have one element (got ${num_indices})`,
  );
  check(
    tensor.dim() === 0 || x.dim() === 0 || tensor.dim() === x.dim(),
    () =>
      "index_copy_(): When source and destination are not scalars, their dimensionality must match. " +
      `Source dimensionality (${tensor.dim()}), destination dimensionality (${x.dim()})`,
  );
  const [x_sliced, tensor_sliced] = [without(x.shape, dim), without(tensor.shape, dim)];
  check(
    same_shape(x_sliced, tensor_sliced),
    () =>
      "index_copy_(): Source/destination tensor must have same slice shapes. " +
      `Destination slice shape: ${size_repr(x_sliced)} at dimension ${dim} ` +
      `and source slice shape: ${size_repr(tensor_sliced)} at dimension 0.`,
  );
  check(
    tensor.dim() === 0 || num_indices === tensor.size(dim),
    () => `index_copy_(): Number of indices (${num_indices}) should be equal to source.size(dim) (${tensor.size(dim)})`,
  );
}

type IndexCopy = [x: Tensor, dim: number, index: Tensor, tensor: Tensor, kw: Keywords];

function _index_copy(inplace: boolean, [x, given, index, tensor]: IndexCopy): Tensor {
  const dim = canonicalize_dim(x.dim(), given);
  check_devices("index_copy", x, index, tensor);
  check_index_copy(x, dim, index, tensor);
  return put_along(x, dim, index.dim() === 0 ? index.unsqueeze(0) : index, tensor, inplace, false);
}
register_decomposition("index_copy_", (...args: IndexCopy) => _index_copy(true, args));
register_decomposition(
  "index_copy index_copy.out",
  out_wrapper((...args: IndexCopy) => _index_copy(false, args)),
);

register_decomposition(
  "take.out",
  out_wrapper((self: Tensor, index: Tensor) => self.new_empty([...index.shape])),
);
register_decomposition(
  "embedding_dense_backward.out",
  out_wrapper((grad_output: Tensor, _indices: Tensor, num_weights: number) =>
    grad_output.new_empty([num_weights, grad_output.size(-1)]),
  ),
);
