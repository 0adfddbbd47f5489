/**
 * @file Kernels of average pooling over volumes: the mean of each window, or of each part (adaptive pooling). The
 * gradient of an element is a sum over the windows that contain it. An image is a volume of depth 1.
 * @mirrors aten/src/ATen/native/AdaptivePooling.h
 * @mirrors aten/src/ATen/native/Pool.h
 * @see AveragePool2d.ts
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { adaptive_avg_pool3d_backward_kernel, adaptive_avg_pool3d_kernel } from "#aten/native/AdaptiveAveragePooling3d";
import type { Divisor } from "#aten/native/AveragePool2d";
import { avg_pool3d_backward_kernel, avg_pool3d_kernel } from "#aten/native/AveragePool3d";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import type { Volumes, Window3d } from "#aten/native/Pool/Pool3d";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

const FIELDS = [
  ...["n: u32", "T: i32", "H: i32", "W: i32", "oT: i32", "oH: i32", "oW: i32"],
  ...["kT: i32", "kH: i32", "kW: i32", "dT: i32", "dH: i32", "dW: i32", "padT: i32", "padH: i32", "padW: i32"],
  ...["counts_padding: u32", "divisor: i32"],
];

/** The two variants: windows of a given size, or a given number of parts. */
const WINDOWS = 0;
const PARTS = 1;

/**
 * WGSL functions of each variant. `window(o, ...)`: begin and end of window o within a dim, and its size with padding.
 * `over(x, ...)`: the range of windows that contain place x.
 */
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

const SHARE = `fn share(t: vec3<i32>, h: vec3<i32>, w: vec3<i32>) -> i32 {
  if (p.divisor != 0i) {
    return p.divisor;
  }
  return select((t.y - t.x) * (h.y - h.x) * (w.y - w.x), t.z * h.z * w.z, p.counts_padding != 0u);
}`;
const OF_T = "p.T, p.oT, p.kT, p.dT, p.padT";
const OF_H = "p.H, p.oH, p.kH, p.dH, p.padH";
const OF_W = "p.W, p.oW, p.kW, p.dW, p.padW";

/** Sums are computed in float32 or in int64. */
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

const forward = new GpuKernel("avg_pool_forward", {
  reads: ["input"],
  writes: ["out"],
  fields: FIELDS,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  takes: is_summed,
  code: (context) => ({
    declarations: declarations(context, context.type("input")),
    main: `${strided_indices(1)}
  let row = i32(i) / p.oW;
  let slab = row / p.oH;
  let plane = (slab / p.oT) * p.T;
  let t = window(slab % p.oT, ${OF_T});
  let h = window(row % p.oH, ${OF_H});
  let w = window(i32(i) % p.oW, ${OF_W});
  var sum = ${context.type("input")}();
  for (var z = t.x; z < t.y; z++) {
    for (var y = h.x; y < h.y; y++) {
      let begin = ((plane + z) * p.H + y) * p.W;
      for (var x = w.x; x < w.y; x++) {
        sum = plus(sum, load_input(u32(begin + x)));
      }
    }
  }
  if ((t.x < t.y) && (h.x < h.y) && (w.x < w.y)) {
    sum = divided(sum, share(t, h, w));
  }
  store_out(i, sum);`,
  }),
});

const backward = new GpuKernel("avg_pool_backward", {
  reads: ["grad_output"],
  writes: ["grad_input"],
  fields: FIELDS,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  takes: is_summed,
  code: (context) => ({
    declarations: declarations(context, context.type("grad_output")),
    main: `${strided_indices(1)}
  let row = i32(i) / p.W;
  let slab = row / p.H;
  let plane = (slab / p.T) * p.oT;
  let slabs = over(slab % p.T, ${OF_T});
  let rows = over(row % p.H, ${OF_H});
  let columns = over(i32(i) % p.W, ${OF_W});
  var sum = ${context.type("grad_output")}();
  for (var ot = slabs.x; ot < slabs.y; ot++) {
    let t = window(ot, ${OF_T});
    for (var oh = rows.x; oh < rows.y; oh++) {
      let h = window(oh, ${OF_H});
      for (var ow = columns.x; ow < columns.y; ow++) {
        let part = load_grad_output(u32(((plane + ot) * p.oH + oh) * p.oW + ow));
        sum = plus(sum, divided(part, share(t, h, window(ow, ${OF_W}))));
      }
    }
  }
  store_grad_input(i, sum);`,
  }),
});

function launch(
  kernel: GpuKernel,
  variant: number,
  [read, written]: readonly [Tensor, Tensor],
  { T, H, W, oT, oH, oW }: Volumes,
  numbers: readonly number[],
): void {
  const n = written.numel();
  if (n === 0 || read.numel() === 0) return;
  const groups = strided_groups(n);
  kernel.launch(variant, [view_of(read), view_of(written)], [n, T, H, W, oT, oH, oW, ...numbers], ...groups, 1);
}

function numbers_of(window: Window3d, divisor: Divisor): number[] {
  const { kT, kH, kW, dT, dH, dW, padT, padH, padW } = window;
  const counts_padding = divisor.count_include_pad ? 1 : 0;
  return [kT, kH, kW, dT, dH, dW, padT, padH, padW, counts_padding, divisor.divisor_override];
}
/** Parts have no padding and no fixed window size. */
const OF_PARTS = [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0];

type Divided = [window: Window3d, volumes: Volumes, divisor: Divisor];
export function avg_pool3d(out: Tensor, input: Tensor, ...[window, volumes, divisor]: Divided): void {
  launch(forward, WINDOWS, [input, out], volumes, numbers_of(window, divisor));
}
export function avg_pool3d_backward(
  grad_input: Tensor,
  grad_output: Tensor,
  ...[window, volumes, divisor]: Divided
): void {
  launch(backward, WINDOWS, [grad_output, grad_input], volumes, numbers_of(window, divisor));
}
export function adaptive_avg_pool3d(out: Tensor, input: Tensor, volumes: Volumes): void {
  launch(forward, PARTS, [input, out], volumes, OF_PARTS);
}
export function adaptive_avg_pool3d_backward(grad_input: Tensor, grad_output: Tensor, volumes: Volumes): void {
  launch(backward, PARTS, [grad_output, grad_input], volumes, OF_PARTS);
}

REGISTER_PRIVATEUSE1_DISPATCH(avg_pool3d_kernel, avg_pool3d, "avg_pool3d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(avg_pool3d_backward_kernel, avg_pool3d_backward, "avg_pool3d_backward_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(adaptive_avg_pool3d_kernel, adaptive_avg_pool3d, "adaptive_avg_pool3d_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  adaptive_avg_pool3d_backward_kernel,
  adaptive_avg_pool3d_backward,
  "adaptive_avg_pool3d_backward_kernel_webgpu",
);
