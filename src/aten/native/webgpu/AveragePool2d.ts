/**
 * @file The mean of each window over an image, and of parts of an image, as many as were asked for; the gradients, by looking up for each pixel the
 * windows that it lies in.
 * @mirrors aten/src/ATen/native/AdaptivePooling.h
 * @mirrors aten/src/ATen/native/Pool.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { adaptive_avg_pool2d_backward_kernel, adaptive_avg_pool2d_kernel } from "#aten/native/AdaptiveAveragePooling";
import { avg_pool2d_backward_kernel, avg_pool2d_kernel, type Divisor } from "#aten/native/AveragePool2d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import type { Images, Window2d } from "#aten/native/Pool";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { folded, GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_indices } from "./strided.ts";

const FIELDS = [
  ...["n: u32", "H: i32", "W: i32", "oH: i32", "oW: i32"],
  ...["kH: i32", "kW: i32", "dH: i32", "dW: i32", "padH: i32", "padW: i32", "counts_padding: u32", "divisor: i32"],
];

/** The variants. */
const WINDOWS = 0;
const PARTS = 1;

/** `window(o, ...)`: where window o begins and ends within the image, and its size with padding; `over(x, ...)`: the windows that pixel x lies in. */
const TEXT: readonly string[] = [
  `fn window(o: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32) -> vec3<i32> {
  let begin = o * step - padding;
  let end = min(begin + kernel, size + padding);
  return vec3<i32>(max(begin, 0i), min(end, size), end - begin);
}
fn over(x: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32) -> vec2<i32> {
  return vec2<i32>(max(x + padding - kernel + step, 0i) / step, min((x + padding) / step + 1i, count));
}`,
  `fn window(o: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32) -> vec3<i32> {
  let begin = (o * size) / count;
  let end = ((o + 1i) * size + count - 1i) / count;
  return vec3<i32>(begin, end, end - begin);
}
fn over(x: i32, size: i32, count: i32, kernel: i32, step: i32, padding: i32) -> vec2<i32> {
  return vec2<i32>((x * count) / size, ((x + 1i) * count + size - 1i) / size);
}`,
];

const SHARE = `fn share(h: vec3<i32>, w: vec3<i32>) -> i32 {
  if (p.divisor != 0i) {
    return p.divisor;
  }
  return select((h.y - h.x) * (w.y - w.x), h.z * w.z, p.counts_padding != 0u);
}`;
const OF_H = "p.H, p.oH, p.kH, p.dH, p.padH";
const OF_W = "p.W, p.oW, p.kW, p.dW, p.padW";

/** Sums are of floats, or of int64. */
const FLOATS = `fn plus(a: f32, b: f32) -> f32 {
  return a + b;
}
fn divided(sum: f32, share: i32) -> f32 {
  return sum / f32(share);
}`;
const INT64 = `fn plus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return i64_add(a, b);
}
fn divided(sum: vec2<u32>, share: i32) -> vec2<u32> {
  return i64_div(sum, i64_from_i32(share));
}`;

function declarations({ variant }: KernelContext, type: string): string {
  return [TEXT[variant], SHARE, type === "f32" ? FLOATS : INT64].join("\n");
}

function is_summed(dtype: ScalarType): boolean {
  return isFloatingType(dtype) || dtype === ScalarType.Long;
}

const forward = new GpuKernel("avg_pool2d_forward", {
  reads: ["pixels"],
  writes: ["out"],
  fields: FIELDS,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  takes: is_summed,
  code: (context) => ({
    declarations: declarations(context, context.type("pixels")),
    main: `${strided_indices(1)}
  let plane = (i32(i) / (p.oW * p.oH)) * p.H * p.W;
  let h = window((i32(i) / p.oW) % p.oH, ${OF_H});
  let w = window(i32(i) % p.oW, ${OF_W});
  var sum = ${context.type("pixels")}();
  for (var y = h.x; y < h.y; y++) {
    for (var x = w.x; x < w.y; x++) {
      sum = plus(sum, load_pixels(u32(plane + y * p.W + x)));
    }
  }
  if ((h.x < h.y) && (w.x < w.y)) {
    sum = divided(sum, share(h, w));
  }
  store_out(i, sum);`,
  }),
});

const backward = new GpuKernel("avg_pool2d_backward", {
  reads: ["grad_output"],
  writes: ["grad_input"],
  fields: FIELDS,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  takes: is_summed,
  code: (context) => ({
    declarations: declarations(context, context.type("grad_output")),
    main: `${strided_indices(1)}
  let plane = (i32(i) / (p.W * p.H)) * p.oH * p.oW;
  let rows = over((i32(i) / p.W) % p.H, ${OF_H});
  let columns = over(i32(i) % p.W, ${OF_W});
  var sum = ${context.type("grad_output")}();
  for (var oh = rows.x; oh < rows.y; oh++) {
    let h = window(oh, ${OF_H});
    for (var ow = columns.x; ow < columns.y; ow++) {
      let part = load_grad_output(u32(plane + oh * p.oW + ow));
      sum = plus(sum, divided(part, share(h, window(ow, ${OF_W}))));
    }
  }
  store_grad_input(i, sum);`,
  }),
});

function launch(
  kernel: GpuKernel,
  variant: number,
  [read, written]: readonly [Tensor, Tensor],
  { H, W, oH, oW }: Images,
  numbers: readonly number[],
): void {
  const n = written.numel();
  if (n === 0 || read.numel() === 0) return;
  const groups = folded(Math.ceil(n / STRIDED_WORKGROUP));
  kernel.launch(variant, [view_of(read), view_of(written)], [n, H, W, oH, oW, ...numbers], ...groups, 1);
}

function numbers_of({ kH, kW, dH, dW, padH, padW }: Window2d, divisor: Divisor): number[] {
  return [kH, kW, dH, dW, padH, padW, divisor.count_include_pad ? 1 : 0, divisor.divisor_override];
}
/** Parts have no padding, and no window of a given size. */
const OF_PARTS = [0, 0, 1, 1, 0, 0, 0, 0];

type Divided = [window: Window2d, images: Images, divisor: Divisor];
function avg_pool2d(out: Tensor, input: Tensor, ...[window, images, divisor]: Divided): void {
  launch(forward, WINDOWS, [input, out], images, numbers_of(window, divisor));
}
function avg_pool2d_backward(grad_input: Tensor, grad_output: Tensor, ...[window, images, divisor]: Divided): void {
  launch(backward, WINDOWS, [grad_output, grad_input], images, numbers_of(window, divisor));
}
function adaptive_avg_pool2d(out: Tensor, input: Tensor, images: Images): void {
  launch(forward, PARTS, [input, out], images, OF_PARTS);
}
function adaptive_avg_pool2d_backward(grad_input: Tensor, grad_output: Tensor, images: Images): void {
  launch(backward, PARTS, [grad_output, grad_input], images, OF_PARTS);
}

REGISTER_PRIVATEUSE1_DISPATCH(avg_pool2d_kernel, avg_pool2d, "avg_pool2d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(avg_pool2d_backward_kernel, avg_pool2d_backward, "avg_pool2d_backward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(adaptive_avg_pool2d_kernel, adaptive_avg_pool2d, "adaptive_avg_pool2d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  adaptive_avg_pool2d_backward_kernel,
  adaptive_avg_pool2d_backward,
  "adaptive_avg_pool2d_backward_kernel_webgpu",
);
