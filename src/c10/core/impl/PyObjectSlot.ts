/**
 * @file The slot in which a TensorImpl or StorageImpl keeps its one front-end object, so that wrapping twice gives the
 * same object.
 * @mirrors c10/core/impl/PyObjectSlot.h
 * @differs The slot holds the object strongly, and for ever; PyTorch manages two reference counts so that either side
 * can die first.
 */

/** List of slots filled while user code runs during backward; otherwise null. */
let filled: PyObjectSlot[] | null = null;

/**
 * Records the slots filled from now on in `list`; returns the previous list, for the caller to restore. During backward
 * the engine must know which front-end objects user code has newly made (`Frame` in handed_over.ts); nothing else needs
 * this.
 */
export function note_filled_slots(list: PyObjectSlot[] | null): PyObjectSlot[] | null {
  const previous = filled;
  filled = list;
  return previous;
}

/** Slots whose object only the engine holds. Objects of users' classes stay in their slots, because they carry the class. */
const owning = new WeakSet<PyObjectSlot>();

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

  /** Whether the front end has let the object go: then it does not count as a reference to the tensor. */
  owns_pyobj(): boolean {
    return owning.has(this);
  }

  set_owns_pyobj(owns: boolean): void {
    if (owns) owning.add(this);
    else owning.delete(this);
  }

  unchecked_clear_pyobj(): void {
    this.pyobj_ = null;
  }
}
