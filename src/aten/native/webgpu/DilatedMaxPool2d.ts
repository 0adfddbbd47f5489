/**
 * @file The greatest element of each window over an image, and where it stands; its gradient, by looking up for each pixel the windows that it
 * lies in, so that nothing is added atomically.
 * @mirrors aten/src/ATen/native/Pool.h
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { max_pool2d_kernel, structured_max_pool2d_with_indices_backward } from "#aten/native/DilatedMaxPool2d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { contiguously, type Images, images_of, type Window2d, window2d } from "#aten/native/Pool";
import { folded, GpuKernel, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_indices } from "./strided.ts";

const SIZES = ["n: u32", "H: i32", "W: i32", "oH: i32", "oW: i32"];
const WINDOW = [
  "kH: i32",
  "kW: i32",
  "dH: i32",
  "dW: i32",
  "padH: i32",
  "padW: i32",
  "dilationH: i32",
  "dilationW: i32",
];

function sizes_of(n: number, { H, W, oH, oW }: Images): number[] {
  return [n, H, W, oH, oW];
}

/** Any element is greater, or as great. */
const LEAST: Readonly<Record<string, string>> = {
  f32: "-inf()",
  i32: "-2147483647i - 1i",
  "vec2<u32>": "vec2<u32>(0u, 0x80000000u)",
};
const GREATER: Readonly<Record<string, string>> = {
  f32: "(v > best) || isnan_f32(v)",
  i32: "v > best",
  "vec2<u32>": "i64_lt(best, v)",
};

/** A NaN wins. */
const max_pool = new GpuKernel("max_pool_forward", {
  reads: ["pixels"],
  writes: ["out", "indices"],
  fields: [...SIZES, ...WINDOW],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    main: `${strided_indices(1)}
  let ow = i32(i) % p.oW;
  let oh = (i32(i) / p.oW) % p.oH;
  let plane = (i32(i) / (p.oW * p.oH)) * p.H * p.W;
  var h0 = oh * p.dH - p.padH;
  let h1 = min(h0 + (p.kH - 1i) * p.dilationH + 1i, p.H);
  while (h0 < 0i) {
    h0 += p.dilationH;
  }
  var w0 = ow * p.dW - p.padW;
  let w1 = min(w0 + (p.kW - 1i) * p.dilationW + 1i, p.W);
  while (w0 < 0i) {
    w0 += p.dilationW;
  }
  var best = ${LEAST[context.type("pixels")]};
  var index = h0 * p.W + w0;
  for (var h = h0; h < h1; h += p.dilationH) {
    for (var w = w0; w < w1; w += p.dilationW) {
      let v = load_pixels(u32(plane + h * p.W + w));
      if (${GREATER[context.type("pixels")]}) {
        best = v;
        index = h * p.W + w;
      }
    }
  }
  store_out(i, best);
  store_indices(i, vec2<u32>(u32(index), 0u));`,
  }),
});

/** The gradients of the windows whose greatest element a pixel is: of those that reach it. */
const max_pool_backward = new GpuKernel("max_pool_backward", {
  reads: ["grad_output", "indices"],
  writes: ["grad_input"],
  fields: [...SIZES, ...WINDOW],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    main: `${strided_indices(1)}
  let pixel = i32(i) % (p.H * p.W);
  let plane = i32(i) / (p.H * p.W);
  let h = pixel / p.W + p.padH;
  let w = pixel % p.W + p.padW;
  let h0 = max(h - (p.kH - 1i) * p.dilationH + p.dH - 1i, 0i) / p.dH;
  let w0 = max(w - (p.kW - 1i) * p.dilationW + p.dW - 1i, 0i) / p.dW;
  let h1 = min(h / p.dH + 1i, p.oH);
  let w1 = min(w / p.dW + 1i, p.oW);
  var sum = 0.0f;
  for (var oh = h0; oh < h1; oh++) {
    for (var ow = w0; ow < w1; ow++) {
      let place = u32((plane * p.oH + oh) * p.oW + ow);
      if (load_indices(place).x == u32(pixel)) {
        sum += load_grad_output(place);
      }
    }
  }
  store_grad_input(i, sum);`,
  }),
});

function grid(n: number): [number, number] {
  return folded(Math.ceil(n / STRIDED_WORKGROUP));
}

function values_of(n: number, images: Images, window: Window2d): number[] {
  const { kH, kW, dH, dW, padH, padW, dilationH, dilationW } = window;
  return [...sizes_of(n, images), kH, kW, dH, dW, padH, padW, dilationH, dilationW];
}

function max_pool2d(output: Tensor, indices: Tensor, input: Tensor, window: Window2d, images: Images): void {
  const n = output.numel();
  if (n === 0) return;
  max_pool.launch(0, [input, output, indices].map(view_of), values_of(n, images, window), ...grid(n), 1);
}

REGISTER_PRIVATEUSE1_DISPATCH(max_pool2d_kernel, max_pool2d, "max_pool2d_kernel_webgpu");

// max_pool2d_with_indices_backward.grad_input
export abstract class structured_max_pool2d_with_indices_backward_out extends structured_max_pool2d_with_indices_backward {
  impl(
    gradOutput: Tensor,
    input: Tensor,
    kernel_size: number[],
    stride: number[],
    padding: number[],
    dilation: number[],
    ceil_mode: boolean,
    indices: Tensor,
    gradInput: Tensor,
  ): void {
    const window = window2d("max_pool2d", kernel_size, stride, padding, dilation);
    const images = images_of(input, window, ceil_mode);
    check_floating_types_and2(gradOutput.scalar_type(), "max_pool2d_backward");
    const n = gradInput.numel();
    if (n === 0) return;
    if (gradOutput.numel() === 0) {
      gradInput.zero_();
      return;
    }
    contiguously([gradInput], ([grad]) => {
      const views = [gradOutput.contiguous(), indices.contiguous(), grad].map(view_of);
      max_pool_backward.launch(0, views, values_of(n, images, window), ...grid(n), 1);
    });
  }
}
