/**
 * @file Removal of running statistics from batch normalizations, because transforms refuse in-place writes to them.
 * @mirrors torch/_functorch/batch_norm_replacement.py
 */
import { having } from "#torch/_C";
import { def } from "#torch/_signature";
import { _BatchNorm } from "#torch/nn/modules/batchnorm/index";
import type { Module } from "#torch/nn/modules/module/index";

function batch_norm_without_running_stats(module: unknown): void {
  if (!(module instanceof _BatchNorm && module.track_running_stats)) return;
  module.running_mean = null;
  module.running_var = null;
  module.num_batches_tracked = null;
  module.track_running_stats = false;
}

/** Removes the running statistics of all batch normalizations in `root`, itself included. */
export const replace_all_batch_norm_modules_ = def(
  "replace_all_batch_norm_modules_(root)",
  <M extends Module>(root: M): M => {
    for (const obj of having(root, "modules").modules()) batch_norm_without_running_stats(obj);
    return root;
  },
);
