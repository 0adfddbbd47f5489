/**
 * @file What a registration returns: drop it and the registration is undone.
 * @mirrors aten/src/ATen/core/dispatch/RegistrationHandleRAII.h
 * @differs Undone by `destroy()`; C++ does it when the handle goes out of scope.
 */
export class RegistrationHandleRAII {
  private onDestruction_: (() => void) | null;

  constructor(onDestruction: () => void) {
    this.onDestruction_ = onDestruction;
  }

  /** Undoes the registration; a second call does nothing. */
  destroy(): void {
    const undo = this.onDestruction_;
    this.onDestruction_ = null;
    undo?.();
  }
}
