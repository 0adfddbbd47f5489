/**
 * @file Guards under which a call passes autograd by: kernels of autograd and ADInplaceOrView set them before they call on.
 * @mirrors aten/src/ATen/core/LegacyTypeDispatch.h
 * @differs The excluded set is put back as it was; PyTorch takes out the keys that the guard added. Scopes nest, so it is the same.
 */
import {
  autograd_dispatch_keyset,
  autograd_dispatch_keyset_with_ADInplaceOrView,
  type DispatchKeySet,
  default_excluded_set,
} from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard, set_tls_excluded, tls_excluded } from "#c10/core/impl/LocalDispatchKeySet";

// The set is nearly always the default one when a guard begins: both sums are made once.
const default_below_autograd = default_excluded_set.or(autograd_dispatch_keyset);
const default_below_ADInplaceOrView = default_excluded_set.or(autograd_dispatch_keyset_with_ADInplaceOrView);

/** Excludes `keys` too; `sum` is what that makes of the default set. Gives the set that was excluded before. */
function exclude(keys: DispatchKeySet, sum: DispatchKeySet): DispatchKeySet {
  const prev = tls_excluded;
  set_tls_excluded(prev === default_excluded_set ? sum : prev.or(keys));
  return prev;
}

/** Below autograd, but version counters and views are still seen to: around calls that write to arguments or make views. */
export class AutoDispatchBelowAutograd {
  private readonly prev: DispatchKeySet;

  constructor() {
    this.prev = exclude(autograd_dispatch_keyset, default_below_autograd);
  }

  restore(): void {
    set_tls_excluded(this.prev);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

/** Straight to the backend: around everything else. */
export class AutoDispatchBelowADInplaceOrView {
  private readonly prev: DispatchKeySet;

  constructor() {
    this.prev = exclude(autograd_dispatch_keyset_with_ADInplaceOrView, default_below_ADInplaceOrView);
  }

  restore(): void {
    set_tls_excluded(this.prev);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

/** The older name of the same, for code that treats variables as plain tensors. */
export class AutoNonVariableTypeMode extends ExcludeDispatchKeyGuard {
  constructor() {
    super(autograd_dispatch_keyset);
  }
}
