/**
 * @file The default generator's seed and state.
 * @mirrors torch/random.py
 */
import { _C } from "./_C.ts";
import type { Tensor } from "./_tensor.ts";
import type { Generator } from "./types.ts";

/** Seeds every device's default generator; the next draws are those of a fresh one with this seed. */
export function manual_seed(seed: number | bigint): Generator {
  return _C.default_generator.manual_seed(seed);
}

/** Seeds from outside the program and returns that seed. */
export function seed(): number | bigint {
  return _C.default_generator.seed();
}

/** The seed that was set last. */
export function initial_seed(): number | bigint {
  return _C.default_generator.initial_seed();
}

/** The generator's state, a uint8 tensor. */
export function get_rng_state(): Tensor {
  return _C.default_generator.get_state();
}

/** Sets the generator's state, as `get_rng_state` gave it. */
export function set_rng_state(new_state: Tensor): void {
  _C.default_generator.set_state(new_state);
}

/** Runs `fn` and puts the generator's state back afterwards. */
export function fork_rng<R>(fn: () => R): R {
  const state = get_rng_state();
  try {
    return fn();
  } finally {
    set_rng_state(state);
  }
}
