/**
 * @file The node of a value that is on the device already.
 * @mirrors torch/csrc/lazy/ts_backend/ops/device_data.h
 */
import type { BackendData } from "../../backend/backend_data.ts";
import { ltc_device_data } from "../../core/internal_ops/ltc_ops.ts";
import { CacheNode, ReuseNode } from "../../core/trie.ts";
import type { TSLoweringContext } from "../ts_lowering_context.ts";
import { type TSOpVector, TsNode } from "../ts_node.ts";

export class DeviceData extends TsNode {
  private data_: BackendData;

  constructor(data: BackendData) {
    super(ltc_device_data, [], [data.shape()], 1, 101n);
    this.data_ = data;
  }

  /** A node can stand for another value of the same shape: `SetData` follows. */
  CanBeReused(data: BackendData): boolean {
    return this.data_.shape().equals(data.shape());
  }

  static Create(data: BackendData): DeviceData {
    const node = ReuseNode(DeviceData, data) ?? CacheNode(new DeviceData(data));
    node.SetData(data);
    return node;
  }

  data(): BackendData {
    return this.data_;
  }

  SetData(data: BackendData): void {
    this.data_ = data;
  }

  override toString(): string {
    return `${super.toString()}, device=${this.data_.device()}`;
  }

  override Lower(loctx: TSLoweringContext): TSOpVector {
    return [loctx.GetParameter(this.data_)];
  }
}
