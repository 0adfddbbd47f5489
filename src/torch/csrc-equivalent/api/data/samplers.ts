/**
 * @file Samplers: they say which examples the next batch has.
 * @mirrors torch/csrc/api/include/torch/data/samplers.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { InputArchive } from "../serialize/input-archive.ts";
import type { OutputArchive } from "../serialize/output-archive.ts";

const long = (value: number): Tensor => at.full([], Scalar.fromInt(value), new TensorOptions(ScalarType.Long));
const read_number = (archive: InputArchive, key: string): number =>
  Number(archive.read(key, undefined, true).item().toLong());

/** `Request` is what a dataset's `get_batch` takes. */
export abstract class Sampler<Request = number[]> {
  /** Begins an epoch. @param new_size the number of examples, if it changed */
  abstract reset(new_size?: number | null): void;
  /** The request for a batch, or null at the end of the epoch. */
  abstract next(batch_size: number): Request | null;
  abstract save(archive: OutputArchive): void;
  abstract load(archive: InputArchive): void;
}

/** Every example once, in random order. */
export class RandomSampler extends Sampler {
  private indices_: Tensor;
  private index_ = 0;

  constructor(size: number, index_dtype: ScalarType = ScalarType.Long) {
    super();
    this.indices_ = at.randperm(size, new TensorOptions(index_dtype));
  }
  override reset(new_size: number | null = null): void {
    const size = new_size ?? this.indices_.numel();
    this.indices_ = at.randperm(size, new TensorOptions(this.indices_.scalar_type()));
    this.index_ = 0;
  }
  override next(batch_size: number): number[] | null {
    const end = Math.min(this.index_ + batch_size, this.indices_.numel());
    if (this.index_ === end) return null;
    const indices: number[] = [];
    for (; this.index_ < end; this.index_++)
      indices.push(Number(this.indices_.select_int(0, this.index_).item().toLong()));
    return indices;
  }
  override save(archive: OutputArchive): void {
    archive.write("index", long(this.index_), true);
    archive.write("indices", this.indices_, true);
  }
  override load(archive: InputArchive): void {
    const index = read_number(archive, "index");
    this.indices_ = archive.read("indices", undefined, true);
    this.index_ = index;
  }
  /** How many examples have been given. */
  index(): number {
    return this.index_;
  }
}

/** Every example once, in order. */
export class SequentialSampler extends Sampler {
  private size_: number;
  private index_ = 0;

  constructor(size: number) {
    super();
    this.size_ = size;
  }
  override reset(new_size: number | null = null): void {
    if (new_size !== null) this.size_ = new_size;
    this.index_ = 0;
  }
  override next(batch_size: number): number[] | null {
    const count = Math.min(batch_size, this.size_ - this.index_);
    if (count <= 0) return null;
    this.index_ += count;
    return Array.from({ length: count }, (_, i) => this.index_ - count + i);
  }
  override save(archive: OutputArchive): void {
    archive.write("index", long(this.index_), true);
  }
  override load(archive: InputArchive): void {
    this.index_ = read_number(archive, "index");
  }
  index(): number {
    return this.index_;
  }
}

/** Sizes of batches, for datasets that choose the examples themselves. */
export class StreamSampler extends Sampler<number> {
  private epoch_size_: number;
  private examples_retrieved_so_far_ = 0;

  constructor(epoch_size: number) {
    super();
    this.epoch_size_ = epoch_size;
  }
  override reset(new_size: number | null = null): void {
    if (new_size !== null) this.epoch_size_ = new_size;
    this.examples_retrieved_so_far_ = 0;
  }
  override next(batch_size: number): number | null {
    TORCH_CHECK(this.examples_retrieved_so_far_ <= this.epoch_size_);
    if (this.examples_retrieved_so_far_ === this.epoch_size_) return null;
    const size = Math.min(batch_size, this.epoch_size_ - this.examples_retrieved_so_far_);
    this.examples_retrieved_so_far_ += size;
    return size;
  }
  override save(archive: OutputArchive): void {
    archive.write("examples_retrieved_so_far", long(this.examples_retrieved_so_far_), true);
  }
  override load(archive: InputArchive): void {
    this.examples_retrieved_so_far_ = read_number(archive, "examples_retrieved_so_far");
  }
}

/** Each of several programs gets a part of the examples, in order. */
export class DistributedSequentialSampler extends Sampler {
  private size_: number;
  private readonly num_replicas_: number;
  private readonly rank_: number;
  private readonly allow_duplicates_: boolean;
  private epoch_ = 0;
  private begin_index_ = 0;
  private end_index_ = 0;
  private sample_index_ = 0;

  /** @param allow_duplicates whether some examples come twice, so that all parts have the same size; otherwise some are left out */
  constructor(size: number, num_replicas = 1, rank = 0, allow_duplicates = true) {
    super();
    this.size_ = size;
    this.num_replicas_ = num_replicas;
    this.rank_ = rank;
    this.allow_duplicates_ = allow_duplicates;
    this.reset();
  }
  set_epoch(epoch: number): void {
    this.epoch_ = epoch;
  }
  epoch(): number {
    return this.epoch_;
  }
  override reset(new_size: number | null = null): void {
    this.size_ = new_size ?? this.size_;
    const parts = this.size_ / this.num_replicas_;
    const count = this.allow_duplicates_ ? Math.ceil(parts) : Math.floor(parts);
    this.begin_index_ = this.rank_ * count;
    this.end_index_ = this.begin_index_ + count;
    this.sample_index_ = this.begin_index_;
  }
  override next(batch_size: number): number[] | null {
    if (this.sample_index_ === this.end_index_) return null;
    const end = Math.min(this.sample_index_ + batch_size, this.end_index_);
    const indices: number[] = [];
    for (; this.sample_index_ < end; this.sample_index_++) indices.push(this.sample_index_ % this.size_);
    return indices;
  }
  override save(archive: OutputArchive): void {
    archive.write("sample_index_", long(this.sample_index_), true);
    archive.write("epoch_", long(this.epoch_), true);
  }
  override load(archive: InputArchive): void {
    const sample_index = read_number(archive, "sample_index_");
    this.epoch_ = read_number(archive, "epoch_");
    this.sample_index_ = sample_index;
  }
  index(): number {
    return this.sample_index_;
  }
}
