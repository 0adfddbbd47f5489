/**
 * @file What Python's `with` and JavaScript's `using` have in common: the base of everything that opens a scope.
 * @original Python's `contextlib.AbstractContextManager`, which `using` takes as well.
 * @differs `with context:` is `using _ = context`, which ends with the block.
 *
 * Note [`using` enters]
 * ~~~~~~~~~~~~~~~~~~~~~
 * Python's `with` calls `__enter__` and, at the end, `__exit__`; JavaScript's `using` knows the end alone. But it reads the method
 * `Symbol.dispose` where Python enters, once, and so do `DisposableStack.use` and what compilers write for engines without `using`. So
 * the read enters. `torch.no_grad()` as a statement of its own changes nothing, as in Python. Who reads the method again while the scope
 * is open gets the same one and enters nothing; after its end the object can be entered anew.
 */

/** A context manager; see Note [`using` enters]. */
export abstract class AbstractContextManager implements Disposable {
  private entered_ = false;

  abstract __enter__(): unknown;
  abstract __exit__(): void;

  get [Symbol.dispose](): () => void {
    if (!this.entered_) {
      this.__enter__();
      this.entered_ = true;
    }
    return AbstractContextManager.prototype.leave_;
  }

  private leave_(): void {
    if (!this.entered_) return;
    this.entered_ = false;
    this.__exit__();
  }
}
