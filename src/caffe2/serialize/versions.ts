/**
 * @file Which versions of the file format can be read, and which is written.
 * @mirrors caffe2/serialize/versions.h
 */

export const kMinSupportedFileFormatVersion = 0x1;
export const kMaxSupportedFileFormatVersion = 0xa;
/** What a file of tensors says: it has been read so since PyTorch 1.6. */
export const kMinProducedFileFormatVersion = 0x3;
