/**
 * @file The reads and writes of a loop, found by running its body with a handler that only takes notes.
 * @mirrors torch/_inductor/dependencies.py
 */
import { type Expr, simplify_with_ranges, symbol, type VarRanges } from "./sizevars.ts";
import { type OpsHandler, with_ops_handler } from "./virtualized.ts";

/** An access of a buffer, at an index that the loop's variables give. */
export class MemoryDep {
  readonly name: string;
  readonly index: Expr;
  /** Whether the place is itself read from memory. */
  readonly is_indirect: boolean;
  /** Whether it happens only where a mask is true. */
  readonly is_masked: boolean;

  constructor(name: string, index: Expr, is_indirect: boolean, is_masked: boolean) {
    this.name = name;
    this.index = index;
    this.is_indirect = is_indirect;
    this.is_masked = is_masked;
  }

  toString(): string {
    return `${this.name}[${this.index}]`;
  }
}

export interface ReadWrites {
  readonly reads: readonly MemoryDep[];
  readonly writes: readonly MemoryDep[];
  /** Expressions that are values. */
  readonly index_exprs: readonly Expr[];
  readonly op_counts: ReadonlyMap<string, number>;
}

/** Notes accesses and operations; its values are nothing. (`RecordLoadStore`) */
class RecordLoadStore implements OpsHandler<null> {
  readonly reads = new Map<string, MemoryDep>();
  readonly writes = new Map<string, MemoryDep>();
  readonly index_exprs: Expr[] = [];
  readonly op_counts = new Map<string, number>();
  private readonly ranges: VarRanges;
  private indirect = 0;
  private masks = 0;

  constructor(ranges: VarRanges) {
    this.ranges = ranges;
  }

  private count(op: string): null {
    this.op_counts.set(op, (this.op_counts.get(op) ?? 0) + 1);
    return null;
  }

  private dep(name: string, index: Expr): MemoryDep {
    const simple = simplify_with_ranges(index, this.ranges);
    const is_indirect = [...simple.free_symbols()].some((s) => s.startsWith("indirect"));
    return new MemoryDep(name, simple, is_indirect, this.masks > 0);
  }

  constant(): null {
    return null;
  }
  load(name: string, index: Expr): null {
    const dep = this.dep(name, index);
    if (!this.reads.has(String(dep))) this.reads.set(String(dep), dep);
    return this.count("load");
  }
  index_expr(expr: Expr): null {
    this.index_exprs.push(simplify_with_ranges(expr, this.ranges));
    return this.count("index_expr");
  }
  to_dtype(): null {
    return this.count("to_dtype");
  }
  pointwise(op: string): null {
    return this.count(op);
  }
  where(): null {
    return this.count("where");
  }
  masked(_mask: null, body: () => null): null {
    this.masks++;
    body();
    this.masks--;
    return this.count("masked");
  }
  indirect_indexing(): Expr {
    return symbol(`indirect${this.indirect++}`);
  }
  reduction(_dtype: string, _src: string, type: string): null {
    return this.count(type);
  }
  store(name: string, index: Expr): void {
    const dep = this.dep(name, index);
    this.writes.set(String(dep), dep);
  }
  store_reduction(name: string, index: Expr): void {
    this.store(name, index);
  }
}

/** Runs a body and tells what it accesses. */
export function extract_read_writes(body: () => void, ranges: VarRanges): ReadWrites {
  const record = new RecordLoadStore(ranges);
  with_ops_handler(record, body);
  return {
    reads: [...record.reads.values()],
    writes: [...record.writes.values()],
    index_exprs: record.index_exprs,
    op_counts: record.op_counts,
  };
}
