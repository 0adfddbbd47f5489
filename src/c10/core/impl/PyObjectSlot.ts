/**
 * @file Where a TensorImpl or StorageImpl keeps the one front-end object that stands for it, so that wrapping twice gives the same object.
 * @mirrors c10/core/impl/PyObjectSlot.h
 * @differs The slot holds the object strongly, and for ever; PyTorch juggles two reference counts to let either side die first.
 */

/** Null except while code of the user runs in backward. */
let filled: PyObjectSlot[] | null = null;

/**
 * Notes the slots filled from now on in `list`; returns what was noted into before, to be put back. Front-end objects made by
 * code of the user during backward are the one case where the engine needs to know which are new (`Frame` in handed_over.ts).
 */
export function note_filled_slots(list: PyObjectSlot[] | null): PyObjectSlot[] | null {
  const previous = filled;
  filled = list;
  return previous;
}

export class PyObjectSlot {
  private pyobj_: object | null = null;

  init_pyobj(pyobj: object): void {
    this.pyobj_ = pyobj;
    if (filled !== null) filled.push(this);
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
