/**
 * @file The object `torch` itself, empty until `index.ts` has filled it. Front-end files that name each other at run time only
 * (`torch.autograd.backward` in a tensor's method) reach each other through it, as PyTorch's do through `import torch`.
 * @mirrors torch/__init__.py
 */
import type { Torch } from "./index.ts";

export const torch = {} as Torch;
