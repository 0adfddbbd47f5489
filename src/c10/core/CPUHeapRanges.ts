/**
 * @file The free ranges of the heap, ordered by size.
 * @original PyTorch leaves this to malloc; the nearest relative is `BlockPool` of c10/cuda/CUDACachingAllocator.cpp, a
 * set ordered by size.
 */
import { gAlignment } from "./alignment.ts";

/** How many ranges in the request's own bin (its power of two) are examined before a larger range is cut. */
const LOOKS = 32;

interface Range {
  begin: number;
  nbytes: number;
}

/**
 * Rounds a request up to its size class. There are eight classes per power of two, so at most an eighth is lost and a
 * freed block fits the next request of its class.
 */
export function size_class(nbytes: number): number {
  if (nbytes <= 8 * gAlignment) return Math.max(1, Math.ceil(nbytes / gAlignment)) * gAlignment;
  const step = 2 ** (octave_of(nbytes - 1) - 3);
  return Math.ceil(nbytes / step) * step;
}

/** Index of the highest set bit. Precondition: 1 <= nbytes < 2^31. */
function octave_of(nbytes: number): number {
  return 31 - Math.clz32(nbytes);
}

export class FreeRanges {
  /**
   * Entry k holds the ranges of 2^k up to 2^(k + 1) - 1 bytes. The range freed last stands last and is taken first: it
   * is still in the cache.
   */
  private readonly bins_: Range[][] = Array.from({ length: 31 }, () => []);
  private count_ = 0;
  private given_ = 0;
  private nbytes_ = 0;

  /** Number of free bytes. */
  nbytes(): number {
    return this.nbytes_;
  }

  count(): number {
    return this.count_;
  }

  /** Whether so many ranges were freed unmerged that a request may fail although merged ranges would fit it. */
  wants_merge(): boolean {
    return this.given_ * 4 > this.count_;
  }

  give(begin: number, nbytes: number): void {
    this.given_++;
    this.put({ begin, nbytes });
  }

  /** Takes a free range of `nbytes` bytes and returns its first byte, or -1. */
  take(nbytes: number): number {
    const octave = octave_of(nbytes);
    const bin = this.bins_[octave];
    const first = Math.max(0, bin.length - LOOKS);
    for (let i = bin.length - 1; i >= first; i--) {
      if (bin[i].nbytes >= nbytes) return this.carve(octave, i, nbytes);
    }
    for (let larger = octave + 1; larger < this.bins_.length; larger++) {
      const length = this.bins_[larger].length;
      if (length > 0) return this.carve(larger, length - 1, nbytes);
    }
    return -1;
  }

  /** Merges ranges that touch. This prevents fragmentation by requests of different sizes. */
  merge(): void {
    const all = this.bins_.flat().sort((a, b) => b.begin - a.begin); // the lowest stands last
    for (const bin of this.bins_) bin.length = 0;
    this.count_ = this.nbytes_ = this.given_ = 0;
    let above: Range | null = null;
    for (const range of all) {
      if (above !== null && range.begin + range.nbytes === above.begin) {
        above.begin = range.begin;
        above.nbytes += range.nbytes;
      } else {
        if (above !== null) this.put(above);
        above = range;
      }
    }
    if (above !== null) this.put(above);
  }

  private put(range: Range): void {
    this.bins_[octave_of(range.nbytes)].push(range);
    this.count_++;
    this.nbytes_ += range.nbytes;
  }

  /** Cuts the first `nbytes` bytes off range `i` of a bin. */
  private carve(octave: number, i: number, nbytes: number): number {
    const bin = this.bins_[octave];
    const range = bin[i];
    const begin = range.begin;
    range.begin += nbytes;
    range.nbytes -= nbytes;
    this.nbytes_ -= nbytes;
    if (range.nbytes >= 2 ** octave) return begin;
    const last = bin.pop() as Range; // there is one: `range`
    if (last !== range) bin[i] = last;
    this.count_--;
    if (range.nbytes > 0) {
      this.nbytes_ -= range.nbytes; // `put` counts it again
      this.put(range);
    }
    return begin;
  }
}
