/**
 * @file The base of every random generator, on any device: seed, state, clone. Drawing numbers is left to the subclass.
 * @mirrors c10/core/GeneratorImpl.h
 * @differs There is no mutex, because one thread draws; PyTorch locks one around each use.
 */
import { TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import type { Device } from "./Device.ts";
import type { DispatchKeySet } from "./DispatchKeySet.ts";
import type { TensorImpl } from "./TensorImpl/index.ts";

/** Default seed of a generator: large, with about as many ones as zeros in its bits. */
export const default_rng_seed_val = 67280421310721n;

export abstract class GeneratorImpl {
  protected device_: Device;
  protected key_set_: DispatchKeySet;
  /** The front end's `torch.Generator` object, if there is one. */
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
  /** Draws a seed from a source outside the program, sets it and returns it. */
  abstract seed(): bigint;
  abstract set_state(new_state: TensorImpl): void;
  abstract get_state(): TensorImpl;
  protected abstract clone_impl(): GeneratorImpl;

  /**
   * A recorded graph of device kernels shares its generator's state object when it is replayed; a CPU generator has no
   * such state.
   */
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

/** 53 random bits that cannot be predicted. Not 64: the seed must survive a conversion to double. */
export function getNonDeterministicRandom(): bigint {
  const words = globalThis.crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(words[0] & 0x1fffff) << 32n) | BigInt(words[1]);
}
