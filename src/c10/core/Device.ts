/**
 * @file A device: its type and an index, where -1 means "the current one".
 * @mirrors c10/core/Device.h
 * @differs Immutable, and the usual devices are shared objects (`Device.of`); PyTorch copies two bytes.
 */
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { DeviceType, get_privateuse1_backend, is_privateuse1_backend_registered, toString } from "./DeviceType.ts";

/** The device types that a device string may begin with, in the order of PyTorch's error message. */
const deviceTypeOfName: ReadonlyMap<string, DeviceType> = new Map<string, DeviceType>([
  ["cpu", DeviceType.CPU],
  ["cuda", DeviceType.CUDA],
  ["ipu", DeviceType.IPU],
  ["xpu", DeviceType.XPU],
  ["mkldnn", DeviceType.MKLDNN],
  ["opengl", DeviceType.OPENGL],
  ["opencl", DeviceType.OPENCL],
  ["ideep", DeviceType.IDEEP],
  ["hip", DeviceType.HIP],
  ["ve", DeviceType.VE],
  ["fpga", DeviceType.FPGA],
  ["maia", DeviceType.MAIA],
  ["xla", DeviceType.XLA],
  ["lazy", DeviceType.Lazy],
  ["vulkan", DeviceType.Vulkan],
  ["mps", DeviceType.MPS],
  ["meta", DeviceType.Meta],
  ["hpu", DeviceType.HPU],
  ["mtia", DeviceType.MTIA],
  ["privateuseone", DeviceType.PrivateUse1],
]);

function parse_type(name: string): DeviceType {
  const type = deviceTypeOfName.get(name);
  if (type !== undefined) return type;
  if (is_privateuse1_backend_registered() && name === get_privateuse1_backend()) return DeviceType.PrivateUse1;
  const expected = [...deviceTypeOfName.keys()].join(", ");
  TORCH_CHECK(false, "Expected one of ", expected, " device type at start of device string: ", name);
}

const shared: Device[] = [];

export class Device {
  private readonly type_: DeviceType;
  private readonly index_: number;

  constructor(type: DeviceType, index = -1) {
    this.type_ = type;
    this.index_ = index;
  }

  /** The shared `Device` of a type without an index. */
  static of(type: DeviceType): Device {
    return (shared[type] ??= new Device(type));
  }

  /** Reads a device string: `torch.device("cpu")`, `torch.device("cuda:1")`. */
  static parse(device_string: string): Device {
    TORCH_CHECK(device_string !== "", "Device string must not be empty");
    const match = /^([A-Za-z_][A-Za-z_0-9]*?)(?::(.*))?$/.exec(device_string);
    TORCH_CHECK(match !== null, "Invalid device string: '", device_string, "'");
    const name = match[1];
    const digits = match[2];
    if (digits !== undefined)
      TORCH_CHECK(/^(0|[1-9][0-9]*)$/.test(digits), "Invalid device string: '", device_string, "'");
    const index = digits === undefined ? -1 : Number(digits);
    TORCH_CHECK(index <= 127, "Could not parse device index '", digits, "' in device string '", device_string, "'");
    const type = parse_type(name);
    if (type === DeviceType.MKLDNN) {
      TORCH_WARN(
        "'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be deprecated and removed in the future. Please use other valid device types instead.",
      );
    }
    return index === -1 ? Device.of(type) : new Device(type, index);
  }

  type(): DeviceType {
    return this.type_;
  }

  index(): number {
    return this.index_;
  }

  has_index(): boolean {
    return this.index_ !== -1;
  }

  eq(other: Device): boolean {
    return this === other || (this.type_ === other.type_ && this.index_ === other.index_);
  }

  is_cpu(): boolean {
    return this.type_ === DeviceType.CPU;
  }

  is_cuda(): boolean {
    return this.type_ === DeviceType.CUDA;
  }

  is_xpu(): boolean {
    return this.type_ === DeviceType.XPU;
  }

  is_meta(): boolean {
    return this.type_ === DeviceType.Meta;
  }

  is_privateuseone(): boolean {
    return this.type_ === DeviceType.PrivateUse1;
  }

  /** Whether the device reads tensors of any strides (XLA-like devices do not). */
  supports_as_strided(): boolean {
    return this.type_ !== DeviceType.IPU && this.type_ !== DeviceType.XLA && this.type_ !== DeviceType.Lazy;
  }

  str(): string {
    return this.has_index() ? `${toString(this.type_)}:${this.index_}` : toString(this.type_);
  }

  toString(): string {
    return this.str();
  }
}
