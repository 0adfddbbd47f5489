/**
 * @file The source of a reader's bytes: a file, a buffer, or a seekable stream.
 * @mirrors caffe2/serialize/read_adapter_interface.h
 */

export interface ReadAdapterInterface {
  /** Size in bytes. */
  size(): number;
  /**
   * Returns up to `n` bytes from `pos` on, fewer only at the end. They may be a view of the source and must not be changed.
   * @param what the bytes' owner, for messages
   */
  read(pos: number, n: number, what: string): Uint8Array;
}
