/**
 * @file The object `torch` itself, empty until `index.ts` has filled it. Front-end files that name each other at run time only
 * (`torch.autograd.backward` in a tensor's method) reach each other through it, as PyTorch's do through `import torch`.
 * @mirrors torch/__init__.py
 */

/** What `torch` holds: a name for each of its functions, classes and modules. `index.ts` fills it, so that nothing here imports it. */
// biome-ignore lint/suspicious/noEmptyInterface: index.ts merges its members into it.
export interface Torch {}

export const torch = {} as Torch;
