/**
 * @file The lazy tensors without a value that a program still holds: those that a step's end computes.
 * @mirrors torch/csrc/lazy/core/lazy_graph_executor.h#DeviceContextArena
 * @differs PyTorch forgets a tensor when its last reference is gone. JavaScript does not tell, so a tensor counts as held until the
 * collector has run, unless the program's interpreter says which tensors it can reach. A tensor that nobody holds may be computed too:
 * that changes counters, never values.
 */
import type { BackendDevice } from "../backend/backend_device.ts";
import type { LazyTensor } from "./tensor.ts";

/** Says which tensors the program can reach. Both the function and its answer are null if nobody knows. */
export const reachable: { of: (() => ReadonlySet<LazyTensor> | null) | null } = { of: null };

export class LiveTensors {
  /** By number. Tensors whose values are on the device are removed when they are met. */
  private readonly tensors_ = new Map<number, WeakRef<LazyTensor>>();

  add(tensor: LazyTensor): void {
    if (!this.tensors_.has(tensor.GetUniqueId())) this.tensors_.set(tensor.GetUniqueId(), new WeakRef(tensor));
  }

  /** @param device null: of all devices */
  get(device: BackendDevice | null): LazyTensor[] {
    const pending: LazyTensor[] = [];
    for (const [id, ref] of this.tensors_) {
      const tensor = ref.deref();
      if (tensor === undefined || tensor.CurrentDataHandle() !== null) this.tensors_.delete(id);
      else if (device === null || tensor.GetDevice().equals(device)) pending.push(tensor);
    }
    const held = pending.length === 0 ? null : (reachable.of?.() ?? null);
    return pending
      .filter((tensor) => held === null || held.has(tensor))
      .sort((a, b) => a.GetUniqueId() - b.GetUniqueId());
  }
}
