/**
 * @file A stored loop as a function of its variables: `ops.store(name, index, value)`, or the same for a reduction.
 * @mirrors torch/_inductor/loop_body.py
 * @differs The body stays a closure, which is run once for each purpose; PyTorch traces it to an fx graph.
 */
import { type Layout, type Loops, Pointwise } from "../ir/index.ts";
import { type Expr, place, symbol } from "../sizevars.ts";
import { V } from "../virtualized.ts";

export interface LoopBody {
  /** The variables' sizes: those of the result, then those of the reduction. */
  readonly sizes: readonly number[];
  readonly reduction_sizes: readonly number[];
  readonly vars: readonly Expr[];
  readonly ranges: ReadonlyMap<string, number>;
  /** Runs the body with expressions in place of the variables. */
  run(vars: readonly Expr[]): void;
}

export function body_of(name: string, layout: Layout, data: Loops): LoopBody {
  const sizes = data.ranges;
  const reduction_sizes = data instanceof Pointwise ? [] : data.reduction_ranges;
  const all = [...sizes, ...reduction_sizes];
  const vars = all.map((_, d) => symbol(`d${d}`));
  const ranges = new Map(all.map((size, d) => [`d${d}`, size]));
  const run = (given: readonly Expr[]): void => {
    const index = given.slice(0, sizes.length);
    const at = place(index, layout.stride, layout.offset);
    if (data instanceof Pointwise) V.ops.store(name, at, data.inner_fn(index), data.dtype);
    else {
      const value = data.inner_fn(index, given.slice(sizes.length));
      V.ops.store_reduction(
        name,
        at,
        V.ops.reduction(data.dtype, data.src_dtype, data.reduction_type, value),
        data.dtype,
      );
    }
  };
  return { sizes, reduction_sizes, vars, ranges, run };
}
