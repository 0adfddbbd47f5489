/**
 * @file The scheduler: which buffers are computed in one kernel, and in which order.
 * @mirrors torch/_inductor/scheduler.py
 *
 *     buf0 = x.sum(1)          ((64,), (32,))       reduction over 32
 *     buf1 = exp(x - buf0)     ((64, 32), ())       reads buf0 at the row: same kernel
 *     buf2 = mm(buf1, w)       a library call       own node
 *
 * Two nodes fuse vertically if the second reads what the first writes at the same place, horizontally if both read the same memory. A kernel
 * has outer ranges O and reduction ranges R; each of its nodes runs over (O, R), over all of O + R, or over O alone.
 */
import { Tag } from "#torch/_C";
import { HigherOrderOperator } from "#torch/_higher_order_ops/higher_order_operator";
import type { Node } from "#torch/fx/node";
import { bytes_of } from "./codegen/dtypes.ts";
import { body_of, type LoopBody } from "./codegen/loop_body.ts";
import { config } from "./config.ts";
import { extract_read_writes, type MemoryDep, type ReadWrites } from "./dependencies.ts";
import { type Buffer, ComputedBuffer, ExternKernel, MultiOutput } from "./ir/buffers.ts";
import { Pointwise } from "./ir/index.ts";
import { metrics } from "./metrics.ts";
import { numel } from "./sizevars.ts";

/** One buffer that is computed. */
export class SchedulerNode {
  readonly buffer: Buffer;
  /** The loop; null for a library call. */
  readonly body: LoopBody | null;
  readonly read_writes: ReadWrites;
  readonly is_reduction: boolean;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
    if (buffer instanceof ComputedBuffer) {
      const body = body_of(buffer.name, buffer.layout, buffer.data);
      this.body = body;
      this.read_writes = extract_read_writes(() => body.run(body.vars), body.ranges);
      this.is_reduction = !(buffer.data instanceof Pointwise);
    } else {
      this.body = null;
      this.read_writes = { reads: [], writes: [], index_exprs: [], op_counts: new Map() };
      this.is_reduction = false;
    }
  }

  /** Names of the buffers that it needs. */
  get dependencies(): ReadonlySet<string> {
    const { buffer } = this;
    if (buffer instanceof ExternKernel) return new Set(buffer.inputs.map((input) => input.name));
    if (buffer instanceof MultiOutput) return new Set([buffer.call.name]);
    return new Set(this.read_writes.reads.map((dep) => dep.name));
  }

  get origins(): ReadonlySet<Node> {
    return this.buffer instanceof ComputedBuffer ? this.buffer.data_origins : this.buffer.origins;
  }
}

const without_ones = (sizes: readonly number[]): number[] => sizes.filter((size) => size !== 1);
const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, d) => size === b[d]);

/** Nodes that become one kernel, or one library call. */
export class FusedSchedulerNode {
  readonly snodes: readonly SchedulerNode[];
  readonly names: ReadonlySet<string>;
  readonly dependencies: ReadonlySet<string>;

  constructor(snodes: readonly SchedulerNode[]) {
    this.snodes = snodes;
    this.names = new Set(snodes.map((node) => node.buffer.name));
    this.dependencies = new Set(
      snodes.flatMap((node) => [...node.dependencies]).filter((name) => !this.names.has(name)),
    );
  }

  get is_extern(): boolean {
    return this.snodes[0].body === null;
  }
  get is_reduction(): boolean {
    return this.snodes.some((node) => node.is_reduction);
  }

  /** Outer ranges and reduction ranges, without dimensions of size 1. (`group`) */
  get group(): readonly [outer: number[], reduction: number[]] {
    const reduction = this.snodes.find((node) => node.is_reduction);
    const body = (reduction ?? this.widest()).body as LoopBody;
    return [without_ones(body.sizes), without_ones(body.reduction_sizes)];
  }

  private widest(): SchedulerNode {
    return this.snodes.reduce((a, b) => ((b.body?.sizes.length ?? 0) > (a.body?.sizes.length ?? 0) ? b : a));
  }
}

/** Whether nodes fit in a kernel of these ranges; the text says why not. */
function misfit(
  nodes: readonly SchedulerNode[],
  outer: readonly number[],
  reduction: readonly number[],
): string | null {
  for (const { body, is_reduction } of nodes) {
    const { sizes, reduction_sizes } = body as LoopBody;
    const own = without_ones(sizes);
    if (is_reduction) {
      if (!same(own, outer) || !same(without_ones(reduction_sizes), reduction)) return "other ranges of a reduction";
    } else if (!same(own, outer) && !same(own, [...outer, ...reduction])) return "other ranges";
  }
  return null;
}

export interface FusionDecision {
  readonly nodes: readonly [string, string];
  /** Null if they were fused. */
  readonly why_not: string | null;
}

export class Scheduler {
  nodes: FusedSchedulerNode[];
  /** The decision on each pair, for the trace. */
  readonly decisions: FusionDecision[] = [];
  private readonly by_buffer = new Map<string, FusedSchedulerNode>();
  private readonly outputs: ReadonlySet<string>;

  /** @param outputs names of the buffers that the graph returns */
  constructor(operations: readonly Buffer[], outputs: ReadonlySet<string>) {
    this.outputs = outputs;
    this.nodes = this.dead_node_elimination(operations.map((buffer) => new SchedulerNode(buffer))).map(
      (node) => new FusedSchedulerNode([node]),
    );
    metrics.ir_nodes_pre_fusion += this.nodes.length;
    this.index();
    this.fuse_nodes();
    this.topological_sort();
  }

  private index(): void {
    this.by_buffer.clear();
    for (const node of this.nodes) for (const name of node.names) this.by_buffer.set(name, node);
  }

  /** Removes what nobody needs; a call with an effect stays. */
  private dead_node_elimination(nodes: readonly SchedulerNode[]): SchedulerNode[] {
    const needed = new Set(this.outputs);
    const kept: SchedulerNode[] = [];
    for (const node of [...nodes].reverse()) {
      const { buffer } = node;
      const has_effect =
        buffer instanceof ExternKernel &&
        !(buffer.op instanceof HigherOrderOperator) &&
        (buffer.op._schema.cdata.is_mutable() || buffer.op.tags.includes(Tag.nondeterministic_seeded));
      if (!needed.has(buffer.name) && !has_effect) continue;
      kept.push(node);
      for (const name of node.dependencies) needed.add(name);
    }
    return kept.reverse();
  }

  // ---- fusion

  private fuse_nodes(): void {
    for (let round = 0; round < config.max_fusion_rounds; round++) {
      const before = this.nodes.length;
      this.fuse_nodes_once();
      if (this.nodes.length === before) return;
    }
  }

  private fuse_nodes_once(): void {
    const order = new Map(this.nodes.map((node, i) => [node, i]));
    const position = (node: FusedSchedulerNode): number => order.get(node) as number;
    const pairs = this.possible_pairs().map(([a, b]) => ({ a, b, score: this.score_fusion(a, b) }));
    pairs.sort(
      (p, q) => compare_scores(q.score, p.score) || position(p.a) - position(q.a) || position(p.b) - position(q.b),
    );
    for (const { a, b } of pairs) {
      const [node1, node2] = [a, b].map((node) => this.by_buffer.get([...node.names][0]) as FusedSchedulerNode);
      if (node1 === node2) continue;
      const why_not = this.why_not_fused(node1, node2);
      this.decisions.push({ nodes: [[...node1.names].join("_"), [...node2.names].join("_")], why_not });
      if (why_not === null) this.fuse(node1, node2);
    }
  }

  private fuse(node1: FusedSchedulerNode, node2: FusedSchedulerNode): void {
    const fused = new FusedSchedulerNode([...node1.snodes, ...node2.snodes]);
    this.nodes = this.nodes.flatMap((node) => (node === node1 ? [fused] : node === node2 ? [] : [node]));
    for (const name of fused.names) this.by_buffer.set(name, fused);
  }

  /** Pairs that use a buffer in common, the earlier first. */
  private possible_pairs(): [FusedSchedulerNode, FusedSchedulerNode][] {
    const users = new Map<string, FusedSchedulerNode[]>();
    for (const node of this.nodes)
      if (!node.is_extern)
        for (const name of new Set([...node.names, ...node.dependencies]))
          users.set(name, [...(users.get(name) ?? []), node]);
    const order = new Map(this.nodes.map((node, i) => [node, i]));
    const seen = new Set<string>();
    const pairs: [FusedSchedulerNode, FusedSchedulerNode][] = [];
    for (const group of users.values())
      for (let i = 0; i < group.length; i++)
        for (let j = i + 1; j < group.length; j++) {
          const [a, b] = this.depends(group[i], group[j].names) ? [group[j], group[i]] : [group[i], group[j]];
          const key = `${order.get(a)} ${order.get(b)}`;
          if (seen.has(key)) continue;
          seen.add(key);
          pairs.push([a, b]);
        }
    return pairs;
  }

  /** Whether `node` needs one of these buffers, itself or through others. */
  private depends(node: FusedSchedulerNode, names: ReadonlySet<string>, not_through?: FusedSchedulerNode): boolean {
    const seen = new Set<FusedSchedulerNode>();
    const visit = (at: FusedSchedulerNode, direct: boolean): boolean => {
      if (seen.has(at)) return false;
      seen.add(at);
      for (const name of at.dependencies) {
        const from = this.by_buffer.get(name);
        if (from === undefined) continue;
        if (names.has(name)) {
          if (!direct || not_through === undefined) return true;
          continue;
        }
        if (visit(from, false)) return true;
      }
      return false;
    };
    return visit(node, true);
  }

  /** Why two nodes cannot be one kernel; null if they can. (`can_fuse`) */
  private why_not_fused(node1: FusedSchedulerNode, node2: FusedSchedulerNode): string | null {
    if (node1.is_extern || node2.is_extern) return "a library call";
    if (node1.snodes.length + node2.snodes.length > config.max_fusion_size) return "the kernel would be too large";
    const nodes = [...node1.snodes, ...node2.snodes];
    const both_reduce = node1.is_reduction && node2.is_reduction;
    const [outer, reduction] = node1.is_reduction ? node1.group : node2.group;
    if (both_reduce && !(same(node1.group[0], node2.group[0]) && same(node1.group[1], node2.group[1])))
      return "reductions over other ranges";
    const other = misfit(nodes, outer, reduction);
    if (other !== null) return other;
    const vertical = [...node1.names].some((name) => node2.dependencies.has(name));
    if (this.depends(node2, node1.names, node1)) return "another node stands between them";
    if (this.depends(node1, node2.names)) return "the first needs the second";
    if (vertical) return this.why_not_vertical(node1, node2, outer, reduction);
    if (nodes.length > config.cpp.max_horizontal_fusion_size) return "too many nodes beside each other";
    if (this.score_memory(node1, node2) < config.score_fusion_memory_threshold) return "too little memory in common";
    return null;
  }

  private why_not_vertical(
    node1: FusedSchedulerNode,
    node2: FusedSchedulerNode,
    outer: readonly number[],
    reduction: readonly number[],
  ): string | null {
    for (const writer of node1.snodes) {
      const [write] = writer.read_writes.writes;
      for (const reader of node2.snodes)
        for (const read of reader.read_writes.reads) {
          if (read.name !== writer.buffer.name) continue;
          if (read.is_indirect || read.is_masked) return `${read.name} is read at places that are values`;
          if (
            outer.length === 0 &&
            reduction.length > 0 &&
            writer.is_reduction &&
            runs_over_all(reader, outer, reduction)
          )
            return `${read.name} is complete only after the loop`;
          if (index_text(read, reader, outer, reduction) !== index_text(write, writer, outer, reduction))
            return `${read.name} is read and written at different places`;
        }
    }
    return null;
  }

  // ---- scores

  /** Higher is better: vertical fusion first, then shared bytes, then nearness. */
  private score_fusion(a: FusedSchedulerNode, b: FusedSchedulerNode): readonly number[] {
    const vertical = [...a.names].some((name) => b.dependencies.has(name)) ? 1 : 0;
    const plain = a.is_reduction === b.is_reduction && a.is_reduction ? 1 : 0;
    return [vertical, plain, this.score_memory(a, b)];
  }

  /** Bytes that both touch at the same places. */
  private score_memory(a: FusedSchedulerNode, b: FusedSchedulerNode): number {
    const touched = (node: FusedSchedulerNode): Map<string, number> => {
      const found = new Map<string, number>();
      for (const { read_writes, body, buffer } of node.snodes)
        for (const dep of [...read_writes.reads, ...read_writes.writes]) {
          const used = [...dep.index.free_symbols()].map((v) => body?.ranges.get(v) ?? 1);
          found.set(`${dep.name} ${used.join(",")}`, numel(used) * bytes_of(buffer.layout.dtype));
        }
      return found;
    };
    const of_b = touched(b);
    let score = 0;
    for (const [key, bytes] of touched(a)) if (of_b.has(key)) score += bytes;
    return score;
  }

  // ---- order

  /** Each node after those it needs; otherwise the order stays. */
  private topological_sort(): void {
    const done = new Set<FusedSchedulerNode>();
    const sorted: FusedSchedulerNode[] = [];
    const visit = (node: FusedSchedulerNode): void => {
      if (done.has(node)) return;
      done.add(node);
      for (const name of node.dependencies) {
        const from = this.by_buffer.get(name);
        if (from !== undefined) visit(from);
      }
      sorted.push(node);
    };
    for (const node of this.nodes) visit(node);
    this.nodes = sorted;
  }
}

const compare_scores = (a: readonly number[], b: readonly number[]): number => {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k];
  return 0;
};

function runs_over_all(node: SchedulerNode, outer: readonly number[], reduction: readonly number[]): boolean {
  return node.is_reduction || same(without_ones((node.body as LoopBody).sizes), [...outer, ...reduction]);
}

/** An index in terms of the kernel's dimensions, whatever the node's own variables are called. */
function index_text(
  dep: MemoryDep,
  node: SchedulerNode,
  outer: readonly number[],
  reduction: readonly number[],
): string {
  const body = node.body as LoopBody;
  const sizes = [...body.sizes, ...body.reduction_sizes];
  let k = 0;
  const names = new Map<string, string>();
  for (const [d, size] of sizes.entries())
    if (size !== 1) names.set(`d${d}`, k < outer.length + reduction.length ? `x${k++}` : "?");
  return String(dep.index).replace(/\bd\d+\b/g, (name) => names.get(name) ?? "0");
}
