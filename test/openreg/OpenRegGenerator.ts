/**
 * @file Random numbers of the fake device: the CPU's, one generator a device.
 * @original PyTorch's openreg: csrc/runtime/OpenRegGenerator.h
 */
import { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import { Generator } from "#aten/core/Generator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { default_rng_seed_val, getNonDeterministicRandom } from "#c10/core/GeneratorImpl";
import * as driver from "./driver.ts";

class OpenRegGeneratorImpl extends CPUGeneratorImpl {
  constructor(device_index: number) {
    super(getNonDeterministicRandom());
    this.device_ = new Device(DeviceType.PrivateUse1, device_index);
    this.key_set_ = DispatchKeySet.of(DispatchKey.PrivateUse1);
  }
}

const default_generators: Generator[] = [];

export function get_default_generator(device_index: number): Generator {
  for (let i = default_generators.length; i < driver.DEVICE_COUNT; i++) {
    const generator = new_generator(i);
    generator.set_current_seed(default_rng_seed_val);
    default_generators.push(generator);
  }
  return default_generators[device_index];
}

export function new_generator(device_index: number): Generator {
  return new Generator(new OpenRegGeneratorImpl(device_index));
}
