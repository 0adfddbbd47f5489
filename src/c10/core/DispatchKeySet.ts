/**
 * @file A set of dispatch keys in 64 bits. A call's set decides which kernel is entered: the highest functionality, and
 * the highest backend if that functionality has one implementation per backend.
 * @mirrors c10/core/DispatchKeySet.h
 * @differs An immutable object of two int32 halves; C++ has one uint64. Operators are `or and sub xor eq`.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  BackendComponent,
  DispatchKey,
  full_backend_mask,
  isPerBackendFunctionalityKey,
  toString as keyToString,
  num_backends,
  num_functionality_keys,
  num_runtime_entries,
  toBackendComponent,
  toFunctionalityKey,
  toRuntimePerBackendFunctionalityKey,
} from "./DispatchKey.ts";

// Note [DispatchKeySet internal representation]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   bit   0 ... 15   backends, CPU at bit 0, Meta at bit 15
//   bit  16 ... 61   functionalities: key k at bit 15 + k (Undefined, k = 0, has none)
//   lo_ holds bits 0 ... 31 (Conjugate, k = 16, is the last), hi_ the rest.
// A runtime key sets two bits: AutogradCPU = AutogradFunctionality + CPUBit. So a set is a *product*: {CPU, SparseCUDA} also
// holds CUDA and SparseCPU. That is why removing a key clears its functionality bit only: the backend bit may belong to others.

const offsets = new Int32Array(num_functionality_keys);
const masks = new Int32Array(num_functionality_keys);
for (let k = 1; k < num_functionality_keys; k++) {
  const previous = (k - 1) as DispatchKey;
  offsets[k] = offsets[k - 1] + (isPerBackendFunctionalityKey(previous) ? num_backends : 1);
  masks[k] = isPerBackendFunctionalityKey(k as DispatchKey) ? full_backend_mask : 0;
}
TORCH_CHECK(
  offsets[num_functionality_keys - 1] === num_runtime_entries - 1,
  "The dispatch table has ",
  num_runtime_entries,
  " slots, but the functionalities fill another number",
);

/** One more than the index of the highest set bit; 0 if none. */
function bitLength(x: number): number {
  return 32 - Math.clz32(x);
}

export class DispatchKeySet {
  private readonly lo_: number;
  private readonly hi_: number;

  /** Private: sets could later be made unique objects behind the factories below without a change for callers. */
  private constructor(lo: number, hi: number) {
    this.lo_ = lo;
    this.hi_ = hi;
  }

  static readonly EMPTY = new DispatchKeySet(0, 0);

  /** Every backend and every functionality. */
  static readonly FULL = new DispatchKeySet(-1, (1 << (num_functionality_keys - 17)) - 1);

  /** The two bits of a runtime key, the one bit of a functionality; nothing for an alias. */
  private static fromKey(k: DispatchKey): DispatchKeySet {
    const functionality = toFunctionalityKey(k);
    if (functionality === DispatchKey.Undefined) return DispatchKeySet.EMPTY;
    const backend = toBackendComponent(k);
    const backendBit = backend === BackendComponent.InvalidBit ? 0 : 1 << (backend - 1);
    if (functionality <= 16) return new DispatchKeySet((1 << (15 + functionality)) | backendBit, 0);
    return new DispatchKeySet(backendBit, 1 << (functionality - 17));
  }

  static of(...keys: DispatchKey[]): DispatchKeySet {
    let lo = 0;
    let hi = 0;
    for (const k of keys) {
      const bits = setOfKey(k);
      lo |= bits.lo_;
      hi |= bits.hi_;
    }
    return new DispatchKeySet(lo, hi);
  }

  static ofBackends(...backends: BackendComponent[]): DispatchKeySet {
    let lo = 0;
    for (const b of backends) if (b !== BackendComponent.InvalidBit) lo |= 1 << (b - 1);
    return new DispatchKeySet(lo, 0);
  }

  /** Every key below `t`, and PythonDispatcher: the keys to which a kernel at `t` may still redispatch. */
  static FULL_AFTER(t: DispatchKey): DispatchKeySet {
    const below = toFunctionalityKey(t) + num_backends - 1; // bits 0 ... below - 1
    const lo = below >= 32 ? -1 : (1 << below) - 1;
    const hi = below <= 32 ? 0 : (1 << (below - 32)) - 1;
    return new DispatchKeySet(lo, hi).add(DispatchKey.PythonDispatcher);
  }

  static from_raw_repr(x: bigint): DispatchKeySet {
    return new DispatchKeySet(Number(BigInt.asIntN(32, x)), Number(BigInt.asIntN(32, x >> 32n)));
  }

  /** One shared set per key `k`; `fromKey` is used only to fill this table. */
  static buildTable(): DispatchKeySet[] {
    return Array.from({ length: DispatchKey.EndOfAliasKeys + 1 }, (_, k) => DispatchKeySet.fromKey(k as DispatchKey));
  }

  has(t: DispatchKey): boolean {
    return this.has_all(setOfKey(t));
  }

  has_backend(t: BackendComponent): boolean {
    return t === BackendComponent.InvalidBit || (this.lo_ & (1 << (t - 1))) !== 0;
  }

  has_all(ks: DispatchKeySet): boolean {
    return (this.lo_ & ks.lo_) === ks.lo_ && (this.hi_ & ks.hi_) === ks.hi_;
  }

  /** Precondition: `ks` does not mix backend bits with per-backend functionalities; the answer would be about neither. */
  has_any(ks: DispatchKeySet): boolean {
    return (this.lo_ & ks.lo_) !== 0 || (this.hi_ & ks.hi_) !== 0;
  }

  isSupersetOf(ks: DispatchKeySet): boolean {
    return this.has_all(ks);
  }

  or(other: DispatchKeySet): DispatchKeySet {
    if (other === this) return this; // the keys of two plain tensors
    return new DispatchKeySet(this.lo_ | other.lo_, this.hi_ | other.hi_);
  }

  and(other: DispatchKeySet): DispatchKeySet {
    return new DispatchKeySet(this.lo_ & other.lo_, this.hi_ & other.hi_);
  }

  xor(other: DispatchKeySet): DispatchKeySet {
    return new DispatchKeySet(this.lo_ ^ other.lo_, this.hi_ ^ other.hi_);
  }

  /** `operator-`: clears functionality bits only, never backend bits. */
  sub(other: DispatchKeySet): DispatchKeySet {
    return new DispatchKeySet(this.lo_ & (full_backend_mask | ~other.lo_), this.hi_ & ~other.hi_);
  }

  /** `this.or(included).sub(excluded).and(mask)`, which every call computes, without the two sets in between. */
  orSubAnd(included: DispatchKeySet, excluded: DispatchKeySet, mask: DispatchKeySet): DispatchKeySet {
    return new DispatchKeySet(
      (this.lo_ | included.lo_) & (full_backend_mask | ~excluded.lo_) & mask.lo_,
      (this.hi_ | included.hi_) & ~excluded.hi_ & mask.hi_,
    );
  }

  eq(other: DispatchKeySet): boolean {
    return this.lo_ === other.lo_ && this.hi_ === other.hi_;
  }

  add(t: DispatchKey | DispatchKeySet): DispatchKeySet {
    return this.or(typeof t === "number" ? setOfKey(t) : t);
  }

  /** Clears `t`'s functionality bit only; `remove_backend` clears a backend. */
  remove(t: DispatchKey): DispatchKeySet {
    return this.sub(setOfKey(t));
  }

  remove_backend(b: BackendComponent): DispatchKeySet {
    if (b === BackendComponent.InvalidBit) return this;
    return new DispatchKeySet(this.lo_ & ~(1 << (b - 1)), this.hi_);
  }

  empty(): boolean {
    return (this.lo_ | this.hi_) === 0;
  }

  raw_repr(): bigint {
    return (BigInt(this.hi_ >>> 0) << 32n) | BigInt(this.lo_ >>> 0);
  }

  /** `0x…`, for dumps. */
  raw_hex(): string {
    return `0x${this.raw_repr().toString(16)}`;
  }

  indexOfHighestBit(): number {
    return this.hi_ !== 0 ? 32 + bitLength(this.hi_) : bitLength(this.lo_);
  }

  highestFunctionalityKey(): DispatchKey {
    if (this.hi_ !== 0) return (bitLength(this.hi_) + 16) as DispatchKey;
    return bitLength(this.lo_ >>> num_backends) as DispatchKey;
  }

  highestBackendKey(): BackendComponent {
    return bitLength(this.lo_ & full_backend_mask) as BackendComponent;
  }

  highestPriorityTypeId(): DispatchKey {
    const functionality_k = this.highestFunctionalityKey();
    if (isPerBackendFunctionalityKey(functionality_k)) {
      return toRuntimePerBackendFunctionalityKey(functionality_k, this.highestBackendKey());
    }
    return functionality_k;
  }

  /** The slot of an operator's dispatch table that a call with this key set reads. */
  getDispatchTableIndexForDispatchKeySet(): number {
    const functionality_idx = this.hi_ !== 0 ? bitLength(this.hi_) + 16 : bitLength(this.lo_ >>> num_backends);
    const backend_idx = bitLength((this.lo_ & masks[functionality_idx]) >>> 1);
    return offsets[functionality_idx] + backend_idx;
  }

  /** Position of the highest backend among the backends; CPU is 0. */
  getBackendIndex(): number {
    return bitLength((this.lo_ & full_backend_mask) >>> 1);
  }

  /** Runtime keys, low to high: a per-backend functionality once for every backend bit (so not at all if there is none). */
  *[Symbol.iterator](): Generator<DispatchKey, void, undefined> {
    for (let k = 1; k < num_functionality_keys; k++) {
      const functionality = k as DispatchKey;
      if (!this.has(functionality)) continue;
      if (!isPerBackendFunctionalityKey(functionality)) {
        yield functionality;
        continue;
      }
      for (let b = 1; b <= num_backends; b++) {
        const backend = b as BackendComponent;
        if (this.has_backend(backend)) yield toRuntimePerBackendFunctionalityKey(functionality, backend);
      }
    }
  }

  /** Names of the runtime keys, low to high: the form traces and dumps use. */
  names(): string[] {
    return Array.from(this, keyToString);
  }

  toString(): string {
    return `DispatchKeySet(${this.names().join(", ")})`;
  }
}

const tableOfSets: readonly DispatchKeySet[] = DispatchKeySet.buildTable();

/** `DispatchKeySet(k)`: shared, since sets are immutable. */
export function setOfKey(k: DispatchKey): DispatchKeySet {
  return tableOfSets[k];
}

// The end mark has no slot. Reading it even once would make the JavaScript engine check all later lookups for being out of range.
const tableIndices = Int16Array.from(tableOfSets, (ks, k) =>
  k === DispatchKey.EndOfFunctionalityKeys ? 0 : ks.getDispatchTableIndexForDispatchKeySet(),
);

export function getDispatchTableIndexForDispatchKey(k: DispatchKey): number {
  return tableIndices[k];
}

// Named sets ----------------------------------------------------------------------------------------------------------

const allBackends = DispatchKeySet.from_raw_repr(BigInt(full_backend_mask));

export const autograd_dispatch_keyset = DispatchKeySet.of(
  DispatchKey.AutogradFunctionality,
  DispatchKey.AutogradOther,
  DispatchKey.AutogradNestedTensor,
);

export const autocast_dispatch_keyset = DispatchKeySet.of(
  DispatchKey.AutocastCPU,
  DispatchKey.AutocastMPS,
  DispatchKey.AutocastCUDA,
  DispatchKey.AutocastXPU,
  DispatchKey.AutocastIPU,
  DispatchKey.AutocastHPU,
  DispatchKey.AutocastXLA,
  DispatchKey.AutocastPrivateUse1,
  DispatchKey.AutocastMTIA,
  DispatchKey.AutocastMAIA,
);

/** Included in every call unless a mode says otherwise. */
export const default_included_set = DispatchKeySet.of(DispatchKey.BackendSelect, DispatchKey.ADInplaceOrView);

/** Every tensor carries autocast keys; they count only inside `torch.autocast`. */
export const default_excluded_set = autocast_dispatch_keyset;

export const inplace_or_view_ks = DispatchKeySet.of(DispatchKey.ADInplaceOrView);
export const autograd_dispatch_keyset_with_ADInplaceOrView = autograd_dispatch_keyset.or(inplace_or_view_ks);
export const python_ks = DispatchKeySet.of(DispatchKey.Python, DispatchKey.PythonTLSSnapshot);
export const sparse_ks = DispatchKeySet.of(DispatchKey.Sparse);
export const sparse_csr_ks = DispatchKeySet.of(DispatchKey.SparseCsr);
export const mkldnn_ks = DispatchKeySet.of(DispatchKey.MkldnnCPU);

/** Backends without an autograd key of their own. */
export const autogradother_backends = DispatchKeySet.of(
  DispatchKey.FPGA,
  DispatchKey.Vulkan,
  DispatchKey.Metal,
  DispatchKey.CustomRNGKeyId,
  DispatchKey.MkldnnCPU,
  DispatchKey.Sparse,
  DispatchKey.SparseCsr,
  DispatchKey.Quantized,
).or(allBackends);

/** The keys with which an autograd kernel redispatches: everything below the autograd keys. */
export const after_autograd_keyset = DispatchKeySet.FULL_AFTER(DispatchKey.AutogradOther);
export const after_ADInplaceOrView_keyset = DispatchKeySet.FULL_AFTER(DispatchKey.ADInplaceOrView);
export const after_func_keyset = DispatchKeySet.FULL_AFTER(DispatchKey.Functionalize).remove(
  DispatchKey.ADInplaceOrView,
);
export const backend_bitset_mask = allBackends;

export const functorch_transforms_ks = DispatchKeySet.of(
  DispatchKey.FuncTorchBatched,
  DispatchKey.FuncTorchVmapMode,
  DispatchKey.Batched,
  DispatchKey.VmapMode,
  DispatchKey.FuncTorchGradWrapper,
);
export const functorch_batched_ks = DispatchKeySet.of(DispatchKey.FuncTorchBatched);

/** The keys that decide a tensor's backend: storage forms and backend bits. */
export const backend_functionality_keys = DispatchKeySet.of(
  DispatchKey.Dense,
  DispatchKey.Quantized,
  DispatchKey.Sparse,
  DispatchKey.SparseCsr,
).or(allBackends);

// Keys that follow from a backend ------------------------------------------------------------------------------------------

const autogradBackends: readonly BackendComponent[] = [
  BackendComponent.CPUBit,
  BackendComponent.IPUBit,
  BackendComponent.MTIABit,
  BackendComponent.MAIABit,
  BackendComponent.XPUBit,
  BackendComponent.CUDABit,
  BackendComponent.XLABit,
  BackendComponent.LazyBit,
  BackendComponent.MetaBit,
  BackendComponent.MPSBit,
  BackendComponent.HPUBit,
  BackendComponent.PrivateUse1Bit,
  BackendComponent.PrivateUse2Bit,
  BackendComponent.PrivateUse3Bit,
];

const autogradRelated: readonly DispatchKeySet[] = Array.from({ length: num_backends + 1 }, (_, b) => {
  const backend = b as BackendComponent;
  const key = autogradBackends.includes(backend)
    ? toRuntimePerBackendFunctionalityKey(DispatchKey.AutogradFunctionality, backend)
    : DispatchKey.AutogradOther;
  return inplace_or_view_ks.add(key);
});

/** ADInplaceOrView and the backend's autograd key: every ordinary tensor carries both, `requires_grad` or not. */
export function getAutogradRelatedKeySetFromBackend(t: BackendComponent): DispatchKeySet {
  return autogradRelated[t];
}

/** The autograd key of a backend; backends without one share `AutogradOther`. */
export function getAutogradKeyFromBackend(k: BackendComponent): DispatchKey {
  return getAutogradRelatedKeySetFromBackend(k).highestPriorityTypeId();
}

const autocastKeyOfBackend: ReadonlyMap<BackendComponent, DispatchKey> = new Map([
  [BackendComponent.CPUBit, DispatchKey.AutocastCPU],
  [BackendComponent.MTIABit, DispatchKey.AutocastMTIA],
  [BackendComponent.MAIABit, DispatchKey.AutocastMAIA],
  [BackendComponent.XPUBit, DispatchKey.AutocastXPU],
  [BackendComponent.IPUBit, DispatchKey.AutocastIPU],
  [BackendComponent.HPUBit, DispatchKey.AutocastHPU],
  [BackendComponent.CUDABit, DispatchKey.AutocastCUDA],
  [BackendComponent.XLABit, DispatchKey.AutocastXLA],
  [BackendComponent.PrivateUse1Bit, DispatchKey.AutocastPrivateUse1],
  [BackendComponent.MPSBit, DispatchKey.AutocastMPS],
] as [BackendComponent, DispatchKey][]);

const autocastRelated: readonly DispatchKeySet[] = Array.from({ length: num_backends + 1 }, (_, b) =>
  setOfKey(autocastKeyOfBackend.get(b as BackendComponent) ?? DispatchKey.Undefined),
);

export function getAutocastRelatedKeySetFromBackend(t: BackendComponent): DispatchKeySet {
  return autocastRelated[t];
}

export function highestPriorityBackendTypeId(ks: DispatchKeySet): DispatchKey {
  return ks.and(backend_functionality_keys).highestPriorityTypeId();
}

const notLegacy = DispatchKeySet.of(
  DispatchKey.Functionalize,
  DispatchKey.PythonTLSSnapshot,
  DispatchKey.FuncTorchGradWrapper,
  DispatchKey.FuncTorchVmapMode,
  DispatchKey.FuncTorchBatched,
  DispatchKey.Python,
);

/** The one key that says what kind of tensor this is, without autograd and modes; for code written before key sets existed. */
export function legacyExtractDispatchKey(s: DispatchKeySet): DispatchKey {
  return s
    .sub(autograd_dispatch_keyset_with_ADInplaceOrView)
    .sub(autocast_dispatch_keyset)
    .sub(notLegacy)
    .highestPriorityTypeId();
}

// Runtime keys of an alias key -------------------------------------------------------------------------------------------

const backend_dispatch_keyset = autogradother_backends.add(DispatchKey.Dense);

/** The backends that can run a kernel that aliases or mutates: without functional backends and sparse layouts. */
const non_functional_backend_dispatch_keyset = backend_dispatch_keyset
  .remove(DispatchKey.Sparse)
  .remove_backend(BackendComponent.XLABit)
  .remove_backend(BackendComponent.LazyBit);

const math_dispatch_keyset = backend_dispatch_keyset.or(autograd_dispatch_keyset).add(DispatchKey.NestedTensor);

const nested_dispatch_keyset = DispatchKeySet.of(DispatchKey.AutogradNestedTensor, DispatchKey.NestedTensor).or(
  allBackends,
);

/** Whether the set holds the key. `has` compares bits; an alias key has none, so `has` would always be true for it. */
function holds(ks: DispatchKeySet, k: DispatchKey): boolean {
  return k !== DispatchKey.Undefined && k <= DispatchKey.EndOfRuntimeBackendKeys && ks.has(k);
}

export function isBackendDispatchKey(t: DispatchKey): boolean {
  return holds(backend_dispatch_keyset, t);
}

/** The runtime keys that a registration under `t` reaches; for a runtime key, itself. */
export function getRuntimeDispatchKeySet(t: DispatchKey): DispatchKeySet {
  TORCH_CHECK(t !== DispatchKey.Undefined);
  switch (t) {
    case DispatchKey.Autograd:
      return autograd_dispatch_keyset.or(allBackends);
    case DispatchKey.CompositeImplicitAutograd:
      return math_dispatch_keyset;
    case DispatchKey.CompositeImplicitAutogradNestedTensor:
      return nested_dispatch_keyset;
    case DispatchKey.CompositeExplicitAutograd:
      return backend_dispatch_keyset;
    case DispatchKey.CompositeExplicitAutogradNonFunctional:
      return non_functional_backend_dispatch_keyset;
    case DispatchKey.FuncTorchBatchedDecomposition:
      return functorch_batched_ks;
    default:
      return setOfKey(t);
  }
}

const runtime_keys: (readonly DispatchKey[] | undefined)[] = [];

/** `getRuntimeDispatchKeySet` as a list, low to high, built once: every registration at import walks it. */
export function getRuntimeDispatchKeys(t: DispatchKey): readonly DispatchKey[] {
  return (runtime_keys[t] ??= [...getRuntimeDispatchKeySet(t)]);
}

export function runtimeDispatchKeySetHas(t: DispatchKey, k: DispatchKey): boolean {
  TORCH_CHECK(t !== DispatchKey.Undefined);
  switch (t) {
    case DispatchKey.Autograd:
      return holds(autograd_dispatch_keyset, toFunctionalityKey(k));
    case DispatchKey.CompositeImplicitAutograd:
    case DispatchKey.CompositeImplicitAutogradNestedTensor:
    case DispatchKey.CompositeExplicitAutograd:
    case DispatchKey.CompositeExplicitAutogradNonFunctional:
    case DispatchKey.FuncTorchBatchedDecomposition:
      return holds(getRuntimeDispatchKeySet(t), k);
    default:
      return t === k;
  }
}

/**
 * Per alias, 1 at each key that it reaches; built at the first query. Filling the dispatch tables at import queries it
 * 200 000 times.
 */
const reached: (Uint8Array | undefined)[] = [];

function reachedBy(alias: DispatchKey): Uint8Array {
  return Uint8Array.from(tableOfSets, (_, k) => (runtimeDispatchKeySetHas(alias, k as DispatchKey) ? 1 : 0));
}

/** Whether a registration under `alias` reaches `k`. */
export function isIncludedInAlias(k: DispatchKey, alias: DispatchKey): boolean {
  return (reached[alias] ??= reachedBy(alias))[k] === 1;
}

const backendsOfAutograd: (DispatchKeySet | undefined)[] = [];

/**
 * The backends that an autograd key serves: `AutogradCPU` -> {CPU}; `AutogradOther` -> all backends without an autograd
 * key of their own.
 */
export function getBackendKeySetFromAutograd(t: DispatchKey): DispatchKeySet {
  return (backendsOfAutograd[t] ??= backendsServedBy(t));
}

function backendsServedBy(t: DispatchKey): DispatchKeySet {
  if (t === DispatchKey.AutogradOther) return autogradother_backends;
  if (t === DispatchKey.AutogradNestedTensor) return DispatchKeySet.of(DispatchKey.NestedTensor).or(allBackends);
  const backend = toBackendComponent(t);
  const isAutograd = toFunctionalityKey(t) === DispatchKey.AutogradFunctionality;
  // MTIA has an autograd key, yet PyTorch does not list it here.
  if (!isAutograd || backend === BackendComponent.MTIABit || !autogradBackends.includes(backend)) {
    return DispatchKeySet.EMPTY;
  }
  return setOfKey(toRuntimePerBackendFunctionalityKey(DispatchKey.Dense, backend));
}
