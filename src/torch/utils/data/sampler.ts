/**
 * @file Samplers: the order in which the indices of a dataset are read, and their grouping into batches.
 * @mirrors torch/utils/data/sampler.py
 *
 * Note [Numbers a sampler draws]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A shuffle equals PyTorch's bit for bit, so it matters which numbers are drawn, from which generator and when. Nothing is drawn before the
 * first index is requested.
 *
 *     RandomSampler, no generator   one int64 from the default generator, which seeds a separate generator; then as below
 *     RandomSampler                 randperm(n) for each full pass, and one more for the remainder, even if that is 0
 *       with replacement            randint(n, 32) for each full group of 32, then one for the remainder, even if that is 0
 *     SubsetRandomSampler           randperm(len)
 *     WeightedRandomSampler         one multinomial
 */
import { NotImplementedError, TypeError_, ValueError, ZeroDivisionError } from "#c10/util/Exception";
import { Allocated } from "#python/Objects/allocated";
import { py_str, python_type } from "#torch/_C";
import { def_length } from "#torch/_length";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Generator, TensorData } from "#torch/types";
import { get_item, iter, len, type Sized } from "./_utils/protocol.ts";

/** An object that can be used as a sampler: one of this file, a user's, or any iterable. */
export type SamplerLike<T = unknown> = Iterable<T> | { __iter__(): Iterable<T> | Iterator<T> };

// biome-ignore lint/correctness/noUnusedVariables: a merged interface repeats the parameters of its class
export interface Sampler<T = number> {
  /** `len(sampler)`. A class may define its own. */
  readonly length: number;
}

/**
 * Base class of samplers, which yield indices or lists of indices. A subclass defines `__iter__` (or `[Symbol.iterator]`), and `__len__` if
 * it is known.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `length` is defined at run time; see _length.ts
export class Sampler<T = number> extends Allocated {
  static {
    def_length(Sampler);
  }

  __iter__(): Iterator<T> | Iterable<T> {
    if (this[Symbol.iterator] !== Sampler.prototype[Symbol.iterator]) return this[Symbol.iterator]();
    throw new NotImplementedError("");
  }

  [Symbol.iterator](): Iterator<T> {
    return iter<T>(this);
  }
}

const SequentialSampler_init = new Init("SequentialSampler.__init__(self, data_source)", types<[data_source: Sized]>);

/** The indices 0, 1, 2, ... in order. */
export class SequentialSampler extends Sampler {
  readonly data_source: Sized;

  static {
    def_methods(SequentialSampler, { __init__: SequentialSampler_init });
  }

  constructor(...args: InitArgs<typeof SequentialSampler_init>) {
    super();
    const [data_source] = SequentialSampler_init.bind(args);
    this.data_source = data_source;
  }

  override __iter__(): Iterator<number> {
    return range(len(this.data_source));
  }

  __len__(): number {
    return len(this.data_source);
  }
}

function* range(end: number): IterableIterator<number> {
  for (let i = 0; i < end; i++) yield i;
}

/** Whether a value is a positive Python int; with `strict`, a bool does not count. */
function is_positive_int(value: unknown, strict: boolean): boolean {
  const type = python_type(value);
  return (type === "int" || (type === "bool" && !strict)) && Number(value) > 0;
}

const RandomSampler_init = new Init(
  "RandomSampler.__init__(self, data_source, replacement=False, num_samples=None, generator=None)",
  types<[data_source: Sized, replacement: boolean, num_samples: number | null, generator: Generator | null]>,
);

/** The number of indices that one call of `randint` draws. */
const DRAWN_AT_ONCE = 32;

/** The indices in random order; with `replacement`, each index is drawn independently. */
export class RandomSampler extends Sampler {
  readonly data_source: Sized;
  readonly replacement: boolean;
  readonly generator: Generator | null;
  private readonly _num_samples: number | null;

  static {
    def_methods(RandomSampler, { __init__: RandomSampler_init });
  }

  constructor(...args: InitArgs<typeof RandomSampler_init>) {
    super();
    const [data_source, replacement, num_samples, generator] = RandomSampler_init.bind(args);
    this.data_source = data_source;
    this.replacement = replacement;
    this._num_samples = num_samples;
    this.generator = generator;
    if (typeof replacement !== "boolean")
      throw new TypeError_(`replacement should be a boolean value, but got replacement=${py_str(replacement)}`);
    if (!is_positive_int(this.num_samples, false)) {
      throw new ValueError(
        `num_samples should be a positive integer value, but got num_samples=${py_str(this.num_samples)}`,
      );
    }
  }

  /** The number of samples; by default the size of the data, which is read each time because it may grow. */
  get num_samples(): number {
    return this._num_samples ?? len(this.data_source);
  }

  override *__iter__(): IterableIterator<number> {
    const n = len(this.data_source);
    const num_samples = Number(this.num_samples);
    const generator = this.generator ?? new torch.Generator().manual_seed(draw_seed(null));
    if (this.replacement) {
      for (let left = num_samples; left >= DRAWN_AT_ONCE; left -= DRAWN_AT_ONCE)
        yield* numbers(torch.randint(n, [DRAWN_AT_ONCE], { generator, dtype: torch.int64 }));
      yield* numbers(torch.randint(n, [num_samples % DRAWN_AT_ONCE], { generator, dtype: torch.int64 }));
    } else {
      if (n === 0) throw new ZeroDivisionError("integer division or modulo by zero");
      for (let left = num_samples; left >= n; left -= n) yield* numbers(torch.randperm(n, { generator }));
      yield* numbers(torch.randperm(n, { generator })).slice(0, num_samples % n);
    }
  }

  __len__(): number {
    return this.num_samples;
  }
}

function numbers(indices: Tensor): number[] {
  return indices.tolist() as number[];
}

/** A random non-negative int64, used as a seed of a sampler or of workers. */
export function draw_seed(generator: Generator | null): number | bigint {
  return torch.empty([], { dtype: torch.int64 }).random_({ generator }).item() as number | bigint;
}

const SubsetRandomSampler_init = new Init(
  "SubsetRandomSampler.__init__(self, indices, generator=None)",
  types<[indices: ArrayLike<number>, generator: Generator | null]>,
);

/** Given indices in random order. */
export class SubsetRandomSampler extends Sampler {
  readonly indices: ArrayLike<number>;
  readonly generator: Generator | null;

  static {
    def_methods(SubsetRandomSampler, { __init__: SubsetRandomSampler_init });
  }

  constructor(...args: InitArgs<typeof SubsetRandomSampler_init>) {
    super();
    const [indices, generator] = SubsetRandomSampler_init.bind(args);
    this.indices = indices;
    this.generator = generator;
  }

  override *__iter__(): IterableIterator<number> {
    for (const i of numbers(torch.randperm(len(this.indices), { generator: this.generator })))
      yield get_item(this.indices, i) as number;
  }

  __len__(): number {
    return len(this.indices);
  }
}

const WeightedRandomSampler_init = new Init(
  "WeightedRandomSampler.__init__(self, weights, num_samples, replacement=True, generator=None)",
  types<[weights: TensorData, num_samples: number, replacement: boolean, generator: Generator | null]>,
);

/** Random indices from 0 to len(weights) - 1, with probabilities proportional to the weights. */
export class WeightedRandomSampler extends Sampler {
  /** `(N)`, float64; they need not sum to 1. */
  readonly weights: Tensor;
  readonly num_samples: number;
  readonly replacement: boolean;
  readonly generator: Generator | null;

  static {
    def_methods(WeightedRandomSampler, { __init__: WeightedRandomSampler_init });
  }

  constructor(...args: InitArgs<typeof WeightedRandomSampler_init>) {
    super();
    const [weights, num_samples, replacement, generator] = WeightedRandomSampler_init.bind(args);
    if (!is_positive_int(num_samples, true)) {
      throw new ValueError(
        `num_samples should be a positive integer value, but got num_samples=${py_str(num_samples)}`,
      );
    }
    if (typeof replacement !== "boolean")
      throw new ValueError(`replacement should be a boolean value, but got replacement=${py_str(replacement)}`);
    const weights_tensor = torch.as_tensor(weights, { dtype: torch.float64 });
    const { shape } = weights_tensor;
    if (shape.length !== 1) {
      throw new ValueError(`weights should be a 1d sequence but given weights have shape (${shape.join(", ")})`);
    }
    this.weights = weights_tensor;
    this.num_samples = num_samples;
    this.replacement = replacement;
    this.generator = generator;
  }

  override *__iter__(): IterableIterator<number> {
    const { weights, num_samples, replacement, generator } = this;
    yield* numbers(torch.multinomial(weights, num_samples, replacement, { generator }));
  }

  __len__(): number {
    return this.num_samples;
  }
}

const BatchSampler_init = new Init(
  "BatchSampler.__init__(self, sampler, batch_size, drop_last)",
  types<[sampler: SamplerLike, batch_size: number, drop_last: boolean]>,
);

/** The indices of another sampler in lists of `batch_size`; the last list may be shorter, or is dropped with `drop_last`. */
export class BatchSampler<T = number> extends Sampler<T[]> {
  readonly sampler: SamplerLike;
  readonly batch_size: number;
  readonly drop_last: boolean;

  static {
    def_methods(BatchSampler, { __init__: BatchSampler_init });
  }

  constructor(...args: InitArgs<typeof BatchSampler_init>) {
    super();
    const [sampler, batch_size, drop_last] = BatchSampler_init.bind(args);
    if (!is_positive_int(batch_size, true)) {
      throw new ValueError(`batch_size should be a positive integer value, but got batch_size=${py_str(batch_size)}`);
    }
    if (typeof drop_last !== "boolean")
      throw new ValueError(`drop_last should be a boolean value, but got drop_last=${py_str(drop_last)}`);
    this.sampler = sampler;
    this.batch_size = batch_size;
    this.drop_last = drop_last;
  }

  override *__iter__(): IterableIterator<T[]> {
    const sampler_iter = iter<T>(this.sampler);
    for (;;) {
      // After a full batch the sampler is asked for one more index, even at the end, because some samplers draw a number then.
      const batch: T[] = [];
      while (batch.length < this.batch_size) {
        const next = sampler_iter.next();
        if (next.done === true) break;
        batch.push(next.value);
      }
      if (batch.length === 0 || (this.drop_last && batch.length < this.batch_size)) return;
      yield batch;
    }
  }

  __len__(): number {
    const length = len(this.sampler);
    return Math.floor(this.drop_last ? length / this.batch_size : (length + this.batch_size - 1) / this.batch_size);
  }
}
