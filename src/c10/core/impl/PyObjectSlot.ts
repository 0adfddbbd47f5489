/**
 * @file Where a TensorImpl or StorageImpl keeps the one front-end object that stands for it, so that wrapping twice gives the same object.
 * @mirrors c10/core/impl/PyObjectSlot.h
 * @differs The slot holds the object strongly, and for ever; PyTorch juggles two reference counts to let either side die first.
 */

export class PyObjectSlot {
  private pyobj_: object | null = null;

  init_pyobj(pyobj: object): void {
    this.pyobj_ = pyobj;
  }

  check_pyobj(): object | null {
    return this.pyobj_;
  }

  has_pyobj(): boolean {
    return this.pyobj_ !== null;
  }

  unchecked_clear_pyobj(): void {
    this.pyobj_ = null;
  }
}
