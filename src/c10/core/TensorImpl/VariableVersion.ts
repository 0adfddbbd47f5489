/**
 * @file The version counter of a tensor's data: it counts in-place changes. A base and its views share one. Backward
 * compares it with the version it saved.
 * @mirrors c10/core/TensorImpl.h#VariableVersion
 */

import { InferenceMode } from "#c10/core/InferenceMode";
import { TORCH_CHECK } from "#c10/util/Exception";

export class VariableVersion {
  private version_: number;
  private readonly enabled_: boolean;

  constructor(version = 0, enabled = true) {
    this.version_ = version;
    this.enabled_ = enabled;
  }

  /** The counter of every inference tensor. */
  static readonly DISABLED = new VariableVersion(0, false);

  enabled(): boolean {
    return this.enabled_;
  }

  bump(): void {
    TORCH_CHECK(
      this.enabled_ || InferenceMode.is_enabled(),
      "Inplace update to inference tensor outside InferenceMode is not allowed." +
        "You can make a clone to get a normal tensor before doing inplace update." +
        "See https://github.com/pytorch/rfcs/pull/17 for more details.",
    );
    if (this.enabled_) this.version_++;
  }

  set_version(i: number): void {
    TORCH_CHECK(
      this.enabled_,
      "Tried to call torch.autograd._unsafe_set_version() on a tensor " +
        "that does not have a version counter. Was it created in inference mode?",
    );
    TORCH_CHECK(i >= 0, "Cannot set a version_counter to a value below 0: ", i);
    this.version_ = i;
  }

  current_version(): number {
    TORCH_CHECK(this.enabled_, "Inference tensors do not track version counter.");
    return this.version_;
  }
}
