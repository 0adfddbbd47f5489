/**
 * @file The guard of WebGPU: current device, current stream, and events. There is one device with one stream.
 * @mirrors c10/cuda/impl/CUDAGuardImpl.h
 * @differs WebGPU has one queue, so there is one stream: queued work always waits for earlier work, and no wait is ever
 * sent. PyTorch's CUDA guard handles many streams.
 */
import { Device } from "#c10/core/Device";
import { DeviceCapability } from "#c10/core/DeviceCapability";
import { DeviceType } from "#c10/core/DeviceType";
import { C10_REGISTER_GUARD_IMPL, DeviceGuardImplInterface, EventFlag } from "#c10/core/impl/DeviceGuardImplInterface";
import { Stream } from "#c10/core/Stream";
import { TORCH_CHECK } from "#c10/util/Exception";
import { current_device, device_count, device_synchronize, get_device, set_device } from "../WebGPUFunctions.ts";

const DEVICE = new Device(DeviceType.PrivateUse1, 0);
const STREAM = new Stream(DEVICE, 0);

function check_device(d: Device): void {
  TORCH_CHECK(d.is_privateuseone(), "Expected a WebGPU device, but got ", d);
  set_device(d.has_index() ? d.index() : 0);
}

class WebGPUGuardImpl extends DeviceGuardImplInterface {
  override type(): DeviceType {
    return DeviceType.PrivateUse1;
  }

  override exchangeDevice(d: Device): Device {
    check_device(d);
    return DEVICE;
  }

  override getDevice(): Device {
    return current_device() === 0 ? DEVICE : new Device(DeviceType.PrivateUse1, current_device());
  }

  override setDevice(d: Device): void {
    check_device(d);
  }

  override uncheckedSetDevice(_d: Device): void {}

  override getStream(_d: Device): Stream {
    return STREAM;
  }

  override getDefaultStream(_d: Device): Stream {
    return STREAM;
  }

  override getStreamFromGlobalPool(_d: Device, _isHighPriority = false): Stream {
    return STREAM;
  }

  override getNewStream(_d: Device, _priority = 0): Stream {
    return STREAM;
  }

  override exchangeStream(_s: Stream): Stream {
    return STREAM;
  }

  override record(_event: unknown, _stream: Stream, _device_index: number, flag: EventFlag): number {
    return get_device().record_event(flag === EventFlag.BACKEND_DEFAULT);
  }

  override block(_event: unknown, _stream: Stream): void {}

  override queryEvent(event: unknown): boolean {
    return event === null || get_device().event_is_done(event as number);
  }

  override synchronizeEvent(event: unknown): void {
    if (event !== null) get_device().wait_for_event(event as number);
  }

  override deviceCount(): number {
    return device_count();
  }

  override getDeviceCapability(_d: Device): DeviceCapability {
    return new DeviceCapability();
  }

  override queryStream(_s: Stream): boolean {
    return get_device().is_done();
  }

  override synchronizeStream(_s: Stream): void {
    device_synchronize();
  }

  override synchronizeDevice(_device_index: number): void {
    device_synchronize();
  }

  override elapsedTime(event1: unknown, event2: unknown, _device_index: number): number {
    return get_device().elapsed_time(event1 as number, event2 as number);
  }
}

C10_REGISTER_GUARD_IMPL(DeviceType.PrivateUse1, new WebGPUGuardImpl());
