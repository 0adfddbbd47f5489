/**
 * @file Anomaly mode: it stores where each node was created, so that a backward error can name the forward call behind it.
 * @mirrors torch/csrc/autograd/anomaly_mode.h
 */
import { TORCH_WARN } from "#c10/util/Exception";
import type { Node } from "./node.ts";

let _enabled = false;
let _check_nan = true;

export const AnomalyMode = {
  is_enabled(): boolean {
    return _enabled;
  },
  should_check_nan(): boolean {
    return _check_nan;
  },
  set_enabled(enabled: boolean, check_nan = true): void {
    _enabled = enabled;
    _check_nan = check_nan;
  },
};

/** Turns anomaly mode on; `restore()` restores the previous state. */
export class DetectAnomalyGuard {
  private readonly prev_enabled_ = AnomalyMode.is_enabled();
  private readonly prev_check_nan_ = AnomalyMode.should_check_nan();

  constructor(check_nan = true) {
    TORCH_WARN(
      "This mode should be enabled only for debugging as the different tests will slow down your program execution.",
    );
    AnomalyMode.set_enabled(true, check_nan);
  }

  restore(): void {
    AnomalyMode.set_enabled(this.prev_enabled_, this.prev_check_nan_);
  }
}

/** The anomaly metadata of a node. The binding's subclass stores it in an object that users see as `grad_fn.metadata`. */
export class AnomalyMetadata {
  protected traceback_ = "";
  protected parent_: Node | null = null;

  store_stack(): void {
    this.traceback_ = capture_stack();
  }

  print_stack(current_node_name: string): void {
    TORCH_WARN(
      `Error detected in ${current_node_name}. Traceback of forward call that caused the error:\n${this.traceback_}`,
    );
    // A node made while another one ran (double backward) has that one as its parent; a root has none.
    let parent = this.parent_;
    while (parent !== null) {
      const metadata = parent.metadata();
      TORCH_WARN(
        `\n\nPrevious calculation was induced by ${parent.name()}. ` +
          `Traceback of forward call that induced the previous calculation:\n${metadata.traceback_}`,
      );
      parent = metadata.parent_;
    }
  }

  assign_parent(parent_node: Node | null): void {
    this.parent_ = parent_node;
  }
}

/** The JavaScript stack without the engine's own frames. */
export function capture_stack(): string {
  const stack = new Error().stack ?? "";
  return stack.split("\n").slice(1).join("\n");
}
