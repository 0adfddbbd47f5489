/**
 * @file Kernels that read and write at positions given by index tensors: one kernel text for `index`, `index_put_`,
 * `gather`, `scatter` and similar operators.
 * @mirrors aten/src/ATen/native/cuda/IndexKernel.h
 * @differs Ours adds values with the same index in one fixed order; CUDA adds with atomics unless deterministic
 * algorithms are on. If only one of several values can stay, it is the last of the iteration, as on the CPU.
 * @see aten/Context/index.ts, Note [Enabling Deterministic Operations]; native/TensorAdvancedIndexing/IndexSelect.ts, Note [The indexed dim has stride 0]
 */
import { deterministicAlgorithms } from "#aten/Context/index";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { index_put_stub, index_stub } from "#aten/native/TensorAdvancedIndexing/index";
import { gather_stub, scatter_add_stub, scatter_stub } from "#aten/native/TensorAdvancedIndexing/Scatter";
import { put_stub, take_stub } from "#aten/native/TensorAdvancedIndexing/TakePut";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { type TensorIterator, type TensorIteratorBase, TensorIteratorConfig } from "#aten/TensorIterator";
import { ScalarType } from "#c10/core/ScalarType";
import { as_index } from "./indices.ts";
import { GpuKernel, type KernelContext, type OperandView, view_of } from "./KernelText.ts";
import { empty_keys, NO_KEY, sort_by_key } from "./SortUtils.ts";
import {
  operand_view,
  STRIDED_WORKGROUP,
  strided_fields,
  strided_groups,
  strided_indices,
  strided_offset,
  strided_values,
} from "./strided.ts";

/**
 * Limit for index tensors per launch. A launch has two other operands and the word for assertions. A kernel with three
 * other operands takes one index tensor less.
 */
const MOST_INDICES = 5;
const INDICES = Array.from({ length: MOST_INDICES }, (_, k) => `index${k}`);

function variant_of(rank: number, indices: number): number {
  return rank * 8 + indices;
}

function fields({ variant }: KernelContext): string[] {
  const names = INDICES.slice(0, variant % 8);
  const of_index = names.flatMap((name) => [`${name}_size: u32`, `${name}_stride: u32`]);
  return [...strided_fields(Math.floor(variant / 8), ["out", "input", ...names]), ...of_index];
}

/**
 * WGSL that defines `out_at`, `input_at` and `offset` (the sum of index times stride). `refused` runs if an index is
 * out of bounds.
 */
function places(context: KernelContext, wraps: boolean, refused: string): string {
  const rank = Math.floor(context.variant / 8);
  const lines = [
    strided_indices(rank),
    `  let out_at = ${strided_offset(rank, "out")};`,
    `  let input_at = ${strided_offset(rank, "input")};`,
    "  var offset = 0u;",
  ];
  for (const name of INDICES.slice(0, context.variant % 8)) {
    const element = as_index(context.type(name), `load_${name}(${strided_offset(rank, name)})`);
    lines.push(`  let x_${name} = ${element};`);
    // An index that is out of bounds is reported as it was given.
    const wrapped = `select(x_${name} + i32(p.${name}_size), x_${name}, (x_${name} >= 0i) || (x_${name} < -i32(p.${name}_size)))`;
    lines.push(
      `  let w_${name} = ${wraps ? wrapped : `x_${name}`};`,
      `  if (!in_bounds(w_${name}, p.${name}_size)) {`,
      ...(refused === "" ? [] : [`    ${refused}`]),
      "    return;",
      "  }",
      `  offset += u32(w_${name}) * p.${name}_stride;`,
    );
  }
  return lines.join("\n");
}

/** Kernel with one `move` per element. If `wraps`, negative indices count from the end. */
function indexed(name: string, operator: string, wraps: boolean, move: string): GpuKernel {
  return new GpuKernel(name, {
    reads: ["input", ...INDICES],
    writes: ["out"],
    fields,
    workgroup_size: [STRIDED_WORKGROUP, 1, 1],
    asserts: operator,
    code: (context) => ({ main: `${places(context, wraps, "")}\n  ${move}` }),
  });
}
const READ = "store_out(out_at, load_input(input_at + offset));";
const WRITE = "store_out(out_at + offset, load_input(input_at));";
/** Stores the offset itself; used by `with_fewer`. */
const LEAD = "store_out(out_at, i32(offset));";
/** Elements are not moved at once but sorted first: see `keyed`. */
const SORTED = "";

/** Writes the target position of each element as a key, and the elements as a contiguous list. */
function keyed(name: string, operator: string, wraps: boolean): GpuKernel {
  return new GpuKernel(name, {
    reads: ["input", ...INDICES],
    writes: ["keys", "values"],
    fields,
    workgroup_size: [STRIDED_WORKGROUP, 1, 1],
    asserts: operator,
    code: (context) => ({
      main: `${places(context, wraps, `store_keys(i, ${NO_KEY});`)}
  store_keys(i, i32(out_at + offset));
  store_values(i, load_input(input_at));`,
    }),
  });
}

/** The first of several elements with the same key adds up all of them. */
const add_sorted = new GpuKernel("index_add_sorted", {
  reads: ["sorted", "places", "values"],
  writes: ["out"],
  fields: ["n: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => {
    const type = context.type("out");
    const sum =
      context.dtypes[3] === ScalarType.Bool ? "sum | x" : type === "vec2<u32>" ? "i64_add(sum, x)" : "sum + x";
    return {
      main: `${strided_indices(1)}
  let key = load_sorted(i);
  if ((key == ${NO_KEY}) || ((i > 0u) && (load_sorted(max(i, 1u) - 1u) == key))) {
    return;
  }
  var sum = load_out(u32(key));
  for (var j = i; (j < p.n) && (load_sorted(min(j, p.n - 1u)) == key); j++) {
    let x = load_values(u32(load_places(j)));
    sum = ${sum};
  }
  store_out(u32(key), sum);`,
    };
  },
});

/** The last of several elements with the same key is the one that stays. */
const put_sorted = new GpuKernel("index_put_sorted", {
  reads: ["sorted", "places", "values"],
  writes: ["out"],
  fields: ["n: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    main: `${strided_indices(1)}
  let key = load_sorted(i);
  if ((key == ${NO_KEY}) || ((i + 1u < p.n) && (load_sorted(min(i + 1u, p.n - 1u)) == key))) {
    return;
  }
  store_out(u32(key), load_values(u32(load_places(i))));`,
  }),
});

type Numbers = readonly number[];

/**
 * Index tensors of an iteration: for each, its strides in the iteration, the size of the dim that it selects from, and
 * that dim's stride.
 */
interface Indices {
  readonly views: readonly OperandView[];
  readonly strides: readonly Numbers[];
  readonly size: Numbers;
  readonly stride: Numbers;
}

function indices_of(iter: TensorIteratorBase, size: Numbers, stride: Numbers): Indices {
  const numbers = size.map((_, k) => k + 2);
  return {
    views: numbers.map((k) => operand_view(iter, k)),
    strides: numbers.map((k) => iter.strides(k)),
    size,
    stride,
  };
}

/**
 * If there are more index tensors than a launch takes, replaces the last ones by one that holds their combined offset.
 */
function with_fewer(iter: TensorIteratorBase, indices: Indices, lead: GpuKernel, most: number): Indices {
  const count = indices.views.length;
  if (count <= most) return indices;
  const kept = Math.max(count - MOST_INDICES, 0);
  const last: Indices = {
    views: indices.views.slice(kept),
    strides: indices.strides.slice(kept),
    size: indices.size.slice(kept),
    stride: indices.stride.slice(kept),
  };
  const n = iter.numel();
  const together = view_of(empty_keys(n));
  let step = 1;
  const dense = iter.shape().map((size) => {
    const own = step;
    step *= size;
    return own;
  });
  const values = [
    ...strided_values(n, iter.shape(), [dense, dense, ...last.strides]),
    ...last.size.flatMap((size, k) => [size, last.stride[k]]),
  ];
  lead.launch(
    variant_of(iter.shape().length, count - kept),
    [together, ...last.views, together],
    values,
    ...strided_groups(n),
    1,
  );
  const fewer: Indices = {
    views: [...indices.views.slice(0, kept), together],
    strides: [...indices.strides.slice(0, kept), dense],
    size: [...indices.size.slice(0, kept), 0x7fffffff],
    stride: [...indices.stride.slice(0, kept), 1],
  };
  return with_fewer(iter, fewer, lead, most);
}

/** Kernel parameters. Operands: the destination, the source, the indices. */
function values_of(iter: TensorIteratorBase, { strides, size, stride }: Indices): number[] {
  const of_index = size.flatMap((each, k) => [each, stride[k]]);
  return [...strided_values(iter.numel(), iter.shape(), [iter.strides(0), iter.strides(1), ...strides]), ...of_index];
}

/** Number of elements, beyond the first, that indices can reach. */
function reach(index_size: Numbers, index_stride: Numbers): number {
  return index_size.reduce((sum, size, k) => sum + (size - 1) * index_stride[k], 0);
}

function operands(iter: TensorIteratorBase, { views }: Indices, beyond: number): (OperandView | null)[] {
  return [operand_view(iter, 1, beyond), ...INDICES.map((_, k) => views[k] ?? null)];
}

function variant_for(iter: TensorIteratorBase, { views }: Indices): number {
  return variant_of(iter.shape().length, views.length);
}

/** A kernel that moves elements, and the kernel that combines several indices into one. */
interface Mover {
  readonly kernel: GpuKernel;
  readonly lead: GpuKernel;
}

function gpu_read({ kernel, lead }: Mover, iter: TensorIteratorBase, index_size: Numbers, index_stride: Numbers): void {
  const n = iter.numel();
  if (n === 0) return;
  const indices = with_fewer(iter, indices_of(iter, index_size, index_stride), lead, MOST_INDICES);
  const views = [...operands(iter, indices, reach(index_size, index_stride)), operand_view(iter, 0)];
  kernel.launch(variant_for(iter, indices), views, values_of(iter, indices), ...strided_groups(n), 1);
}

function gpu_write(
  { kernel, lead }: Mover,
  iter: TensorIteratorBase,
  index_size: Numbers,
  index_stride: Numbers,
): void {
  const n = iter.numel();
  if (n === 0) return;
  const indices = with_fewer(iter, indices_of(iter, index_size, index_stride), lead, MOST_INDICES);
  const views = [...operands(iter, indices, 0), operand_view(iter, 0, reach(index_size, index_stride))];
  kernel.launch(variant_for(iter, indices), views, values_of(iter, indices), ...strided_groups(n), 1);
}

/** `finish` handles the elements that have the same target. */
function gpu_sorted(
  { kernel, lead }: Mover,
  finish: GpuKernel,
  iter: TensorIteratorBase,
  index_size: Numbers,
  index_stride: Numbers,
): void {
  const n = iter.numel();
  if (n === 0) return;
  const indices = with_fewer(iter, indices_of(iter, index_size, index_stride), lead, MOST_INDICES - 1);
  const keys = empty_keys(n);
  const values = at.empty_memory_format([n], keys.options().dtype(iter.dtype(0)));
  const views = [...operands(iter, indices, 0), view_of(keys), view_of(values)];
  kernel.launch(variant_for(iter, indices), views, values_of(iter, indices), ...strided_groups(n), 1);
  const { sorted, places: order } = sort_by_key(keys, n);
  const out = operand_view(iter, 0, reach(index_size, index_stride));
  finish.launch(0, [view_of(sorted), view_of(order), view_of(values), out], [n], ...strided_groups(n), 1);
}

function gpu_put(at_once: Mover, sorted: Mover, iter: TensorIterator, size: Numbers, stride: Numbers): void {
  // If the same value is written everywhere, order makes no difference.
  if (deterministicAlgorithms() && iter.strides(1).some((step) => step !== 0))
    gpu_sorted(sorted, put_sorted, iter, size, stride);
  else gpu_write(at_once, iter, size, stride);
}

/** `wraps` is true for operators with several index tensors, and false for those with one. */
function mover(name: string, operator: string, wraps: boolean, move: string): Mover {
  return {
    kernel: move === SORTED ? keyed(`${name}_keys`, operator, wraps) : indexed(name, operator, wraps, move),
    lead: indexed(`${name}_lead`, operator, wraps, LEAD),
  };
}

const index = mover("index", "aten::index", true, READ);
const index_put = mover("index_put", "aten::index_put_", true, WRITE);
const index_put_in_order = mover("index_put_in_order", "aten::index_put_", true, SORTED);
const gather = mover("gather", "aten::gather", false, READ);
const scatter = mover("scatter", "aten::scatter", false, WRITE);
const scatter_in_order = mover("scatter_in_order", "aten::scatter", false, SORTED);
const scatter_add = mover("scatter_add", "aten::scatter_add", false, SORTED);
const index_select = mover("index_select", "aten::index_select", false, READ);
const index_add = mover("index_add", "aten::index_add", false, SORTED);
const index_fill = mover("index_fill", "aten::index_fill_", true, WRITE);
const take = mover("take", "aten::take", true, READ);
const put = mover("put", "aten::put_", true, WRITE);
const put_in_order = mover("put_in_order", "aten::put_", true, SORTED);

function index_kernel(iter: TensorIteratorBase, index_size: Numbers, index_stride: Numbers): void {
  gpu_read(index, iter, index_size, index_stride);
}

function index_put_kernel(iter: TensorIterator, index_size: Numbers, index_stride: Numbers, accumulate: boolean): void {
  if (accumulate) gpu_sorted(index_put_in_order, add_sorted, iter, index_size, index_stride);
  else gpu_put(index_put, index_put_in_order, iter, index_size, index_stride);
}

/** Reads slices; the indices are a vector along one dim. */
export function index_select_kernel(iter: TensorIteratorBase, size: number, stride: number): void {
  gpu_read(index_select, iter, [size], [stride]);
}
export function index_add_kernel(iter: TensorIteratorBase, size: number, stride: number): void {
  gpu_sorted(index_add, add_sorted, iter, [size], [stride]);
}

export function index_fill_kernel(iter: TensorIteratorBase, size: number, stride: number): void {
  gpu_write(index_fill, iter, [size], [stride]);
}

/** View in the shape of `index` in which each position is the first element of `elements`. */
function at_first(elements: Tensor, index: Tensor): Tensor {
  return as_strided_tensorimpl(elements, [...index.sizes()], new Array<number>(index.dim()).fill(0), null);
}

function take_kernel(iter: TensorIterator, self: Tensor): void {
  const index = iter.tensor(1);
  const all = self.contiguous();
  gpu_read(take, over_slices(iter.tensor(0), at_first(all, index), index), [all.numel()], [1]);
}

function put_kernel(iter: TensorIterator, self: Tensor, accumulate: boolean): void {
  const [source, index] = [iter.tensor(0), iter.tensor(1)];
  const all = self.contiguous();
  const places = over_slices(at_first(all, index), source, index);
  if (accumulate) gpu_sorted(put_in_order, add_sorted, places, [all.numel()], [1]);
  else gpu_put(put, put_in_order, places, [all.numel()], [1]);
  if (!all.is_same(self)) self.copy_(all);
}

/** A 0-dim tensor as a vector of one element. */
function nonempty(t: Tensor): Tensor {
  return t.dim() === 0 ? as_strided_tensorimpl(t, [1], [1], null) : t;
}

/** Iterator over three tensors of one shape. */
export function over_slices(out: Tensor, input: Tensor, index: Tensor): TensorIterator {
  return new TensorIteratorConfig()
    .set_check_mem_overlap(false)
    .check_all_same_dtype(false)
    .resize_outputs(false)
    .add_owned_output(out)
    .add_owned_const_input(input)
    .add_owned_const_input(index)
    .build();
}

/** Iterator over the shape of `index`. In the tensor that is indexed, the indexed dim has stride 0. */
function over_indices(out: Tensor, input: Tensor, dim: number, index_: Tensor, is_out: boolean): TensorIterator {
  const indices = nonempty(index_);
  const still = (t: Tensor): Tensor => as_strided_tensorimpl(t, [...indices.sizes()], t.strides().with(dim, 0), null);
  const along = (t: Tensor): Tensor => as_strided_tensorimpl(t, [...indices.sizes()], [...t.strides()], null);
  return over_slices(is_out ? still(out) : along(out), is_out ? along(input) : still(input), indices);
}

function gather_kernel(result: Tensor, self_: Tensor, dim: number, index_: Tensor): void {
  const self = nonempty(self_);
  const iter = over_indices(nonempty(result), self, dim, index_, false);
  gpu_read(gather, iter, [self.size(dim)], [self.strides()[dim]]);
}

function scatter_kernel(self_: Tensor, dim: number, index_: Tensor, src: Tensor): void {
  const self = nonempty(self_);
  const iter = over_indices(self, nonempty(src), dim, index_, true);
  gpu_put(scatter, scatter_in_order, iter, [self.size(dim)], [self.strides()[dim]]);
}

function scatter_add_kernel(self_: Tensor, dim: number, index_: Tensor, src: Tensor): void {
  const self = nonempty(self_);
  const iter = over_indices(self, nonempty(src), dim, index_, true);
  gpu_sorted(scatter_add, add_sorted, iter, [self.size(dim)], [self.strides()[dim]]);
}

REGISTER_PRIVATEUSE1_DISPATCH(index_stub, index_kernel, "index_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(index_put_stub, index_put_kernel, "index_put_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(gather_stub, gather_kernel, "gather_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(scatter_stub, scatter_kernel, "scatter_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(scatter_add_stub, scatter_add_kernel, "scatter_add_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(take_stub, take_kernel, "take_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(put_stub, put_kernel, "put_kernel_webgpu");
