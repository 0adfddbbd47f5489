/**
 * @file The default dtype and device of tensors made without one, and the tensor types by name (`torch.FloatTensor`).
 * @mirrors torch/csrc/tensor/python_tensor.h
 */
import { set_default_dtype as c10_set_default_dtype, get_default_dtype } from "#c10/core/DefaultDtype";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK_TYPE, TORCH_WARN_ONCE, TypeError_, ValueError } from "#c10/util/Exception";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { THPDtype } from "#torch/csrc-equivalent/Dtype";
import { getTHPDtype } from "#torch/csrc-equivalent/DynamicTypes";
import { refuse_other_copies } from "#torch/csrc-equivalent/utils/python_abstract";

export function get_default_dispatch_key(): DispatchKey {
  return DispatchKey.CPU;
}

export function get_default_device(): Device {
  return Device.of(DeviceType.CPU);
}

export function get_default_scalar_type(): ScalarType {
  return get_default_dtype();
}

export function py_set_default_dtype(obj: unknown): void {
  refuse_other_copies(obj);
  TORCH_CHECK_TYPE(
    obj instanceof THPDtype,
    "invalid dtype object: only floating-point types are supported as the default type",
  );
  if (!isFloatingType(obj.scalar_type))
    throw new TypeError_("only floating-point types are supported as the default type");
  c10_set_default_dtype(obj.scalar_type);
}

/** @param obj one of the legacy types, whose dtype becomes the default */
export function py_set_default_tensor_type(obj: unknown): void {
  TORCH_WARN_ONCE(
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and torch.set_default_device() as alternatives.",
  );
  const dtype = legacy_types.find((dtype) => (obj as { __name__?: string })?.__name__ === `torch.${type_name(dtype)}`);
  TORCH_CHECK_TYPE(
    dtype !== undefined,
    "invalid type object: only floating-point types are supported as the default type",
  );
  if (!isFloatingType(dtype)) throw new TypeError_("only floating-point types are supported as the default type");
  c10_set_default_dtype(dtype);
}

/** Dtypes whose legacy type is also a class: `torch.FloatTensor`. */
const legacy_types: readonly ScalarType[] = [
  ScalarType.Byte,
  ScalarType.Char,
  ScalarType.Short,
  ScalarType.Int,
  ScalarType.Long,
  ScalarType.Half,
  ScalarType.Float,
  ScalarType.Double,
  ScalarType.Bool,
  ScalarType.BFloat16,
];

/** The dtype's name in `x.type()`. */
function type_name(dtype: ScalarType): string {
  return `${toString(dtype)}Tensor`;
}

/** `options_to_string`: `torch.FloatTensor`, `torch.cuda.LongTensor`. */
export function type_string(dtype: ScalarType, device: Device): string {
  const name = type_name(dtype);
  return device.is_cpu() ? `torch.${name}` : `torch.${device.str().split(":")[0]}.${name}`;
}

/** `options_from_string`. */
export function scalar_type_from_string(type: string): ScalarType {
  if (type === "torch.Tensor") return get_default_scalar_type();
  const found = Object.values(ScalarType).find((dtype) => type === `torch.${type_name(dtype)}`);
  if (found === undefined) throw new ValueError(`invalid type: '${type}'`);
  return found;
}

/** Adds the legacy types to the module; their constructors make tensors through `make`. */
export function initialize_python_bindings(
  module: Record<string, unknown>,
  make: (dtype: ScalarType, args: unknown[]) => unknown,
): void {
  for (const dtype of legacy_types) {
    const name = type_name(dtype);
    const constructor = function (...args: unknown[]): unknown {
      return make(dtype, args);
    };
    Object.defineProperties(constructor, {
      name: { value: name },
      // `Tensor_instancecheck`: a tensor of this dtype on the CPU.
      [Symbol.hasInstance]: {
        value: (obj: unknown) =>
          obj instanceof TensorBase && obj.cdata.scalar_type() === dtype && obj.cdata.device().is_cpu(),
      },
    });
    module[name] = Object.assign(constructor, { __name__: `torch.${name}`, dtype: getTHPDtype(dtype) });
  }
}
