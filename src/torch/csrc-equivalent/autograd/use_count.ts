/**
 * @file Reference counts of gradients: they decide between keeping and cloning, and between adding in place and out of place.
 * @mirrors c10/util/intrusive_ptr.h
 * @differs Counts only references of the autograd engine itself, and a front-end object once it exists; PyTorch counts
 * every reference.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";

// Note [Who counts references]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch reads `use_count()` in two places: AccumulateGrad (may it keep this gradient as `.grad`, or must it copy?)
// and InputBuffer (may it add into this gradient, or must it make a new one?). JavaScript does not report who else
// holds an object. So the engine counts the references that it holds itself:
//   - a slot of an OwningList: a node's inputs or outputs, an InputBuffer, captured gradients, those a caller passed to `execute`;
//   - a SavedVariable's data and a tensor's `.grad`, which are one such slot each.
// A tensor that the front end has seen has a filled pyobj slot. Somebody outside may hold it, so that counts one more,
// and for ever, since the collector does not report an object's end. Only tensors that user code makes and returns in
// backward count as handed over; see handed_over.ts.
// Each storage has such a count too: the number of tensors on it whose own count is above zero, including a front-end
// object (see `TensorImpl.init_pyobj`).
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

/** `t.storage().use_count()`: the number of counted tensors that share the bytes of `t`. */
export function storage_use_count(t: Tensor): number {
  const storage_impl = t.impl_.storage_.storage_impl_;
  return storage_impl === null ? 0 : storage_impl.use_count_;
}

/** Whether a holder of `num_expected_refs` references to `new_grad` may use its memory: there are no others. */
export function is_tensor_stealable(new_grad: Tensor, num_expected_refs = 1): boolean {
  return new_grad.impl_.use_count() <= num_expected_refs;
}
