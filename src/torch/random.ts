/**
 * @file Seed and state of the default generator.
 * @mirrors torch/random.py
 */
import { AttributeError, OverflowError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import {
  _C,
  AbstractContextManager,
  type Float,
  isFloat,
  PySequence_Tuple,
  python_type,
  repr,
  THPUtils_checkLong,
} from "./_C.ts";
import { device_module, get_device_module, member_of } from "./_device_module.ts";
import { def } from "./_signature.ts";
import { Tensor } from "./_tensor/index.ts";
import { torch } from "./_torch.ts";
import type { Generator } from "./types.ts";
import { def_context } from "./utils/_contextlib.ts";

/** A seed; a value that is not an integer is truncated. */
export type Seed = number | bigint | boolean | Float | Tensor;

/** `int(seed)`, for numbers. */
function to_int(seed: Seed): number | bigint {
  if (THPUtils_checkLong(seed)) return seed;
  if (seed instanceof Tensor) return to_int(seed.item() as Seed);
  if (typeof seed === "boolean") return seed ? 1 : 0;
  const value = isFloat(seed) ? seed.value : seed;
  if (typeof value === "string") {
    if (/^\s*[+-]?\d+(_\d+)*\s*$/.test(value)) return BigInt((value as string).replaceAll("_", ""));
    throw new ValueError(`invalid literal for int() with base 10: ${repr(value)}`);
  }
  if (typeof value !== "number")
    throw new TypeError_(
      `int() argument must be a string, a bytes-like object or a real number, not '${python_type(seed)}'`,
    );
  if (Number.isNaN(value)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new OverflowError("cannot convert float infinity to integer");
  return BigInt(Math.trunc(value));
}

/** Seeds the generators of the renamed backend, if its module has the necessary functions. */
function _seed_custom_device(seed: number | bigint): void {
  const backend = _C._get_privateuse1_backend_name();
  const module = device_module(backend) as {
    _is_in_bad_fork?(): boolean;
    manual_seed_all?(seed: number | bigint): void;
  } | null;
  if (module === null) return;
  if (module._is_in_bad_fork !== undefined && module.manual_seed_all !== undefined) {
    if (!module._is_in_bad_fork()) module.manual_seed_all(seed);
  } else {
    warn(
      "UserWarning",
      `Set seed for \`${backend}\` device does not take effect, please add API's ` +
        `\`_is_in_bad_fork\` and \`manual_seed_all\` to \`${backend}\` device module.`,
    );
  }
}

/**
 * Seeds the default generators of all devices; afterwards they draw like new generators with this seed.
 * @differs Ours takes numbers only; PyTorch's `int` also reads strings.
 */
export const manual_seed = def("manual_seed(seed)", (seed: Seed): Generator => {
  const number = to_int(seed);
  _seed_custom_device(number);
  return _C.default_generator.manual_seed(number);
});

/** Seeds all devices with a nondeterministic number and returns it. */
export const seed = def("seed()", (): number | bigint => {
  const number = _C.default_generator.seed();
  _seed_custom_device(number);
  return number;
});

/** The seed that was set last. */
export const initial_seed = def("initial_seed()", (): number | bigint => _C.default_generator.initial_seed());

/** The state of the generator, a uint8 tensor. */
export const get_rng_state = def("get_rng_state()", (): Tensor => _C.default_generator.get_state());

/** Sets the state of the generator to a result of `get_rng_state`. */
export const set_rng_state = def("set_rng_state(new_state)", (new_state: Tensor): void => {
  _C.default_generator.set_state(new_state);
});

/** The functions of a device module that `fork_rng` uses. */
interface RngModule {
  get_rng_state(device: number): Tensor;
  set_rng_state(state: Tensor, device: number): void;
}

function rng_module(device_type: string): RngModule {
  const module = get_device_module(device_type);
  if (!("get_rng_state" in module))
    throw new AttributeError(`module 'torch.${device_type}' has no attribute 'get_rng_state'`);
  return module as unknown as RngModule;
}

let warned_already = false;

/** The indices of all devices of a module; it warns if there are several. */
function all_devices(device_type: string, _caller: string, _devices_kw: string): number[] {
  const device_count = member_of(device_module(device_type), "device_count") as (() => number) | undefined;
  const num_devices = device_count?.() ?? 0;
  if (num_devices > 1 && !warned_already) {
    const TYPE = device_type.toUpperCase();
    warn(
      "UserWarning",
      `${TYPE} reports that you have ${num_devices} available devices, and ` +
        `you have used ${_caller} without explicitly specifying which devices are being used. ` +
        `For safety, we initialize *every* ${TYPE} device by default, which can ` +
        `be quite slow if you have a lot of ${TYPE}s. If you know that you are only` +
        ` making use of a few ${TYPE} devices, set the environment variable ` +
        `${TYPE}_VISIBLE_DEVICES or the '${_devices_kw}' keyword argument of ${_caller} ` +
        "with the set of devices you are actually using. For example, if you are using CPU only, " +
        "set device.upper()_VISIBLE_DEVICES= or devices=[]; if you are using device 0 only, " +
        `set ${TYPE}_VISIBLE_DEVICES=0 or devices=[0].  To initialize all devices ` +
        `and suppress this warning, set the '${_devices_kw}' keyword argument to ` +
        `\`range(torch.${device_type}.device_count())\`.`,
    );
    warned_already = true;
  }
  return Array.from({ length: num_devices }, (_, i) => i);
}

/**
 * Restores the states of the generators at the end of the context, unless `enabled` is false.
 * @param devices devices of the accelerator, all by default; the state of the CPU is always restored
 */
export const fork_rng = def_context(
  "fork_rng(devices=None, enabled=True, _caller='fork_rng', _devices_kw='devices', device_type=None)",
  class fork_rng extends AbstractContextManager {
    private readonly devices: readonly number[] | null;
    private readonly enabled: boolean;
    private readonly device_type: string;
    private readonly words: readonly [_caller: string, _devices_kw: string];
    private state: Tensor | null = null;
    private device_states: readonly [device: number, state: Tensor][] = [];

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
      this.device_type = device_type ?? _C._accelerator_getAccelerator()?.type ?? "cuda";
      this.words = [_caller, _devices_kw];
    }

    override __enter__(): void {
      if (this.device_type === "meta") return;
      const { type } = new torch.device(this.device_type);
      if (!this.enabled) return;
      const devices =
        this.devices === null ? all_devices(type, ...this.words) : (PySequence_Tuple(this.devices) as number[]);
      this.device_states = devices.map((device) => [device, rng_module(type).get_rng_state(device)]);
      this.state = get_rng_state();
    }

    override __exit__(): void {
      if (this.state === null) return;
      set_rng_state(this.state);
      for (const [device, state] of this.device_states) rng_module(this.device_type).set_rng_state(state, device);
    }
  },
);

/**
 * The generator of the DataLoader thread that calls it; null elsewhere.
 * @differs Ours always returns null, since the workers of a DataLoader do not share a program; PyTorch's may be threads.
 */
export const thread_safe_generator = def("thread_safe_generator()", (): Generator | null => null);
