/**
 * @file What every random generator can do, whatever its device: seed, state, clone. How it draws is its own affair.
 * @mirrors c10/core/GeneratorImpl.h
 * @differs No mutex: one thread draws.
 */
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import type { Device } from "./Device.ts";
import type { DispatchKeySet } from "./DispatchKeySet.ts";
import type { TensorImpl } from "./TensorImpl/index.ts";

/** The seed of a generator that nobody has seeded: large, with about as many ones as zeros in its bits. */
export const default_rng_seed_val = 67280421310721n;

export abstract class GeneratorImpl {
  protected device_: Device;
  protected key_set_: DispatchKeySet;
  /** The front end's `torch.Generator` object, once there is one. */
  private pyobj_: unknown = null;

  constructor(device: Device, key_set: DispatchKeySet) {
    this.device_ = device;
    this.key_set_ = key_set;
  }

  /** @param seed 64 bits, unsigned */
  abstract set_current_seed(seed: bigint): void;
  abstract set_offset(offset: bigint): void;
  abstract get_offset(): bigint;
  abstract current_seed(): bigint;
  /** Seeds from outside the program; returns that seed. */
  abstract seed(): bigint;
  abstract set_state(new_state: TensorImpl): void;
  abstract get_state(): TensorImpl;
  protected abstract clone_impl(): GeneratorImpl;

  /** Device generators that a recorded graph replays share their state object; the CPU's has none to share. */
  graphsafe_set_state(_new_state: GeneratorImpl): void {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "graphsafe_set_state is not supported in this Generator");
  }

  graphsafe_get_state(): GeneratorImpl {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "graphsafe_get_state is not supported in this Generator");
  }

  clone(): GeneratorImpl {
    return this.clone_impl();
  }

  device(): Device {
    return this.device_;
  }

  key_set(): DispatchKeySet {
    return this.key_set_;
  }

  set_pyobj(pyobj: unknown): void {
    this.pyobj_ = pyobj;
  }

  pyobj(): unknown {
    return this.pyobj_;
  }
}

/** 53 bits nobody can foresee; not 64, so that the seed survives a trip through a double. */
export function getNonDeterministicRandom(): bigint {
  const words = globalThis.crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(words[0] & 0x1fffff) << 32n) | BigInt(words[1]);
}
