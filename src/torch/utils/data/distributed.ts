/**
 * @file A sampler for one of several programs that train together: each gets a part of the indices.
 * @mirrors torch/utils/data/distributed.py
 * @differs Ours needs the number of programs as an argument, since there are no process groups; PyTorch asks the process group.
 */
import { AssertionError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, python_type } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { torch } from "#torch/_torch";
import { len, type Sized } from "./_utils/protocol.ts";
import { Sampler } from "./sampler.ts";

const DistributedSampler_init = new Init(
  "DistributedSampler.__init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False)",
  types<
    [
      dataset: Sized,
      num_replicas: number | null,
      rank: number | null,
      shuffle: boolean,
      seed: number | bigint,
      drop_last: boolean,
    ]
  >,
);

/** `a + b` for ints, of which a large one is a bigint. */
function sum_of(a: number | bigint, b: number | bigint): number | bigint {
  for (const x of [a, b]) {
    if (typeof x === "number" || typeof x === "bigint") continue;
    throw new TypeError_(`unsupported operand type(s) for +: '${python_type(a)}' and '${python_type(b)}'`);
  }
  return typeof a === "number" && typeof b === "number" ? a + b : BigInt(a) + BigInt(b);
}

/** Every `num_replicas`-th index, beginning at `rank`, in an order common to all programs; all programs get equal numbers of indices. */
export class DistributedSampler extends Sampler {
  readonly dataset: Sized;
  readonly num_replicas: number;
  readonly rank: number;
  epoch = 0;
  readonly drop_last: boolean;
  readonly num_samples: number;
  readonly total_size: number;
  readonly shuffle: boolean;
  readonly seed: number | bigint;

  static {
    def_methods(DistributedSampler, { __init__: DistributedSampler_init, set_epoch: "(self, epoch)" });
  }

  constructor(...args: InitArgs<typeof DistributedSampler_init>) {
    super();
    const [dataset, num_replicas, rank, shuffle, seed, drop_last] = DistributedSampler_init.bind(args);
    if (num_replicas === null || rank === null) throw new RuntimeError("Requires distributed package to be available");
    if (PyObject_RichCompareBool(rank, ">=", num_replicas, "int") || PyObject_RichCompareBool(rank, "<", 0, "int")) {
      throw new ValueError(`Invalid rank ${rank}, rank should be in the interval [0, ${Number(num_replicas) - 1}]`);
    }
    this.dataset = dataset;
    this.num_replicas = Number(num_replicas);
    this.rank = Number(rank);
    this.drop_last = drop_last;
    const length = len(dataset);
    const shared = drop_last && length % this.num_replicas !== 0 ? length - this.num_replicas : length;
    this.num_samples = Math.ceil(shared / this.num_replicas) + 0; // no -0
    this.total_size = this.num_samples * this.num_replicas;
    this.shuffle = shuffle;
    this.seed = seed;
  }

  override __iter__(): IterableIterator<number> {
    const all = this.indices();
    // The total must be divisible: the first indices are repeated, or the last ones are dropped.
    if (!this.drop_last)
      for (let i = 0, n = all.length; n > 0 && all.length < this.total_size; i++) all.push(all[i % n]);
    else all.length = Math.min(all.length, Math.max(this.total_size, 0));
    if (all.length !== this.total_size)
      throw new AssertionError(`Number of indices (${all.length}) does not match total_size (${this.total_size})`);
    return all.filter((_, i) => i % this.num_replicas === this.rank).values();
  }

  private indices(): number[] {
    const length = len(this.dataset);
    if (!this.shuffle) return Array.from({ length }, (_, i) => i);
    const generator = new torch.Generator().manual_seed(sum_of(this.seed, this.epoch));
    return torch.randperm(length, { generator }).tolist() as number[];
  }

  __len__(): number {
    return this.num_samples;
  }

  /** Sets the epoch, which changes the order in the same way in all programs. Call it before each epoch. */
  set_epoch(epoch: number): void {
    this.epoch = epoch;
  }
}
