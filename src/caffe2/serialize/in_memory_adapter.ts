/**
 * @file Reading from bytes in memory, without a copy.
 * @mirrors caffe2/serialize/in_memory_adapter.h
 */
import type { ReadAdapterInterface } from "./read_adapter_interface.ts";

export class MemoryReadAdapter implements ReadAdapterInterface {
  private readonly data_: Uint8Array;

  constructor(data: Uint8Array) {
    this.data_ = data;
  }

  size(): number {
    return this.data_.length;
  }

  read(pos: number, n: number): Uint8Array {
    return this.data_.subarray(pos, pos + n);
  }
}
