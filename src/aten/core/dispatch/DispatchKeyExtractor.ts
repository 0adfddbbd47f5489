/**
 * @file Computation of the key set that a kernel receives, from a call's arguments.
 * @mirrors aten/src/ATen/core/dispatch/DispatchKeyExtractor.h
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import type { IValue } from "#aten/core/ivalue";
import type { Type } from "#aten/core/jit_type";
import type { Stack } from "#aten/core/stack";
import {
  type DispatchKey,
  isPerBackendFunctionalityKey,
  num_backends,
  toBackendComponent,
  toFunctionalityKey,
} from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { tls_excluded, tls_included } from "#c10/core/impl/LocalDispatchKeySet";

/** Whatever carries a key set: at.Tensor and at.Generator. */
export interface HasKeySet {
  key_set(): DispatchKeySet;
}

export const EMPTY_KS: DispatchKeySet = DispatchKeySet.EMPTY;

/** The one formula of dispatch: the arguments' keys and the thread's own, less the excluded and the skipped ones. */
export function computeDispatchKeySet(ks: DispatchKeySet, key_mask: DispatchKeySet): DispatchKeySet {
  return ks.orSubAnd(tls_included, tls_excluded, key_mask);
}

// MultiDispatchKeySet: every tensor among the arguments takes part, in lists and optionals too, and so does a generator.

export function ks_tensor(ks: DispatchKeySet, tensor: HasKeySet): DispatchKeySet {
  return ks.or(tensor.key_set());
}

export function ks_optional(ks: DispatchKeySet, tensor: HasKeySet | null): DispatchKeySet {
  return tensor === null ? ks : ks.or(tensor.key_set());
}

export function ks_list(ks: DispatchKeySet, tensors: readonly HasKeySet[]): DispatchKeySet {
  let all = ks;
  for (let i = 0; i < tensors.length; i++) all = all.or(tensors[i].key_set());
  return all;
}

export function ks_optional_list(ks: DispatchKeySet, tensors: readonly (HasKeySet | null)[]): DispatchKeySet {
  let all = ks;
  for (let i = 0; i < tensors.length; i++) all = ks_optional(all, tensors[i]);
  return all;
}

export function ks_generator(ks: DispatchKeySet, generator: HasKeySet | null): DispatchKeySet {
  return generator === null ? ks : ks.or(generator.key_set());
}

function carrier(value: unknown): HasKeySet | null {
  return typeof (value as Partial<HasKeySet> | null)?.key_set === "function" ? (value as HasKeySet) : null;
}

/** Whether the dispatcher looks at arguments of this type. */
function takesPart(type: Type): boolean {
  const inner = type.kind() === "OptionalType" || type.kind() === "ListType" ? type.containedType() : type;
  const element = inner.kind() === "OptionalType" ? inner.containedType() : inner;
  return element.kind() === "TensorType";
}

function keySetOf(value: IValue): DispatchKeySet {
  if (value.isTensor()) return value.toTensor().key_set();
  return ks_optional_list(
    EMPTY_KS,
    value.isList()
      ? value
          .toList()
          .vec()
          .map((item) => (item.isTensor() ? item.toTensor() : null))
      : [],
  );
}

/** The mask with `k` changed; the same object if nothing changes: most keys of most operators do not fall through. */
function updated(mask: DispatchKeySet, k: DispatchKey, has_fallthrough: boolean): DispatchKeySet {
  if (mask.has(k) !== has_fallthrough) return mask;
  return has_fallthrough ? mask.remove(k) : mask.add(k);
}

// Note [Fallthrough]
// ~~~~~~~~~~~~~~~~~~
// A fallthrough is not a kernel that calls the next one: it is the absence of the key. The masks below hold, per operator,
// the keys that do not fall through; a call's set is cut down to them before the highest key is looked for. One mask
// serves all backends, until a per-backend functionality (say AutogradCPU) falls through for one backend only: its bit is
// shared by all backends, so from then on each backend has a mask of its own and the highest backend of the call picks it.
export class DispatchKeyExtractor {
  /** Positions of the arguments that take part, counted from the end of the stack. */
  private dispatch_arg_indices_reverse_: readonly number[] = [];
  private nonFallthroughKeys_: DispatchKeySet = DispatchKeySet.FULL;
  private readonly nonFallthroughKeysPerBackend_: DispatchKeySet[] = new Array<DispatchKeySet>(num_backends).fill(
    DispatchKeySet.FULL,
  );
  private requiresBitsetPerBackend_ = false;

  registerSchema(schema: FunctionSchema): void {
    const args = schema.arguments();
    const reverse: number[] = [];
    for (let i = 0; i < args.length; i++) {
      const arg = args[args.length - 1 - i];
      if (takesPart(arg.type())) reverse.push(i);
    }
    this.dispatch_arg_indices_reverse_ = reverse;
  }

  deregisterSchema(): void {
    this.dispatch_arg_indices_reverse_ = [];
  }

  setOperatorHasFallthroughForKey(k: DispatchKey, has_fallthrough: boolean): void {
    // With one mask for all backends the four lines below keep all masks equal, so that one tells whether anything changes.
    if (!this.requiresBitsetPerBackend_ && this.nonFallthroughKeys_.has(k) !== has_fallthrough) return;
    this.nonFallthroughKeys_ = updated(this.nonFallthroughKeys_, k, has_fallthrough);
    const masks = this.nonFallthroughKeysPerBackend_;
    if (!isPerBackendFunctionalityKey(toFunctionalityKey(k))) {
      for (let i = 0; i < masks.length; i++) masks[i] = updated(masks[i], k, has_fallthrough);
      return;
    }
    const backend_idx = toBackendComponent(k) - 1;
    const before = masks[backend_idx];
    const after = updated(before, k, has_fallthrough);
    if (after === before) return;
    masks[backend_idx] = after;
    this.requiresBitsetPerBackend_ = masks.some((other) => !other.eq(masks[0]));
  }

  /** From the arguments' keys to the kernel's. */
  getDispatchKeySet(ks: DispatchKeySet): DispatchKeySet {
    if (this.requiresBitsetPerBackend_) return this.perBackend(ks);
    return computeDispatchKeySet(ks, this.nonFallthroughKeys_);
  }

  // The usual shapes of a call, each its own text, so that none allocates or loops.

  getDispatchKeySet0(): DispatchKeySet {
    return this.getDispatchKeySet(EMPTY_KS);
  }

  getDispatchKeySet1(a: HasKeySet): DispatchKeySet {
    const ks = a.key_set();
    if (this.requiresBitsetPerBackend_) return this.perBackend(ks);
    return computeDispatchKeySet(ks, this.nonFallthroughKeys_);
  }

  getDispatchKeySet2(a: HasKeySet, b: HasKeySet): DispatchKeySet {
    const ks = a.key_set().or(b.key_set());
    if (this.requiresBitsetPerBackend_) return this.perBackend(ks);
    return computeDispatchKeySet(ks, this.nonFallthroughKeys_);
  }

  getDispatchKeySet3(a: HasKeySet, b: HasKeySet, c: HasKeySet): DispatchKeySet {
    const ks = a.key_set().or(b.key_set()).or(c.key_set());
    if (this.requiresBitsetPerBackend_) return this.perBackend(ks);
    return computeDispatchKeySet(ks, this.nonFallthroughKeys_);
  }

  /** The key set of any call, from its unboxed arguments. */
  getDispatchKeySetUnboxed(args: readonly unknown[]): DispatchKeySet {
    return this.getDispatchKeySet(ks_optional_list(EMPTY_KS, args.flat().map(carrier)));
  }

  getDispatchKeySetBoxed(stack: Stack): DispatchKeySet {
    let ks = EMPTY_KS;
    const reverse = this.dispatch_arg_indices_reverse_;
    for (let i = 0; i < reverse.length; i++) ks = ks.or(keySetOf(stack[stack.length - 1 - reverse[i]]));
    return this.getDispatchKeySet(ks);
  }

  private perBackend(ks: DispatchKeySet): DispatchKeySet {
    const backend_idx = ks.or(tls_included).sub(tls_excluded).getBackendIndex();
    return computeDispatchKeySet(ks, this.nonFallthroughKeysPerBackend_[backend_idx]);
  }

  nonFallthroughKeys(): DispatchKeySet {
    return this.nonFallthroughKeys_;
  }

  /** `101`: which arguments take part, the last one first. */
  dumpState(): string {
    const highest = Math.max(-1, ...this.dispatch_arg_indices_reverse_);
    const bits = Array.from({ length: highest + 1 }, (_, i) =>
      this.dispatch_arg_indices_reverse_.includes(i) ? "1" : "0",
    );
    return `${bits.join("")} ${this.nonFallthroughKeys_}\n`;
  }

  checkInvariants(schema: FunctionSchema): boolean {
    const expected = new DispatchKeyExtractor();
    expected.registerSchema(schema);
    return expected.dispatch_arg_indices_reverse_.join() === this.dispatch_arg_indices_reverse_.join();
  }
}
