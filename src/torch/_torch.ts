/**
 * @file The object `torch`, empty until `index.ts` has filled it. Front-end files that need each other at run time only
 * @mirrors torch/__init__.py
 */

/** The members of `torch`: functions, classes and modules. `index.ts` adds them, so that this file imports nothing. */
// biome-ignore lint/suspicious/noEmptyInterface: index.ts merges its members into it.
export interface Torch {}

export const torch = {} as Torch;
