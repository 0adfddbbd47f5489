/**
 * @file The MNIST digits, from the four files of their authors: big-endian numbers that say what follows, then one byte for each pixel or label.
 *
 *   train-images-idx3-ubyte:  2051, 60000, 28, 28, pixels      t10k-images-idx3-ubyte:  2051, 10000, 28, 28, pixels
 *   train-labels-idx1-ubyte:  2049, 60000, labels              t10k-labels-idx1-ubyte:  2049, 10000, labels
 * @mirrors torch/csrc/api/include/torch/data/datasets/mnist.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { node_fs } from "#caffe2/serialize/node_fs";
import { tensor_from_numpy } from "../../../utils/tensor_numpy.ts";
import { Example } from "../example.ts";
import { Dataset } from "./base.ts";

/** Which part of the digits is read. */
export const Mode = { kTrain: "kTrain", kTest: "kTest" } as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

const SIZE = { kTrain: 60000, kTest: 10000 } as const;
const PREFIX = { kTrain: "train", kTest: "t10k" } as const;
const IMAGE_MAGIC_NUMBER = 2051;
const TARGET_MAGIC_NUMBER = 2049;
const ROWS = 28;
const COLUMNS = 28;

/** The bytes of a file. @param kind how a message calls it */
function bytes_of(root: string, name: string, kind: string): Uint8Array {
  const path = root.endsWith("/") ? root + name : `${root}/${name}`;
  const fs = node_fs();
  let bytes: Uint8Array | null = null;
  try {
    bytes = fs.readFileSync(path);
  } catch {
    // The check below says which file is missing.
  }
  TORCH_CHECK(bytes !== null, "Error opening ", kind, " file at ", path);
  return bytes;
}

/** The data behind a header, after a check of the header's numbers. A file that is too short is filled with zeros. */
function data_after(bytes: Uint8Array, header: readonly number[], count: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [i, expected] of header.entries()) {
    TORCH_INTERNAL_ASSERT(4 * i + 4 <= bytes.length);
    const value = view.getUint32(4 * i);
    TORCH_CHECK(value === expected, "Expected to read number ", expected, " but found ", value, " instead");
  }
  const begin = 4 * header.length;
  const data = new Uint8Array(count);
  data.set(bytes.subarray(begin, begin + count));
  return data;
}

function read_images(root: string, mode: Mode): Tensor {
  const count = SIZE[mode];
  const bytes = bytes_of(root, `${PREFIX[mode]}-images-idx3-ubyte`, "images");
  const data = data_after(bytes, [IMAGE_MAGIC_NUMBER, count, ROWS, COLUMNS], count * ROWS * COLUMNS);
  return tensor_from_numpy(data)
    .view([count, 1, ROWS, COLUMNS])
    .to_dtype(ScalarType.Float)
    .div__Scalar(Scalar.fromInt(255));
}

function read_targets(root: string, mode: Mode): Tensor {
  const bytes = bytes_of(root, `${PREFIX[mode]}-labels-idx1-ubyte`, "targets");
  return tensor_from_numpy(data_after(bytes, [TARGET_MAGIC_NUMBER, SIZE[mode]], SIZE[mode])).to_dtype(ScalarType.Long);
}

/** Images `(1, 28, 28)` between 0 and 1, and their digits. */
export class MNIST extends Dataset<Example> {
  static readonly Mode = Mode;
  private readonly images_: Tensor;
  private readonly targets_: Tensor;

  /** @param root the folder with the files, which must not be compressed */
  constructor(root: string, mode: Mode = Mode.kTrain) {
    super();
    this.images_ = read_images(root, mode);
    this.targets_ = read_targets(root, mode);
  }
  override get(index: number): Example {
    return new Example(this.images_.select_int(0, index), this.targets_.select_int(0, index));
  }
  override size(): number {
    return this.images_.size(0);
  }
  is_train(): boolean {
    return this.images_.size(0) === SIZE.kTrain;
  }
  /** All images, `(N, 1, 28, 28)`. */
  images(): Tensor {
    return this.images_;
  }
  /** All digits, `(N)`. */
  targets(): Tensor {
    return this.targets_;
  }
}
