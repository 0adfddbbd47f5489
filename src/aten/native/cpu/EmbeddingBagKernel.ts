/**
 * @file Kernels of embedding_bag.
 * @mirrors aten/src/ATen/native/EmbeddingBag.cpp
 * @differs Ours adds the gradients of a row in the order of the indices; PyTorch sorts the indices first. In PyTorch
 * these loops are in EmbeddingBag.cpp, and a library sums floats and halves.
 */
import {
  AT_DISPATCH,
  cast,
  type data,
  type float64,
  type int64,
  load,
  type opmath_t,
  type pointer,
  round_to,
  type row,
  row_at,
  type scalar_t,
  scratch,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  embedding_bag_backward_stub,
  embedding_bag_max_stub,
  embedding_bag_scale_backward_stub,
  embedding_bag_sum_stub,
  type RowsOfBags,
} from "#aten/native/EmbeddingBag";
import { indices_inside_stub } from "#aten/native/TensorAdvancedIndexing/IndexSelect";
import { check_type } from "#aten/TensorMethods";
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  embedding_bag_backward_instances,
  embedding_bag_max_instances,
  embedding_bag_scale_backward_instances,
  embedding_bag_sum_instances,
} from "./generated/EmbeddingBagKernel.ts";
import { embedding_bag_sum_loop, type SumBags } from "./vec/embedding_bag/driver.ts";

/**
 * Sums bag by bag, in the type of the computation. If `scale` has stride 0, it is not read and every row has weight 1.
 * @template embedding_bag_no_grad_cpu_out: floating types and halves
 */
export function embedding_bag_sum(
  output: row<row<scalar_t>>,
  bag_size: pointer<int64>,
  weight: row<row<scalar_t>>,
  scale: row<scalar_t>,
  indices: pointer<int64>,
  bags: pointer<int64>,
  numel: number,
  num_bags: number,
  features: number,
  padding_idx: number,
): void {
  const sums = scratch<opmath_t>(features);
  let i = 0;
  for (let bag = 0; bag < num_bags; bag++) {
    for (let d = 0; d < features; d++) store(sums, d, 0);
    while (i < numel && cast<number>(load(bags, i)) === bag) {
      const index = cast<number>(load(indices, i));
      if (index !== padding_idx) {
        const from = row_at(weight, index);
        const factor: opmath_t = scale.stride !== 0 ? cast<opmath_t>(load(scale, i)) : 1;
        for (let d = 0; d < features; d++) {
          const sum: opmath_t = load(sums, d) + cast<opmath_t>(load(from, d)) * factor;
          store(sums, d, sum);
        }
      } else {
        store(bag_size, bag, load(bag_size, bag) - cast<int64>(1));
      }
      i++;
    }
    const to = row_at(output, bag);
    for (let d = 0; d < features; d++) store(to, d, cast<scalar_t>(load(sums, d)));
  }
}

/** @template embedding_bag_cpu_max_out: floating types and halves */
export function embedding_bag_max(
  output: row<row<scalar_t>>,
  max_indices: row<row<int64>>,
  bag_size: data<int64>,
  bag_size_at: number,
  weight: row<row<scalar_t>>,
  indices: data<int64>,
  indices_at: number,
  bags: data<int64>,
  bags_at: number,
  numel: number,
  features: number,
  padding_idx: number,
): void {
  let open = -1; // the bag whose first row has been read; bags come in ascending order
  for (let i = 0; i < numel; i++) {
    const bag = cast<number>(load(bags, bags_at + i));
    const index = cast<number>(load(indices, indices_at + i));
    if (index === padding_idx) {
      store(bag_size, bag_size_at + bag, load(bag_size, bag_size_at + bag) - cast<int64>(1));
      continue;
    }
    const from = row_at(weight, index);
    const to = row_at(output, bag);
    const places = row_at(max_indices, bag);
    for (let d = 0; d < features; d++) {
      const v: scalar_t = load(from, d);
      if (bag !== open || v > load(to, d)) {
        store(to, d, v);
        store(places, d, cast<int64>(index));
      }
    }
    open = bag;
  }
}

/** @template embedding_bag_backward: floating types and halves */
export function embedding_bag_backward(
  grad_weight: row<row<scalar_t>>,
  grad: row<row<scalar_t>>,
  factors: data<float64>,
  indices: data<int64>,
  indices_at: number,
  bags: data<int64>,
  bags_at: number,
  numel: number,
  features: number,
  padding_idx: number,
): void {
  for (let i = 0; i < numel; i++) {
    const index = cast<number>(load(indices, indices_at + i));
    if (index === padding_idx) continue;
    const from = row_at(grad, cast<number>(load(bags, bags_at + i)));
    const to = row_at(grad_weight, index);
    const factor: opmath_t = cast<opmath_t>(round_to<scalar_t>(load(factors, i)));
    for (let d = 0; d < features; d++) {
      const part: opmath_t = cast<opmath_t>(round_to<scalar_t>(factor * cast<opmath_t>(load(from, d))));
      store(to, d, cast<scalar_t>(cast<opmath_t>(load(to, d)) + part));
    }
  }
}

/**
 * Dot product of each index's row with the gradient of its bag.
 * @template _embedding_bag_per_sample_weights_backward_cpu: floating types and halves
 */
export function embedding_bag_scale_backward(
  output: data<scalar_t>,
  output_at: number,
  grad: row<row<scalar_t>>,
  weight: row<row<scalar_t>>,
  indices: data<int64>,
  indices_at: number,
  bags: data<int64>,
  bags_at: number,
  numel: number,
  features: number,
  padding_idx: number,
): void {
  for (let i = 0; i < numel; i++) {
    const index = cast<number>(load(indices, indices_at + i));
    if (index === padding_idx) continue;
    const g = row_at(grad, cast<number>(load(bags, bags_at + i)));
    const w = row_at(weight, index);
    let sum: opmath_t = 0;
    for (let d = 0; d < features; d++) sum += cast<opmath_t>(load(g, d)) * cast<opmath_t>(load(w, d));
    store(output, output_at + i, cast<scalar_t>(sum));
  }
}

/** Checks all indices before anything is written. */
function check_indices({ indices, numel, fast_path }: RowsOfBags, vocab_size: number): void {
  if (numel <= 0) return;
  const counted = indices.narrow(0, 0, numel);
  const i = indices_inside_stub.call(counted.device_type(), counted, vocab_size, 0);
  if (i === numel) return;
  const index = indices.data_view()[indices.data_offset() + i];
  TORCH_CHECK(
    false,
    fast_path
      ? `Index ${i} of input takes value ${index} which is not in the valid range [0, ${vocab_size})`
      : `embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be ${index}`,
  );
}

/** View, offset, row stride and column stride of a matrix. */
function matrix(t: Tensor): [view: ReturnType<Tensor["data_view"]>, offset: number, rows: number, columns: number] {
  const [rows, columns] = t.strides();
  return [t.data_view(), t.data_offset(), rows, columns];
}

const sum_plain: SumBags = (output, bag_size, weight, scale, rows) => {
  const { indices, offset2bag } = rows;
  const from = scale ?? output; // not read
  const stride = scale === null ? 0 : scale.numel() === 1 ? 1 : scale.strides()[0];
  // biome-ignore format: one operand group per line
  AT_DISPATCH(embedding_bag_sum_instances, weight.scalar_type())(
    ...matrix(output),
    bag_size.data_view(), bag_size.data_offset(),
    ...matrix(weight),
    from.data_view(), from.data_offset(), stride,
    indices.data_view(), indices.data_offset(),
    offset2bag.data_view(), offset2bag.data_offset(),
    rows.numel, output.size(0), weight.size(1), rows.padding_idx,
  );
};

function embedding_bag_sum_kernel(...args: Parameters<SumBags>): void {
  const [, , weight, , rows] = args;
  AT_DISPATCH(embedding_bag_sum_instances, weight.scalar_type()); // a dtype without a kernel is refused first
  check_indices(rows, weight.size(0));
  embedding_bag_sum_loop(sum_plain, ...args);
}

function embedding_bag_max_kernel(
  output: Tensor,
  max_indices: Tensor,
  bag_size: Tensor,
  weight: Tensor,
  rows: RowsOfBags,
): void {
  const run = AT_DISPATCH(embedding_bag_max_instances, weight.scalar_type());
  check_indices({ ...rows, fast_path: false }, weight.size(0));
  const { indices, offset2bag } = rows;
  // biome-ignore format: one operand group per line
  run(
    ...matrix(output),
    ...matrix(max_indices),
    bag_size.data_view(), bag_size.data_offset(),
    ...matrix(weight),
    indices.data_view(), indices.data_offset(),
    offset2bag.data_view(), offset2bag.data_offset(),
    rows.numel, weight.size(1), rows.padding_idx,
  );
}

function embedding_bag_backward_kernel(
  grad_weight: Tensor,
  grad: Tensor,
  factors: Float64Array,
  rows: RowsOfBags,
): void {
  const { indices, offset2bag } = rows;
  // biome-ignore format: one operand group per line
  AT_DISPATCH(embedding_bag_backward_instances, grad.scalar_type())(
    ...matrix(grad_weight),
    ...matrix(grad),
    factors,
    indices.data_view(), indices.data_offset(),
    offset2bag.data_view(), offset2bag.data_offset(),
    rows.numel, grad.size(1), rows.padding_idx,
  );
}

function embedding_bag_scale_backward_kernel(output: Tensor, grad: Tensor, weight: Tensor, rows: RowsOfBags): void {
  const run = AT_DISPATCH(embedding_bag_scale_backward_instances, grad.scalar_type());
  check_type(weight, grad.scalar_type());
  const { indices, offset2bag } = rows;
  // biome-ignore format: one operand group per line
  run(
    output.data_view(), output.data_offset(),
    ...matrix(grad),
    ...matrix(weight),
    indices.data_view(), indices.data_offset(),
    offset2bag.data_view(), offset2bag.data_offset(),
    rows.numel, grad.size(1), rows.padding_idx,
  );
}

REGISTER_DISPATCH(embedding_bag_sum_stub, embedding_bag_sum_kernel, "embedding_bag_sum_kernel");
REGISTER_DEFAULT_DISPATCH(embedding_bag_max_stub, embedding_bag_max_kernel, "embedding_bag_max_kernel");
REGISTER_DEFAULT_DISPATCH(embedding_bag_backward_stub, embedding_bag_backward_kernel, "embedding_bag_backward_kernel");
REGISTER_DEFAULT_DISPATCH(
  embedding_bag_scale_backward_stub,
  embedding_bag_scale_backward_kernel,
  "embedding_bag_scale_backward_kernel",
);
