/**
 * @file `torch.device`: the Python class of a `c10::Device`.
 * @mirrors torch/csrc/Device.h
 * @differs `with torch.device("meta"):` is written `torch.device("meta", () => ...)`, or
 * `using _ = torch.device("meta")`; JavaScript has no `with`.
 */
import { checked_accelerator } from "#aten/DeviceAccelerator";
import { PythonTorchFunctionTLS } from "#aten/PythonTorchFunctionTLS";
import { Device } from "#c10/core/Device";
import { DeviceTypeName } from "#c10/core/DeviceType";
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { isDict, python_type, THPUtils_checkLong, THPUtils_unpackLong } from "./utils/python_numbers.ts";

/** `torch.utils._device.DeviceContext`, which is in a higher layer; PyTorch imports it when a device is entered. */
let DeviceContext: (new (device: THPDevice) => object) | null = null;

export function set_device_context(cls: new (device: THPDevice) => object): void {
  DeviceContext = cls;
}

export class THPDevice implements Disposable {
  static readonly __name__ = "torch.device";
  readonly device: Device;

  constructor(device: Device) {
    this.device = device;
  }

  get type(): string {
    return DeviceTypeName(this.device.type(), true);
  }

  get index(): number | null {
    return this.device.has_index() ? this.device.index() : null;
  }

  /** `THPDevice_reduce`: a pickle rebuilds it from its type and index. */
  __reduce_ex__(_protocol: number): { func: { module: string; name: string }; args: unknown[] } {
    return {
      func: { module: "torch", name: "device" },
      args: this.index === null ? [this.type] : [this.type, this.index],
    };
  }

  /** Opens a scope in which `torch.ones(2)` and other factories make tensors on this device. */
  __enter__(): this {
    if (DeviceContext === null) throw new RuntimeError("torch.utils._device is not loaded");
    PythonTorchFunctionTLS.push_onto_stack(new DeviceContext(this));
    return this;
  }

  __exit__(): void {
    PythonTorchFunctionTLS.pop_stack();
  }

  /** Note [`using` enters]. One device may be entered again inside its own scope, so each read enters. */
  get [Symbol.dispose](): () => void {
    this.__enter__();
    return THPDevice.prototype.__exit__;
  }

  equals(other: unknown): boolean {
    return other instanceof THPDevice && this.device.eq(other.device);
  }

  toString(): string {
    return this.device.str();
  }

  __repr__(): string {
    return this.device.has_index()
      ? `device(type='${this.type}', index=${this.device.index()})`
      : `device(type='${this.type}')`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.__repr__();
  }
}

export function THPDevice_Check(obj: unknown): obj is THPDevice {
  return obj instanceof THPDevice;
}

/** Devices without an index are shared, so that `x.device === y.device` usually works; `equals` always does. */
const shared = new Map<string, THPDevice>();

export function THPDevice_New(device: Device): THPDevice {
  const key = device.str();
  let object = shared.get(key);
  if (object === undefined) shared.set(key, (object = new THPDevice(device)));
  return object;
}

/** `toDevice` of the argument parser: a string, an index of the current accelerator, or a `torch.device`. */
export function toDevice(obj: unknown): Device {
  if (obj instanceof THPDevice) return obj.device;
  if (typeof obj === "string") return Device.parse(obj);
  if (THPUtils_checkLong(obj)) {
    const index = THPUtils_unpackLong(obj);
    if (index < 0) throw new RuntimeError("Device index must not be negative");
    return new Device(checked_accelerator(), index);
  }
  throw new TypeError_(`expected a torch.device, not ${python_type(obj)}`);
}

/** Runs `body` inside the device's scope. */
function call_inside(device: THPDevice, body: () => unknown): unknown {
  device.__enter__();
  try {
    return body();
  } finally {
    device.__exit__();
  }
}

/** `THPDevice_pynew`; if a function follows the arguments, the result of running it inside the device's scope. */
export function device_or_inside(...args: unknown[]): unknown {
  const body = args.at(-1);
  if (args.length < 2 || typeof body !== "function") return THPDevice_pynew(...args);
  return call_inside(THPDevice_pynew(...args.slice(0, -1)), body as () => unknown);
}
device_or_inside.prototype = THPDevice.prototype; // `x instanceof torch.device`

/** `torch.device("cpu")`, `torch.device("cpu", 0)`, `torch.device({type: "cpu", index: 0})`. */
export function THPDevice_pynew(...args: unknown[]): THPDevice {
  let [type, index] = args;
  if (args.length === 1 && isDict(type)) {
    index = type["index"];
    type = type["device"] ?? type["type"];
  }
  if (index === undefined || index === null) return THPDevice_New(toDevice(type));
  if (typeof type !== "string")
    throw new TypeError_(`device(): argument 'type' (position 1) must be str, not ${python_type(type)}`);
  const parsed = Device.parse(type);
  if (parsed.has_index()) {
    throw new RuntimeError(
      `type (string) must not include an index because index was passed explicitly: ${String(type)}`,
    );
  }
  const i = THPUtils_unpackLong(index);
  if (i < 0) throw new RuntimeError("Device index must not be negative");
  return THPDevice_New(new Device(parsed.type(), i));
}

export function THPDevice_init(module: Record<string, unknown>): void {
  module["device"] = Object.assign((...args: unknown[]) => device_or_inside(...args), {
    __name__: "torch.device",
    THPDevice,
  });
}
