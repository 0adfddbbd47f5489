/**
 * @file Driver of sums of bags with SIMD, called by ../../EmbeddingBagKernel.ts.
 * @original PyTorch's kernels are C++ and need no driver.
 * @see kernel.ts (the kernel)
 */
import { address_of } from "#aten/cpu/vec/heap";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { EmbeddingBagKernel_vec } from "#aten/native/cpu/vec/generated/embedding_bag/kernel";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import type { RowsOfBags } from "#aten/native/EmbeddingBag";
import { traceCall, tracer } from "#c10/util/Trace";

/** Sums the rows of each bag. Precondition: all indices are valid rows of `weight`. */
export type SumBags = (
  output: Tensor,
  bag_size: Tensor,
  weight: Tensor,
  scale: Tensor | null,
  rows: RowsOfBags,
) => void;

const sum_with_vectors: SumBags = (output, _bag_size, weight, _scale, { indices, offset2bag, numel }) => {
  const nbytes = output.size(1) * output.itemsize();
  // biome-ignore format: rows on one line, indices on the next
  functions_of(EmbeddingBagKernel_vec, output.scalar_type()).embedding_bag_sum(
    address_of(output.impl_), nbytes, address_of(weight.impl_), weight.stride(0) * weight.itemsize(),
    address_of(indices.impl_), address_of(offset2bag.impl_), numel, output.size(0),
  );
};

function rows_of(output: Tensor, weight: Tensor): Rows {
  return { n: output.numel(), tensors: [output.impl_, weight.impl_] };
}

/** Reason why SIMD cannot sum these rows, or null. */
function against(
  weight: Tensor,
  scale: Tensor | null,
  { indices, offset2bag, padding_idx }: RowsOfBags,
): string | null {
  if (scale !== null) return "per-sample weights";
  if (padding_idx >= 0) return "a padding index";
  if (weight.stride(1) !== 1) return "rows that are not contiguous";
  return address_of(indices.impl_) < 0 || address_of(offset2bag.impl_) < 0 ? "not in the heap" : null;
}

const loop: RowLoop = {
  modules: EmbeddingBagKernel_vec,
  symbol: "embedding_bag_sum",
  file: "embedding_bag/kernel",
  plain: ["embedding_bag_sum", "EmbeddingBagKernel"],
};

/** Runs the SIMD kernel, or `plain` (from ../EmbeddingBagKernel.ts) as the fallback. */
export function embedding_bag_sum_loop(...[plain, ...args]: [plain: SumBags, ...args: Parameters<SumBags>]): void {
  const [output, , weight, scale, rows] = args;
  const why = against(weight, scale, rows);
  const run = why === null && takes_rows(EmbeddingBagKernel_vec, rows_of(output, weight)) ? sum_with_vectors : plain;
  if (tracer === null) run(...args);
  else {
    const told = told_of_rows(loop, rows_of(output, weight), output.sizes(), why);
    traceCall("loop", told["scalar"] as string, run, args, told);
  }
}
