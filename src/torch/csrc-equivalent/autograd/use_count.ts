/**
 * @file Who holds a gradient: the reference counts that decide between stealing and cloning, adding in place and out of place.
 * @mirrors c10/util/intrusive_ptr.h
 * @differs Counts only the references the autograd engine makes itself, and a front end object once it exists; PyTorch counts
 * every reference there is.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

// Note [Who counts references]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch asks `use_count()` in two places: AccumulateGrad (may I keep this gradient as `.grad`, or must I copy it?) and
// InputBuffer (may I add into this gradient, or must I make a new one?). JavaScript does not tell who else holds an object. So
// the engine counts what it holds itself:
//   - a slot of an OwningList: a node's inputs or outputs, an InputBuffer, captured gradients, those a caller passed to `execute`;
//   - a SavedVariable's data and a tensor's `.grad`, which are one such slot each.
// A tensor that the front end has seen has a filled pyobj slot: someone outside may hold it, so that counts one more, and for
// ever, since the collector gives no notice. Only what code of the user makes and returns in backward is taken as handed over;
// see handed_over.ts.
// The same counts exist per storage: how many tensors share it that have a count above zero, the front end's one included (see
// `TensorImpl.init_pyobj`).
// Precondition of all of these: the tensor is defined.

export function incref(t: Tensor): void {
  const impl = t.impl_;
  if (impl.use_count_++ === 0 && !impl.has_pyobj()) {
    const storage_impl = impl.storage_.storage_impl_;
    if (storage_impl !== null) storage_impl.use_count_++;
  }
}

export function decref(t: Tensor): void {
  const impl = t.impl_;
  if (--impl.use_count_ === 0 && !impl.has_pyobj()) {
    const storage_impl = impl.storage_.storage_impl_;
    if (storage_impl !== null) storage_impl.use_count_--;
  }
}

/** `t.storage().use_count()`: tensors, among those that count, that share `t`'s bytes. */
export function storage_use_count(t: Tensor): number {
  const storage_impl = t.impl_.storage_.storage_impl_;
  return storage_impl === null ? 0 : storage_impl.use_count_;
}

/** May whoever holds `num_expected_refs` references to `new_grad` do with it what they like? */
export function is_tensor_stealable(new_grad: Tensor, num_expected_refs = 1): boolean {
  return new_grad.impl_.use_count() <= num_expected_refs;
}
