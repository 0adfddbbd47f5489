/**
 * @file Grad mode: whether operations record gradients now. It is a flag, not a dispatch key: under `no_grad` autograd
 * kernels still run.
 * @mirrors c10/core/GradMode.h
 */
import { AutogradState } from "./AutogradState.ts";

export class GradMode {
  static is_enabled(): boolean {
    return AutogradState.get_tls_state().get_grad_mode();
  }

  static set_enabled(enabled: boolean): void {
    AutogradState.get_tls_state().set_grad_mode(enabled);
  }
}

/** Sets grad mode until `restore()`. */
export class AutoGradMode {
  private readonly prev_mode: boolean;

  constructor(enabled: boolean) {
    this.prev_mode = GradMode.is_enabled();
    GradMode.set_enabled(enabled);
  }

  restore(): void {
    GradMode.set_enabled(this.prev_mode);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

export class NoGradGuard extends AutoGradMode {
  constructor() {
    super(false);
  }
}

/** Sets forward-mode autograd until `restore()`. */
export class AutoFwGradMode {
  private readonly prev_mode: boolean;

  constructor(enabled: boolean) {
    this.prev_mode = AutogradState.get_tls_state().get_fw_grad_mode();
    AutogradState.get_tls_state().set_fw_grad_mode(enabled);
  }

  restore(): void {
    AutogradState.get_tls_state().set_fw_grad_mode(this.prev_mode);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}
