/**
 * @file Datasets: objects that return a sample for an index, or a stream of samples, and combinations of them.
 * @mirrors torch/utils/data/dataset.py
 * @differs Ours returns an array as a tuple, and an array, a Map, a tensor or any object with `__getitem__` may be a dataset; in PyTorch
 * any Python object with `__getitem__` may be.
 */
import { AssertionError, NotImplementedError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { Allocated } from "#python/Objects/allocated";
import { tuple_map } from "#python/Objects/tupleobject";
import { having, python_type, TensorBase } from "#torch/_C";
import { def_length } from "#torch/_length";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Generator } from "#torch/types";
import { get_item, items_of, iter, len, method_of } from "./_utils/protocol.ts";

// biome-ignore-start lint/suspicious/noExplicitAny: the author of a dataset chooses the types of keys and samples

/** An object that can be used as a dataset: one of this file, a user's, or an array. */
export type DatasetLike<T = any> =
  | { __getitem__(index: any): T }
  | { __iter__(): Iterable<T> | Iterator<T> }
  | ArrayLike<T>
  | ReadonlyMap<any, T>
  | Iterable<T>;

// biome-ignore lint/correctness/noUnusedVariables: a merged interface repeats the parameters of its class
export interface Dataset<T = any> {
  /** `len(dataset)`. A class may define its own. */
  readonly length: number;
}

/**
 * A map from keys to samples. A subclass defines `__getitem__`, usually `__len__`, and `__getitems__` if it can read a whole batch faster.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `length` is defined at run time; see _length.ts
export class Dataset<T = any> extends Allocated {
  static {
    def_length(Dataset);
  }

  /** @param _index a key, usually an integer with 0 <= index < len */
  __getitem__(_index: any): T {
    throw new NotImplementedError("Subclasses of Dataset should implement __getitem__.");
  }

  /** `a + b`: the concatenation of two datasets. */
  __add__(other: DatasetLike<T>): Dataset<T> {
    return new ConcatDataset<T>([this, other]);
  }

  /** Iterates as Python does over an object with `__getitem__`. */
  [Symbol.iterator](): Iterator<T> {
    return items_of<T>(this);
  }
}

/** A stream of samples. A subclass defines `__iter__` (or `[Symbol.iterator]`), which starts at the beginning each time. */
export class IterableDataset<T = any> extends Dataset<T> {
  constructor() {
    super();
    if (method_of(this, "__iter__") !== null || this[Symbol.iterator] !== IterableDataset.prototype[Symbol.iterator])
      return;
    throw new TypeError_(`Can't instantiate abstract class ${python_type(this)} with abstract method __iter__`);
  }

  override __add__(other: DatasetLike<T>): Dataset<T> {
    return new ChainDataset<T>([this, other]);
  }

  override [Symbol.iterator](): Iterator<T> {
    return iter<T>(this);
  }
}

/**
 * Whether a dataset is read as a stream, not by index.
 * @differs In ours every object that can only be iterated over is a stream; PyTorch requires an IterableDataset, and reports that a set is
 * not subscriptable.
 */
export function is_stream(dataset: unknown): boolean {
  if (dataset instanceof IterableDataset) return true;
  if (method_of(dataset, "__getitem__") !== null || dataset instanceof TensorBase || dataset instanceof Map)
    return false;
  if (typeof dataset === "string" || Array.isArray(dataset) || ArrayBuffer.isView(dataset)) return false;
  return method_of(dataset, "__iter__") !== null || method_of(dataset, Symbol.iterator) !== null;
}

const TensorDataset_init = new Init("TensorDataset.__init__(self, *tensors)", types<[tensors: readonly Tensor[]]>);

/** Sample i consists of the i-th row of every tensor: `[x[i], y[i]]`. */
export class TensorDataset extends Dataset<Tensor[]> {
  readonly tensors: readonly Tensor[];

  static {
    def_methods(TensorDataset, { __init__: TensorDataset_init });
  }

  constructor(...args: InitArgs<typeof TensorDataset_init>) {
    super();
    const [tensors] = TensorDataset_init.bind(args);
    if (tensors.some((tensor) => having(tensors[0], "size").size(0) !== having(tensor, "size").size(0)))
      throw new AssertionError("Size mismatch between tensors");
    this.tensors = tensors;
  }

  override __getitem__(index: any): Tensor[] {
    return tuple_map(this.tensors, (tensor) => tensor.at(index));
  }

  __len__(): number {
    return this.tensors[0].size(0);
  }
}

type Stacked = readonly DatasetLike[] | Readonly<Record<string, DatasetLike>>;

const StackDataset_init = new Init(
  "StackDataset.__init__(self, *args, **kwargs)",
  types<[args: readonly DatasetLike[], kwargs: Readonly<Record<string, DatasetLike>>]>,
);

/** Sample i consists of the i-th sample of every dataset: an array, or an object if the datasets have names. */
export class StackDataset extends Dataset {
  readonly datasets: Stacked;
  private readonly _length: number;

  static {
    def_methods(StackDataset, { __init__: StackDataset_init });
  }

  constructor(...init: InitArgs<typeof StackDataset_init>) {
    super();
    const [args, kwargs] = StackDataset_init.bind(init);
    const named = Object.values(kwargs);
    if (args.length > 0 && named.length > 0) {
      throw new ValueError(
        "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both types are given.",
      );
    }
    const given = args.length > 0 ? args : named;
    if (given.length === 0) throw new ValueError("At least one dataset should be passed");
    this._length = len(given[0]);
    if (given.some((dataset) => len(dataset) !== this._length)) throw new ValueError("Size mismatch between datasets");
    this.datasets = args.length > 0 ? args : kwargs;
  }

  /** Calls `read` for each dataset and combines the results to an array or an object. */
  private gather(read: (dataset: DatasetLike) => unknown): unknown {
    const { datasets } = this;
    if (Array.isArray(datasets)) return tuple_map(datasets as DatasetLike[], read);
    return Object.fromEntries(Object.entries(datasets).map(([name, dataset]) => [name, read(dataset)]));
  }

  override __getitem__(index: any): unknown {
    return this.gather((dataset) => get_item(dataset, index));
  }

  /** Reads several items from each dataset, at once if the dataset supports it. */
  __getitems__(indices: readonly any[]): unknown[] {
    const columns = new Map<DatasetLike, readonly unknown[]>();
    this.gather((dataset) => columns.set(dataset, nested_items(dataset, indices)));
    return indices.map((_, i) => this.gather((dataset) => columns.get(dataset)?.[i]));
  }

  __len__(): number {
    return this._length;
  }
}

function nested_items(dataset: DatasetLike, indices: readonly unknown[]): readonly unknown[] {
  const getitems = method_of(dataset, "__getitems__");
  if (getitems === null) return indices.map((index) => get_item(dataset, index));
  const items = getitems.call(dataset, indices) as readonly unknown[];
  if (items.length !== indices.length) {
    throw new ValueError(`Nested dataset's output size mismatch. Expected ${indices.length}, got ${items.length}`);
  }
  return items;
}

const ConcatDataset_init = new Init("ConcatDataset.__init__(self, datasets)", types<[datasets: Iterable<DatasetLike>]>);

/** Several datasets, one after the other. */
export class ConcatDataset<T = any> extends Dataset<T> {
  readonly datasets: readonly DatasetLike<T>[];
  /** Entry k: the number of samples in the datasets 0 to k. */
  readonly cumulative_sizes: readonly number[];

  static {
    def_methods(ConcatDataset, { __init__: ConcatDataset_init, cumsum: "ConcatDataset.cumsum(sequence)" });
  }

  static cumsum(sequence: Iterable<unknown>): number[] {
    let total = 0;
    return [...sequence].map((dataset) => (total += len(dataset)));
  }

  constructor(...args: InitArgs<typeof ConcatDataset_init>) {
    super();
    const [datasets] = ConcatDataset_init.bind(args);
    this.datasets = list<DatasetLike<T>>(datasets);
    if (this.datasets.length === 0) throw new AssertionError("datasets should not be an empty iterable");
    if (this.datasets.some((dataset) => dataset instanceof IterableDataset))
      throw new AssertionError("ConcatDataset does not support IterableDataset");
    this.cumulative_sizes = ConcatDataset.cumsum(this.datasets);
  }

  __len__(): number {
    return this.cumulative_sizes[this.cumulative_sizes.length - 1];
  }

  override __getitem__(idx: number): T {
    const length = this.__len__();
    if (idx < -length) throw new ValueError("absolute value of index should not exceed dataset length");
    const index = idx < 0 ? length + idx : idx;
    const before = this.cumulative_sizes.filter((size) => size <= index).length; // bisect_right
    const sample = before === 0 ? index : index - this.cumulative_sizes[before - 1];
    return get_item(get_item(this.datasets, before), sample) as T;
  }

  get cummulative_sizes(): readonly number[] {
    warn("FutureWarning", "`cummulative_sizes` attribute is renamed to `cumulative_sizes`");
    return this.cumulative_sizes;
  }
}

/** `list(iterable)` */
function list<T>(iterable: unknown): T[] {
  const iterator = iter<T>(iterable);
  const items: T[] = [];
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) items.push(next.value);
  return items;
}

const ChainDataset_init = new Init("ChainDataset.__init__(self, datasets)", types<[datasets: Iterable<DatasetLike>]>);

/** Several streams, one after the other. */
export class ChainDataset<T = any> extends IterableDataset<T> {
  readonly datasets: Iterable<DatasetLike<T>>;

  static {
    def_methods(ChainDataset, { __init__: ChainDataset_init });
  }

  constructor(...args: InitArgs<typeof ChainDataset_init>) {
    super();
    const [datasets] = ChainDataset_init.bind(args);
    this.datasets = datasets;
  }

  *__iter__(): Iterator<T> {
    for (const dataset of list(this.datasets)) yield* list_lazy<T>(stream(dataset));
  }

  __len__(): number {
    return list(this.datasets).reduce<number>((total, dataset) => total + len(stream(dataset)), 0);
  }
}

function stream(dataset: unknown): IterableDataset {
  if (dataset instanceof IterableDataset) return dataset;
  throw new AssertionError("ChainDataset only supports IterableDataset");
}

/** `iter(obj)`, for `yield*`. */
function list_lazy<T>(obj: unknown): Iterable<T> {
  return { [Symbol.iterator]: () => iter<T>(obj) };
}

const Subset_init = new Init(
  "Subset.__init__(self, dataset, indices)",
  types<[dataset: DatasetLike, indices: ArrayLike<number>]>,
);

/** The samples of `dataset` at `indices`. */
export class Subset<T = any> extends Dataset<T> {
  readonly dataset: DatasetLike<T>;
  readonly indices: ArrayLike<number>;

  static {
    def_methods(Subset, { __init__: Subset_init });
  }

  constructor(...args: InitArgs<typeof Subset_init>) {
    super();
    const [dataset, indices] = Subset_init.bind(args);
    this.dataset = dataset;
    this.indices = indices;
    if (this.__getitem__ !== Subset.prototype.__getitem__ && this.__getitems__ === Subset.prototype.__getitems__) {
      throw new NotImplementedError(
        `${python_type(this)} overrides __getitem__ but not __getitems__. ` +
          "When subclassing Subset and overriding __getitem__, you must also override " +
          "__getitems__ to ensure DataLoader works correctly with your custom logic. " +
          "A simple implementation:\n\n" +
          "def __getitems__(self, indices):\n" +
          "    return [self.__getitem__(idx) for idx in indices]",
      );
    }
  }

  override __getitem__(idx: number | readonly number[]): T {
    const key = Array.isArray(idx) ? idx.map((i) => get_item(this.indices, i)) : get_item(this.indices, idx);
    return get_item(this.dataset, key) as T;
  }

  __getitems__(indices: readonly number[]): T[] {
    const inner = indices.map((idx) => get_item(this.indices, idx));
    const getitems = method_of(this.dataset, "__getitems__");
    if (getitems !== null) return getitems.call(this.dataset, inner) as T[];
    return inner.map((index) => get_item(this.dataset, index) as T);
  }

  __len__(): number {
    return len(this.indices);
  }
}

// biome-ignore-end lint/suspicious/noExplicitAny: the author of a dataset chooses the types of keys and samples

/** `math.isclose(sum, 1) and sum <= 1` */
function are_fractions(sum: number): boolean {
  return sum <= 1 && Math.abs(sum - 1) <= 1e-9 * Math.max(Math.abs(sum), 1);
}

/** The number of samples for each fraction; samples left over by rounding down go to the first parts, one each. */
function lengths_of(fractions: readonly number[], n: number): number[] {
  const lengths = fractions.map((fraction, i) => {
    if (fraction < 0 || fraction > 1) throw new ValueError(`Fraction at index ${i} is not between 0 and 1`);
    return Math.floor(n * fraction);
  });
  const remainder = n - sum_of(lengths);
  for (let i = 0; i < remainder; i++) lengths[i % lengths.length]++;
  lengths.forEach((length, i) => {
    if (length === 0) warn("UserWarning", `Length of split at index ${i} is 0. This might result in an empty dataset.`);
  });
  return lengths;
}

/** `sum(numbers)`, added from left to right with rounding after each addition. */
function sum_of(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Splits a dataset into random parts that do not overlap.
 * @param lengths the number of samples in each part, or fractions that sum to 1
 * @example torch.utils.data.random_split([1, 2, 3, 4], [0.5, 0.5]);
 */
export const random_split = def(
  "random_split(dataset, lengths, generator=<torch._C.Generator>)",
  <T>(dataset: DatasetLike<T>, lengths: readonly number[], generator: Generator | null): Subset<T>[] => {
    const given = list<number>(lengths).map(Number);
    const sizes = are_fractions(sum_of(given)) ? lengths_of(given, len(dataset)) : given;
    const total = sum_of(sizes);
    if (total !== len(dataset))
      throw new ValueError("Sum of input lengths does not equal the length of the input dataset!");
    // The default is a Python object that the text of a signature cannot contain; it arrives as a number and means no generator.
    const drawn_from = typeof generator === "number" ? null : generator;
    const indices = torch.randperm(total, { generator: drawn_from }).tolist() as number[];
    let offset = 0;
    return sizes.map((length) => {
      offset += length;
      return new Subset<T>(dataset, indices.slice(offset - length, offset));
    });
  },
);
