/**
 * @file Datasets: they give the examples at some positions, and can be mapped by transforms.
 * @mirrors torch/csrc/api/include/torch/data/datasets/base.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { InputArchive } from "../../serialize/input-archive.ts";
import type { OutputArchive } from "../../serialize/output-archive.ts";
import { TensorExample } from "../example.ts";
import type { BatchTransform } from "../transforms.ts";

/** A dataset of batches; `Request` says which: mostly positions. */
export abstract class BatchDataset<Batch, Request = readonly number[]> {
  abstract get_batch(request: Request): Batch;
  /** The number of examples, or null if it is not known. */
  abstract size(): number | null;
  /** Whether it is one of those that choose the examples themselves, or stands before one: then it is a `Stateful`. */
  is_stateful(): boolean {
    return false;
  }
  /** A dataset whose batches pass a transform. */
  map<Output>(transform: BatchTransform<NonNullable<Batch>, Output>): MapDataset<Batch, Output, Request> {
    return new MapDataset(this, transform);
  }
}

/** The part of a dataset with a state that others do not have. */
export interface Stateful {
  /** Begins an epoch. */
  reset(): void;
  save(archive: OutputArchive): void;
  load(archive: InputArchive): void;
}

function stateful(dataset: object): Stateful {
  TORCH_CHECK("reset" in dataset, "this dataset has no state");
  return dataset as Stateful;
}

/** A dataset whose examples can be got one by one. */
export abstract class Dataset<E> extends BatchDataset<E[]> {
  abstract get(index: number): E;
  override get_batch(indices: readonly number[]): E[] {
    return indices.map((index) => this.get(index));
  }
}

/** The rows of a tensor. */
export class TensorDataset extends Dataset<TensorExample> {
  readonly tensor: Tensor;

  constructor(tensor: Tensor) {
    super();
    this.tensor = tensor;
  }
  override get(index: number): TensorExample {
    return new TensorExample(this.tensor.select_int(0, index));
  }
  override size(): number {
    return this.tensor.size(0);
  }
}

/** A dataset over another, whose state is the other's. */
abstract class OverDataset<Batch, Request, Output> extends BatchDataset<Output, Request> implements Stateful {
  protected readonly dataset_: BatchDataset<Batch, Request>;

  constructor(dataset: BatchDataset<Batch, Request>) {
    super();
    this.dataset_ = dataset;
  }
  override size(): number | null {
    return this.dataset_.size();
  }
  override is_stateful(): boolean {
    return this.dataset_.is_stateful();
  }
  reset(): void {
    stateful(this.dataset_).reset();
  }
  save(archive: OutputArchive): void {
    stateful(this.dataset_).save(archive);
  }
  load(archive: InputArchive): void {
    stateful(this.dataset_).load(archive);
  }
}

export class MapDataset<Batch, Output, Request> extends OverDataset<Batch, Request, Output | Extract<Batch, null>> {
  private readonly transform_: BatchTransform<NonNullable<Batch>, Output>;

  constructor(dataset: BatchDataset<Batch, Request>, transform: BatchTransform<NonNullable<Batch>, Output>) {
    super(dataset);
    this.transform_ = transform;
  }
  /** The end of a dataset with a state, null, is not transformed. */
  override get_batch(request: Request): Output | Extract<Batch, null> {
    const batch = this.dataset_.get_batch(request);
    return batch === null || batch === undefined ? (batch as Extract<Batch, null>) : this.transform_.apply_batch(batch);
  }
  dataset(): BatchDataset<Batch, Request> {
    return this.dataset_;
  }
  transform(): BatchTransform<NonNullable<Batch>, Output> {
    return this.transform_;
  }
}

/** A dataset that decides itself what comes next, such as a stream. `get_batch` takes a size and returns null at the end. */
export abstract class StatefulDataset<Batch> extends BatchDataset<Batch | null, number> implements Stateful {
  override is_stateful(): boolean {
    return true;
  }
  abstract reset(): void;
  abstract save(archive: OutputArchive): void;
  abstract load(archive: InputArchive): void;
}

/** A dataset that several loaders share. References are shared in JavaScript, so it only passes calls on. */
export class SharedBatchDataset<Batch, Request> extends OverDataset<Batch, Request, Batch> {
  constructor(dataset: BatchDataset<Batch, Request>) {
    TORCH_CHECK(dataset !== null, "the dataset must not be null");
    super(dataset);
  }
  override get_batch(request: Request): Batch {
    return this.dataset_.get_batch(request);
  }
}

export function make_shared_dataset<Batch, Request>(
  dataset: BatchDataset<Batch, Request>,
): SharedBatchDataset<Batch, Request> {
  return new SharedBatchDataset(dataset);
}
