/**
 * @file Sizes that suit a kind of adapter. What a GPU of software likes tells nothing of a real one: there barriers cost most, and nothing runs
 * side by side but the lanes of a vector.
 * @mirrors aten/src/ATen/native/cuda/thread_constants.h
 */

/** Invocations of a workgroup that runs a scalar function. */
export const POINTWISE_WORKGROUP = 64;
