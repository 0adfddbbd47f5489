/**
 * @file The default generator's seed and state.
 * @mirrors torch/random.py
 */
import { AssertionError, AttributeError, OverflowError, TypeError_, ValueError } from "#c10/util/Exception";
import {
  _C,
  AbstractContextManager,
  type Float,
  isFloat,
  PySequence_Tuple,
  python_type,
  THPUtils_checkLong,
} from "./_C.ts";
import { def } from "./_signature.ts";
import { Tensor } from "./_tensor.ts";
import { torch } from "./_torch.ts";
import type { Generator } from "./types.ts";
import { def_context } from "./utils/_contextlib.ts";

/** What is no int is cut to one. */
export type Seed = number | bigint | boolean | Float | Tensor;

/** `int(seed)`, of numbers. */
function to_int(seed: Seed): number | bigint {
  if (THPUtils_checkLong(seed)) return seed;
  if (seed instanceof Tensor) return to_int(seed.item() as Seed);
  if (typeof seed === "boolean") return seed ? 1 : 0;
  const value = isFloat(seed) ? seed.value : seed;
  if (typeof value !== "number")
    throw new TypeError_(
      `int() argument must be a string, a bytes-like object or a real number, not '${python_type(seed)}'`,
    );
  if (Number.isNaN(value)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new OverflowError("cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

/**
 * Seeds every device's default generator; the next draws are those of a fresh one with this seed.
 * @differs Python's `int` reads strings too.
 */
export const manual_seed = def(
  "manual_seed(seed)",
  (seed: Seed): Generator => _C.default_generator.manual_seed(to_int(seed)),
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

/** `list(devices)`, of which none can be: only the CPU is here. */
function check_devices(devices: readonly number[] | null, device_type: string): void {
  if (devices === null) return;
  const [first] = PySequence_Tuple(devices);
  if (first === undefined) return;
  if (device_type === "cuda") throw new AssertionError("Torch not compiled with CUDA enabled");
  throw new AttributeError(`module 'torch.${device_type}' has no attribute 'get_rng_state'`);
}

/**
 * Puts the generator's state back at the end, unless `enabled` is false.
 * @param devices of an accelerator, of which there are none here: the CPU's state is always put back
 */
export const fork_rng = def_context(
  "fork_rng(devices=None, enabled=True, _caller='fork_rng', _devices_kw='devices', device_type=None)",
  class fork_rng extends AbstractContextManager {
    private readonly devices: readonly number[] | null;
    private readonly enabled: boolean;
    private readonly device_type: string;
    private state: Tensor | null = null;

    constructor(
      devices: readonly number[] | null,
      enabled: boolean,
      _caller: string,
      _devices_kw: string,
      device_type: string | null,
    ) {
      super();
      this.devices = devices;
      this.enabled = enabled;
      this.device_type = device_type ?? "cuda";
    }

    override __enter__(): void {
      if (this.device_type === "meta") return;
      const { type } = new torch.device(this.device_type);
      if (!this.enabled) return;
      check_devices(this.devices, type);
      this.state = get_rng_state();
    }

    override __exit__(): void {
      if (this.state !== null) set_rng_state(this.state);
    }
  },
);

/**
 * The generator of the thread of a DataLoader that calls it; null elsewhere.
 * @differs Workers of a DataLoader are no threads of one program here: always null.
 */
export const thread_safe_generator = def("thread_safe_generator()", (): Generator | null => null);
