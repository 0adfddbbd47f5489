/**
 * @file `embedding`: selects rows of a table by index; and the gradient of the table.
 * @mirrors aten/src/ATen/native/Embedding.cpp
 * @differs Ours has no sparse gradients, because there are no sparse tensors here; PyTorch does.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { checkDim, checkScalarTypes } from "#aten/TensorUtils/TensorArg";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { NotImplementedError, TORCH_CHECK } from "#c10/util/Exception";
import { add_stub } from "./BinaryOps/index.ts";

const index_types = [ScalarType.Long, ScalarType.Int] as const;

// embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor
export function embedding_symint(
  weight: Tensor,
  indices: Tensor,
  _padding_idx: number,
  _scale_grad_by_freq: boolean,
  _sparse: boolean,
): Tensor {
  // weight (V, D), indices (*) -> (*, D)
  TORCH_CHECK(weight.dim() === 2, "'weight' must be 2-D");
  checkScalarTypes("embedding", { tensor: indices, name: "indices", pos: 1 }, index_types);
  if (indices.dim() === 1) return weight.index_select(0, indices);
  const size = [...indices.sizes(), ...weight.sizes().slice(1)];
  return weight.index_select(0, indices.reshape([-1])).view(size);
}

// embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor
export function embedding_backward_symint(
  grad: Tensor,
  indices: Tensor,
  num_weights: number,
  padding_idx: number,
  scale_grad_by_freq: boolean,
  sparse: boolean,
): Tensor {
  if (sparse) refuse_sparse_gradient(indices, scale_grad_by_freq);
  return at.embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq);
}

/** The checks that PyTorch makes before it creates a sparse gradient. */
function refuse_sparse_gradient(indices: Tensor, scale_grad_by_freq: boolean): never {
  checkScalarTypes("embedding_backward", { tensor: indices, name: "indices", pos: 2 }, index_types);
  TORCH_CHECK(!scale_grad_by_freq, "embedding_backward: scale_grad_by_freq not supported with sparse gradients");
  throw new NotImplementedError("embedding_backward: there are no sparse tensors here; use sparse=False");
}

/** Number of times that each row was selected. */
function frequencies(indices: Tensor, num_weights: number): Float64Array {
  const counts = new Float64Array(num_weights);
  const places = indices.impl_.data_view();
  const begin = indices.impl_.data_offset();
  for (let i = 0; i < indices.numel(); i++) counts[Number(places[begin + i])]++;
  return counts;
}

// embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor   CPU
export function embedding_dense_backward_cpu(
  grad_: Tensor,
  indices: Tensor,
  num_weights: number,
  padding_idx: number,
  scale_grad_by_freq: boolean,
): Tensor {
  checkScalarTypes("embedding_backward", { tensor: indices, name: "indices", pos: 2 }, index_types);
  const grad_weight = at.zeros([num_weights, grad_.size(-1)], grad_.options());
  const indices_contig = indices.contiguous();
  const numel = indices.numel();
  const grad = grad_.contiguous().view([numel, grad_.size(-1)]);
  if (grad.numel() === 0) return grad_weight;

  // One iterator over a row is moved from row to row, so gradients of the same row are added in the order of the
  // indices.
  const iter = new TensorIteratorConfig()
    .add_output(grad_weight)
    .add_const_input(grad_weight)
    .add_const_input(grad)
    .resize_outputs(false)
    .declare_static_shape(grad.sizes(), [0])
    .build();
  const places = indices_contig.impl_.data_view();
  const begin = indices_contig.impl_.data_offset();
  const [to, from] = [grad_weight.impl_.data_offset(), grad.impl_.data_offset()];
  const [to_stride, from_stride] = [grad_weight.strides()[0], grad.strides()[0]];
  const counts = scale_grad_by_freq ? frequencies(indices_contig, num_weights) : null;
  for (let i = 0; i < numel; i++) {
    const k = Number(places[begin + i]);
    if (k === padding_idx || k < 0 || k >= num_weights) continue;
    iter.unsafe_replace_operand(0, to + k * to_stride);
    iter.unsafe_replace_operand(1, to + k * to_stride);
    iter.unsafe_replace_operand(2, from + i * from_stride);
    add_stub.call(iter.device_type(0), iter, Scalar.fromDouble(counts === null ? 1 : 1 / counts[k]));
  }
  return grad_weight;
}

// embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)     CPU
// Selected rows whose norm exceeds `max_norm` are scaled down to it, each row once.
export function embedding_renorm_cpu_(self: Tensor, indices: Tensor, max_norm: number, norm_type: number): Tensor {
  checkDim("embedding_renorm_", { tensor: self, name: "self", pos: 1 }, 2);
  checkScalarTypes("embedding_renorm_", { tensor: indices, name: "indices", pos: 2 }, index_types);
  const indices_contig = indices.contiguous();
  const begin = indices_contig.impl_.data_offset();
  const places = indices_contig.impl_.data_view().slice(begin, begin + indices.numel());
  for (const k of new Set(Array.from(places, Number).sort((a, b) => a - b))) {
    const row = self.select_int(0, k);
    const norm = row.norm_Scalar(Scalar.fromDouble(norm_type)).item().toDouble();
    if (norm > max_norm) row.mul__Scalar(Scalar.fromDouble(max_norm / (norm + 1e-7)));
  }
  return self;
}
