/**
 * @file The guard of a device type with one device and one stream, which are always current: the CPU, and meta.
 * @mirrors c10/core/impl/DeviceGuardImplInterface.h#NoOpDeviceGuardImpl
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { Device } from "../Device.ts";
import { DeviceCapability } from "../DeviceCapability.ts";
import { DeviceType, toString as deviceTypeToString } from "../DeviceType.ts";
import { ScalarType } from "../ScalarType.ts";
import { Stream } from "../Stream.ts";
import { DeviceGuardImplInterface } from "./DeviceGuardImplInterface.ts";

/** The dtypes that the meta device reports as supported. */
const META_TYPES: readonly ScalarType[] = [
  ScalarType.Byte,
  ScalarType.Char,
  ScalarType.Short,
  ScalarType.Int,
  ScalarType.Long,
  ScalarType.Float,
  ScalarType.Double,
  ScalarType.ComplexFloat,
  ScalarType.ComplexDouble,
  ScalarType.Bool,
];

export class NoOpDeviceGuardImpl extends DeviceGuardImplInterface {
  private readonly device: Device;

  constructor(type: DeviceType) {
    super();
    this.device = Device.of(type);
  }

  override type(): DeviceType {
    return this.device.type();
  }

  override exchangeDevice(_d: Device): Device {
    return this.device;
  }

  override getDevice(): Device {
    return this.device;
  }

  override setDevice(_d: Device): void {}

  override uncheckedSetDevice(_d: Device): void {}

  override getStream(_d: Device): Stream {
    return new Stream(this.device);
  }

  override getNewStream(_d: Device, _priority = 0): Stream {
    return new Stream(this.device);
  }

  override exchangeStream(_s: Stream): Stream {
    return new Stream(this.device);
  }

  override deviceCount(): number {
    return 1;
  }

  override getDeviceCapability(_d: Device): DeviceCapability {
    return this.type() === DeviceType.Meta ? new DeviceCapability(META_TYPES) : new DeviceCapability();
  }

  override record(): unknown {
    this.no_events();
  }

  override block(): void {
    this.no_events();
  }

  override queryEvent(): boolean {
    this.no_events();
  }

  override queryStream(_stream: Stream): boolean {
    return true;
  }

  override synchronizeStream(_stream: Stream): void {}

  private no_events(): never {
    TORCH_CHECK(false, deviceTypeToString(this.type()), " backend doesn't support events.");
  }
}
