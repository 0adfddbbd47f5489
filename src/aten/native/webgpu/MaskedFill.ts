/**
 * @file Kernel of `masked_fill_`: one value at each place where the mask is true.
 * @mirrors aten/src/ATen/native/cuda/IndexKernel.h
 */
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { masked_fill_stub } from "#aten/native/TensorAdvancedIndexing/MaskedFill";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { isFloatingType } from "#c10/core/ScalarType";
import { GpuKernel } from "./KernelText.ts";
import {
  operand_view,
  STRIDED_WORKGROUP,
  strided_fields,
  strided_groups,
  strided_indices,
  strided_offset,
  strided_values,
} from "./strided.ts";

const VALUES: Readonly<Record<string, string>> = {
  f32: "p.value",
  i32: "bitcast<i32>(p.low)",
  "vec2<u32>": "vec2<u32>(p.low, p.high)",
};

/** The variant is the number of dimensions. */
const kernel = new GpuKernel("masked_fill", {
  reads: ["mask"],
  writes: ["out"],
  fields: ({ variant }) => [...strided_fields(variant, ["out", "mask"]), "value: f32", "low: u32", "high: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    main: `${strided_indices(context.variant)}
  if (load_mask(${strided_offset(context.variant, "mask")}) != 0i) {
    store_out(${strided_offset(context.variant, "out")}, ${VALUES[context.type("out")]});
  }`,
  }),
});

function masked_fill_kernel(iter: TensorIteratorBase, value: Scalar): void {
  const n = iter.numel();
  if (n === 0) return;
  const shape = iter.shape();
  const filled = value.to(iter.dtype());
  const bits = isFloatingType(iter.dtype()) ? 0n : BigInt(filled as number | bigint);
  const words = [Number(BigInt.asUintN(32, bits)), Number(BigInt.asIntN(32, bits >> 32n))];
  const values = strided_values(n, shape, [iter.strides(0), iter.strides(1)]);
  kernel.launch(
    shape.length,
    [operand_view(iter, 1), operand_view(iter, 0)],
    [...values, Number(filled), ...words],
    ...strided_groups(n),
    1,
  );
}

REGISTER_PRIVATEUSE1_DISPATCH(masked_fill_stub, masked_fill_kernel, "masked_fill_kernel_webgpu");
