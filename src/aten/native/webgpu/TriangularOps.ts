/**
 * @file Kernels of `tril`, `triu` and `trace`.
 * @mirrors aten/src/ATen/native/TriangularOpsUtils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { tril_stub, triu_stub } from "#aten/native/TriangularOps";
import { TORCH_CHECK } from "#c10/util/Exception";
import { GpuKernel, view_of } from "./KernelText.ts";
import {
  reversed_sizes,
  reversed_strides,
  STRIDED_WORKGROUP,
  strided_fields,
  strided_groups,
  strided_indices,
  strided_offset,
  strided_values,
} from "./strided.ts";

const ZEROS: Readonly<Record<string, string>> = { f32: "0.0f", i32: "0i", "vec2<u32>": "vec2<u32>(0u, 0u)" };

/**
 * `stays` is the WGSL condition for keeping the element in row `i1` and column `i0`. The variant is the number of
 * dimensions.
 */
function triangle(name: string, stays: string): GpuKernel {
  return new GpuKernel(name, {
    reads: ["input"],
    writes: ["result"],
    fields: ({ variant }) => [...strided_fields(variant, ["result", "input"]), "k: i32"],
    workgroup_size: [STRIDED_WORKGROUP, 1, 1],
    code: (context) => ({
      main: `${strided_indices(context.variant)}
  let at = ${strided_offset(context.variant, "result")};
  if (${stays}) {
    store_result(at, load_input(${strided_offset(context.variant, "input")}));
  } else {
    store_result(at, ${ZEROS[context.type("input")]});
  }`,
    }),
  });
}

function host_triangle(kernel: GpuKernel): (result: Tensor, self: Tensor, inplace: boolean, k: number) => void {
  return (result, self, _inplace, k) => {
    const n = self.numel();
    const strides = [reversed_strides(result), reversed_strides(self)];
    const values = strided_values(n, reversed_sizes(self), strides);
    const groups = strided_groups(n);
    const within = Math.max(-(2 ** 30), Math.min(k, 2 ** 30)); // beyond all rows and columns, a larger number changes nothing
    kernel.launch(self.dim(), [view_of(self), view_of(result)], [...values, within], ...groups, 1);
  };
}

const tril = host_triangle(triangle("tril", "i32(i0) - i32(i1) <= p.k"));
const triu = host_triangle(triangle("triu", "i32(i0) - i32(i1) >= p.k"));

REGISTER_PRIVATEUSE1_DISPATCH(tril_stub, tril, "tril_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(triu_stub, triu, "triu_kernel_webgpu");

// trace(Tensor self) -> Tensor
export function trace(self: Tensor): Tensor {
  TORCH_CHECK(self.dim() === 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  return self.diagonal().sum();
}
