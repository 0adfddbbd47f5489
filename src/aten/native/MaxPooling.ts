/**
 * @file `max_pool1d`: it computes indices only if a gradient needs them.
 * @mirrors aten/src/ATen/native/MaxPooling.cpp
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { isTensorSubclassLike } from "#aten/TensorSubclassLikeUtils";
import { DeviceType } from "#c10/core/DeviceType";
import { GradMode } from "#c10/core/GradMode";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { max_pool2d_kernel } from "./DilatedMaxPool2d.ts";
import { pooling_output_shape } from "./Pool/index.ts";

type Sizes = readonly number[];

function check_one(what: string, list: Sizes): void {
  TORCH_CHECK(list.length === 1, `max_pool1d() ${what} or tuple of ints of size 1 but got size ${list.length}`);
}

function check_max_pool1d(
  self: Tensor,
  kernel_size: Sizes,
  stride: Sizes,
  padding: Sizes,
  dilation: Sizes,
  ceil_mode: boolean,
): number {
  check_one("kernel_size must be an int, list of ints", kernel_size);
  if (stride.length > 0) check_one("stride must be None, an int, list of ints,", stride);
  check_one("padding must be an int, list of ints,", padding);
  check_one("dilation must be an int, list of ints", dilation);
  const [[k], [d], [p]] = [kernel_size, dilation, padding];
  const s = stride.length === 0 ? k : stride[0];
  TORCH_CHECK(k > 0, "max_pool1d() kernel_size must be greater than zero, but got ", k);
  TORCH_CHECK(s > 0, "max_pool1d() stride must be greater than zero, but got ", s);
  TORCH_CHECK(p >= 0, "max_pool1d() padding must be non-negative, but got ", p);
  TORCH_CHECK(
    p <= Math.trunc(k / 2),
    `max_pool1d() padding should be at most half of kernel size, but got padding=${p} and kernel_size=${k}`,
  );
  TORCH_CHECK(d > 0, "max_pool1d() dilation must be greater than zero, but got ", d);
  const OW = pooling_output_shape(self.size(-1), k, p, s, d, ceil_mode);
  TORCH_CHECK(OW > 0, "max_pool1d() Invalid computed output size: ", OW);
  return OW;
}

// max_pool1d                                                                        CompositeImplicitAutograd
export function max_pool1d(
  self: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
): Tensor {
  const ndim = self.dim();
  TORCH_CHECK(
    (ndim === 2 || ndim === 3) && self.sizes().every((size, d) => size !== 0 || (ndim === 3 && d === 0)),
    "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:",
    self.sizes(),
  );
  const OW = check_max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode);
  if (
    (self.requires_grad() && GradMode.is_enabled()) ||
    self._fw_grad(0).defined() ||
    self.device_type() !== DeviceType.CPU ||
    isTensorSubclassLike(self)
  )
    return at.max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0];

  check_floating_types_and2(self.scalar_type(), "max_pool1d_impl");
  const sizes = [...(ndim === 2 ? [1] : []), ...self.sizes().slice(0, -1), OW];
  const output = at.empty_memory_format(sizes, self.options());
  const indices = empty_cpu_options(sizes, self.options().dtype(ScalarType.Long)); // not returned
  const [[kW], [padW], [dilationW]] = [kernel_size, padding, dilation];
  const dW = stride.length === 0 ? kW : stride[0];
  const window = { kH: 1, kW, dH: 1, dW, padH: 0, padW, dilationH: 1, dilationW };
  const W = self.size(-1);
  const images = { planes: self.numel() / W, H: 1, W, oH: 1, oW: OW };
  max_pool2d_kernel.call(self.device_type(), output, indices, self.contiguous(), window, images);
  if (ndim === 2) output.squeeze__dim(0);
  return output;
}
