/**
 * @file Kernels of im2col and col2im, for one, two or three spatial dimensions. A column holds the pixels under the
 * kernel at one place. col2im adds up all column elements that belong to one pixel.
 *
 *   columns    (channels * positions in the kernel, images * places of the kernel)
 * @mirrors aten/src/ATen/native/cuda/im2col.cuh
 * @mirrors aten/src/ATen/native/cuda/vol2col.cuh
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GpuKernel, view_of } from "./KernelText.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

/** Sizes for each spatial dimension. */
export interface Geometry {
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
  /** Number of places of the kernel (the output size). */
  readonly places: readonly number[];
}

const PER_DIM = ["size", "kernel", "places", "stride", "padding", "dilation", "image_stride"];

/** The variant is the number of spatial dimensions. */
function fields({ variant }: { variant: number }): string[] {
  const of_dims = PER_DIM.flatMap((name) => Array.from({ length: variant }, (_, d) => `${name}${d}: i32`));
  return ["n: u32", "images: u32", "channels: u32", "batch_stride: u32", "channel_stride: u32", ...of_dims];
}

function values_of(n: number, image: Tensor, { kernel, places, stride, padding, dilation }: Geometry): number[] {
  const [images, channels, ...size] = image.sizes();
  const [batch_stride, channel_stride, ...image_stride] = image.strides();
  const of_dims = [size, kernel, places, stride, padding, dilation, image_stride].flat();
  return [n, images, channels, batch_stride, channel_stride, ...of_dims];
}

/**
 * WGSL that splits the variable `rest` into `name0`, ... by the sizes named `sizes`, the last dimension first. The
 * quotient stays in `rest`.
 */
function apart(dims: number, rest: string, sizes: string, name: string): string {
  const lines: string[] = [];
  for (let d = dims - 1; d >= 0; d--)
    lines.push(`  let ${name}${d} = i32(${rest} % u32(p.${sizes}${d}));`, `  ${rest} /= u32(p.${sizes}${d});`);
  return lines.join("\n");
}

const DIMS = (dims: number): number[] => Array.from({ length: dims }, (_, d) => d);
const product_of = (dims: number, name: string): string =>
  DIMS(dims)
    .map((d) => `u32(p.${name}${d})`)
    .join(" * ");
/** WGSL for the position of a pixel, given `image`, `channel` and `x0`, ... */
const pixel = (dims: number): string =>
  [
    "image * p.batch_stride",
    "channel * p.channel_stride",
    ...DIMS(dims).map((d) => `u32(x${d} * p.image_stride${d})`),
  ].join(" + ");

const im2col_kernel = new GpuKernel("im2col", {
  reads: ["pixels"],
  writes: ["columns"],
  fields,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => {
    const dims = context.variant;
    const seen = DIMS(dims).map((d) => `  let x${d} = o${d} * p.stride${d} - p.padding${d} + k${d} * p.dilation${d};`);
    const inside = DIMS(dims)
      .map((d) => `(x${d} >= 0i) && (x${d} < p.size${d})`)
      .join(" && ");
    return {
      main: `${strided_indices(1)}
  let width = p.images * ${product_of(dims, "places")};
  var column = i % width;
  var channel = i / width;
${apart(dims, "column", "places", "o")}
${apart(dims, "channel", "kernel", "k")}
  let image = column;
${seen.join("\n")}
  var value = ${context.type("pixels")}();
  if (${inside}) {
    value = load_pixels(${pixel(dims)});
  }
  store_columns(i, value);`,
    };
  },
});

const col2im_kernel = new GpuKernel("col2im", {
  reads: ["columns", "bias"],
  writes: ["pixels"],
  fields,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => {
    const dims = context.variant;
    const type = context.type("columns");
    const plus = (x: string): string => (type === "vec2<u32>" ? `i64_add(sum, ${x})` : `sum + ${x}`);
    const open: string[] = [];
    let at = "channel";
    let place = "image";
    for (const d of DIMS(dims)) {
      // x = o * stride - padding + k * dilation, solved for o
      open.push(
        `  for (var k${d} = 0i; k${d} < p.kernel${d}; k${d}++) {`,
        `  let t${d} = x${d} + p.padding${d} - k${d} * p.dilation${d};`,
        `  let o${d} = t${d} / p.stride${d};`,
        `  if ((t${d} < 0i) || (t${d} != o${d} * p.stride${d}) || (o${d} >= p.places${d})) {`,
        "    continue;",
        "  }",
      );
      at = `(${at} * u32(p.kernel${d}) + u32(k${d}))`;
      place = `(${place} * u32(p.places${d}) + u32(o${d}))`;
    }
    return {
      main: `${strided_indices(1)}
  let width = p.images * ${product_of(dims, "places")};
  var rest = i;
${apart(dims, "rest", "size", "x")}
  let channel = rest % p.channels;
  let image = rest / p.channels;
  var sum = ${type}();
${open.join("\n")}
    sum = ${plus(`load_columns(${at} * width + ${place})`)};
${DIMS(dims)
  .map(() => "  }")
  .join("\n")}
  store_pixels(${pixel(dims)}, ${context.has("bias") ? plus("load_bias(channel)") : "sum"});`,
    };
  },
});

/** `image` (images, channels, ...) may have any strides. */
export function im2col(image: Tensor, columns: Tensor, geometry: Geometry): void {
  launch(im2col_kernel, columns.numel(), image, [image, columns], geometry);
}

/** `bias` is contiguous, or null. */
export function col2im(columns: Tensor, bias: Tensor | null, image: Tensor, geometry: Geometry): void {
  launch(col2im_kernel, image.numel(), image, [columns, bias, image], geometry);
}

function launch(
  kernel: GpuKernel,
  n: number,
  image: Tensor,
  operands: readonly (Tensor | null)[],
  geometry: Geometry,
): void {
  if (n === 0) return;
  const grid = strided_groups(n);
  kernel.launch(
    geometry.kernel.length,
    operands.map((t) => t && view_of(t)),
    values_of(n, image, geometry),
    ...grid,
    1,
  );
}
