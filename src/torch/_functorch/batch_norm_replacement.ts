/**
 * @file Batch normalizations that keep no running statistics: they would be written to in place, which transforms refuse.
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

/** In `root` and all below it, batch normalizations forget their running statistics and keep none. */
export const replace_all_batch_norm_modules_ = def(
  "replace_all_batch_norm_modules_(root)",
  <M extends Module>(root: M): M => {
    for (const obj of having(root, "modules").modules()) batch_norm_without_running_stats(obj);
    return root;
  },
);
