/**
 * @file Guards that make calls skip autograd: kernels of autograd and ADInplaceOrView use them around their inner calls.
 * @mirrors aten/src/ATen/core/LegacyTypeDispatch.h
 * @differs `restore` sets the previous excluded set again; PyTorch removes the keys that the guard added. Scopes are
 * nested, so the result is the same.
 */
import {
  autograd_dispatch_keyset,
  autograd_dispatch_keyset_with_ADInplaceOrView,
  type DispatchKeySet,
  default_excluded_set,
} from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard, set_tls_excluded, tls_excluded } from "#c10/core/impl/LocalDispatchKeySet";

// The excluded set is nearly always the default one when a guard begins, so both unions are computed once.
const default_below_autograd = default_excluded_set.or(autograd_dispatch_keyset);
const default_below_ADInplaceOrView = default_excluded_set.or(autograd_dispatch_keyset_with_ADInplaceOrView);

/** Excludes `keys` too; `sum` is their union with the default set. Returns the previous excluded set. */
function exclude(keys: DispatchKeySet, sum: DispatchKeySet): DispatchKeySet {
  const prev = tls_excluded;
  set_tls_excluded(prev === default_excluded_set ? sum : prev.or(keys));
  return prev;
}

/** Skips autograd, but still handles version counters and views: used around calls that write to arguments or make views. */
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

/** Skips autograd and ADInplaceOrView: used around all other calls. */
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

/** The older name of this guard, in code that treats variables as plain tensors. */
export class AutoNonVariableTypeMode extends ExcludeDispatchKeyGuard {
  constructor() {
    super(autograd_dispatch_keyset);
  }
}
