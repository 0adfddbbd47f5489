/**
 * @file `V.ops` and `V.graph`: what a loop body calls, and the graph that is being lowered, while they are in force.
 * @mirrors torch/_inductor/virtualized.py
 *
 *     body = (i) => ops.pointwise("mul", "float32", [ops.load("x", i), ops.constant(2, "float32")])
 *
 *     run with the recorder of dependencies     the reads and writes of the loop
 *     run with the builder of value graphs      the values that become one WebAssembly function
 */
import type { Expr } from "#torch/utils/_sympy/expr";

/** The calls that a body may make. `T` is the handler's idea of a value. */
export interface OpsHandler<T> {
  constant(value: number | bigint | boolean, dtype: string): T;
  /** The element at `index` of a buffer. */
  load(name: string, index: Expr): T;
  /** A number that is known from the loop variables. */
  index_expr(expr: Expr, dtype: string): T;
  to_dtype(x: T, dtype: string, src_dtype: string): T;
  /** An operator of the table in codegen/vector_kernels.ts; all arguments have this dtype. */
  pointwise(op: string, dtype: string, args: readonly T[]): T;
  where(mask: T, yes: T, no: T, dtype: string): T;
  /** `body()` where the mask is true, else `other`; loads in the body are safe wherever the mask is false. */
  masked(mask: T, body: () => T, other: number, dtype: string): T;
  /** A symbol for an index that is a value; negative values count from the end. */
  indirect_indexing(x: T, size: number, dtype: string): Expr;
  reduction(dtype: string, src_dtype: string, type: string, value: T): T;
  store(name: string, index: Expr, value: T, dtype: string): void;
  store_reduction(name: string, index: Expr, value: T, dtype: string): void;
}

/** A value of whichever handler is in force. */
export type OpsValue = unknown;

let handler: OpsHandler<OpsValue> | null = null;

/** Runs `body` with this handler. */
export function with_ops_handler<T, R>(ops_handler: OpsHandler<T>, body: () => R): R {
  const before = handler;
  handler = ops_handler as OpsHandler<OpsValue>;
  try {
    return body();
  } finally {
    handler = before;
  }
}

export const V = {
  get ops(): OpsHandler<OpsValue> {
    if (handler === null) throw new Error("no handler of ops is in force");
    return handler;
  },
};
