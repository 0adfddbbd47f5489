/**
 * @file The IR of Inductor: tensors as functions of an index, which become memory only when they are realized.
 * @mirrors torch/_inductor/ir.py
 *
 *     TensorBox                     what a lowering gets and gives; it may be pointed to other data
 *       View                        another index into the same storage
 *         StorageBox                realize() turns a loop into a buffer
 *           Pointwise               value = inner_fn(index): no memory, its users compute it again
 *           Reduction               realized at once
 *           Buffer                  memory with a name: InputBuffer, ComputedBuffer, ExternKernel
 */
import type { OpOverload } from "#torch/_ops";
import type { Node } from "#torch/fx/node";
import {
  contiguous_strides,
  type Expr,
  integer_index,
  place,
  simplify_with_ranges,
  stride_of,
  symbol,
} from "../sizevars.ts";
import { type OpsValue, V } from "../virtualized.ts";
import type { Buffer } from "./buffers.ts";

export type Index = readonly Expr[];
export type Loader = (index: Index) => OpsValue;

let origins_now: ReadonlySet<Node> = new Set();

/** Nodes made by `body` come from these nodes of the fx graph. (`IRNode.current_origins`) */
export function current_origins<R>(origins: ReadonlySet<Node>, body: () => R): R {
  const before = origins_now;
  origins_now = origins;
  try {
    return body();
  } finally {
    origins_now = before;
  }
}

export abstract class IRNode {
  readonly origins: ReadonlySet<Node> = origins_now;
}

/** Where the elements of a buffer are. */
export interface Layout {
  readonly dtype: string;
  readonly size: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
}

export const contiguous_layout = (dtype: string, size: readonly number[]): Layout => ({
  dtype,
  size,
  stride: contiguous_strides(size),
  offset: 0,
});

/** Each element is computed from its index. */
export class Pointwise extends IRNode {
  readonly dtype: string;
  readonly inner_fn: Loader;
  readonly ranges: readonly number[];

  constructor(dtype: string, inner_fn: Loader, ranges: readonly number[]) {
    super();
    this.dtype = dtype;
    this.inner_fn = inner_fn;
    this.ranges = ranges;
  }

  static create(dtype: string, inner_fn: Loader, ranges: readonly number[]): TensorBox {
    return new TensorBox(new StorageBox(new Pointwise(dtype, inner_fn, ranges)));
  }
}

export type ReductionType = "sum" | "prod" | "max" | "min" | "any";

/** Each element is computed from all values of the reduction's index. */
export class Reduction extends IRNode {
  readonly dtype: string;
  readonly src_dtype: string;
  readonly inner_fn: (index: Index, reduction_index: Index) => OpsValue;
  readonly ranges: readonly number[];
  readonly reduction_ranges: readonly number[];
  readonly reduction_type: ReductionType;

  constructor(
    dtype: string,
    src_dtype: string,
    inner_fn: (index: Index, reduction_index: Index) => OpsValue,
    ranges: readonly number[],
    reduction_ranges: readonly number[],
    reduction_type: ReductionType,
  ) {
    super();
    this.dtype = dtype;
    this.src_dtype = src_dtype;
    this.inner_fn = inner_fn;
    this.ranges = ranges;
    this.reduction_ranges = reduction_ranges;
    this.reduction_type = reduction_type;
  }
}

export type Loops = Pointwise | Reduction;

/** How a graph makes a buffer of a loop, and how much a loop reads: the graph says so, to keep imports going down. */
export interface Realizer {
  realize(data: Loops): Buffer;
  read_count(data: Loops): number;
  has_heavy_operation(data: Loops): boolean;
  /** A call of the library whose result has this layout. */
  extern(kind: "out" | "alloc", op: OpOverload, args: readonly unknown[], kwargs: Keywords, layout: Layout): Buffer;
}
type Keywords = ReadonlyMap<string, unknown>;
export const realizer: { current: Realizer | null } = { current: null };
export const the_realizer = (): Realizer => {
  if (realizer.current === null) throw new Error("no graph is being lowered");
  return realizer.current;
};

/** A loop, or the buffer that it became. */
export class StorageBox extends IRNode {
  data: Loops | Buffer;

  constructor(data: Loops | Buffer) {
    super();
    this.data = data;
  }

  realize(): Buffer {
    if (this.data instanceof Pointwise || this.data instanceof Reduction) this.data = the_realizer().realize(this.data);
    return this.data;
  }

  get is_realized(): boolean {
    return !(this.data instanceof Pointwise || this.data instanceof Reduction);
  }

  /** It is used by so many: a loop that is expensive to repeat becomes memory. */
  mark_reuse(users: number, reads_threshold: number): void {
    const { data } = this;
    if (users <= 1 || !(data instanceof Pointwise)) return;
    if (the_realizer().has_heavy_operation(data) || the_realizer().read_count(data) > reads_threshold) this.realize();
  }

  get dtype(): string {
    return this.data instanceof Pointwise || this.data instanceof Reduction ? this.data.dtype : this.data.layout.dtype;
  }

  get size(): readonly number[] {
    return this.data instanceof Pointwise || this.data instanceof Reduction ? this.data.ranges : this.data.layout.size;
  }

  load(index: Index): OpsValue {
    const { data } = this;
    if (data instanceof Pointwise) return data.inner_fn(index);
    const buffer = this.realize();
    return V.ops.load(buffer.name, place(index, buffer.layout.stride, buffer.layout.offset));
  }
}

/** Another index into the same storage. (`BaseView` and its kinds) */
export class View extends IRNode {
  readonly data: StorageBox;
  readonly size: readonly number[];
  /** The index into the storage. */
  readonly reindex: (index: Index) => Index;

  constructor(data: StorageBox, size: readonly number[], reindex: (index: Index) => Index) {
    super();
    this.data = data;
    this.size = size;
    this.reindex = reindex;
  }
}

/** A tensor as lowerings see it. */
export class TensorBox {
  data: StorageBox | View;

  constructor(data: StorageBox | View) {
    this.data = data;
  }

  get storage(): StorageBox {
    return this.data instanceof View ? this.data.data : this.data;
  }
  get dtype(): string {
    return this.storage.dtype;
  }
  get size(): readonly number[] {
    return this.data.size;
  }

  make_loader(): Loader {
    const { data } = this;
    return data instanceof View ? (index) => data.data.load(data.reindex(index)) : (index) => data.load(index);
  }

  /** The tensor at another index. */
  view(size: readonly number[], reindex: (index: Index) => Index): TensorBox {
    const { data } = this;
    if (!(data instanceof View)) return new TensorBox(new View(data, size, reindex));
    return new TensorBox(new View(data.data, size, (index) => data.reindex(reindex(index))));
  }

  realize(): Buffer {
    return this.storage.realize();
  }

  /** The origins of what is not in memory yet. (`gather_origins`) */
  unrealized_origins(): ReadonlySet<Node>[] {
    const { data } = this;
    const own = data instanceof View ? [data.origins] : [];
    return this.storage.is_realized ? own : [...own, (this.storage.data as Loops).origins];
  }
}

/** Memory seen through strides. */
export interface Strided {
  readonly buffer: Buffer;
  readonly layout: Layout;
}

/** The tensor as strides into a buffer; null if no strides describe it. (`ReinterpretView`) */
export function as_strided(box: TensorBox): Strided | null {
  const buffer = box.realize();
  const vars = box.size.map((_, d) => `d${d}`);
  const ranges = new Map(vars.map((name, d) => [name, box.size[d]]));
  const { data } = box;
  const index = vars.map(symbol);
  const inner = data instanceof View ? data.reindex(index) : index;
  const expr = simplify_with_ranges(place(inner, buffer.layout.stride, buffer.layout.offset), ranges);
  const strides = vars.map((name) => stride_of(expr, name));
  if (strides.includes(null)) return null;
  const offset = integer_index(expr);
  return { buffer, layout: { dtype: box.dtype, size: box.size, stride: strides as number[], offset } };
}
