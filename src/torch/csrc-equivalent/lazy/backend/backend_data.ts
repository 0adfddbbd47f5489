/**
 * @file A value on the backend's device; what exactly it is, the backend knows.
 * @mirrors torch/csrc/lazy/backend/backend_data.h
 */
import type { Shape } from "../core/shape.ts";
import type { BackendDevice } from "./backend_device.ts";

/** Facts for the executor: the tensor from which a value came, and whether it may be written. */
export interface DeviceDataInfo {
  /** -1 for a number. */
  readonly tensor_id: number;
  readonly read_only: boolean;
}

export abstract class BackendData {
  private readonly device_: BackendDevice;
  private readonly shape_: Shape;
  private info_: DeviceDataInfo | null = null;

  constructor(device: BackendDevice, shape: Shape) {
    this.device_ = device;
    this.shape_ = shape;
  }

  device(): BackendDevice {
    return this.device_;
  }

  shape(): Shape {
    return this.shape_;
  }

  info(): DeviceDataInfo | null {
    return this.info_;
  }

  SetInfo(info: DeviceDataInfo): void {
    this.info_ = info;
  }

  /** Becomes the value of `data`. */
  abstract Assign(data: BackendData): void;

  /** False for a placeholder whose computation has not run. */
  abstract HasValue(): boolean;
}
