/**
 * @file One pass over the batches of a loader: the base class, and the pass that reads in the caller's thread.
 * @mirrors torch/utils/data/dataloader.py
 * @see workers.ts: the pass that has workers read
 */
import { AssertionError, warn } from "#c10/util/Exception";
import { repr } from "#torch/_C";
import { record_function } from "#torch/autograd/profiler";
import {
  _DatasetKind,
  type AnyCollateFn,
  type DatasetFetcher,
  END,
  type Fetched,
} from "#torch/utils/data/_utils/fetch";
import { iter, len } from "#torch/utils/data/_utils/protocol";
import { draw_seed, type SamplerLike } from "#torch/utils/data/sampler";
import type { DataLoader } from "./index.ts";

/** A batch, which may have any type. */
// biome-ignore lint/suspicious/noExplicitAny: as above
type Batch = any;

export abstract class _BaseDataLoaderIter<B = Batch> implements IterableIterator<B> {
  protected readonly _dataset: unknown;
  protected readonly _dataset_kind: number;
  protected _IterableDataset_len_called: number | null;
  protected readonly _auto_collation: boolean;
  protected readonly _drop_last: boolean;
  protected readonly _index_sampler: SamplerLike;
  protected readonly _num_workers: number;
  protected readonly _timeout: number;
  protected readonly _collate_fn: AnyCollateFn;
  protected _sampler_iter: Iterator<unknown>;
  /**
   * The base seed: worker k uses this seed plus k. It is drawn in every pass, also without workers, so that the shuffle after it is the
   * same.
   */
  protected readonly _base_seed: number | bigint;
  protected readonly _persistent_workers: boolean;
  protected _num_yielded = 0;
  private readonly _profile_name: string;

  constructor(loader: DataLoader<B>) {
    this._dataset = loader.dataset;
    this._dataset_kind = loader._dataset_kind;
    this._IterableDataset_len_called = loader._IterableDataset_len_called;
    this._auto_collation = loader._auto_collation;
    this._drop_last = loader.drop_last;
    this._index_sampler = loader._index_sampler;
    this._num_workers = loader.num_workers;
    warn_of_pinning(loader);
    this._timeout = loader.timeout;
    this._collate_fn = loader.collate_fn;
    this._sampler_iter = iter(this._index_sampler);
    this._base_seed = draw_seed(loader.generator);
    this._persistent_workers = loader.persistent_workers;
    this._profile_name = `enumerate(DataLoader)#${this.constructor.name}.__next__`;
  }

  __iter__(): this {
    return this;
  }

  [Symbol.iterator](): this {
    return this;
  }

  _reset(loader: DataLoader<B>, _first_iter = false): void {
    this._sampler_iter = iter(this._index_sampler);
    this._num_yielded = 0;
    this._IterableDataset_len_called = loader._IterableDataset_len_called;
  }

  protected _next_index(): IteratorResult<unknown> {
    return this._sampler_iter.next();
  }

  protected abstract _next_data(): Fetched;

  /** The next batch. */
  next(): IteratorResult<B, undefined> {
    return record_function(this._profile_name, () => this.next_on_record());
  }

  private next_on_record(): Fetched {
    const data = this._next_data();
    if (data.done === true) return data;
    this._num_yielded++;
    const said = this._IterableDataset_len_called;
    if (this._dataset_kind === _DatasetKind.Iterable && said !== null && this._num_yielded > said) {
      let message =
        `Length of IterableDataset ${repr(this._dataset)} was reported to be ${said}` +
        `(when accessing len(dataloader)), but ${this._num_yielded} samples have been fetched. `;
      if (this._num_workers > 0) {
        message +=
          "For multiprocessing data-loading, this could be caused by not properly configuring the " +
          "IterableDataset replica at each worker. Please see " +
          "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset for examples.";
      }
      warn("UserWarning", message);
    }
    return data;
  }

  __len__(): number {
    return len(this._index_sampler);
  }

  /** `len` in JavaScript's spelling. */
  get length(): number {
    return this.__len__();
  }
}

/** Warns about `pin_memory`, which only serves copies to an accelerator. */
function warn_of_pinning({ pin_memory, pin_memory_device }: DataLoader): void {
  if (!pin_memory) return;
  if (pin_memory_device) {
    warn(
      "UserWarning",
      "pin_memory_device is deprecated, the current accelerator will be used as the device," +
        `ignore pin_memory_device='${pin_memory_device}'.`,
    );
  }
  warn(
    "UserWarning",
    "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
  );
}

export class _SingleProcessDataLoaderIter<B = Batch> extends _BaseDataLoaderIter<B> {
  private readonly _dataset_fetcher: DatasetFetcher;

  constructor(loader: DataLoader<B>) {
    super(loader);
    if (this._timeout !== 0) throw new AssertionError("_SingleProcessDataLoaderIter requires timeout == 0");
    if (this._num_workers !== 0) throw new AssertionError("_SingleProcessDataLoaderIter requires num_workers == 0");
    this._dataset_fetcher = _DatasetKind.create_fetcher(
      this._dataset_kind,
      this._dataset,
      this._auto_collation,
      this._collate_fn,
      this._drop_last,
    );
  }

  protected override _next_data(): Fetched {
    const index = this._next_index();
    return index.done === true ? END : this._dataset_fetcher.fetch(index.value);
  }
}
