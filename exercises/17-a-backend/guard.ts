/**
 * @file The guard of the card: PyTorch asks it for the current device and the current stream of a device type. There is one card and
 * one stream, so the answers are always the same; c10/core/impl/DeviceGuardImplInterface.ts shows the interface for a backend with
 * more of them.
 * @original
 */
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { C10_REGISTER_GUARD_IMPL } from "#c10/core/impl/DeviceGuardImplInterface";
import { NoOpDeviceGuardImpl } from "#c10/core/impl/NoOpDeviceGuardImpl";
import { Stream } from "#c10/core/Stream";

const card = new Device(DeviceType.PrivateUse1, 0);

class CardGuardImpl extends NoOpDeviceGuardImpl {
  override exchangeDevice(): Device {
    return card;
  }

  override getDevice(): Device {
    return card;
  }

  override getStream(): Stream {
    return new Stream(card);
  }

  override exchangeStream(): Stream {
    return new Stream(card);
  }
}

C10_REGISTER_GUARD_IMPL(DeviceType.PrivateUse1, new CardGuardImpl(DeviceType.PrivateUse1));
