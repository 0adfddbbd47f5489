/**
 * @file The data loader: a sampler says which examples, a dataset gives them, and a loop takes batch after batch.
 *
 *   const loader = make_data_loader(dataset.map(new Stack()), DataLoaderOptions().batch_size(64));
 *   for (const batch of loader) ...
 * @mirrors torch/csrc/api/include/torch/data/dataloader.h
 * @differs There are no threads: `workers`, `max_jobs`, `timeout` and `enforce_ordering` are kept and have no effect.
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import {
  as_options,
  bool,
  int64,
  type Made,
  OptionsBase,
  optional_double,
  optional_int,
  TORCH_OPTIONS,
} from "../arg.ts";
import type { BatchDataset, Stateful } from "./datasets/base.ts";
import { RandomSampler, type Sampler } from "./samplers.ts";

export const DataLoaderOptions = TORCH_OPTIONS("DataLoaderOptions", ["batch_size"], {
  batch_size: int64(1),
  workers: int64(0),
  max_jobs: optional_int,
  timeout: optional_double,
  enforce_ordering: bool(true),
  drop_last: bool(false),
});
export type DataLoaderOptions = Made<typeof DataLoaderOptions>;

export abstract class DataLoaderBase<Batch> {
  private readonly options_: DataLoaderOptions;
  private in_use_ = false;

  constructor(options: DataLoaderOptions) {
    this.options_ = as_options(DataLoaderOptions, [options]);
  }
  options(): DataLoaderOptions {
    return this.options_;
  }
  protected abstract reset(): void;
  /** The next batch, or null at the end. */
  protected abstract next(): Batch | null;

  /** Begins an epoch. */
  *[Symbol.iterator](): IterableIterator<Batch> {
    TORCH_CHECK(
      !this.in_use_,
      "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted",
    );
    this.in_use_ = true;
    try {
      this.reset();
      for (let batch = this.next(); batch !== null; batch = this.next()) yield batch;
    } finally {
      this.in_use_ = false;
    }
  }
}

/** Loader of a dataset without a state: the sampler chooses the examples. */
export class StatelessDataLoader<Batch, Request> extends DataLoaderBase<Batch> {
  private readonly dataset_: BatchDataset<Batch, Request>;
  private readonly sampler_: Sampler<Request>;

  constructor(dataset: BatchDataset<Batch, Request>, sampler: Sampler<Request>, options: DataLoaderOptions) {
    super(options);
    this.dataset_ = dataset;
    this.sampler_ = sampler;
  }
  protected override reset(): void {
    this.sampler_.reset();
  }
  protected override next(): Batch | null {
    const [batch_size, drop_last] = [this.options().batch_size(), this.options().drop_last()];
    const request = this.sampler_.next(batch_size);
    const size = Array.isArray(request) ? request.length : request;
    if (request === null || ((size as number) < batch_size && drop_last)) return null;
    return this.dataset_.get_batch(request);
  }
}

/** Loader of a dataset that chooses the examples itself. */
export class StatefulDataLoader<Batch> extends DataLoaderBase<Batch> {
  private readonly dataset_: BatchDataset<Batch | null, number> & Stateful;

  constructor(dataset: BatchDataset<Batch | null, number> & Stateful, options: DataLoaderOptions) {
    super(options);
    this.dataset_ = dataset;
  }
  protected override reset(): void {
    this.dataset_.reset();
  }
  protected override next(): Batch | null {
    return this.dataset_.get_batch(this.options().batch_size());
  }
}

/**
 * Makes a loader.
 * @param sampler left out for random order
 */
export function make_data_loader<Batch>(
  dataset: BatchDataset<Batch | null, number> & Stateful,
  options?: DataLoaderOptions,
): StatefulDataLoader<Batch>;
export function make_data_loader<Batch>(
  dataset: BatchDataset<Batch>,
  options?: DataLoaderOptions,
): StatelessDataLoader<Batch, readonly number[]>;
export function make_data_loader<Batch, Request>(
  dataset: BatchDataset<Batch, Request>,
  sampler: Sampler<Request>,
  options?: DataLoaderOptions,
): StatelessDataLoader<Batch, Request>;
export function make_data_loader<Batch>(
  dataset: BatchDataset<Batch> | (BatchDataset<Batch | null, number> & Stateful),
  first: Sampler<readonly number[]> | DataLoaderOptions = DataLoaderOptions(),
  second: DataLoaderOptions = DataLoaderOptions(),
): DataLoaderBase<Batch> {
  const given_options = first instanceof OptionsBase;
  const options = given_options ? (first as DataLoaderOptions) : second;
  if (dataset.is_stateful())
    return new StatefulDataLoader(dataset as BatchDataset<Batch | null, number> & Stateful, options);
  const stateless = dataset as BatchDataset<Batch>;
  if (!given_options) return new StatelessDataLoader(stateless, first as Sampler<readonly number[]>, options);
  const size = dataset.size();
  TORCH_CHECK(size !== null, "Expected the dataset to be sized in order to construct the Sampler");
  return new StatelessDataLoader(stateless, new RandomSampler(size), options);
}
