/**
 * @file The default generator's seed and state.
 * @mirrors torch/random.py
 */
import { _C, AbstractContextManager } from "./_C.ts";
import { def } from "./_signature.ts";
import type { Tensor } from "./_tensor.ts";
import type { Generator } from "./types.ts";
import { def_context } from "./utils/_contextlib.ts";

/** Seeds every device's default generator; the next draws are those of a fresh one with this seed. */
export const manual_seed = def(
  "manual_seed(seed)",
  (seed: number | bigint): Generator => _C.default_generator.manual_seed(seed),
);

/** Seeds from outside the program and returns that seed. */
export const seed = def("seed()", (): number | bigint => _C.default_generator.seed());

/** The seed that was set last. */
export const initial_seed = def("initial_seed()", (): number | bigint => _C.default_generator.initial_seed());

/** The generator's state, a uint8 tensor. */
export const get_rng_state = def("get_rng_state()", (): Tensor => _C.default_generator.get_state());

/** Sets the generator's state, as `get_rng_state` gave it. */
export const set_rng_state = def("set_rng_state(new_state)", (new_state: Tensor): void => {
  _C.default_generator.set_state(new_state);
});

/**
 * Puts the generator's state back at the end, unless `enabled` is false.
 * @param _devices of accelerators, of which there are none here
 */
export const fork_rng = def_context(
  "fork_rng(devices=None, enabled=True, _caller='fork_rng', _devices_kw='devices', device_type=None)",
  class fork_rng extends AbstractContextManager {
    private readonly enabled: boolean;
    private state: Tensor | null = null;

    constructor(_devices: readonly number[] | null, enabled: boolean, ..._rest: unknown[]) {
      super();
      this.enabled = enabled;
    }

    override __enter__(): void {
      if (this.enabled) this.state = get_rng_state();
    }

    override __exit__(): void {
      if (this.state !== null) set_rng_state(this.state);
    }
  },
);
