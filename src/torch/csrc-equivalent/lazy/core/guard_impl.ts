/**
 * @file The guard of the device `lazy`: it has one stream, on which everything is finished when it is asked for.
 * @mirrors torch/csrc/lazy/core/tensor_impl.cpp#LTCGuardImpl
 */
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { C10_REGISTER_GUARD_IMPL, DeviceGuardImplInterface } from "#c10/core/impl/DeviceGuardImplInterface";
import { Stream } from "#c10/core/Stream";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

/** Without an index, as PyTorch has it: `x.to("lazy")` makes a copy of a tensor on `lazy:0`. */
let current = Device.of(DeviceType.Lazy);

class LTCGuardImpl extends DeviceGuardImplInterface {
  override type(): DeviceType {
    return DeviceType.Lazy;
  }

  override exchangeDevice(device: Device): Device {
    TORCH_INTERNAL_ASSERT(device.type() === DeviceType.Lazy);
    const before = current;
    current = device;
    return before;
  }

  override getDevice(): Device {
    return current;
  }

  override setDevice(device: Device): void {
    this.exchangeDevice(device);
  }

  override uncheckedSetDevice(device: Device): void {
    current = device;
  }

  override getStream(device: Device): Stream {
    return new Stream(device, 0);
  }

  override getDefaultStream(device: Device): Stream {
    return new Stream(device, 0);
  }

  override exchangeStream(_stream: Stream): Stream {
    return new Stream(current, 0);
  }

  override deviceCount(): number {
    return 1;
  }

  override queryStream(_stream: Stream): boolean {
    return true;
  }

  override synchronizeStream(_stream: Stream): void {}

  override synchronizeDevice(_device_index: number): void {}
}

C10_REGISTER_GUARD_IMPL(DeviceType.Lazy, new LTCGuardImpl());
