/**
 * @file The functions of `torch._C` that switch autocast. PyTorch has them in the file of grad mode.
 * @mirrors torch/csrc/autograd/init.cpp
 */
import * as autocast from "#aten/autocast_mode/index";
import { Device } from "#c10/core/Device";
import { DeviceType, DeviceTypeName } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_TYPE, TORCH_WARN_DEPRECATION } from "#c10/util/Exception";
import { type THPDtype, THPDtype_Check } from "#torch/csrc-equivalent/Dtype";
import { getTHPDtype } from "#torch/csrc-equivalent/DynamicTypes";
import { PythonArgParser, take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import { python_type } from "#torch/csrc-equivalent/utils/python_numbers";

/** A function that parses its arguments by these signatures. */
function parsed<R>(signatures: string[], run: (r: ReturnType<PythonArgParser["parse"]>) => R) {
  const parser = new PythonArgParser(signatures);
  return (...args: unknown[]): R => {
    const kwargs = take_kwargs(args);
    return run(parser.parse(null, args, kwargs));
  };
}

/** `at::Device(name).type()` */
function device_type_of(name: string): DeviceType {
  return Device.parse(name).type();
}

function dtype_of(device_type: DeviceType): THPDtype {
  const dtype = autocast.get_autocast_dtype(device_type);
  TORCH_CHECK(dtype !== ScalarType.Undefined, "unsupported scalarType");
  return getTHPDtype(dtype);
}

export const set_autocast_enabled = parsed(
  ["set_autocast_enabled(c10::string_view device_type, bool enabled)", "set_autocast_enabled(bool enabled)"],
  (r): void => {
    // Without a device argument it means CUDA, the only device at the time of that signature.
    if (r.idx === 0) autocast.set_autocast_enabled(device_type_of(r.stringView(0)), r.toBool(1));
    else autocast.set_autocast_enabled(DeviceType.CUDA, r.toBool(0));
  },
);

export const is_autocast_enabled = parsed(
  ["is_autocast_enabled(c10::string_view device_type)", "is_autocast_enabled()"],
  (r): boolean => autocast.is_autocast_enabled(r.idx === 0 ? device_type_of(r.stringView(0)) : DeviceType.CUDA),
);

export const get_autocast_dtype = parsed(
  ["get_autocast_dtype(c10::string_view device_type)"],
  (r): THPDtype => dtype_of(device_type_of(r.stringView(0))),
);

export const set_autocast_dtype = parsed(
  ["set_autocast_dtype(c10::string_view device_type, ScalarType dtype)"],
  (r): void => autocast.set_autocast_dtype(device_type_of(r.stringView(0)), r.scalartype(1)),
);

export const _is_autocast_available = parsed(["_is_autocast_available(c10::string_view device_type)"], (r): boolean =>
  autocast.is_autocast_available(device_type_of(r.stringView(0))),
);

export function _is_any_autocast_enabled(): boolean {
  return autocast._AUTOCAST_SUPPORTED_DEVICES.some(autocast.is_autocast_enabled);
}

export function _autocast_supported_devices(): string[] {
  return autocast._AUTOCAST_SUPPORTED_DEVICES.map((device_type) => DeviceTypeName(device_type, true));
}

export const clear_autocast_cache = autocast.clear_cache;
export const autocast_increment_nesting = autocast.increment_nesting;
export const autocast_decrement_nesting = autocast.decrement_nesting;
export const is_autocast_cache_enabled = autocast.is_autocast_cache_enabled;

export function set_autocast_cache_enabled(enabled: boolean): void {
  check_bool(enabled);
  autocast.set_autocast_cache_enabled(enabled);
}

// Functions for one device each, older than the device argument ----------------------------------------------------------

function check_bool(enabled: unknown): asserts enabled is boolean {
  TORCH_CHECK_TYPE(typeof enabled === "boolean", `enabled must be a bool (got ${python_type(enabled)})`);
}

function instead(old: string, now: string): void {
  TORCH_WARN_DEPRECATION(`torch.${old} is deprecated. Please use torch.${now} instead.`);
}

/** The four functions of a device. */
function of_device(name: string, device: string, device_type: DeviceType) {
  return {
    set_enabled(enabled: boolean): void {
      check_bool(enabled);
      instead(`set_autocast_${name}_enabled(enabled)`, `set_autocast_enabled('${device}', enabled)`);
      autocast.set_autocast_enabled(device_type, enabled);
    },
    is_enabled(): boolean {
      instead(`is_autocast_${name}_enabled()`, `is_autocast_enabled('${device}')`);
      return autocast.is_autocast_enabled(device_type);
    },
    set_dtype(dtype: THPDtype): void {
      TORCH_CHECK_TYPE(THPDtype_Check(dtype), `dtype must be a torch.dtype (got ${python_type(dtype)})`);
      instead(`set_autocast_${name}_dtype(dtype)`, `set_autocast_dtype('${device}', dtype)`);
      autocast.set_autocast_dtype(device_type, dtype.scalar_type);
    },
    get_dtype(): THPDtype {
      instead(`get_autocast_${name}_dtype()`, `get_autocast_dtype('${device}')`);
      return dtype_of(device_type);
    },
  };
}

export const {
  set_enabled: set_autocast_cpu_enabled,
  is_enabled: is_autocast_cpu_enabled,
  set_dtype: set_autocast_cpu_dtype,
  get_dtype: get_autocast_cpu_dtype,
} = of_device("cpu", "cpu", DeviceType.CPU);
export const { set_dtype: set_autocast_gpu_dtype, get_dtype: get_autocast_gpu_dtype } = of_device(
  "gpu",
  "cuda",
  DeviceType.CUDA,
);
export const {
  set_enabled: set_autocast_ipu_enabled,
  is_enabled: is_autocast_ipu_enabled,
  set_dtype: set_autocast_ipu_dtype,
  get_dtype: get_autocast_ipu_dtype,
} = of_device("ipu", "ipu", DeviceType.IPU);
export const {
  set_enabled: set_autocast_xla_enabled,
  is_enabled: is_autocast_xla_enabled,
  set_dtype: set_autocast_xla_dtype,
  get_dtype: get_autocast_xla_dtype,
} = of_device("xla", "xla", DeviceType.XLA);
