/**
 * @file The records of a zip file: which fields stand where. Little-endian, sizes and offsets in bytes.
 * @original PyTorch has the library miniz for it; here inflating and deflating are fflate's, and the rest is written by hand, since every
 * byte is to be PyTorch's.
 */

export const kLocalHeaderSignature = 0x04034b50;
export const kCentralHeaderSignature = 0x02014b50;
export const kDataDescriptorSignature = 0x08074b50;
export const kEndOfCentralDirectorySignature = 0x06054b50;
export const kZip64EndSignature = 0x06064b50;
export const kZip64LocatorSignature = 0x07064b50;

export const kLocalHeaderSize = 30;
export const kCentralHeaderSize = 46;
export const kEndOfCentralDirectorySize = 22;
export const kZip64EndSize = 56;
export const kZip64LocatorSize = 20;

/** In a 32-bit field: the value stands in the zip64 extra field. */
export const kUint32Max = 0xffffffff;
export const kUint16Max = 0xffff;
export const kZip64ExtraField = 0x0001;

export const kMethodStored = 0;
export const kMethodDeflated = 8;

export const kFlagEncrypted = 0x0001;
/** The local header has no sum and no sizes; they follow the data. */
export const kFlagDataDescriptor = 0x0008;
export const kFlagUtf8 = 0x0800;

/** One file of the archive, as the central directory tells of it. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressed_size: number;
  readonly size: number;
  readonly header_offset: number;
}

/** Reads and writes numbers in their order. A field of 64 bits is a number: no file is that long. */
export class Fields {
  private readonly view: DataView;
  pos: number;

  constructor(bytes: Uint8Array, pos = 0) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.pos = pos;
  }

  u16(): number {
    this.pos += 2;
    return this.view.getUint16(this.pos - 2, true);
  }

  u32(): number {
    this.pos += 4;
    return this.view.getUint32(this.pos - 4, true);
  }

  u64(): number {
    this.pos += 8;
    return Number(this.view.getBigUint64(this.pos - 8, true));
  }

  put16(value: number): this {
    this.view.setUint16(this.pos, value, true);
    this.pos += 2;
    return this;
  }

  put32(value: number): this {
    this.view.setUint32(this.pos, value, true);
    this.pos += 4;
    return this;
  }

  put64(value: number): this {
    this.view.setBigUint64(this.pos, BigInt(value), true);
    this.pos += 8;
    return this;
  }
}
