/**
 * @file Events of a profiling run, as a tree and as a table of averages.
 * @mirrors torch/autograd/profiler_util.py
 */
import type { ProfilerResult } from "#torch/_C";

/** One operator, node or user scope that ran. Times are in microseconds. */
export class FunctionEvent {
  readonly id: number;
  readonly name: string;
  readonly start_us: number;
  readonly end_us: number;
  readonly sequence_nr: number;
  readonly input_shapes: readonly (readonly number[])[];
  cpu_children: FunctionEvent[] = [];
  cpu_parent: FunctionEvent | null = null;
  cpu_memory_usage = 0;

  constructor(
    id: number,
    name: string,
    start_us: number,
    end_us: number,
    sequence_nr: number,
    input_shapes: readonly (readonly number[])[],
  ) {
    this.id = id;
    this.name = name;
    this.start_us = start_us;
    this.end_us = end_us;
    this.sequence_nr = sequence_nr;
    this.input_shapes = input_shapes;
  }

  get cpu_time_total(): number {
    return this.end_us - this.start_us;
  }
  /** The time without that of the events it called. */
  get self_cpu_time_total(): number {
    return this.cpu_children.reduce((rest, child) => rest - child.cpu_time_total, this.cpu_time_total);
  }
  get self_cpu_memory_usage(): number {
    return this.cpu_children.reduce((rest, child) => rest - child.cpu_memory_usage, this.cpu_memory_usage);
  }
}

/** All events with one name. */
export class FunctionEventAvg {
  readonly key: string;
  count = 0;
  cpu_time_total = 0;
  self_cpu_time_total = 0;
  cpu_memory_usage = 0;
  self_cpu_memory_usage = 0;

  constructor(key: string) {
    this.key = key;
  }

  add(event: FunctionEvent): void {
    this.count++;
    this.cpu_time_total += event.cpu_time_total;
    this.self_cpu_time_total += event.self_cpu_time_total;
    this.cpu_memory_usage += event.cpu_memory_usage;
    this.self_cpu_memory_usage += event.self_cpu_memory_usage;
  }

  get cpu_time(): number {
    return this.count === 0 ? 0 : this.cpu_time_total / this.count;
  }
}

export type SortKey =
  | "cpu_time"
  | "cpu_time_total"
  | "self_cpu_time_total"
  | "cpu_memory_usage"
  | "self_cpu_memory_usage"
  | "count";

export interface TableOptions {
  readonly sort_by?: SortKey;
  readonly row_limit?: number;
}

export class EventList extends Array<FunctionEvent> {
  /** Events grouped by name, in order of first appearance. */
  key_averages(): AverageList {
    const averages = new Map<string, FunctionEventAvg>();
    for (const event of this) {
      const average = averages.get(event.name) ?? new FunctionEventAvg(event.name);
      average.add(event);
      averages.set(event.name, average);
    }
    return AverageList.from(averages.values()) as AverageList;
  }

  get self_cpu_time_total(): number {
    return this.reduce((sum, event) => sum + event.self_cpu_time_total, 0);
  }

  static of_result(result: ProfilerResult): EventList {
    const list = new EventList();
    const open: FunctionEvent[] = [];
    result.queue.ops.forEach((op, i) => {
      const event = new FunctionEvent(
        i + 1,
        op.name.startsWith("ProfilerStep#") ? "ProfilerStep*" : op.name, // `_rewrite_name`: steps are counted together
        op.start_us,
        op.end_us,
        op.sequence_number,
        op.inputs?.shapes ?? [],
      );
      while (open.length > 0 && open[open.length - 1].end_us < event.end_us) open.pop();
      const parent = open[open.length - 1];
      if (parent !== undefined && parent.start_us <= event.start_us) {
        event.cpu_parent = parent;
        parent.cpu_children.push(event);
      }
      open.push(event);
      list.push(event);
    });
    for (const { start_us, nbytes } of result.queue.allocations) {
      for (const event of list)
        if (event.start_us <= start_us && start_us <= event.end_us) event.cpu_memory_usage += nbytes;
    }
    list._remove_dup_nodes();
    return list;
  }

  /** Merges an operator and its only child of the same name (`sum` calls `sum.dim_IntList`). */
  private _remove_dup_nodes(): void {
    for (;;) {
      const to_delete = new Set<FunctionEvent>();
      for (const event of this) {
        const parent = event.cpu_parent;
        if (parent === null || parent.name !== event.name || parent.cpu_children.length !== 1) continue;
        parent.cpu_children = event.cpu_children;
        for (const child of event.cpu_children) child.cpu_parent = parent;
        to_delete.add(event);
      }
      if (to_delete.size === 0) return;
      const kept = this.filter((event) => !to_delete.has(event));
      this.length = 0;
      for (const event of kept) this.push(event);
    }
  }
}

export class AverageList extends Array<FunctionEventAvg> {
  /** A table for a terminal; times have suitable units, memory is in bytes. */
  table({ sort_by, row_limit = 100 }: TableOptions = {}): string {
    const rows = [...this];
    if (sort_by !== undefined) rows.sort((a, b) => b[sort_by] - a[sort_by]);
    const total = this.reduce((sum, row) => sum + row.self_cpu_time_total, 0);
    const share = (part: number): string => (total === 0 ? "NaN" : `${((part / total) * 100).toFixed(2)}%`);
    const header = [
      "Name",
      "Self CPU %",
      "Self CPU",
      "CPU total %",
      "CPU total",
      "CPU time avg",
      "CPU Mem",
      "Self CPU Mem",
      "# of Calls",
    ];
    const cells = rows
      .slice(0, row_limit)
      .map((row) => [
        row.key,
        share(row.self_cpu_time_total),
        formatTime(row.self_cpu_time_total),
        share(row.cpu_time_total),
        formatTime(row.cpu_time_total),
        formatTime(row.cpu_time),
        formatMemory(row.cpu_memory_usage),
        formatMemory(row.self_cpu_memory_usage),
        String(row.count),
      ]);
    const nameWidth = Math.max(header[0]?.length ?? 0, ...cells.map((c) => c[0].length)) + 4;
    const width = (column: number): number => (column === 0 ? nameWidth : 12);
    const rule = header.map((_, i) => "-".repeat(width(i))).join("  ");
    const line = (row: readonly string[]): string => row.map((cell, i) => cell.padStart(width(i))).join("  ");
    return [rule, line(header), rule, ...cells.map(line), rule, `Self CPU time total: ${formatTime(total)}`, ""].join(
      "\n",
    );
  }
}

function formatTime(us: number): string {
  if (us >= 1e6) return `${(us / 1e6).toFixed(3)}s`;
  return us >= 1e3 ? `${(us / 1e3).toFixed(3)}ms` : `${us.toFixed(3)}us`;
}

function formatMemory(nbytes: number): string {
  for (const [unit, size] of [
    ["GB", 1024 ** 3],
    ["MB", 1024 ** 2],
    ["KB", 1024],
  ] as const) {
    if (Math.abs(nbytes) >= size) return `${(nbytes / size).toFixed(2)} ${unit}`;
  }
  return `${nbytes} B`;
}
