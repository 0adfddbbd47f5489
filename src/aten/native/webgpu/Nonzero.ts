/**
 * @file Kernels of `nonzero`, `masked_select`, `masked_scatter_` and `count_nonzero`. `nonzero` asks the device for the
 * number of nonzero elements; a scan then gives each one its position. `masked_select` is indexing by that result. In
 * `masked_scatter_`, a scan tells each place which source element it gets.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.h
 */
import { expand_outplace } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap, assert_no_overlap } from "#aten/MemoryOverlap";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { check_masked_select, masked_scatter_stub } from "#aten/native/TensorAdvancedIndexing/MaskedSelect";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { GpuKernel, view_of } from "./KernelText.ts";
import { cumsum } from "./ScanKernels.ts";
import {
  reversed_sizes,
  STRIDED_WORKGROUP,
  strided_fields,
  strided_groups,
  strided_indices,
  strided_values,
} from "./strided.ts";

/**
 * `counts` holds the number of nonzero elements up to and including each element. The variant is the number of
 * dimensions.
 */
const write_indices = new GpuKernel("nonzero", {
  reads: ["flags", "counts"],
  writes: ["out"],
  fields: ({ variant }) => [...strided_fields(variant, []), "row: u32", "column: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => ({
    main: `${strided_indices(variant)}
  if (load_flags(i) != 0i) {
    let at = u32(load_counts(i) - 1i) * p.row;
${Array.from({ length: variant }, (_, d) => `    store_out(at + ${variant - 1 - d}u * p.column, vec2<u32>(i${d}, 0u));`).join("\n")}
  }`,
  }),
});

// nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
export function nonzero_out(self: Tensor, result: Tensor): Tensor {
  TORCH_CHECK(
    result.scalar_type() === ScalarType.Long,
    "nonzero: Expected out tensor to have scalar type Long but got scalar type",
    toString(result.scalar_type()),
  );
  assert_no_internal_overlap(result);
  assert_no_overlap(result, self);
  const n = self.numel();
  const flags = self.ne_Scalar(Scalar.ZERO).contiguous().view([n]).to_dtype(ScalarType.Int);
  const counts = at.empty_like(flags);
  if (n > 0) cumsum(counts, flags, 0);
  const total =
    n === 0
      ? 0
      : counts
          .select_int(0, n - 1)
          .item()
          .toNumber();
  // As on the CPU, the indices of one dimension are contiguous.
  if (resize_output(result, [total as number, self.dim()]))
    result.as_strided_([total as number, self.dim()], [1, total as number]);
  if (result.numel() === 0) return result;
  const [row, column] = result.strides();
  const values = [...strided_values(n, reversed_sizes(self), []), row, column];
  const views = [flags, counts, result].map(view_of);
  write_indices.launch(self.dim(), views, values, ...strided_groups(n), 1);
  return result;
}

// nonzero(Tensor self) -> Tensor
export function nonzero(self: Tensor): Tensor {
  return nonzero_out(self, at.empty_memory_format([0], self.options().dtype(ScalarType.Long)));
}

// masked_select(Tensor self, Tensor mask) -> Tensor
export function masked_select(self: Tensor, mask: Tensor): Tensor {
  TORCH_CHECK(mask.scalar_type() === ScalarType.Bool, "masked_select: expected BoolTensor for mask");
  const [mask_, self_] = expand_outplace(mask, self);
  const flat = (t: Tensor): Tensor => t.reshape([-1]);
  return at.index_Tensor(flat(self_), [flat(mask_)]);
}

// masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)
export function masked_select_out(self: Tensor, mask: Tensor, result: Tensor): Tensor {
  check_masked_select(self, mask, result);
  const found = masked_select(self, mask);
  resize_output(result, found.sizes());
  return result.copy_(found);
}

// count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor
export function count_nonzero(self: Tensor, dims: number[]): Tensor {
  return self.ne_Scalar(Scalar.ZERO).sum_dim_IntList(dims);
}

/** The k-th true place of the mask gets the k-th element of `source`. */
function masked_scatter_kernel(self: Tensor, mask: Tensor, source: Tensor): void {
  if (self.numel() === 0) return;
  const counts = mask.reshape([-1]).cumsum(0); // int64
  TORCH_CHECK(
    source.numel() > 0 || counts.select_int(0, -1).item().toLong() === 0,
    "Number of elements of source < number of ones in mask",
  );
  if (source.numel() === 0) return;
  const places = counts.sub_Scalar(Scalar.fromInt(1)).clamp_min(Scalar.ZERO);
  const chosen = source.reshape([-1]).index_select(0, places).view(mask.sizes());
  at.where_self_out(mask, chosen, self, self);
}
REGISTER_PRIVATEUSE1_DISPATCH(masked_scatter_stub, masked_scatter_kernel, "masked_scatter_kernel_webgpu");
