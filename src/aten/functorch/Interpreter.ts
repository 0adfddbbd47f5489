/**
 * @file One transform on the stack: what it does with an operator, and the dispatch keys that belong to it.
 * @mirrors aten/src/ATen/functorch/Interpreter.h
 * @differs Each kind of transform is a class; PyTorch has one class with a variant and a switch over the kinds.
 * @see DynamicLayer.ts, Note [A call through the layers]
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import { DispatchKey } from "#c10/core/DispatchKey";
import {
  autocast_dispatch_keyset,
  autograd_dispatch_keyset_with_ADInplaceOrView,
  DispatchKeySet,
} from "#c10/core/DispatchKeySet";
import {
  type LocalDispatchKeySet,
  set_tls_dispatch_key_set,
  tls_excluded,
  tls_included,
} from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

export const TransformType = { Torch: 0, Vmap: 1, Grad: 2, Jvp: 3, Functionalize: 4 } as const;
export type TransformType = (typeof TransformType)[keyof typeof TransformType];

/** `Vmap`: the name of a kind, as `dump_dls` prints it. */
export function transform_name(key: TransformType): string {
  return Object.keys(TransformType)[key];
}

/** The behaviour of random operators under vmap. */
export const RandomnessType = { Error: 0, Same: 1, Different: 2, END: 3 } as const;
export type RandomnessType = (typeof RandomnessType)[keyof typeof RandomnessType];

/** All keys from FrontMode down to BackMode, both included; the two exceptions are PyTorch's. */
const all_dynlayer_keyset = DispatchKeySet.FULL_AFTER(DispatchKey.FuncTorchDynamicLayerFrontMode)
  .sub(DispatchKeySet.FULL_AFTER(DispatchKey.FuncTorchDynamicLayerBackMode))
  .add(DispatchKey.FuncTorchDynamicLayerFrontMode)
  .sub(autocast_dispatch_keyset)
  .remove(DispatchKey.FuncTorchVmapMode); // random operators must see it below the layer of vmap, too

const keysForEntering: Readonly<Record<TransformType, DispatchKeySet>> = {
  [TransformType.Torch]: DispatchKeySet.EMPTY,
  [TransformType.Vmap]: DispatchKeySet.of(DispatchKey.FuncTorchBatched, DispatchKey.BatchedNestedTensor),
  [TransformType.Grad]: autograd_dispatch_keyset_with_ADInplaceOrView,
  [TransformType.Jvp]: autograd_dispatch_keyset_with_ADInplaceOrView,
  [TransformType.Functionalize]: DispatchKeySet.of(DispatchKey.Functionalize),
};

/** The keys that a layer may use while it works. */
export function keysForEnteringDynamicLayer(key: TransformType): DispatchKeySet {
  return keysForEntering[key];
}

export function keysToExcludeWhenEnteringDynamicLayer(key: TransformType): DispatchKeySet {
  return all_dynlayer_keyset.remove(DispatchKey.FuncTorchDynamicLayerBackMode).sub(keysForEntering[key]);
}

/** Lets only the layer's own keys and BackMode take part in calls. The caller restores the thread's sets. */
export function setup_dispatch_key_tls(key: TransformType, also_include: DispatchKeySet): void {
  set_tls_dispatch_key_set(
    tls_included.or(also_include),
    tls_excluded.or(keysToExcludeWhenEnteringDynamicLayer(key)).sub(keysForEntering[key]),
  );
}

export abstract class Interpreter {
  private readonly level_: number;
  private readonly key_: TransformType;
  private savedLocalDispatchKeySet_: LocalDispatchKeySet | null = null;
  /** Whether the level still exists. Tensors that belong to it share this object, so that a tensor that outlives it knows. */
  readonly life_handle: { alive: boolean } = { alive: true };

  constructor(key: TransformType, level: number) {
    this.key_ = key;
    this.level_ = level;
  }

  key(): TransformType {
    return this.key_;
  }
  /** The depth in the stack, from 1. */
  level(): number {
    return this.level_;
  }

  /** Does the transform's part of a call. */
  abstract process(op: OperatorHandle, stack: Stack): void;

  /**
   * Hands a call on to the layer below. This layer is off the stack meanwhile.
   * @param grad_special_case whether results that alias an argument are wrapped, too
   */
  abstract sendToNextInterpreter(op: OperatorHandle, stack: Stack, grad_special_case: boolean): void;

  saveLocalDispatchKeySet(keyset: LocalDispatchKeySet): void {
    TORCH_INTERNAL_ASSERT(this.savedLocalDispatchKeySet_ === null);
    this.savedLocalDispatchKeySet_ = keyset;
  }
  clearSavedLocalDispatchKeySet(): void {
    TORCH_INTERNAL_ASSERT(this.savedLocalDispatchKeySet_ !== null);
    this.savedLocalDispatchKeySet_ = null;
  }
  getSavedLocalDispatchKeySet(): LocalDispatchKeySet {
    TORCH_INTERNAL_ASSERT(this.savedLocalDispatchKeySet_ !== null);
    return this.savedLocalDispatchKeySet_ as LocalDispatchKeySet;
  }

  /** `1:Vmap` */
  toString(): string {
    return `${this.level_}:${transform_name(this.key_)}`;
  }
}
