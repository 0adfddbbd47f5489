/**
 * @file The device's random generator: a seed, and the number of draws per thread so far. Kernels compute the numbers themselves.
 * @mirrors aten/src/ATen/cuda/CUDAGeneratorImpl.cpp
 * @differs Graphs of launches are not recorded, so there is no state that replays share; PyTorch's CUDA generator has one.
 * @see native/webgpu/DistributionTemplates.ts
 */
import { check_rng_state, Generator, get_generator_or_default } from "#aten/core/Generator";
import { empty_cpu } from "#aten/EmptyTensor";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { default_rng_seed_val, GeneratorImpl, getNonDeterministicRandom } from "#c10/core/GeneratorImpl";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

/** The bytes of a state, as in PyTorch: a seed of 64 bits, an offset of 64 bits. */
const SEED_SIZE = 8;
const OFFSET_SIZE = 8;
const STATE_SIZE = SEED_SIZE + OFFSET_SIZE;

/** The start of a kernel's random numbers. */
export interface PhiloxState {
  readonly seed: bigint;
  /** A multiple of 4: one step of the engine gives four numbers. */
  readonly offset: bigint;
}

export class WebGPUGeneratorImpl extends GeneratorImpl {
  private seed_: bigint;
  private philox_offset_per_thread_ = 0n;

  constructor(seed: bigint = default_rng_seed_val) {
    super(new Device(DeviceType.PrivateUse1, 0), DispatchKeySet.of(DispatchKey.PrivateUse1));
    this.seed_ = seed;
  }

  override set_current_seed(seed: bigint): void {
    this.seed_ = BigInt.asUintN(64, seed);
    this.philox_offset_per_thread_ = 0n;
  }

  override set_offset(offset: bigint): void {
    this.set_philox_offset_per_thread(offset);
  }

  override get_offset(): bigint {
    return this.philox_offset_per_thread_;
  }

  override current_seed(): bigint {
    return this.seed_;
  }

  override seed(): bigint {
    const random = getNonDeterministicRandom();
    this.set_current_seed(random);
    return random;
  }

  override set_state(new_state: TensorImpl): void {
    check_rng_state(new_state);
    const has_offset = new_state.numel() !== SEED_SIZE;
    TORCH_CHECK(!has_offset || new_state.numel() === STATE_SIZE, "RNG state is wrong size");
    const view = state_view(new_state);
    this.set_current_seed(view.getBigUint64(0, true));
    this.set_philox_offset_per_thread(has_offset ? view.getBigUint64(SEED_SIZE, true) : 0n);
  }

  override get_state(): TensorImpl {
    const tensor = empty_cpu([STATE_SIZE], ScalarType.Byte);
    const view = state_view(tensor.unsafeGetTensorImpl());
    view.setBigUint64(0, this.seed_, true);
    view.setBigUint64(SEED_SIZE, this.philox_offset_per_thread_, true);
    return tensor.unsafeGetTensorImpl();
  }

  set_philox_offset_per_thread(offset: bigint): void {
    TORCH_CHECK(offset % 4n === 0n, "offset must be a multiple of 4");
    this.philox_offset_per_thread_ = offset;
  }

  /** The start for a kernel in which each thread draws up to `increment` numbers. */
  philox_engine_inputs(increment: number): PhiloxState {
    const offset = this.philox_offset_per_thread_;
    TORCH_INTERNAL_ASSERT(offset % 4n === 0n, "the offset of a generator is a multiple of 4");
    this.philox_offset_per_thread_ = offset + BigInt(Math.ceil(increment / 4) * 4);
    return { seed: this.seed_, offset };
  }

  protected override clone_impl(): WebGPUGeneratorImpl {
    const copy = new WebGPUGeneratorImpl(this.seed_);
    copy.philox_offset_per_thread_ = this.philox_offset_per_thread_;
    return copy;
  }
}

function state_view(state: TensorImpl): DataView {
  const bytes = state.data_view();
  return new DataView(bytes.buffer, bytes.byteOffset + state.data_offset(), state.numel());
}

const default_gen_webgpu = createWebGPUGenerator();

export function getDefaultWebGPUGenerator(): Generator {
  return default_gen_webgpu;
}

export function createWebGPUGenerator(): Generator {
  return new Generator(new WebGPUGeneratorImpl());
}

/** The generator of a kernel on the device: `gen`, or the default one. */
export function webgpu_generator(gen: Generator | null): WebGPUGeneratorImpl {
  return get_generator_or_default<WebGPUGeneratorImpl>(gen, getDefaultWebGPUGenerator(), DeviceType.PrivateUse1);
}
