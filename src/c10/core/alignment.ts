/**
 * @file The alignment of CPU memory.
 * @mirrors c10/core/alignment.h
 */

/** Every storage starts at a multiple of this many bytes. */
export const gAlignment = 64;
