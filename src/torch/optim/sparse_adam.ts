/**
 * @file `SparseAdam`, Adam for sparse gradients, which is not built.
 * @mirrors torch/optim/sparse_adam.py
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

export const SparseAdam: NotBuilt = not_built(
  "torch.optim.SparseAdam",
  "SparseAdam.__init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, maximize=False)",
  "gradients are never sparse here; torch.optim.Adam updates the same parameters",
);
