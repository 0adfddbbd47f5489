/**
 * @file From the nodes of a kernel to graphs of values. A kernel is a list of stages that share the outer loops:
 *
 *     stage 1  full    for each row, along the row:  v = exp(x - m); store buf1, v; add v to buf2
 *     stage 2  outer   once a row:                   r = 1 / buf2
 *     stage 3  full    along the row again:          store buf3, buf1 * r
 *
 * Nodes of one stage share their values, so that what they have in common is loaded and computed once.
 * @mirrors torch/_inductor/codegen/cpp.py#CppKernelProxy
 */
import { computed_in, Graph, type Value } from "#aten/cpu/vec/ir";
import type { ReductionType } from "../ir/index.ts";
import type { SchedulerNode } from "../scheduler.ts";
import { type Expr, simplify_with_ranges, stride_of, symbol, type VarRanges, ZERO } from "../sizevars.ts";
import { type OpsHandler, with_ops_handler } from "../virtualized.ts";
import type { LoopBody } from "./loop_body.ts";
import { as_element, as_mask, computed_dtype, converted, vector_value } from "./vector_kernels.ts";

/** A value that a stage gets from outside: an element of memory, a number known from the variables, or the result of an earlier stage. */
export type StageInput =
  | {
      readonly kind: "load";
      readonly name: string;
      readonly buffer: string;
      readonly index: Expr;
      readonly dtype: string;
      readonly mask: Value | null;
    }
  | { readonly kind: "index"; readonly name: string; readonly expr: Expr; readonly dtype: string }
  | { readonly kind: "register"; readonly name: string; readonly buffer: string; readonly dtype: string };

export interface Store {
  readonly buffer: string;
  readonly index: Expr;
  readonly value: Value;
  readonly dtype: string;
}

export interface StageReduction extends Store {
  readonly type: ReductionType;
  /** The dtype in which values are added up. */
  readonly src_dtype: string;
}

export class Stage {
  readonly kind: "full" | "outer";
  readonly graph = new Graph();
  readonly inputs: StageInput[] = [];
  readonly stores: Store[] = [];
  readonly reductions: StageReduction[] = [];
  /** Values that are places, by the name of their symbol, and the sizes that they must be below. */
  readonly indirect = new Map<string, { readonly value: Value; readonly size: number }>();
  /** Values of buffers that this stage stores. */
  readonly stored = new Map<string, Value>();

  constructor(kind: "full" | "outer") {
    this.kind = kind;
  }
}

/** The loops of a kernel, and what runs in them. */
export interface KernelPlan {
  readonly outer: readonly string[];
  readonly reduction: readonly string[];
  readonly ranges: VarRanges;
  readonly stages: readonly Stage[];
  /** Buffers whose elements a later stage of the kernel loads. */
  readonly loaded: ReadonlySet<string>;
}

/** Builds the values of one stage after the other. */
class StageBuilder implements OpsHandler<Value> {
  readonly stages: Stage[] = [];
  readonly loaded = new Set<string>();
  private readonly ranges: VarRanges;
  private readonly dtypes: ReadonlyMap<string, string>;
  /** Results of earlier stages that are one value for a row. */
  private readonly registers = new Map<string, string>();
  private readonly written: ReadonlySet<string>;
  private mask: Value | null = null;
  private pending: { type: ReductionType; src_dtype: string } | null = null;
  private names = 0;

  constructor(ranges: VarRanges, dtypes: ReadonlyMap<string, string>, written: ReadonlySet<string>) {
    this.ranges = ranges;
    this.dtypes = dtypes;
    this.written = written;
  }

  /** The stage for a node: the last one, unless it is of the other kind or its reductions must be complete. */
  begin(kind: "full" | "outer", needs: ReadonlySet<string>): void {
    const last = this.stages.at(-1);
    if (last?.kind === kind && !last.reductions.some((r) => needs.has(r.buffer))) return;
    if (last !== undefined) {
      for (const r of last.reductions) this.registers.set(r.buffer, r.dtype);
      if (last.kind === "outer") for (const s of last.stores) this.registers.set(s.buffer, s.dtype);
    }
    this.stages.push(new Stage(kind));
  }

  private get stage(): Stage {
    return this.stages[this.stages.length - 1];
  }
  private get graph(): Graph {
    return this.stage.graph;
  }

  /** The value of an input; an equal input is made once. */
  private input(make: (name: string) => StageInput, dtype: string, is_same: (other: StageInput) => boolean): Value {
    const { inputs } = this.stage;
    let found = inputs.find(is_same);
    if (found === undefined) {
      found = make(`${"abcdefgh"[this.stages.length - 1] ?? "z"}${this.names++}`);
      inputs.push(found);
    }
    return this.graph.input(found.name, dtype);
  }

  constant(value: number | bigint | boolean, dtype: string): Value {
    const type = computed_in(dtype) ?? "f32";
    if (type === "i64") return this.graph.constant(type, BigInt(value));
    if (type === "i32" && !Number.isFinite(Number(value))) throw new RangeError(`${value} as ${dtype}`);
    return this.graph.constant(type, Number(value));
  }

  load(buffer: string, given: Expr): Value {
    const index = simplify_with_ranges(given, this.ranges);
    const known = this.stage.stored.get(buffer);
    if (known !== undefined) return known;
    const dtype = this.dtypes.get(buffer) as string;
    if (this.registers.has(buffer))
      return this.input(
        (name) => ({ kind: "register", name, buffer, dtype }),
        computed_dtype(dtype),
        (x) => x.kind === "register" && x.buffer === buffer,
      );
    if (this.written.has(buffer)) this.loaded.add(buffer);
    const { mask } = this;
    const text = String(index);
    return this.input(
      (name) => ({ kind: "load", name, buffer, index, dtype, mask }),
      dtype,
      (x) => x.kind === "load" && x.buffer === buffer && x.mask === mask && String(x.index) === text,
    );
  }

  index_expr(given: Expr, dtype: string): Value {
    const expr = simplify_with_ranges(given, this.ranges);
    const computed = computed_dtype(dtype);
    const text = String(expr);
    return this.input(
      (name) => ({ kind: "index", name, expr, dtype: computed }),
      computed,
      (x) => x.kind === "index" && x.dtype === computed && String(x.expr) === text,
    );
  }

  to_dtype(x: Value, dtype: string, src_dtype: string): Value {
    return converted(this.graph, x, dtype, src_dtype);
  }
  pointwise(op: string, dtype: string, args: readonly Value[]): Value {
    return vector_value(this.graph, op, dtype, args);
  }

  where(mask: Value, yes: Value, no: Value, dtype: string): Value {
    const { graph } = this;
    const m = as_mask(graph, mask);
    const [a, b] = [as_element(graph, yes), as_element(graph, no)];
    return graph.make("select", computed_in(computed_dtype(dtype)) ?? a.type, [m, a, b]);
  }

  masked(given: Value, body: () => Value, other: number, dtype: string): Value {
    const before = this.mask;
    const mask = as_mask(this.graph, given);
    this.mask = before === null ? mask : this.graph.make("and", "mask", [before, mask]);
    const value = body();
    this.mask = before;
    return this.where(mask, value, this.constant(dtype === "bool" ? other !== 0 : other, dtype), dtype);
  }

  indirect_indexing(x: Value, size: number, dtype: string): Expr {
    const { graph } = this;
    const value = as_element(graph, x);
    const zero = this.constant(0, dtype);
    const counted = graph.make("add", value.type, [value, this.constant(size, dtype)]);
    const wrapped = graph.make("select", value.type, [graph.make("lt", "mask", [value, zero]), counted, value]);
    const name = `indirect${this.names++}`;
    this.stage.indirect.set(name, { value: wrapped, size });
    return symbol(name);
  }

  reduction(_dtype: string, src_dtype: string, type: string, value: Value): Value {
    this.pending = { type: type as ReductionType, src_dtype };
    return as_element(this.graph, value);
  }

  store(buffer: string, given: Expr, value: Value, dtype: string): void {
    const index = simplify_with_ranges(given, this.ranges);
    this.stage.stores.push({ buffer, index, value, dtype });
    this.stage.stored.set(buffer, value);
  }

  store_reduction(buffer: string, given: Expr, value: Value, dtype: string): void {
    const index = simplify_with_ranges(given, this.ranges);
    const { type, src_dtype } = this.pending as NonNullable<typeof this.pending>;
    this.stage.reductions.push({ buffer, index, value, dtype, type, src_dtype });
  }
}

interface Placed {
  readonly node: SchedulerNode;
  readonly is_full: boolean;
  /** The kernel's dimension of each of the node's variables, or -1. */
  readonly dims: readonly number[];
}

/** Which dimension of the kernel each node's variables are. */
function placed(node: SchedulerNode, outer: number, reduction: number): Placed {
  const { sizes, reduction_sizes } = node.body as LoopBody;
  const all = [...sizes, ...reduction_sizes];
  let k = 0;
  const dims = all.map((size) => (size === 1 ? -1 : k++));
  return { node, is_full: k === outer + reduction, dims };
}

/** Which neighbouring dimensions can be one loop: everywhere the outer stride is the inner stride times the inner size. */
function merged(
  exprs: readonly Expr[],
  names: readonly string[],
  sizes: readonly number[],
  borders: readonly number[],
): boolean[] {
  return names.map((name, d) => {
    if (d + 1 >= names.length || borders.includes(d + 1)) return false;
    return exprs.every((expr) => {
      const [a, b] = [stride_of(expr, name), stride_of(expr, names[d + 1])];
      return a !== null && b !== null && a === b * sizes[d + 1];
    });
  });
}

/** The stages of a kernel. @param dtypes of all buffers @param written the buffers that its nodes write */
export function plan_kernel(
  nodes: readonly SchedulerNode[],
  outer_sizes: readonly number[],
  reduction_sizes: readonly number[],
  dtypes: ReadonlyMap<string, string>,
): KernelPlan {
  const sizes = [...outer_sizes, ...reduction_sizes];
  const names = sizes.map((_, d) => (d < outer_sizes.length ? `x${d}` : `r${d - outer_sizes.length}`));
  const all = nodes.map((node) => placed(node, outer_sizes.length, reduction_sizes.length));
  const ranges = new Map(names.map((name, d) => [name, sizes[d]]));
  const exprs = all.flatMap(({ node, dims }) => {
    const { reads, writes, index_exprs } = node.read_writes;
    const replacement = (v: string): Expr | null => {
      const d = /^d\d+$/.test(v) ? dims[Number(v.slice(1))] : undefined;
      return d === undefined ? null : d < 0 ? ZERO : symbol(names[d]);
    };
    return [...reads.map((r) => r.index), ...writes.map((w) => w.index), ...index_exprs].map((e) =>
      simplify_with_ranges(e, ranges, replacement),
    );
  });
  // A node that runs over the outer ranges alone has no variable of the reduction, so its indices allow any merge there.
  const joins = merged(exprs, names, sizes, [outer_sizes.length]);
  const value_of: Expr[] = new Array(names.length).fill(ZERO);
  const merged_ranges = new Map<string, number>();
  let product = 1;
  for (let d = 0; d < names.length; d++) {
    product *= sizes[d];
    if (joins[d]) continue;
    value_of[d] = symbol(names[d]);
    merged_ranges.set(names[d], product);
    product = 1;
  }
  const written = new Set(nodes.map((node) => node.buffer.name));
  const builder = new StageBuilder(merged_ranges, dtypes, written);
  for (const { node, is_full, dims } of all) {
    const body = node.body as LoopBody;
    builder.begin(is_full ? "full" : "outer", node.dependencies);
    with_ops_handler(builder, () => body.run(dims.map((d) => (d < 0 ? ZERO : value_of[d]))));
  }
  const left = [...merged_ranges.keys()];
  return {
    outer: left.filter((name) => name.startsWith("x")),
    reduction: left.filter((name) => name.startsWith("r")),
    ranges: merged_ranges,
    stages: builder.stages,
    loaded: builder.loaded,
  };
}
