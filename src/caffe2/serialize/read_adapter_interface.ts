/**
 * @file Where a reader's bytes come from: a file, a buffer, a stream that can be sought.
 * @mirrors caffe2/serialize/read_adapter_interface.h
 */

export interface ReadAdapterInterface {
  /** In bytes. */
  size(): number;
  /**
   * Up to `n` bytes from `pos` on, fewer only at the end. They may be a view of what is read from: not to be written to.
   * @param what for messages: whose bytes they are
   */
  read(pos: number, n: number, what: string): Uint8Array;
}
