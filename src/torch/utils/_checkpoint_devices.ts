/**
 * @file The random number generators of a checkpointed region's devices: their states in forward, restored before the recomputation.
 * @mirrors torch/utils/checkpoint.py
 * @see checkpoint.ts (when both happen)
 */
import { AttributeError, warn } from "#c10/util/Exception";
import { type AbstractContextManager, isDict, PySequence_Tuple, repr } from "#torch/_C";
import { device_module, member_of } from "#torch/_device_module";
import { def, def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { current_accelerator } from "#torch/accelerator/index";
import { call_inside } from "./_contextlib.ts";

/** The device type of a region whose tensors are all on the CPU. */
export class DefaultDeviceType {
  private static _default_device_type: string | null = null;

  static {
    def_methods(DefaultDeviceType, { set_device_type: "(device='cuda')", get_device_type: "()" });
  }

  static set_device_type(device: string): void {
    DefaultDeviceType._default_device_type = device;
  }

  /** The type that was set; by default that of the accelerator, or `"cpu"` without one. */
  static get_device_type(): string {
    DefaultDeviceType._default_device_type ||= current_accelerator(true)?.type ?? "cpu";
    return DefaultDeviceType._default_device_type;
  }
}

/** The tensors in arguments, including those in lists and dicts. */
function* tensors_in(args: unknown): Generator<Tensor> {
  if (args instanceof Tensor) yield args;
  else if (Array.isArray(args)) for (const arg of args) yield* tensors_in(arg);
  else if (args instanceof Map) for (const arg of args.values()) yield* tensors_in(arg);
  else if (isDict(args)) for (const arg of Object.values(args)) yield* tensors_in(arg);
}

/** The first device type of the arguments other than the CPU, or the default type if there is none; it warns if there are several. */
export function _infer_device_type(args: readonly unknown[]): string {
  const device_types: string[] = [];
  for (const { device } of tensors_in(args)) if (device.type !== "cpu") device_types.push(device.type);
  if (device_types.length === 0) return DefaultDeviceType.get_device_type();
  const device_types_set = new Set(device_types);
  if (device_types_set.size > 1) {
    warn(
      "UserWarning",
      "Tensor arguments, excluding CPU tensors, are detected on at least two types of devices. " +
        "Device state will only be saved for devices of a single device type, and the remaining " +
        "devices will be ignored. Consequently, if any checkpointed functions involve randomness, " +
        "this may result in incorrect gradients. (Note that if CUDA devices are among the devices " +
        "detected, it will be prioritized; otherwise, the first device encountered will be selected.)" +
        `\nDevice types: ${repr([...device_types_set].sort())} first device type: ${device_types[0]}`,
    );
  }
  return device_types_set.has("cuda") ? "cuda" : device_types[0];
}

/** The functions of a device module that are used here. */
interface RngModule {
  device(device: number): AbstractContextManager;
  get_rng_state(): Tensor;
  set_rng_state(state: Tensor): void;
}

function rng_module(device_type: string): RngModule {
  const module = device_module(device_type);
  if (module === null) throw new AttributeError(`module 'torch' has no attribute '${device_type}'`);
  for (const name of ["device", "get_rng_state", "set_rng_state"])
    if (!(name in module)) throw new AttributeError(`module 'torch.${device_type}' has no attribute '${name}'`);
  return module as unknown as RngModule;
}

/**
 * Whether the devices of a type have been initialized.
 * @differs Ours calls `is_initialized()` if a module has no `_initialized`; PyTorch treats such a module as one without random numbers.
 */
export function is_initialized(device_type: string): boolean {
  const module = device_module(device_type);
  const is_initialized = member_of(module, "is_initialized") as (() => boolean) | undefined;
  return Boolean(member_of(module, "_initialized") ?? is_initialized?.());
}

/** The devices, other than the CPU, of the tensors among `args` (one for each tensor), and the state of the generator of each. */
export const get_device_states = def("get_device_states(*args)", (args: unknown[]): [number[], Tensor[]] => {
  const ids: number[] = [];
  for (const { device } of tensors_in(args))
    if (device.type !== "cpu" && device.type !== "meta") ids.push(device.index ?? 0);
  const device_type = _infer_device_type(args);
  const states = ids.map((id) => {
    const module = rng_module(device_type);
    return call_inside(module.device(id), () => module.get_rng_state());
  });
  return [ids, states];
});

/** Sets the state of the generator of each device; the default device type is used if none is given. */
export const set_device_states = def(
  "set_device_states(devices, states, *, device_type=None)",
  (devices: Iterable<number>, states: Iterable<Tensor>, given: string | null): void => {
    const device_type = given ?? DefaultDeviceType.get_device_type();
    if (device_type === "meta") return;
    if (device_module(device_type) === null)
      throw new AttributeError(`module 'torch' has no attribute '${device_type}'`);
    const ids = PySequence_Tuple(devices);
    const all_states = PySequence_Tuple(states);
    for (const [i, device] of ids.slice(0, all_states.length).entries()) {
      const module = rng_module(device_type);
      call_inside(module.device(device), () => module.set_rng_state(all_states[i]));
    }
  },
);
