/**
 * @file `DataLoader`: the batches of a dataset, `for (const [x, y] of loader)`.
 * @mirrors torch/utils/data/dataloader.py
 * @differs Our workers are threads, and each builds the dataset from the address of its module; PyTorch copies the object to processes.
 */
import { ValueError, warn } from "#c10/util/Exception";
import { Allocated } from "#python/Objects/allocated";
import { PyObject_IsTrue, PyObject_RichCompareBool, py_str, python_type, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Generator } from "#torch/types";
import { is_address, type ModuleAddress } from "#torch/utils/data/_utils/address";
import { default_collate, default_convert } from "#torch/utils/data/_utils/collate";
import { _DatasetKind, type AnyCollateFn } from "#torch/utils/data/_utils/fetch";
import { cpu_count } from "#torch/utils/data/_utils/machine";
import { len } from "#torch/utils/data/_utils/protocol";
import { type DatasetLike, is_stream } from "#torch/utils/data/dataset";
import { DatasetInWorkers } from "#torch/utils/data/dataset_in_workers";
import { BatchSampler, RandomSampler, Sampler, type SamplerLike, SequentialSampler } from "#torch/utils/data/sampler";
import { type _BaseDataLoaderIter, _SingleProcessDataLoaderIter } from "./iter.ts";
import { _MultiProcessingDataLoaderIter } from "./workers.ts";

/** Yields null forever: the "indices" of a dataset that has none. */
class _InfiniteConstantSampler extends Sampler<null> {
  override *__iter__(): IterableIterator<null> {
    for (;;) yield null;
  }
}

const DataLoader_init = new Init(
  "DataLoader.__init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False, pin_memory_device='', in_order=True)",
  types<
    [
      dataset: DatasetLike | ModuleAddress,
      batch_size: number | null,
      shuffle: boolean | null,
      sampler: SamplerLike | null,
      batch_sampler: SamplerLike<readonly unknown[]> | null,
      num_workers: number,
      collate_fn: AnyCollateFn | ModuleAddress | null,
      pin_memory: boolean,
      drop_last: boolean,
      timeout: number,
      worker_init_fn: WorkerInitFn | ModuleAddress | null,
      multiprocessing_context: string | null,
      generator: Generator | null,
      prefetch_factor: number | null,
      persistent_workers: boolean,
      pin_memory_device: string,
      in_order: boolean,
    ]
  >,
);

export type WorkerInitFn = (worker_id: number) => unknown;

/** Attributes that cannot be changed after construction, because others were derived from them. */
const FIXED = ["batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"] as const;

/**
 * Iterates over the batches of a dataset: in order, shuffled, or in the order of a sampler. Each `for` loop is a separate pass.
 * @throws {ValueError} if options exclude each other; the message names them.
 * @example
 * const loader = new torch.utils.data.DataLoader(new torch.utils.data.TensorDataset(torch.arange(4)), { batch_size: 2 });
 * for (const [x] of loader) console.log(String(x)); // tensor([0, 1]), tensor([2, 3])
 */
// biome-ignore lint/suspicious/noExplicitAny: the dataset and collate_fn determine the type of a batch
export class DataLoader<B = any> extends Allocated {
  declare readonly dataset: DatasetLike;
  /** Null: `batch_sampler` makes the batches, or there are none. */
  declare readonly batch_size: number | null;
  declare readonly drop_last: boolean;
  declare readonly sampler: SamplerLike;
  declare readonly batch_sampler: SamplerLike | null;
  declare readonly persistent_workers: boolean;
  num_workers: number;
  /** The number of batches that each worker prepares in advance; null without workers. */
  prefetch_factor: number | null;
  pin_memory: boolean;
  pin_memory_device: string;
  /** Seconds; 0 means no limit. */
  timeout: number;
  /** With workers: the address of a function that each worker calls with its number before it reads. */
  worker_init_fn: WorkerInitFn | ModuleAddress | null;
  in_order: boolean;
  generator: Generator | null;
  /** Makes a batch from a list of samples. With workers, a function runs in this thread, and one given by address in the workers. */
  collate_fn: AnyCollateFn;
  readonly _dataset_kind: number;
  /** The result of `len(dataset)` in the last `len(loader)`; it warns if a stream yields more samples. */
  _IterableDataset_len_called: number | null = null;
  private _multiprocessing_context: string | null;
  private _in_workers: DatasetInWorkers | null = null;
  /** The pass whose workers are kept, with `persistent_workers`. */
  private _iterator: _BaseDataLoaderIter<B> | null = null;

  static {
    def_methods(DataLoader, { __init__: DataLoader_init, check_worker_number_rationality: "(self)" });
  }

  constructor(...args: InitArgs<typeof DataLoader_init>) {
    const bound = DataLoader_init.bind(args);
    const [given, , , , , num_workers, collate_fn, pin_memory, drop_last] = bound;
    let [, batch_size, shuffle, sampler, batch_sampler] = bound;
    const [timeout, worker_init_fn, multiprocessing_context, generator] = bound.slice(9) as Rest;
    const [prefetch_factor, persistent_workers, pin_memory_device, in_order] = bound.slice(13) as Keywords;
    super();
    check_numbers(num_workers, timeout, prefetch_factor, persistent_workers);
    this.num_workers = Number(num_workers);
    this.prefetch_factor = num_workers > 0 ? (prefetch_factor ?? 2) : null;
    this.pin_memory = pin_memory;
    this.pin_memory_device = pin_memory_device;
    this.timeout = timeout;
    this.worker_init_fn = worker_init_fn;
    this._multiprocessing_context = check_context(multiprocessing_context, this.num_workers);
    this.in_order = in_order;

    const dataset = this.dataset_of(given);
    if (is_stream(dataset)) {
      this._dataset_kind = _DatasetKind.Iterable;
      refuse_with_stream("shuffle", shuffle, PyObject_IsTrue(shuffle));
      refuse_with_stream("sampler", sampler, sampler !== null);
      refuse_with_stream("batch_sampler", batch_sampler, batch_sampler !== null);
    } else {
      shuffle = PyObject_IsTrue(shuffle);
      this._dataset_kind = _DatasetKind.Map;
    }
    if (sampler !== null && shuffle) throw new ValueError("sampler option is mutually exclusive with shuffle");
    if (batch_sampler !== null) {
      if (batch_size !== 1 || shuffle || sampler !== null || drop_last) {
        throw new ValueError(
          "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last",
        );
      }
      batch_size = null;
    } else if (batch_size === null && drop_last) {
      throw new ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last");
    }
    sampler ??= this.default_sampler(dataset, shuffle === true, generator);
    if (batch_size !== null) batch_sampler = new BatchSampler(sampler, batch_size, drop_last);

    this.generator = generator;
    // An address is stored unchanged, because only workers call the function.
    this.collate_fn =
      (collate_fn as AnyCollateFn | null) ?? (batch_sampler !== null ? default_collate : default_convert);
    const fixed: Record<(typeof FIXED)[number], unknown> = {
      batch_size,
      batch_sampler,
      sampler,
      drop_last,
      dataset,
      persistent_workers,
    };
    for (const name of FIXED) this.fix(name, fixed[name]);
    if (this.num_workers > 0 && this._in_workers === null) throw cannot_share(dataset);
    this.check_worker_number_rationality();
  }

  /** The dataset itself, or a stand-in for a dataset that workers build. */
  private dataset_of(given: DatasetLike | ModuleAddress): DatasetLike {
    if (!is_address(given)) return given;
    if (this.num_workers === 0) {
      throw new ValueError(
        "DataLoader with num_workers=0 reads in this thread, and a dataset given as {module, export, args} is built by workers: " +
          "import the module and give the dataset itself",
      );
    }
    this._in_workers = new DatasetInWorkers(given);
    return this._in_workers.dataset;
  }

  private default_sampler(dataset: DatasetLike, shuffle: boolean, generator: Generator | null): SamplerLike {
    if (this._dataset_kind === _DatasetKind.Iterable) return new _InfiniteConstantSampler();
    const data_source = dataset as ArrayLike<unknown>; // by name, because a plain object may also be a dataset
    return shuffle ? new RandomSampler({ data_source, generator }) : new SequentialSampler({ data_source });
  }

  private fix(name: string, value: unknown): void {
    const set = (): never => {
      throw new ValueError(`${name} attribute should not be set after ${this.constructor.name} is initialized`);
    };
    Object.defineProperty(this, name, { get: () => value, set, enumerable: true });
  }

  get multiprocessing_context(): string | null {
    return this._multiprocessing_context;
  }

  set multiprocessing_context(context: string | null) {
    this._multiprocessing_context = check_context(context, this.num_workers);
  }

  private _get_iterator(): _BaseDataLoaderIter<B> {
    if (this._in_workers === null) return new _SingleProcessDataLoaderIter<B>(this);
    this.check_worker_number_rationality();
    return new _MultiProcessingDataLoaderIter<B>(this, this._in_workers);
  }

  /** Begins a pass over all batches. */
  __iter__(): _BaseDataLoaderIter<B> {
    if (!this.persistent_workers || this.num_workers === 0) return this._get_iterator();
    if (this._iterator === null) this._iterator = this._get_iterator();
    else this._iterator._reset(this);
    return this._iterator;
  }

  [Symbol.iterator](): _BaseDataLoaderIter<B> {
    return this.__iter__();
  }

  /** Whether samples are collated to batches. */
  get _auto_collation(): boolean {
    return this.batch_sampler !== null;
  }

  /** The sampler of the pass: it yields an index, or a list of indices, for each fetch. */
  get _index_sampler(): SamplerLike {
    return this.batch_sampler ?? this.sampler;
  }

  /** The number of batches; for a stream, computed from its `__len__`. */
  __len__(): number {
    if (this._dataset_kind === _DatasetKind.Map) return len(this._index_sampler);
    const length = len(this.dataset);
    this._IterableDataset_len_called = length;
    if (this.batch_size === null) return length;
    return this.drop_last ? Math.floor(length / this.batch_size) : Math.ceil(length / this.batch_size);
  }

  /** `len(loader)` in JavaScript's spelling. */
  get length(): number {
    return this.__len__();
  }

  /** Warns if there are more workers than the machine can run at once. */
  check_worker_number_rationality(): void {
    if (this.num_workers === 0) return;
    const suggested = cpu_count();
    if (suggested !== null && this.num_workers <= suggested) return;
    const suggestion =
      suggested === null
        ? "DataLoader is not able to compute a suggested max number of worker in current system."
        : `Our suggested max number of worker in current system is ${suggested}, which is smaller than what this DataLoader is going to create.`;
    warn(
      "UserWarning",
      `This DataLoader will create ${this.num_workers} worker processes in total. ${suggestion} ` +
        "Please be aware that excessive worker creation might get DataLoader running slow or even freeze, " +
        "lower the worker number to avoid potential slowness/freeze if necessary.",
    );
  }
}

type Rest = [number, WorkerInitFn | ModuleAddress | null, string | null, Generator | null];
type Keywords = [number | null, boolean, string, boolean];

function check_numbers(
  num_workers: number,
  timeout: number,
  prefetch_factor: number | null,
  persistent_workers: boolean,
): void {
  if (PyObject_RichCompareBool(num_workers, "<", 0, "int")) {
    throw new ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.");
  }
  if (PyObject_RichCompareBool(timeout, "<", 0, "int")) throw new ValueError("timeout option should be non-negative");
  if (prefetch_factor !== null && Number(num_workers) === 0) {
    throw new ValueError(
      "prefetch_factor option could only be specified in multiprocessing." +
        "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None.",
    );
  }
  if (prefetch_factor !== null && PyObject_RichCompareBool(prefetch_factor, "<", 0, "int"))
    throw new ValueError("prefetch_factor option should be non-negative");
  if (PyObject_IsTrue(persistent_workers) && Number(num_workers) === 0)
    throw new ValueError("persistent_workers option needs num_workers > 0");
}

function cannot_share(dataset: unknown): ValueError {
  return new ValueError(
    `DataLoader with num_workers > 0 reads in worker threads, which cannot share a ${python_type(dataset)} with this one: ` +
      "give the dataset as {module, export, args}: the address of a module, the name of an export, and its arguments, so that each " +
      "worker builds its own copy.",
  );
}

/** The single way to start a worker here. */
const START_METHODS = ["thread"];

function check_context(context: string | null, num_workers: number): string | null {
  if (context === null) return null;
  if (num_workers === 0) {
    throw new ValueError(
      `multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=${num_workers}`,
    );
  }
  if (START_METHODS.includes(context)) return context;
  throw new ValueError(
    `multiprocessing_context option should specify a valid start method in ${repr(START_METHODS)}, but got multiprocessing_context=${repr(context)}`,
  );
}

function refuse_with_stream(option: string, value: unknown, given: boolean): void {
  if (!given) return;
  throw new ValueError(
    `DataLoader with IterableDataset: expected unspecified ${option} option, but got ${option}=${py_str(value)}`,
  );
}
