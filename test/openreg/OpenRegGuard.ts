/**
 * @file Devices, streams and events of the fake device, as the library asks for them.
 * @original PyTorch's openreg: csrc/runtime/OpenRegGuard.h
 */
import type { DataPtr } from "#c10/core/Allocator";
import { Device } from "#c10/core/Device";
import { DeviceCapability } from "#c10/core/DeviceCapability";
import { DeviceType } from "#c10/core/DeviceType";
import { C10_REGISTER_GUARD_IMPL, DeviceGuardImplInterface } from "#c10/core/impl/DeviceGuardImplInterface";
import { Stream } from "#c10/core/Stream";
import { TORCH_CHECK } from "#c10/util/Exception";
import * as driver from "./driver.ts";
import { journal } from "./journal.ts";

let current_device = 0;
/** By device. */
const current_stream = new Array<number>(driver.DEVICE_COUNT).fill(0);

export function get_device(): number {
  return current_device;
}

export function set_device(index: number): void {
  TORCH_CHECK(
    index >= 0 && index < driver.DEVICE_COUNT,
    `The device index is out of range. It must be in [0, ${driver.DEVICE_COUNT}), but got ${index}.`,
  );
  current_device = index;
}

export function exchange_device(index: number): number {
  const previous = current_device;
  if (index !== previous) set_device(index);
  return previous;
}

/** The stream into which a kernel for `device` puts its work. */
export function stream_of(device: number): number {
  return current_stream[device];
}

function index_of(d: Device): number {
  TORCH_CHECK(d.is_privateuseone(), "Expected a PrivateUse1 device, but got ", d);
  return d.has_index() ? d.index() : current_device;
}

class OpenRegGuardImpl extends DeviceGuardImplInterface {
  override type(): DeviceType {
    return DeviceType.PrivateUse1;
  }

  override exchangeDevice(d: Device): Device {
    journal.push(`exchangeDevice ${d.index()}`);
    return new Device(DeviceType.PrivateUse1, exchange_device(index_of(d)));
  }

  override getDevice(): Device {
    return new Device(DeviceType.PrivateUse1, current_device);
  }

  override setDevice(d: Device): void {
    journal.push(`setDevice ${d.index()}`);
    set_device(index_of(d));
  }

  override uncheckedSetDevice(d: Device): void {
    journal.push(`uncheckedSetDevice ${d.index()}`);
    current_device = d.index();
  }

  override getStream(d: Device): Stream {
    return this.stream(index_of(d), current_stream[index_of(d)]);
  }

  override getDefaultStream(d: Device): Stream {
    return this.stream(index_of(d), 0);
  }

  override getStreamFromGlobalPool(d: Device, _isHighPriority = false): Stream {
    return this.getNewStream(d);
  }

  override getNewStream(d: Device, _priority = 0): Stream {
    const index = index_of(d);
    return this.stream(index, driver.create_stream(index));
  }

  override exchangeStream(s: Stream): Stream {
    journal.push(`exchangeStream ${s.device_index()}:${s.id()}`);
    const previous = this.stream(s.device_index(), current_stream[s.device_index()]);
    current_stream[s.device_index()] = s.id();
    return previous;
  }

  override record(_event: unknown, s: Stream, device_index: number): driver.Mark {
    TORCH_CHECK(
      device_index === -1 || device_index === s.device_index(),
      "Event device index ",
      device_index,
      " does not match recording stream's device index ",
      s.device_index(),
      ".",
    );
    journal.push(`record ${s.device_index()}:${s.id()}`);
    return driver.record_event(s.device_index(), s.id());
  }

  override block(event: unknown, s: Stream): void {
    if (event === null) return;
    journal.push(`block ${s.device_index()}:${s.id()}`);
    driver.wait_event(s.device_index(), s.id(), event as driver.Mark);
  }

  override queryEvent(event: unknown): boolean {
    return event === null || driver.query_event(event as driver.Mark);
  }

  override deviceCount(): number {
    return driver.DEVICE_COUNT;
  }

  override getDeviceCapability(_d: Device): DeviceCapability {
    return new DeviceCapability();
  }

  override queryStream(s: Stream): boolean {
    return driver.query_stream(s.device_index(), s.id());
  }

  override synchronizeStream(s: Stream): void {
    driver.synchronize_stream(s.device_index(), s.id());
  }

  override synchronizeEvent(event: unknown): void {
    driver.synchronize_event(event as driver.Mark);
  }

  override synchronizeDevice(device_index: number): void {
    driver.synchronize_device(device_index);
  }

  override recordDataPtrOnStream(data_ptr: DataPtr, s: Stream): void {
    journal.push(`recordDataPtrOnStream ${data_ptr.device.index()} ${s.device_index()}:${s.id()}`);
  }

  override elapsedTime(event1: unknown, event2: unknown, _device_index: number): number {
    return driver.elapsed_time(event1 as driver.Mark, event2 as driver.Mark);
  }

  private stream(device: number, id: number): Stream {
    return new Stream(new Device(DeviceType.PrivateUse1, device), id);
  }
}

C10_REGISTER_GUARD_IMPL(DeviceType.PrivateUse1, new OpenRegGuardImpl());
