/**
 * @file A dataset that is too large for memory: a reader gives it in chunks. One sampler says which chunk comes next, another one in which order a chunk's examples come.
 *
 *   chunks        [a b c] [d e] [f g h i]      chunk_sampler: 2, 0, 1; example_sampler: an order for each chunk
 *   queue         [h f i g | b a c | e d]
 *   batches of 4  [h f i g] [b a c e] [d]
 *
 * A batch is filled across chunks; only the last one of an epoch may be smaller.
 * @mirrors torch/csrc/api/include/torch/data/datasets/chunk.h
 * @differs There are no threads: a chunk is read when a batch needs it, as one preloader would have done before. `preloader_count` and `cache_size` are checked and have no other effect.
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { as_options, int64, type Made, TORCH_OPTIONS } from "../../arg.ts";
import type { InputArchive } from "../../serialize/input-archive.ts";
import type { OutputArchive } from "../../serialize/output-archive.ts";
import type { Sampler } from "../samplers.ts";
import { WorkerException } from "../worker_exception.ts";
import { StatefulDataset } from "./base.ts";

/** Reads chunks. */
export abstract class ChunkDataReader<E> {
  abstract read_chunk(chunk_index: number): E[];
  abstract chunk_count(): number;
  /** Begins an epoch. */
  abstract reset(): void;
}

/** A batch that may still be filled, or the error of a chunk that could not be read. */
interface QueuedBatch<E> {
  readonly batch_data: E[];
  readonly exception: Error | null;
}

/** The batches that have been filled and not yet asked for. */
class BatchDataBuffer<E> {
  private readonly batch_size_: number;
  private readonly example_sampler_: Sampler<readonly number[]>;
  private batch_queue_: QueuedBatch<E>[] = [];
  private total_example_count_in_queue_ = 0;

  constructor(batch_size: number, example_sampler: Sampler<readonly number[]>) {
    this.batch_size_ = batch_size;
    this.example_sampler_ = example_sampler;
  }
  /** Whether a batch can be given before all chunks have been read. */
  has_batch(): boolean {
    return this.total_example_count_in_queue_ >= this.batch_size_;
  }
  get_batch(): E[] | null {
    const batch = this.batch_queue_.shift();
    if (batch === undefined) return null;
    if (batch.exception !== null) throw new WorkerException(batch.exception);
    this.total_example_count_in_queue_ -= batch.batch_data.length;
    return batch.batch_data;
  }
  /** Deals a chunk's examples into the last batch, if it is not full, and into new ones. */
  add_chunk_data(data: readonly E[]): void {
    this.example_sampler_.reset(data.length);
    let remaining = data.length;
    const fill = (batch: E[]): void => {
      const count = Math.min(remaining, this.batch_size_ - batch.length);
      const indices = this.example_sampler_.next(count);
      TORCH_INTERNAL_ASSERT(indices !== null && indices.length === count);
      for (const i of indices) {
        TORCH_CHECK(i < data.length, "Index out of range");
        batch.push(data[i]);
      }
      remaining -= count;
    };
    const last = this.batch_queue_.at(-1);
    if (last !== undefined && last.batch_data.length < this.batch_size_) fill(last.batch_data);
    while (remaining > 0) {
      const batch_data: E[] = [];
      fill(batch_data);
      this.batch_queue_.push({ batch_data, exception: null });
    }
    this.total_example_count_in_queue_ += data.length;
  }
  add_exception(exception: Error): void {
    this.batch_queue_.push({ batch_data: [], exception });
  }
}

const Options = TORCH_OPTIONS(
  "ChunkDatasetOptions",
  ["preloader_count", "batch_size", "cache_size", "cross_chunk_shuffle_count"],
  {
    preloader_count: int64(),
    batch_size: int64(),
    cache_size: int64(2048),
    cross_chunk_shuffle_count: int64(1),
  },
);
export type ChunkDatasetOptions = Made<typeof Options>;

/**
 * @param preloader_count how many threads would read chunks
 * @param cross_chunk_shuffle_count how many chunks are read together, so that their examples are mixed
 */
export function ChunkDatasetOptions(
  preloader_count: number,
  batch_size: number,
  cache_size = 2048,
  cross_chunk_shuffle_count = 1,
): ChunkDatasetOptions {
  TORCH_CHECK(preloader_count > 0, "Preloader count is 0. At least one preloader needs to be specified.");
  TORCH_CHECK(batch_size > 0, "Batch size is 0. A positive batch size needs to be specified.");
  TORCH_CHECK(cache_size > 0, "Cache size is 0. A positive cache size needs to be specified.");
  TORCH_CHECK(
    cache_size >= batch_size,
    "Cache size is less than batch size. Cache needs to be large enough to hold at least one batch.",
  );
  TORCH_CHECK(cross_chunk_shuffle_count > 0, "cross_chunk_shuffle_count needs to be greater than 0.");
  return as_options(Options, [preloader_count, batch_size, cache_size, cross_chunk_shuffle_count]);
}

export class ChunkDataset<E> extends StatefulDataset<E[]> {
  private readonly chunk_reader_: ChunkDataReader<E>;
  private readonly chunk_sampler_: Sampler<readonly number[]>;
  private readonly example_sampler_: Sampler<readonly number[]>;
  private readonly options_: ChunkDatasetOptions;
  private readonly preprocessing_policy_: ((chunk: E[]) => void) | null;
  private batch_buffer_: BatchDataBuffer<E> | null = null;
  private load_checkpoint_ = false;

  /** @param preprocessing_policy changes the examples of what is read together, before they are put in order */
  constructor(
    chunk_reader: ChunkDataReader<E>,
    chunk_sampler: Sampler<readonly number[]>,
    example_sampler: Sampler<readonly number[]>,
    options: ChunkDatasetOptions,
    preprocessing_policy: ((chunk: E[]) => void) | null = null,
  ) {
    super();
    this.chunk_reader_ = chunk_reader;
    this.chunk_sampler_ = chunk_sampler;
    this.example_sampler_ = example_sampler;
    this.options_ = options;
    this.preprocessing_policy_ = preprocessing_policy;
  }
  override get_batch(batch_size: number = this.options_.batch_size()): E[] | null {
    TORCH_CHECK(this.batch_buffer_ !== null, "Dataset needs to call reset() before calling get_batch().");
    TORCH_CHECK(
      batch_size === this.options_.batch_size(),
      "The requested batch size does not match with the initialized batch size.\n The requested batch size is ",
      batch_size,
      ", while the dataset is created with batch size equal to ",
      this.options_.batch_size(),
    );
    while (!this.batch_buffer_.has_batch() && this.read_next_chunks(this.batch_buffer_));
    return this.batch_buffer_.get_batch();
  }
  /** Begins an epoch; after `load`, the epoch that was saved goes on. */
  override reset(): void {
    if (!this.load_checkpoint_) {
      this.chunk_reader_.reset();
      this.chunk_sampler_.reset(this.chunk_reader_.chunk_count());
    }
    this.batch_buffer_ = new BatchDataBuffer(this.options_.batch_size(), this.example_sampler_);
  }
  /** Never known. */
  override size(): null {
    return null;
  }
  chunk_sampler(): Sampler<readonly number[]> {
    return this.chunk_sampler_;
  }
  override save(archive: OutputArchive): void {
    this.chunk_sampler_.save(archive);
  }
  override load(archive: InputArchive): void {
    this.chunk_sampler_.load(archive);
    this.load_checkpoint_ = true;
  }

  /** One round of PyTorch's preloader. @returns false if there are no more chunks */
  private read_next_chunks(buffer: BatchDataBuffer<E>): boolean {
    try {
      const chunks = this.chunk_sampler_.next(this.options_.cross_chunk_shuffle_count());
      if (chunks === null) return false;
      const data = chunks.flatMap((index) => this.chunk_reader_.read_chunk(index));
      this.preprocessing_policy_?.(data);
      if (data.length > 0) buffer.add_chunk_data(data);
    } catch (error) {
      buffer.add_exception(error as Error);
    }
    return true;
  }
}
