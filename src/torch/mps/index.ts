/**
 * @file `torch.mps` where there is no Metal.
 * @mirrors torch/mps/__init__.py
 * @differs What only a Mac would answer is left out.
 */
import { RuntimeError } from "#c10/util/Exception";
import { type NotBuilt, raising } from "#torch/_not_built";
import { def } from "#torch/_signature";
import type { Seed } from "#torch/random";

/** A function of the Python signature `text`, for which PyTorch asks the hooks of MPS: theirs is called `hook`. */
function needs_mps(text: string, hook: string): NotBuilt {
  return raising(text, () => new RuntimeError(`Cannot execute ${hook}() without MPS backend.`));
}

/** How many devices there are: none. */
export const device_count = def("device_count()", (): number => 0);
/** Does nothing: programs seed cards that may not be there. */
export const manual_seed = def("manual_seed(seed)", (_seed: Seed): void => {});
/** @throws {RuntimeError} "Cannot execute deviceSynchronize() without MPS backend." */
export const synchronize = needs_mps("synchronize()", "deviceSynchronize");
export const empty_cache = needs_mps("empty_cache()", "emptyCache");
export const seed = needs_mps("seed()", "getDefaultGenerator");
export const get_rng_state = needs_mps("get_rng_state(device='mps')", "getDefaultGenerator");
export const set_rng_state = needs_mps("set_rng_state(new_state, device='mps')", "getDefaultGenerator");
export const current_allocated_memory = needs_mps("current_allocated_memory()", "getCurrentAllocatedMemory");
export const driver_allocated_memory = needs_mps("driver_allocated_memory()", "getDriverAllocatedMemory");
