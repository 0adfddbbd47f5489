/**
 * @file The autograd switches of a thread: grad mode, inference mode, forward mode and similar ones.
 * @mirrors c10/core/AutogradState.h
 * @see GradMode.ts, InferenceMode.ts: the guards that set them
 */

export class AutogradState {
  private grad_mode_: boolean;
  private inference_mode_: boolean;
  private fw_grad_mode_: boolean;
  private multithreading_enabled_: boolean;
  private view_replay_enabled_ = false;
  private grad_layout_enforcement_enabled_ = true;

  constructor(grad_mode: boolean, inference_mode: boolean, fw_grad_mode: boolean, multithreading_enabled: boolean) {
    this.grad_mode_ = grad_mode;
    this.inference_mode_ = inference_mode;
    this.fw_grad_mode_ = fw_grad_mode;
    this.multithreading_enabled_ = multithreading_enabled;
  }

  /** The current state; its setters take effect at once. */
  static get_tls_state(): AutogradState {
    return state;
  }

  /** Makes a copy of `next` the current state. */
  static set_tls_state(next: AutogradState): void {
    state = next.clone();
  }

  clone(): AutogradState {
    const copy = new AutogradState(
      this.grad_mode_,
      this.inference_mode_,
      this.fw_grad_mode_,
      this.multithreading_enabled_,
    );
    copy.view_replay_enabled_ = this.view_replay_enabled_;
    copy.grad_layout_enforcement_enabled_ = this.grad_layout_enforcement_enabled_;
    return copy;
  }

  set_grad_mode(enabled: boolean): void {
    this.grad_mode_ = enabled;
  }

  set_fw_grad_mode(enabled: boolean): void {
    this.fw_grad_mode_ = enabled;
  }

  set_inference_mode(enabled: boolean): void {
    this.inference_mode_ = enabled;
  }

  set_multithreading_enabled(enabled: boolean): void {
    this.multithreading_enabled_ = enabled;
  }

  set_view_replay_enabled(enabled: boolean): void {
    this.view_replay_enabled_ = enabled;
  }

  set_grad_layout_enforcement_enabled(enabled: boolean): void {
    this.grad_layout_enforcement_enabled_ = enabled;
  }

  get_grad_mode(): boolean {
    return this.grad_mode_;
  }

  get_fw_grad_mode(): boolean {
    return this.fw_grad_mode_;
  }

  get_inference_mode(): boolean {
    return this.inference_mode_;
  }

  get_multithreading_enabled(): boolean {
    return this.multithreading_enabled_;
  }

  get_view_replay_enabled(): boolean {
    return this.view_replay_enabled_;
  }

  get_grad_layout_enforcement_enabled(): boolean {
    return this.grad_layout_enforcement_enabled_;
  }
}

let state = new AutogradState(true, false, true, true);
