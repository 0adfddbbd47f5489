/**
 * @file The options of a factory function: dtype, layout, device, pinned memory, memory format, each optional.
 * @mirrors c10/core/TensorOptions.h
 */

import { NotImplementedError, RuntimeError, TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { get_default_dtype } from "./DefaultDtype.ts";
import { Device } from "./Device.ts";
import { DeviceType, toString as deviceTypeToString } from "./DeviceType.ts";
import {
  BackendComponent,
  DispatchKey,
  deviceTypeToBackendComponent,
  toString as dispatchKeyToString,
  toBackendComponent,
  toFunctionalityKey,
  toRuntimePerBackendFunctionalityKey,
} from "./DispatchKey.ts";
import { Layout, toString as layoutToString } from "./Layout.ts";
import { type MemoryFormat, toString as memoryFormatToString } from "./MemoryFormat.ts";
import { isQIntType, type ScalarType } from "./ScalarType.ts";

export const cpuDevice = Device.of(DeviceType.CPU);

/** The given device, or the CPU if none is given. */
export function device_or_default(device: Device | null): Device {
  return device ?? cpuDevice;
}

/**
 * Options, immutable. A method without argument reads (with PyTorch's default); with an argument it returns changed
 * options; `null` unsets.
 */
export class TensorOptions {
  private readonly dtype_: ScalarType | null;
  private readonly layout_: Layout | null;
  private readonly device_: Device | null;
  private readonly pinned_memory_: boolean | null;
  private readonly requires_grad_: boolean | null;
  private readonly memory_format_: MemoryFormat | null;

  constructor(
    dtype: ScalarType | null = null,
    layout: Layout | null = null,
    device: Device | null = null,
    pinned_memory: boolean | null = null,
    requires_grad: boolean | null = null,
    memory_format: MemoryFormat | null = null,
  ) {
    this.dtype_ = dtype;
    this.layout_ = layout;
    this.device_ = device;
    this.pinned_memory_ = pinned_memory;
    this.requires_grad_ = requires_grad;
    this.memory_format_ = memory_format;
  }

  static readonly EMPTY = new TensorOptions();

  dtype(): ScalarType;
  dtype(dtype: ScalarType | null): TensorOptions;
  dtype(dtype?: ScalarType | null): ScalarType | TensorOptions {
    if (dtype === undefined) return this.dtype_ ?? get_default_dtype();
    return new TensorOptions(
      dtype,
      this.layout_,
      this.device_,
      this.pinned_memory_,
      this.requires_grad_,
      this.memory_format_,
    );
  }

  layout(): Layout;
  layout(layout: Layout | null): TensorOptions;
  layout(layout?: Layout | null): Layout | TensorOptions {
    if (layout === undefined) return this.layout_ ?? Layout.Strided;
    return new TensorOptions(
      this.dtype_,
      layout,
      this.device_,
      this.pinned_memory_,
      this.requires_grad_,
      this.memory_format_,
    );
  }

  device(): Device;
  device(device: Device | DeviceType | null): TensorOptions;
  device(device?: Device | DeviceType | null): Device | TensorOptions {
    if (device === undefined) return this.device_ ?? cpuDevice;
    return new TensorOptions(
      this.dtype_,
      this.layout_,
      typeof device === "number" ? Device.of(device) : device,
      this.pinned_memory_,
      this.requires_grad_,
      this.memory_format_,
    );
  }

  pinned_memory(): boolean;
  pinned_memory(pinned_memory: boolean | null): TensorOptions;
  pinned_memory(pinned_memory?: boolean | null): boolean | TensorOptions {
    if (pinned_memory === undefined) return this.pinned_memory_ ?? false;
    return new TensorOptions(
      this.dtype_,
      this.layout_,
      this.device_,
      pinned_memory,
      this.requires_grad_,
      this.memory_format_,
    );
  }

  requires_grad(): boolean;
  requires_grad(requires_grad: boolean | null): TensorOptions;
  requires_grad(requires_grad?: boolean | null): boolean | TensorOptions {
    if (requires_grad === undefined) return this.requires_grad_ ?? false;
    return new TensorOptions(
      this.dtype_,
      this.layout_,
      this.device_,
      this.pinned_memory_,
      requires_grad,
      this.memory_format_,
    );
  }

  memory_format(memory_format: MemoryFormat | null): TensorOptions {
    return new TensorOptions(
      this.dtype_,
      this.layout_,
      this.device_,
      this.pinned_memory_,
      this.requires_grad_,
      memory_format,
    );
  }

  dtype_opt(): ScalarType | null {
    return this.dtype_;
  }

  layout_opt(): Layout | null {
    return this.layout_;
  }

  device_opt(): Device | null {
    return this.device_;
  }

  pinned_memory_opt(): boolean | null {
    return this.pinned_memory_;
  }

  requires_grad_opt(): boolean | null {
    return this.requires_grad_;
  }

  memory_format_opt(): MemoryFormat | null {
    return this.memory_format_;
  }

  has_dtype(): boolean {
    return this.dtype_ !== null;
  }

  has_layout(): boolean {
    return this.layout_ !== null;
  }

  has_device(): boolean {
    return this.device_ !== null;
  }

  has_pinned_memory(): boolean {
    return this.pinned_memory_ !== null;
  }

  has_requires_grad(): boolean {
    return this.requires_grad_ !== null;
  }

  has_memory_format(): boolean {
    return this.memory_format_ !== null;
  }

  is_sparse(): boolean {
    return this.layout_ === Layout.Sparse;
  }

  /** Merges two sets of options: `other`'s fields where it has them, otherwise this one's. */
  merge_in(other: TensorOptions): TensorOptions {
    return new TensorOptions(
      other.dtype_ ?? this.dtype_,
      other.layout_ ?? this.layout_,
      other.device_ ?? this.device_,
      other.pinned_memory_ ?? this.pinned_memory_,
      other.requires_grad_ ?? this.requires_grad_,
      other.memory_format_ ?? this.memory_format_,
    );
  }

  merge_memory_format(memory_format: MemoryFormat | null): TensorOptions {
    return memory_format === null ? this : this.memory_format(memory_format);
  }

  computeDispatchKey(): DispatchKey {
    return computeDispatchKey(this.dtype_, this.layout_, this.device_);
  }

  toString(): string {
    const field = (name: string, value: unknown, given: boolean) => `${name}=${value}${given ? "" : " (default)"}`;
    return `TensorOptions(${[
      field("dtype", typeMetaName(this.dtype()), this.has_dtype()),
      field("device", this.device(), this.has_device()),
      field("layout", layoutToString(this.layout()), this.has_layout()),
      field("requires_grad", this.requires_grad(), this.has_requires_grad()),
      field("pinned_memory", this.pinned_memory(), this.has_pinned_memory()),
      field(
        "memory_format",
        this.memory_format_ === null ? "(nullopt)" : memoryFormatToString(this.memory_format_),
        true,
      ),
    ].join(", ")})`;
  }
}

/** The backend of a device type that has runtime keys for every per-backend functionality. */
function backendOf(device: Device, layoutText: string): BackendComponent {
  const backend = deviceTypeToBackendComponent(device.type());
  const known = backend !== BackendComponent.InvalidBit && device.type() !== DeviceType.MAIA;
  TORCH_CHECK_NOT_IMPLEMENTED(
    known,
    "Unsupported device type for ",
    layoutText,
    ": ",
    deviceTypeToString(device.type()),
  );
  return backend;
}

/** The dispatch key whose backend's factory makes a tensor of these options. */
export function computeDispatchKey(
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
): DispatchKey {
  const layout_ = layout ?? Layout.Strided;
  const device_ = device ?? cpuDevice;
  switch (layout_) {
    case Layout.Jagged:
    case Layout.Strided: {
      const type = device_.type();
      if (type === DeviceType.CPU && (dtype === null || !isQIntType(dtype))) return DispatchKey.CPU;
      if (dtype !== null && isQIntType(dtype)) {
        return toRuntimePerBackendFunctionalityKey(
          DispatchKey.Quantized,
          type === DeviceType.PrivateUse1 ? BackendComponent.PrivateUse1Bit : backendOf(device_, "dense layout"),
        );
      }
      if (type === DeviceType.FPGA) return DispatchKey.FPGA;
      if (type === DeviceType.MAIA) return DispatchKey.MAIA;
      if (type === DeviceType.Vulkan) return DispatchKey.Vulkan;
      if (type === DeviceType.Metal) return DispatchKey.Metal;
      return toRuntimePerBackendFunctionalityKey(DispatchKey.Dense, backendOf(device_, "dense layout"));
    }
    case Layout.Sparse:
      return toRuntimePerBackendFunctionalityKey(DispatchKey.Sparse, backendOf(device_, "sparse layout"));
    case Layout.Mkldnn:
      if (device_.type() === DeviceType.CPU) return DispatchKey.MkldnnCPU;
      throw new NotImplementedError(`Unsupported device type for mkldnn layout: ${deviceTypeToString(device_.type())}`);
    case Layout.SparseCsr:
    case Layout.SparseCsc:
    case Layout.SparseBsr:
    case Layout.SparseBsc:
      return toRuntimePerBackendFunctionalityKey(
        DispatchKey.SparseCsr,
        backendOf(device_, `${layoutToString(layout_)} layout`),
      );
  }
}

export function dispatchKeyToLayout(dispatch_key: DispatchKey): Layout {
  switch (toFunctionalityKey(dispatch_key)) {
    case DispatchKey.Sparse:
      return Layout.Sparse;
    case DispatchKey.SparseCsr:
      throw new RuntimeError(`Cannot map DispatchKey ${dispatchKeyToString(dispatch_key)} to a unique layout.`);
    case DispatchKey.MkldnnCPU:
      return Layout.Mkldnn;
    default:
      return Layout.Strided;
  }
}

const deviceTypeOfBackend = new Map<BackendComponent, DeviceType>();
for (const type of Object.values(DeviceType)) {
  const backend = deviceTypeToBackendComponent(type);
  if (backend !== BackendComponent.InvalidBit) deviceTypeOfBackend.set(backend, type);
}
deviceTypeOfBackend.set(BackendComponent.VEBit, DeviceType.VE);

export function dispatchKeyToDeviceType(dispatch_key: DispatchKey): DeviceType {
  if (dispatch_key === DispatchKey.MkldnnCPU) return DeviceType.CPU;
  if (dispatch_key === DispatchKey.Vulkan) return DeviceType.Vulkan;
  const type = deviceTypeOfBackend.get(toBackendComponent(dispatch_key));
  TORCH_CHECK(type !== undefined, "DispatchKey ", dispatchKeyToString(dispatch_key), " doesn't correspond to a device");
  return type;
}

export function dispatchKeyToTensorOptions(dispatch_key: DispatchKey): TensorOptions {
  return new TensorOptions(null, dispatchKeyToLayout(dispatch_key), Device.of(dispatchKeyToDeviceType(dispatch_key)));
}
