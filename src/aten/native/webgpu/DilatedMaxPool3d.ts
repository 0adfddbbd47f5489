/**
 * @file Kernels of max pooling over volumes, in windows or in parts (adaptive pooling): the maximum and its index. The
 * gradient of an element is a sum over the windows that contain it, so no atomic additions are needed. An image is a
 * volume of depth 1.
 * @mirrors aten/src/ATen/native/Pool.h
 * @see DilatedMaxPool2d.ts
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { max_pool2d_backward_kernel } from "#aten/native/DilatedMaxPool2d";
import { check_max_pool3d_backward, max_pool3d_kernel } from "#aten/native/DilatedMaxPool3d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { contiguously, type Images } from "#aten/native/Pool/index";
import type { Volumes, Window3d } from "#aten/native/Pool/Pool3d";
import { GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

const FIELDS = [
  ...["n: u32", "T: i32", "H: i32", "W: i32", "oT: i32", "oH: i32", "oW: i32"],
  ...["kT: i32", "kH: i32", "kW: i32", "dT: i32", "dH: i32", "dW: i32", "padT: i32", "padH: i32", "padW: i32"],
  ...["dilationT: i32", "dilationH: i32", "dilationW: i32"],
];

/** The two variants: windows of a given size, or a given number of parts. */
const WINDOWS = 0;
const PARTS = 1;

/** WGSL function of each variant. `window(o, ...)`: begin and end of window o within a dim. */
const TEXT: readonly string[] = [
  `fn window(o: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32, dilation: i32) -> vec2<i32> {
  let begin = o * step - padding;
  let before = (max(-begin, 0i) + dilation - 1i) / dilation;
  return vec2<i32>(begin + before * dilation, min(begin + (kernel - 1i) * dilation + 1i, size));
}`,
  `fn window(o: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32, dilation: i32) -> vec2<i32> {
  return vec2<i32>((o * size) / count, ((o + 1i) * size + count - 1i) / count);
}`,
];
/** WGSL function of each variant. `over(x, ...)`: the range of windows that may contain place x. */
const OVER: readonly string[] = [
  `fn over(x: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32, dilation: i32) -> vec2<i32> {
  let first = max(x + padding - (kernel - 1i) * dilation + step - 1i, 0i) / step;
  return vec2<i32>(first, min((x + padding) / step + 1i, count));
}`,
  `fn over(x: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32, dilation: i32) -> vec2<i32> {
  return vec2<i32>((x * count) / size, ((x + 1i) * count + size - 1i) / size);
}`,
];

function of_dim(d: string): string {
  return `p.${d}, p.o${d}, p.k${d}, p.d${d}, p.pad${d}, p.dilation${d}`;
}

/** Start value: no element is smaller. */
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

/**
 * WGSL for the maximum within `plane` and its index. The ranges are [t.x, t.y), [h.x, h.y) and [w.x, w.y), with the
 * given steps. NaN counts as the maximum.
 */
export function greatest_of(context: KernelContext, [depth, height, width]: readonly string[]): string {
  return `  var best = ${LEAST[context.type("input")]};
  var index = (t.x * p.H + h.x) * p.W + w.x;
  for (var z = t.x; z < t.y; z += ${depth}) {
    for (var y = h.x; y < h.y; y += ${height}) {
      for (var x = w.x; x < w.y; x += ${width}) {
        let place = (z * p.H + y) * p.W + x;
        let v = load_input(u32(plane + place));
        if (${GREATER[context.type("input")]}) {
          best = v;
          index = place;
        }
      }
    }
  }
  store_out(i, best);
  store_indices(i, vec2<u32>(u32(index), 0u));`;
}

const forward = new GpuKernel("max_pool_forward", {
  reads: ["input"],
  writes: ["out", "indices"],
  fields: FIELDS,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({
    declarations: TEXT[context.variant],
    main: `${strided_indices(1)}
  let row = i32(i) / p.oW;
  let slab = row / p.oH;
  let plane = (slab / p.oT) * p.T * p.H * p.W;
  let t = window(slab % p.oT, ${of_dim("T")});
  let h = window(row % p.oH, ${of_dim("H")});
  let w = window(i32(i) % p.oW, ${of_dim("W")});
${greatest_of(context, ["p.dilationT", "p.dilationH", "p.dilationW"])}`,
  }),
});

/** Sums the gradients of the windows whose maximum is this element; only windows that contain it are read. */
const backward = new GpuKernel("max_pool_backward", {
  reads: ["grad_output", "indices"],
  writes: ["grad_input"],
  fields: FIELDS,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => ({
    declarations: OVER[variant],
    main: `${strided_indices(1)}
  let row = i32(i) / p.W;
  let slab = row / p.H;
  let plane = slab / p.T;
  let place = u32(i32(i) - plane * p.T * p.H * p.W);
  let t = over(slab % p.T, ${of_dim("T")});
  let h = over(row % p.H, ${of_dim("H")});
  let w = over(i32(i) % p.W, ${of_dim("W")});
  var sum = 0.0f;
  for (var ot = t.x; ot < t.y; ot++) {
    for (var oh = h.x; oh < h.y; oh++) {
      for (var ow = w.x; ow < w.y; ow++) {
        let source = u32(((plane * p.oT + ot) * p.oH + oh) * p.oW + ow);
        if (load_indices(source).x == place) {
          sum += load_grad_output(source);
        }
      }
    }
  }
  store_grad_input(i, sum);`,
  }),
});

function launch(
  kernel: GpuKernel,
  variant: number,
  operands: readonly Tensor[],
  n: number,
  { T, H, W, oT, oH, oW }: Volumes,
  window: readonly number[],
): void {
  const groups = strided_groups(n);
  kernel.launch(variant, operands.map(view_of), [n, T, H, W, oT, oH, oW, ...window], ...groups, 1);
}

function numbers_of(window: Window3d): number[] {
  const { kT, kH, kW, dT, dH, dW, padT, padH, padW, dilationT, dilationH, dilationW } = window;
  return [kT, kH, kW, dT, dH, dW, padT, padH, padW, dilationT, dilationH, dilationW];
}
/** Parts have no padding, no dilation and no fixed window size. */
const OF_PARTS = [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1];

export function max_pool3d(output: Tensor, indices: Tensor, input: Tensor, window: Window3d, volumes: Volumes): void {
  const n = output.numel();
  if (n !== 0) launch(forward, WINDOWS, [input, output, indices], n, volumes, numbers_of(window));
}

export function adaptive_max_pool(output: Tensor, indices: Tensor, input: Tensor, volumes: Volumes): void {
  launch(forward, PARTS, [input, output, indices], output.numel(), volumes, OF_PARTS);
}

/** All tensors are contiguous and have elements. */
export function max_pool3d_backward(
  grad_input: Tensor,
  grad_output: Tensor,
  indices: Tensor,
  window: Window3d,
  volumes: Volumes,
): void {
  const operands = [grad_output, indices, grad_input];
  launch(backward, WINDOWS, operands, grad_input.numel(), volumes, numbers_of(window));
}

/** All tensors are contiguous and have elements. */
export function adaptive_max_pool_backward(
  grad_input: Tensor,
  grad_output: Tensor,
  indices: Tensor,
  volumes: Volumes,
): void {
  launch(backward, PARTS, [grad_output, indices, grad_input], grad_input.numel(), volumes, OF_PARTS);
}

/** Backward of 2-D max pooling whose stub gets no window sizes: `scatter_add_` sorts the gradients by index. */
function max_pool_backward_by_indices(
  grad_input: Tensor,
  grad_output: Tensor,
  indices: Tensor,
  { planes, H, W, oH, oW }: Images,
): void {
  if (grad_output.numel() === 0) return;
  const [places, gradients] = [indices, grad_output].map((t) => t.view([planes, oH * oW]));
  grad_input.view([planes, H * W]).scatter_add_(1, places, gradients);
}

REGISTER_PRIVATEUSE1_DISPATCH(max_pool3d_kernel, max_pool3d, "max_pool3d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  max_pool2d_backward_kernel,
  max_pool_backward_by_indices,
  "max_pool2d_backward_kernel_webgpu",
);

// max_pool3d_with_indices_backward.grad_input
export function max_pool3d_with_indices_backward_out(
  gradOutput: Tensor,
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
  indices: Tensor,
  gradInput: Tensor,
): Tensor {
  const sizes = [kernel_size, stride, padding, dilation] as const;
  const { window, volumes } = check_max_pool3d_backward(gradOutput, input, sizes, ceil_mode, indices);
  gradInput.resize_(input.sizes().slice(), input.dim() === 5 ? input.suggest_memory_format() : null);
  check_floating_types_and2(input.scalar_type(), "max_pool3d_backward");
  if (gradOutput.numel() === 0) return gradInput.zero_();
  contiguously([gradInput], ([grad]) =>
    max_pool3d_backward(grad, gradOutput.contiguous(), indices.contiguous(), window, volumes),
  );
  return gradInput;
}

// max_pool3d_with_indices_backward
export function max_pool3d_with_indices_backward(
  gradOutput: Tensor,
  input: Tensor,
  kernel_size: number[],
  stride: number[],
  padding: number[],
  dilation: number[],
  ceil_mode: boolean,
  indices: Tensor,
): Tensor {
  const gradInput = at.empty_memory_format([0], input.options());
  const sizes = [kernel_size, stride, padding, dilation] as const;
  return max_pool3d_with_indices_backward_out(gradOutput, input, ...sizes, ceil_mode, indices, gradInput);
}
