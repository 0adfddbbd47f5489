/**
 * @file Fetchers: reading samples from a dataset, by index or as a stream, and collating them; workers use them, too.
 * @mirrors torch/utils/data/_utils/fetch.py
 * @differs Ours returns the end of a stream as a result, like JavaScript's iterators; PyTorch raises StopIteration.
 */
import { TypeError_ } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { get_item, iter, len, method_of } from "./protocol.ts";

// biome-ignore lint/suspicious/noExplicitAny: samples and batches have any type
export type Fetched = IteratorResult<any, undefined>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyCollateFn = (data: any) => any;

export const END: Fetched = { done: true, value: undefined };

/** Base class of the fetchers for both kinds of datasets. */
abstract class _BaseDatasetFetcher {
  protected readonly dataset: unknown;
  protected readonly auto_collation: boolean;
  protected readonly collate_fn: AnyCollateFn;
  protected readonly drop_last: boolean;

  constructor(dataset: unknown, auto_collation: boolean, collate_fn: AnyCollateFn, drop_last: boolean) {
    this.dataset = dataset;
    this.auto_collation = auto_collation;
    this.collate_fn = collate_fn;
    this.drop_last = drop_last;
  }

  /** @param possibly_batched_index a list of indices with `auto_collation`, else one index */
  abstract fetch(possibly_batched_index: unknown): Fetched;

  protected collate(data: unknown): unknown {
    const { collate_fn } = this;
    if (typeof collate_fn !== "function") throw new TypeError_(`'${python_type(collate_fn)}' object is not callable`);
    return collate_fn(data);
  }
}

export type DatasetFetcher = _BaseDatasetFetcher;

/** Reads as many samples from a stream as there are indices; their values are ignored. */
class _IterableDatasetFetcher extends _BaseDatasetFetcher {
  private readonly dataset_iter: Iterator<unknown>;
  private ended = false;

  constructor(...args: ConstructorParameters<typeof _BaseDatasetFetcher>) {
    super(...args);
    this.dataset_iter = iter(this.dataset);
  }

  override fetch(possibly_batched_index: unknown): Fetched {
    if (this.ended) return END;
    if (!this.auto_collation) {
      const next = this.dataset_iter.next();
      return next.done === true ? END : { done: false, value: this.collate(next.value) };
    }
    const wanted = len(possibly_batched_index);
    const data: unknown[] = [];
    while (data.length < wanted && !this.ended) {
      const next = this.dataset_iter.next();
      if (next.done === true) this.ended = true;
      else data.push(next.value);
    }
    if (data.length === 0 || (this.drop_last && data.length < wanted)) return END;
    return { done: false, value: this.collate(data) };
  }
}

class _MapDatasetFetcher extends _BaseDatasetFetcher {
  override fetch(possibly_batched_index: unknown): Fetched {
    return { done: false, value: this.collate(this.read(possibly_batched_index)) };
  }

  private read(index: unknown): unknown {
    if (!this.auto_collation) return get_item(this.dataset, index);
    const getitems = method_of(this.dataset, "__getitems__");
    if (getitems !== null) return getitems.call(this.dataset, index);
    const data: unknown[] = [];
    const indices = iter(index);
    for (let next = indices.next(); next.done !== true; next = indices.next())
      data.push(get_item(this.dataset, next.value));
    return data;
  }
}

/** The kinds of datasets: read by index, or as a stream. */
export const _DatasetKind = {
  Map: 0,
  Iterable: 1,
  create_fetcher(
    kind: number,
    ...args: [dataset: unknown, auto_collation: boolean, collate_fn: AnyCollateFn, drop_last: boolean]
  ): DatasetFetcher {
    return kind === _DatasetKind.Map ? new _MapDatasetFetcher(...args) : new _IterableDatasetFetcher(...args);
  },
} as const;
