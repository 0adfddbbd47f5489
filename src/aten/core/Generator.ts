/**
 * @file `at::Generator`, the handle that random operators take: a reference to a `GeneratorImpl` of some device. A
 * backend has its own impl (the CPU's is CPUGeneratorImpl.ts); kernels get it through `get_generator_or_default`.
 * @mirrors aten/src/ATen/core/Generator.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { DeviceType, DeviceTypeName } from "#c10/core/DeviceType";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { GeneratorImpl } from "#c10/core/GeneratorImpl";
import { Layout } from "#c10/core/Layout";
import { ScalarType } from "#c10/core/ScalarType";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TORCH_CHECK_TYPE } from "#c10/util/Exception";

export class Generator {
  private readonly impl_: GeneratorImpl | null;

  /** Without an impl the generator is undefined, as a default-constructed one is in C++. */
  constructor(impl: GeneratorImpl | null = null) {
    this.impl_ = impl;
  }

  defined(): boolean {
    return this.impl_ !== null;
  }

  /** Precondition: `defined()`. */
  unsafeGetGeneratorImpl(): GeneratorImpl {
    return this.impl_ as GeneratorImpl;
  }

  equal(other: Generator): boolean {
    return this.impl_ === other.impl_;
  }

  /** Seeds it: the next draws are those of a new generator with this seed, any 64-bit integer, taken modulo 2^64. */
  set_current_seed(seed: bigint): void {
    this.unsafeGetGeneratorImpl().set_current_seed(seed);
  }

  current_seed(): bigint {
    return this.unsafeGetGeneratorImpl().current_seed();
  }

  /** Draws a seed from a source outside the program, sets it and returns it. */
  seed(): bigint {
    return this.unsafeGetGeneratorImpl().seed();
  }

  set_offset(offset: bigint): void {
    this.unsafeGetGeneratorImpl().set_offset(offset);
  }

  get_offset(): bigint {
    return this.unsafeGetGeneratorImpl().get_offset();
  }

  /** @param new_state the result of `get_state`: a contiguous uint8 tensor on the CPU. */
  set_state(new_state: Tensor): void {
    TORCH_CHECK(new_state.defined(), "Undefined tensor is not allowed");
    this.unsafeGetGeneratorImpl().set_state(new_state.unsafeGetTensorImpl());
  }

  get_state(): Tensor {
    return new Tensor(this.unsafeGetGeneratorImpl().get_state());
  }

  graphsafe_set_state(new_state: Generator): void {
    this.unsafeGetGeneratorImpl().graphsafe_set_state(new_state.unsafeGetGeneratorImpl());
  }

  graphsafe_get_state(): Generator {
    return new Generator(this.unsafeGetGeneratorImpl().graphsafe_get_state());
  }

  key_set(): DispatchKeySet {
    return this.unsafeGetGeneratorImpl().key_set();
  }

  device(): Device {
    return this.unsafeGetGeneratorImpl().device();
  }

  /** An independent generator that will draw the same numbers. */
  clone(): Generator {
    return new Generator(this.unsafeGetGeneratorImpl().clone());
  }
}

/** The impl of `gen`; throws unless it belongs to `device_type`. `T` is that device's impl class. */
export function check_generator<T extends GeneratorImpl>(gen: Generator, device_type: DeviceType): T {
  TORCH_CHECK(gen.defined(), "Generator with undefined implementation is not allowed");
  TORCH_CHECK(
    device_type === gen.device().type(),
    "Expected a '",
    DeviceTypeName(device_type, true),
    "' device type for generator but found '",
    DeviceTypeName(gen.device().type(), true),
    "'",
  );
  return gen.unsafeGetGeneratorImpl() as T;
}

/** The caller's generator if there is one, else the device's default. Every random kernel begins with this. */
export function get_generator_or_default<T extends GeneratorImpl>(
  gen: Generator | null,
  default_gen: Generator,
  device_type: DeviceType,
): T {
  return check_generator<T>(gen?.defined() ? gen : default_gen, device_type);
}

/** The check of the state tensor that every `GeneratorImpl.set_state` makes. */
export function check_rng_state(new_state: TensorImpl): void {
  TORCH_CHECK_TYPE(
    new_state.layout() === Layout.Strided &&
      new_state.device().type() === DeviceType.CPU &&
      new_state.dtype() === ScalarType.Byte,
    "RNG state must be a torch.ByteTensor",
  );
  TORCH_CHECK(new_state.is_contiguous(), "RNG state must be contiguous");
}
