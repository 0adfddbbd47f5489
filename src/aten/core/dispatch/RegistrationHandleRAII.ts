/**
 * @file The handle of a registration; dropping it undoes the registration.
 * @mirrors aten/src/ATen/core/dispatch/RegistrationHandleRAII.h
 * @differs The registration is undone by `destroy()`; C++ does it when the handle goes out of scope.
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
