/**
 * @file Reading and writing bytes of a `torch.UntypedStorage` by index, and a storage made of the bytes of a buffer.
 * @mirrors torch/csrc/StorageMethods.cpp
 */
import { storage_get, storage_set } from "#aten/StorageUtils";
import { DataPtr } from "#c10/core/Allocator";
import { Storage } from "#c10/core/Storage";
import { IndexError, RuntimeError, TORCH_CHECK, TypeError_, ValueError } from "#c10/util/Exception";
import { ByteSequence } from "#python/Objects/bytesobject";
import { type THPDtype, THPDtype_Check } from "./Dtype.ts";
import { python_type, THPUtils_checkLong, THPUtils_unpackLong } from "./utils/python_numbers.ts";

/** A slice of Python, as every index of the library has it. */
interface Slice {
  readonly start?: unknown;
  readonly stop?: unknown;
  readonly step?: unknown;
}

const is_slice = (index: unknown): index is Slice => typeof index === "object" && index !== null && "start" in index;

/** `PySlice_Unpack` and `PySlice_AdjustIndices`: the first byte of a slice and the one behind the last. */
function bounds({ start, stop, step }: Slice, nbytes: number): [start: number, stop: number] {
  const given = (value: unknown, otherwise: number): number => {
    if (value === null || value === undefined) return otherwise;
    if (!THPUtils_checkLong(value))
      throw new TypeError_("slice indices must be integers or None or have an __index__ method");
    const at = THPUtils_unpackLong(value);
    return Math.min(Math.max(at < 0 ? at + nbytes : at, 0), nbytes);
  };
  if (step !== null && step !== undefined && step !== 1)
    throw new RuntimeError(`Trying to slice with a step of ${String(step)}, but only a step of 1 is supported`);
  const from = given(start, 0);
  return [from, Math.max(given(stop, nbytes), from)];
}

/** The byte at an index; for a slice, a storage over its bytes, which shares them. */
export function THPStorage_get(self: Storage, index: unknown): number | Storage {
  const nbytes = self.nbytes();
  if (THPUtils_checkLong(index)) {
    let nindex = THPUtils_unpackLong(index);
    if (nindex < 0) nindex += nbytes;
    if (nindex < 0 || nindex >= nbytes)
      throw new IndexError(`index ${nindex} out of range for storage of size ${nbytes}`);
    return self.device().is_cpu() ? self.bytes()[nindex] : storage_get(self, nindex);
  }
  if (!is_slice(index)) throw new TypeError_(`can't index a torch.UntypedStorage with ${python_type(index)}`);
  const [start, stop] = bounds(index, nbytes);
  const { block, byteOffset, device } = self.data_ptr();
  TORCH_CHECK(block !== null, "a slice of a storage whose memory the host cannot read is not built");
  return Storage.fromDataPtr(
    stop - start,
    new DataPtr(block, byteOffset + start, device),
    self.allocator(),
    self.resizable(),
  );
}

function put(self: Storage, place: number, byte: number): void {
  if (self.device().is_cpu()) self.bytes()[place] = byte;
  else storage_set(self, place, byte);
}

/** Writes one byte, or the same byte to all of a slice. */
export function THPStorage_set(self: Storage, index: unknown, value: unknown): void {
  if (!THPUtils_checkLong(value))
    throw new RuntimeError(`can only set storage content with a int types, but got ${python_type(value)} instead`);
  const byte = THPUtils_unpackLong(value) & 0xff;
  const nbytes = self.nbytes();
  if (THPUtils_checkLong(index)) {
    const nindex = THPUtils_unpackLong(index);
    const place = nindex < 0 ? nindex + nbytes : nindex;
    if (place < 0 || place >= nbytes) throw new RuntimeError("out of bounds");
    put(self, place, byte);
    return;
  }
  if (!is_slice(index)) throw new RuntimeError(`can't index a torch.UntypedStorage with ${python_type(index)}`);
  const [start, stop] = bounds(index, nbytes);
  for (let place = start; place < stop; place++) put(self, place, byte);
}

/** The bytes behind a buffer of JavaScript, or behind Python's `bytes`; null for anything else. */
export function bytes_of_buffer(buffer: unknown): Uint8Array | null {
  if (buffer instanceof ByteSequence) return buffer.data;
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : null;
}

/** The arguments of `UntypedStorage.from_buffer`. */
export interface FromBuffer {
  readonly buffer: unknown;
  readonly byte_order: string | null;
  readonly count: number;
  readonly offset: number;
  readonly dtype: THPDtype | null;
}

/** The elements of a buffer in the byte order of the machine, as bytes of their own. */
export function THPStorage_fromBuffer({ buffer, byte_order, count, offset, dtype }: FromBuffer): Uint8Array {
  if (dtype === null) throw new RuntimeError("argument 'dtype' cannot be None");
  if (!THPDtype_Check(dtype)) throw new RuntimeError("argument 'dtype' must be of type torch.dtype");
  const { itemsize } = dtype;
  const one_byte = itemsize === 1 && !dtype.is_floating_point && dtype.name !== "bool";
  if (byte_order === null && !one_byte)
    throw new RuntimeError("function missing required argument 'byte_order' (pos 2)");
  if (byte_order !== null && !["native", "big", "little"].includes(byte_order))
    throw new ValueError(`invalid byte_order '${byte_order}' (expected 'big', 'little', or 'native')`);
  const bytes = bytes_of_buffer(buffer);
  if (bytes === null) throw new TypeError_(`a bytes-like object is required, not '${python_type(buffer)}'`);
  const { length } = bytes;
  // PyTorch gives both numbers in this order.
  if (offset < 0 || offset > length)
    throw new ValueError(
      `offset must be non-negative and no greater than buffer length (${offset}) , but got ${length}`,
    );
  if (count < 0 && (length - offset) % itemsize !== 0)
    throw new ValueError(`buffer size (${length}) must be a multiple of element size (${itemsize})`);
  const size = count < 0 ? length - offset : count * itemsize;
  if (offset + size > length)
    throw new ValueError(
      `buffer has only ${length - offset} elements after offset ${offset}, but specified a size of ${count}`,
    );
  const copy = bytes.slice(offset, offset + size);
  if (byte_order === "big")
    for (let at = 0; at < copy.length; at += itemsize) copy.subarray(at, at + itemsize).reverse();
  return copy;
}
