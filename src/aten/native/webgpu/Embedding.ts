/**
 * @file Kernel of the gradient of an embedding's table: each selected row is the sum of its gradients, in the order of
 * the indices.
 * @mirrors aten/src/ATen/native/cuda/EmbeddingBackwardKernel.cuh
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { checkScalarTypes } from "#aten/TensorUtils/TensorArg";
import { ScalarType } from "#c10/core/ScalarType";
import { as_index } from "./indices.ts";
import { GpuKernel, view_of } from "./KernelText.ts";
import { empty_keys, NO_KEY, sort_by_key } from "./SortUtils.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

/** Rows outside the table and the padding row get no key, and so no gradient. */
const keys_of_rows = new GpuKernel("embedding_backward_keys", {
  reads: ["indices"],
  writes: ["keys"],
  fields: ["n: u32", "num_weights: i32", "padding_idx: i32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    main: `${strided_indices(1)}
  let row = ${as_index(context.type("indices"), "load_indices(i)")};
  let counts = (row >= 0i) && (row < p.num_weights) && (row != p.padding_idx);
  store_keys(i, select(${NO_KEY}, row, counts));`,
  }),
});

/** One invocation per column of each index. The first index of each row adds up the gradients of that row. */
const add_rows = new GpuKernel("embedding_backward", {
  reads: ["sorted", "places", "grad"],
  writes: ["grad_weight"],
  fields: ["n: u32", "columns: u32", "count: u32", "scale_by_frequency: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    main: `${strided_indices(1)}
  let at = i / p.columns;
  let column = i % p.columns;
  let row = load_sorted(at);
  if ((row == ${NO_KEY}) || ((at > 0u) && (load_sorted(max(at, 1u) - 1u) == row))) {
    return;
  }
  var sum = 0.0f;
  var j = at;
  for (; (j < p.count) && (load_sorted(min(j, p.count - 1u)) == row); j++) {
    sum += load_grad(u32(load_places(j)) * p.columns + column);
  }
  if (p.scale_by_frequency != 0u) {
    sum /= f32(j - at);
  }
  store_grad_weight(u32(row) * p.columns + column, sum);`,
  }),
});

// embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor
export function embedding_dense_backward(
  grad_: Tensor,
  indices_: Tensor,
  num_weights: number,
  padding_idx: number,
  scale_grad_by_freq: boolean,
): Tensor {
  checkScalarTypes("embedding_backward", { tensor: indices_, name: "indices", pos: 1 }, [
    ScalarType.Long,
    ScalarType.Int,
  ]);
  const columns = grad_.size(-1);
  const grad_weight = at.zeros([num_weights, columns], grad_.options());
  const count = indices_.numel();
  if (grad_.numel() === 0 || grad_weight.numel() === 0) return grad_weight;
  const indices = indices_.contiguous();
  const grad = grad_.contiguous();
  const keys = empty_keys(count);
  keys_of_rows.launch(
    0,
    [view_of(indices), view_of(keys)],
    [count, num_weights, padding_idx],
    ...strided_groups(count),
    1,
  );
  const { sorted, places } = sort_by_key(keys, count);
  const n = count * columns;
  const views = [sorted, places, grad, grad_weight].map(view_of);
  add_rows.launch(0, views, [n, columns, count, scale_grad_by_freq ? 1 : 0], ...strided_groups(n), 1);
  return grad_weight;
}
