/**
 * @file Kernels of `cumsum` and `cumprod`: the lanes that share a line first reduce one run of it each. Then each lane
 * scans its run, starting from the total of the runs before it.
 * @mirrors aten/src/ATen/native/cuda/ScanKernels.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { cumprod_stub, cumsum_stub } from "#aten/native/ReduceOps/Cumulative";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { folded, GpuKernel, view_of } from "./KernelText.ts";
import { folded_declaration, groups_of, row_index, row_shape, shape_of, size_of, variant_of } from "./rows.ts";

interface Operation {
  readonly identity: Readonly<Record<string, string>>;
  readonly combine: Readonly<Record<string, (a: string, b: string) => string>>;
}

const SUM: Operation = {
  identity: { f32: "0.0f", i32: "0i", "vec2<u32>": "vec2<u32>(0u, 0u)" },
  combine: {
    f32: (a, b) => `${a} + ${b}`,
    i32: (a, b) => `${a} + ${b}`,
    "vec2<u32>": (a, b) => `i64_add(${a}, ${b})`,
  },
};
const PRODUCT: Operation = {
  identity: { f32: "1.0f", i32: "1i", "vec2<u32>": "vec2<u32>(1u, 0u)" },
  combine: {
    f32: (a, b) => `${a} * ${b}`,
    i32: (a, b) => `${a} * ${b}`,
    "vec2<u32>": (a, b) => `i64_mul(${a}, ${b})`,
  },
};

function scan(name: string, { identity, combine }: Operation): GpuKernel {
  return new GpuKernel(name, {
    reads: ["input"],
    writes: ["result"],
    fields: ["rows: u32", "elements: u32", "inner: u32"],
    workgroup_size: ({ variant }) => [size_of(shape_of(variant)), 1, 1],
    code: (context) => {
      const shape = shape_of(context.variant);
      const type = context.type("input");
      const zero = identity[type];
      const fold = combine[type];
      const { log2_rows, log2_lanes, side_by_side } = shape;
      // A lane of the same row. Either the lanes of a row are consecutive, or the lanes of all rows are interleaved.
      const other = side_by_side ? "lane - rx + k" : `(lane & ${2 ** log2_rows - 1}u) + k * ${2 ** log2_rows}u`;
      const shared = `  workgroupBarrier();
  folded[lane] = acc;
  workgroupBarrier();
  acc = ${zero};
  for (var k = 0u; k < rx; k++) {
    acc = ${fold("acc", `folded[${other}]`)};
  }`;
      const main = `${row_index(shape)}
  let base = (row / p.inner) * p.elements * p.inner + row % p.inner;
  let run = (p.elements + lanes - 1u) / lanes;
  let first = min(rx * run, p.elements);
  let last = min(first + run, p.elements);
  var acc = ${zero};
${
  log2_lanes === 0
    ? ""
    : `  if (row < p.rows) {
    for (var i = first; i < last; i++) {
      acc = ${fold("acc", "load_input(base + i * p.inner)")};
    }
  }
${shared}`
}
  if (row < p.rows) {
    for (var i = first; i < last; i++) {
      acc = ${fold("acc", "load_input(base + i * p.inner)")};
      store_result(base + i * p.inner, acc);
    }
  }`;
      return { declarations: folded_declaration(shape, type), main };
    },
  });
}

function host_scan(name: string, kernel: GpuKernel): (result: Tensor, self: Tensor, dim: number) => void {
  return (result, self, dim) => {
    const is_bool = result.scalar_type() === ScalarType.Bool;
    TORCH_CHECK_NOT_IMPLEMENTED(!is_bool, `"${name}_webgpu" not implemented for 'Bool'`);
    const sizes = self.sizes();
    const inner = sizes.slice(dim + 1).reduce((n, size) => n * size, 1);
    const rows = self.numel() / sizes[dim];
    const shape = row_shape(rows, sizes[dim], inner === 1);
    const out = result.is_contiguous() ? result : result.contiguous();
    const views = [self.contiguous(), out].map(view_of);
    kernel.launch(variant_of(shape), views, [rows, sizes[dim], inner], ...folded(groups_of(shape, rows)), 1);
    if (out !== result) result.copy_(out);
  };
}

/** Cumulative sum along `dim`. Both tensors have one dtype and are on the device. */
export const cumsum = host_scan("cumsum", scan("cumsum", SUM));
const cumprod = host_scan("cumprod", scan("cumprod", PRODUCT));

REGISTER_PRIVATEUSE1_DISPATCH(cumsum_stub, cumsum, "cumsum_webgpu_kernel");
REGISTER_PRIVATEUSE1_DISPATCH(cumprod_stub, cumprod, "cumprod_webgpu_kernel");
