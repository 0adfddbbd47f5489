/**
 * @file Kernels that copy elements by tables of positions along three dims: reflection and replication padding, and
 * nearest-neighbour resampling. Backward adds up, for each element, the gradients of all places that read it.
 * @mirrors aten/src/ATen/native/Padding.h
 * @differs Ours has one kernel for all kinds and numbers of dims; CUDA has one for each, and adds gradients with
 * atomics, except for nearest neighbours.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { type PaddingTables, padding_backward_stub, padding_stub } from "#aten/native/Padding";
import { ScalarType } from "#c10/core/ScalarType";
import { folded, GpuKernel, view_of } from "./KernelText.ts";
import { on_device, single, transposed } from "./tables.ts";

const WORKGROUP = 64;
const AXES = ["depth", "height", "width"] as const;
type Sizes = readonly [depth: number, height: number, width: number];

/**
 * WGSL that computes the position (`depth_i`, `height_i`, `width_i`) of an output element in its volume, and its
 * `plane`.
 */
const PLACE = `  let i = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  if (i >= p.n) {
    return;
  }
  let width_i = i % p.to_width;
  let height_i = (i / p.to_width) % p.to_height;
  let depth_i = (i / (p.to_width * p.to_height)) % p.to_depth;
  let plane = i / (p.to_width * p.to_height * p.to_depth);`;

const FIELDS = ["n: u32", ...AXES.map((axis) => `to_${axis}: u32`), ...AXES.map((axis) => `${axis}: u32`)];
/** Start of each axis's table. */
const PARTS = AXES.map((axis) => `${axis}_part: u32`);

const gather = new GpuKernel("padding", {
  reads: ["input", "reads"],
  writes: ["output"],
  fields: [...FIELDS, ...PARTS],
  workgroup_size: [WORKGROUP, 1, 1],
  code: () => ({
    main: `${PLACE}
  let d = u32(load_reads(p.depth_part + depth_i));
  let h = u32(load_reads(p.height_part + height_i));
  let w = u32(load_reads(p.width_part + width_i));
  store_output(i, load_input(((plane * p.depth + d) * p.height + h) * p.width + w));`,
  }),
});

/**
 * WGSL loop over the readers of a place along an axis: entries `starts[i]` to `starts[i + 1]`. In the table, `starts`
 * comes first.
 */
function each_reader(axis: string, body: string): string {
  const part = `p.${axis}_part`;
  return `  let ${axis}_end = u32(load_reads(${part} + ${axis}_i + 1u));
  for (var ${axis}_t = u32(load_reads(${part} + ${axis}_i)); ${axis}_t < ${axis}_end; ${axis}_t++) {
    let ${axis}_from = u32(load_reads(${part} + p.to_${axis} + 1u + ${axis}_t));
${body}
  }`;
}

const gather_readers = new GpuKernel("padding_backward", {
  reads: ["grad_output", "reads"],
  writes: ["grad_input"],
  fields: [...FIELDS, ...PARTS],
  workgroup_size: [WORKGROUP, 1, 1],
  code: (context) => {
    const type = context.type("grad_input");
    const plus =
      type === "vec2<u32>" ? "i64_add(sum, x)" : context.dtypes[2] === ScalarType.Bool ? "sum | x" : "sum + x";
    const add = `    let x = load_grad_output(((plane * p.depth + depth_from) * p.height + height_from) * p.width + width_from);
    sum = ${plus};`;
    return {
      main: `${PLACE}
  var sum = load_grad_input(i);
${each_reader("depth", each_reader("height", each_reader("width", add)))}
  store_grad_input(i, sum);`,
    };
  },
});

/** Depth, height and width; missing leading dims have size 1. */
function sizes_of(t: Tensor, planes: number): Sizes {
  const volume = t.numel() / planes;
  const width = t.size(-1);
  const height = volume === width ? 1 : t.size(-2);
  return [volume / (width * height), height, width];
}

function launch(
  kernel: GpuKernel,
  [to, from]: readonly [Tensor, Tensor],
  planes: number,
  tables: readonly (readonly Int32Array[])[],
): void {
  const starts: number[] = [];
  let words = 0;
  for (const table of tables) {
    starts.push(words);
    words += table.reduce((n, part) => n + part.length, 0);
  }
  const n = to.numel();
  const values = [n, ...sizes_of(to, planes), ...sizes_of(from, planes), ...starts];
  const operands = [view_of(from), view_of(on_device(tables.flat())), view_of(to)];
  kernel.launch(0, operands, values, ...folded(Math.ceil(n / WORKGROUP)), 1);
}

function padding_kernel(output: Tensor, input: Tensor, tables: PaddingTables, planes: number): void {
  const reads = tables.map((table) => [table]);
  launch(gather, [output, input], planes, reads);
}

function padding_backward_kernel(grad_input: Tensor, grad_output: Tensor, tables: PaddingTables, planes: number): void {
  if (grad_input.numel() === 0 || grad_output.numel() === 0) return;
  const sizes = sizes_of(grad_input, planes);
  const readers = tables.map((table, k) => {
    const { starts, indices } = transposed(single(table), sizes[k]);
    return [starts, indices];
  });
  launch(gather_readers, [grad_input, grad_output], planes, readers);
}

REGISTER_PRIVATEUSE1_DISPATCH(padding_stub, padding_kernel, "padding_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(padding_backward_stub, padding_backward_kernel, "padding_backward_kernel_webgpu");
