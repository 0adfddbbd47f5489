/**
 * @file The hooks of a backend that is built outside the library, and their registration.
 * @mirrors aten/src/ATen/detail/PrivateUse1HooksInterface.h
 */
import type { Generator } from "#aten/core/Generator";
import type { Allocator } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import type { Storage } from "#c10/core/Storage";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { AcceleratorHooksInterface } from "./AcceleratorHooksInterface.ts";

function fail(func: string): never {
  TORCH_CHECK_NOT_IMPLEMENTED(
    false,
    "You should register `PrivateUse1HooksInterface`",
    "by `RegisterPrivateUse1HooksInterface` and implement `",
    func,
    "` at the same time for PrivateUse1.",
  );
}

export class PrivateUse1HooksInterface extends AcceleratorHooksInterface {
  override isBuilt(): boolean {
    fail("isBuilt");
  }

  override isAvailable(): boolean {
    fail("isAvailable");
  }

  override getDefaultGenerator(_device_index: number): Generator {
    fail("getDefaultGenerator");
  }

  override getNewGenerator(_device_index = -1): Generator {
    fail("getNewGenerator");
  }

  override getDeviceFromPtr(_data: number): Device {
    fail("getDeviceFromPtr");
  }

  override getPinnedMemoryAllocator(): Allocator {
    fail("getPinnedMemoryAllocator");
  }

  override hasPrimaryContext(_device_index: number): boolean {
    fail("hasPrimaryContext");
  }

  override init(): void {}

  /** Resizes the storage to `newsize` bytes; contents that fit stay. */
  resizePrivateUse1Bytes(_storage: Storage, _newsize: number): void {
    fail("resizePrivateUse1Bytes");
  }
}

let privateuse1_hooks: PrivateUse1HooksInterface | null = null;

/** Registers the hooks, once per process. */
export function RegisterPrivateUse1HooksInterface(hook_: PrivateUse1HooksInterface): void {
  TORCH_CHECK(privateuse1_hooks === null, "PrivateUse1HooksInterface only could be registered once.");
  privateuse1_hooks = hook_;
}

export function getPrivateUse1Hooks(): PrivateUse1HooksInterface {
  TORCH_CHECK(
    privateuse1_hooks !== null,
    "Please register PrivateUse1HooksInterface by `RegisterPrivateUse1HooksInterface` first.",
  );
  return privateuse1_hooks;
}
