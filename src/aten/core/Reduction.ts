/**
 * @file The reduction of a loss over its elements; an `int` in schemas.
 * @mirrors aten/src/ATen/core/Reduction.h
 */

export const Reduction = { None: 0, Mean: 1, Sum: 2 } as const;
export type Reduction = (typeof Reduction)[keyof typeof Reduction];
