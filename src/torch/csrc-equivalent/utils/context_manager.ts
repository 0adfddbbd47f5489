/**
 * @file The base of all context managers, usable by Python's `with` and JavaScript's `using`.
 * @original Python's `contextlib.AbstractContextManager`, made usable by `using`.
 * @differs `with context:` is written `using _ = context`, which ends with the block; JavaScript has no `with`.
 *
 * Note [`using` enters]
 * ~~~~~~~~~~~~~~~~~~~~~
 * Python's `with` calls `__enter__` and, at the end, `__exit__`; JavaScript's `using` only has an end. But at the point
 * where Python enters, it reads the method `Symbol.dispose`, exactly once, and so do `DisposableStack.use` and the code
 * that compilers write for engines without `using`. So reading the method enters. `torch.no_grad()` as a statement of
 * its own changes nothing, as in Python. Reading the method again while the scope is open returns the same method and
 * enters nothing; after the end the object can be entered again.
 */
import { Allocated } from "#python/Objects/allocated";

/** A context manager; see Note [`using` enters]. */
export abstract class AbstractContextManager extends Allocated implements Disposable {
  private entered_ = false;

  abstract __enter__(): unknown;
  abstract __exit__(): void;

  /** Called when the context is used as a decorator: what its construction changed must be undone. */
  _before_decorating(): void {}

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
