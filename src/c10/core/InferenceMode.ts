/**
 * @file A guard under which new tensors are inference tensors: no autograd keys, no version counter, never in a graph.
 * @mirrors c10/core/InferenceMode.h
 */
import { AutogradState } from "./AutogradState.ts";
import { DispatchKey } from "./DispatchKey.ts";
import { autograd_dispatch_keyset } from "./DispatchKeySet.ts";
import {
  _force_tls_local_dispatch_key_set,
  type LocalDispatchKeySet,
  set_tls_dispatch_key_set,
  tls_local_dispatch_key_set,
} from "./impl/LocalDispatchKeySet.ts";

// Note [Inference tensors]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// A tensor made inside the mode never gets ADInplaceOrView or an autograd key, not even later. Inside, calls skip both
// layers even for normal tensors: ADInplaceOrView leaves the included set, and the autograd keys enter the excluded
// one. A view of a normal tensor stays normal, because the impl's keys are copied from its base. Outside, a call with
// an inference tensor still runs ADInplaceOrView if another argument carries that key; it then finds the version
// counter disabled.
export class InferenceMode {
  private readonly prev_mode: AutogradState;
  private readonly prev_keyset: LocalDispatchKeySet;

  constructor(enabled = true) {
    this.prev_mode = AutogradState.get_tls_state().clone();
    this.prev_keyset = tls_local_dispatch_key_set();
    AutogradState.set_tls_state(new AutogradState(!enabled, enabled, !enabled, !enabled));
    const { included_, excluded_ } = this.prev_keyset;
    set_tls_dispatch_key_set(
      enabled ? included_.remove(DispatchKey.ADInplaceOrView) : included_.add(DispatchKey.ADInplaceOrView),
      enabled ? excluded_.or(autograd_dispatch_keyset) : excluded_.sub(autograd_dispatch_keyset),
    );
  }

  static is_enabled(): boolean {
    return AutogradState.get_tls_state().get_inference_mode();
  }

  restore(): void {
    AutogradState.set_tls_state(this.prev_mode);
    _force_tls_local_dispatch_key_set(this.prev_keyset);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}
