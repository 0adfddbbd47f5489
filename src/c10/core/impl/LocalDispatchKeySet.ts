/**
 * @file The keys that a thread adds to and removes from every call's key set, and the guards that change them temporarily.
 * @mirrors c10/core/impl/LocalDispatchKeySet.h
 * @differs One JavaScript thread has one state, held in two module variables. PyTorch keeps them XOR-ed with the defaults so
 * that zeroed thread-local memory means "default"; here they start as the defaults.
 */
import type { DispatchKey } from "#c10/core/DispatchKey";
import { type DispatchKeySet, default_excluded_set, default_included_set, setOfKey } from "#c10/core/DispatchKeySet";

/** Live bindings: the dispatcher reads them on every call. Change them through the functions and guards below. */
export let tls_included: DispatchKeySet = default_included_set;
export let tls_excluded: DispatchKeySet = default_excluded_set;

/** A copy of the state, for saving and restoring. */
export class LocalDispatchKeySet {
  readonly included_: DispatchKeySet;
  readonly excluded_: DispatchKeySet;

  constructor(included: DispatchKeySet, excluded: DispatchKeySet) {
    this.included_ = included;
    this.excluded_ = excluded;
  }
}

export function tls_local_dispatch_key_set(): LocalDispatchKeySet {
  return new LocalDispatchKeySet(tls_included, tls_excluded);
}

/** Sets both; for guards, and for restoring a saved state where work continues later. */
export function _force_tls_local_dispatch_key_set(key_set: LocalDispatchKeySet): void {
  tls_included = key_set.included_;
  tls_excluded = key_set.excluded_;
}

/** `_force_tls_local_dispatch_key_set` without the object. */
export function set_tls_dispatch_key_set(included: DispatchKeySet, excluded: DispatchKeySet): void {
  tls_included = included;
  tls_excluded = excluded;
}

export function set_tls_excluded(excluded: DispatchKeySet): void {
  tls_excluded = excluded;
}

function asSet(keys: DispatchKey | DispatchKeySet): DispatchKeySet {
  return typeof keys === "number" ? setOfKey(keys) : keys;
}

/** Adds `include` to the included set until `restore()`; keys that were already there stay. */
export class IncludeDispatchKeyGuard {
  private readonly include_: DispatchKeySet;

  constructor(include: DispatchKey | DispatchKeySet) {
    this.include_ = asSet(include).sub(tls_included);
    if (!this.include_.empty()) tls_included = tls_included.or(this.include_);
  }

  restore(): void {
    if (!this.include_.empty()) tls_included = tls_included.sub(this.include_);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

/** Adds `exclude` to the excluded set until `restore()`. */
export class ExcludeDispatchKeyGuard {
  private readonly exclude_: DispatchKeySet;

  constructor(exclude: DispatchKey | DispatchKeySet) {
    this.exclude_ = asSet(exclude).sub(tls_excluded);
    if (!this.exclude_.empty()) tls_excluded = tls_excluded.or(this.exclude_);
  }

  restore(): void {
    if (!this.exclude_.empty()) tls_excluded = tls_excluded.sub(this.exclude_);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

/** Replaces both sets until `restore()`. */
export class ForceDispatchKeyGuard {
  private readonly saved_included_: DispatchKeySet;
  private readonly saved_excluded_: DispatchKeySet;

  constructor(included: DispatchKeySet = tls_included, excluded: DispatchKeySet = tls_excluded) {
    this.saved_included_ = tls_included;
    this.saved_excluded_ = tls_excluded;
    set_tls_dispatch_key_set(included, excluded);
  }

  restore(): void {
    set_tls_dispatch_key_set(this.saved_included_, this.saved_excluded_);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

// Setters for one key at a time, without a guard: called by Python's mode setters.

export function tls_is_dispatch_key_excluded(x: DispatchKey): boolean {
  return tls_excluded.has(x);
}

export function tls_set_dispatch_key_excluded(x: DispatchKey, desired_state: boolean): void {
  if (tls_excluded.has(x) === desired_state) return;
  tls_excluded = desired_state ? tls_excluded.add(x) : tls_excluded.remove(x);
}

export function tls_is_dispatch_key_included(x: DispatchKey): boolean {
  return tls_included.has(x);
}

export function tls_set_dispatch_key_included(x: DispatchKey, desired_state: boolean): void {
  if (tls_included.has(x) === desired_state) return;
  tls_included = desired_state ? tls_included.add(x) : tls_included.remove(x);
}

export function tls_is_dispatch_keyset_excluded(ks: DispatchKeySet): boolean {
  return tls_excluded.isSupersetOf(ks);
}

export function tls_is_dispatch_keyset_included(ks: DispatchKeySet): boolean {
  return tls_included.isSupersetOf(ks);
}
