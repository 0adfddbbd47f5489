/**
 * @file `torch.mps` without Metal.
 * @mirrors torch/mps/__init__.py
 * @differs Ours has no functions that only a Mac could answer; PyTorch has them.
 */
import { RuntimeError } from "#c10/util/Exception";
import { type NotBuilt, raising } from "#torch/_not_built";
import { def } from "#torch/_signature";
import type { Seed } from "#torch/random";

/** A function with the Python signature `text` that raises. In PyTorch it calls the method `hook` of the MPS hooks. */
function needs_mps(text: string, hook: string): NotBuilt {
  return raising(text, () => new RuntimeError(`Cannot execute ${hook}() without MPS backend.`));
}

/** The number of devices: 0. */
export const device_count = def("device_count()", (): number => 0);
/** Does nothing: programs may seed devices that do not exist. */
export const manual_seed = def("manual_seed(seed)", (_seed: Seed): void => {});
/** @throws {RuntimeError} "Cannot execute deviceSynchronize() without MPS backend." */
export const synchronize = needs_mps("synchronize()", "deviceSynchronize");
export const empty_cache = needs_mps("empty_cache()", "emptyCache");
export const seed = needs_mps("seed()", "getDefaultGenerator");
export const get_rng_state = needs_mps("get_rng_state(device='mps')", "getDefaultGenerator");
export const set_rng_state = needs_mps("set_rng_state(new_state, device='mps')", "getDefaultGenerator");
export const current_allocated_memory = needs_mps("current_allocated_memory()", "getCurrentAllocatedMemory");
export const driver_allocated_memory = needs_mps("driver_allocated_memory()", "getDriverAllocatedMemory");
