/**
 * @file `torch.openreg`: what users ask of the fake device. Functions and their names are those of `torch.cuda`.
 * @original PyTorch's openreg: torch_openreg/openreg/__init__.py, random.py, amp
 */
import torch from "glasstorch";
import { lazyInitDevice } from "#aten/Context/index";
import type { Generator } from "#aten/core/Generator";
import { getPrivateUse1Hooks } from "#aten/detail/PrivateUse1HooksInterface";
import { DeviceType } from "#c10/core/DeviceType";
import { AbstractContextManager } from "#torch/_C";
import { _get_device_index, type Device } from "#torch/accelerator/_utils";
import { THPGenerator } from "#torch/csrc-equivalent/Generator";
import { def_context } from "#torch/utils/_contextlib";
import * as driver from "./driver.ts";
import { exchange_device, get_device, set_device as set_device_index } from "./OpenRegGuard.ts";

type Tensor = ReturnType<typeof torch.tensor>;
type Seed = number | bigint;

let initialized = false;

export function is_available(): boolean {
  return true;
}

export function device_count(): number {
  return driver.DEVICE_COUNT;
}

export function current_device(): number {
  return get_device();
}

export function set_device(index: number): void {
  set_device_index(index);
}

/** Called at the device's first use. */
export function _lazy_init(): void {
  if (initialized) return;
  initialized = true;
  lazyInitDevice(DeviceType.PrivateUse1);
}

export const init = _lazy_init;

export function is_initialized(): boolean {
  return initialized;
}

/** There is no fork. */
export function _is_in_bad_fork(): boolean {
  return false;
}

/** Inside, this device is the current one. */
export const device = def_context(
  "device.__init__(self, device)",
  class device extends AbstractContextManager {
    private readonly idx: number;
    private prev_idx = -1;

    constructor(given: Device) {
      super();
      this.idx = _get_device_index(given, true);
    }

    override __enter__(): void {
      this.prev_idx = exchange_device(this.idx);
    }

    override __exit__(): void {
      set_device_index(this.prev_idx);
    }
  },
);

function default_generator(index: Device): THPGenerator {
  return new THPGenerator(getPrivateUse1Hooks().getDefaultGenerator(_get_device_index(index, true)) as Generator);
}

export function get_rng_state(index: Device = "openreg"): Tensor {
  return default_generator(index).get_state() as Tensor;
}

export function set_rng_state(state: Tensor, index: Device = "openreg"): void {
  default_generator(index).set_state(state);
}

const all = (): number[] => Array.from({ length: driver.DEVICE_COUNT }, (_, i) => i);

export function get_rng_state_all(): Tensor[] {
  return all().map((i) => get_rng_state(i));
}

export function set_rng_state_all(states: readonly Tensor[]): void {
  for (const [i, state] of states.entries()) set_rng_state(state, i);
}

export function manual_seed(seed: Seed): void {
  default_generator(get_device()).manual_seed(seed);
}

export function manual_seed_all(seed: Seed): void {
  for (const i of all()) default_generator(i).manual_seed(seed);
}

export function seed(): void {
  default_generator(get_device()).seed();
}

export function seed_all(): void {
  const number = default_generator(0).seed();
  manual_seed_all(number);
}

export function initial_seed(): Seed {
  return default_generator(get_device()).initial_seed();
}

/** The dtypes to which `torch.autocast("openreg")` may cast. */
export function get_amp_supported_dtype(): readonly (typeof torch.float16)[] {
  return [torch.float16, torch.bfloat16];
}
