/**
 * @file The versions of the file format that can be read, and the one that is written.
 * @mirrors caffe2/serialize/versions.h
 */

export const kMinSupportedFileFormatVersion = 0x1;
export const kMaxSupportedFileFormatVersion = 0xa;
/** The version in a file of tensors; this format has been readable since PyTorch 1.6. */
export const kMinProducedFileFormatVersion = 0x3;
