/**
 * @file An event of any device type.
 * @mirrors c10/core/Event.h
 * @differs The garbage collector frees events; PyTorch's destructor asks the backend to destroy each one.
 */
import { Device } from "./Device.ts";
import type { DeviceType } from "./DeviceType.ts";
import { EventFlag } from "./impl/DeviceGuardImplInterface.ts";
import { InlineEvent } from "./impl/InlineEvent.ts";
import { VirtualGuardImpl } from "./impl/VirtualGuardImpl.ts";

export class Event extends InlineEvent {
  constructor(device_type: DeviceType, flag: EventFlag = EventFlag.PYTORCH_DEFAULT) {
    super(VirtualGuardImpl(device_type), device_type, flag);
  }

  device(): Device {
    return new Device(this.device_type(), this.device_index());
  }
}
