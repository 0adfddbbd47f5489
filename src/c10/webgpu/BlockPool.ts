/**
 * @file The free blocks of one pool, ordered by size.
 * @mirrors c10/cuda/CUDACachingAllocator.cpp#BlockPool
 */
import type { Block } from "./memory.ts";

/** CUDA's order: smaller blocks first; equal ones by segment and position. */
function before(a: Block, b: Block): boolean {
  if (a.nbytes !== b.nbytes) return a.nbytes < b.nbytes;
  if (a.segment !== b.segment) return a.segment.id < b.segment.id;
  return a.begin < b.begin;
}

export class BlockPool {
  readonly is_small: boolean;
  /** The blocks, sorted by `before`. */
  private readonly blocks_: Block[] = [];

  constructor(is_small: boolean) {
    this.is_small = is_small;
  }

  /** The smallest block that holds `nbytes`; it stays in the pool. */
  find(nbytes: number): Block | null {
    const blocks = this.blocks_;
    let [low, high] = [0, blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blocks[middle].nbytes < nbytes) low = middle + 1;
      else high = middle;
    }
    return low < blocks.length ? blocks[low] : null;
  }

  insert(block: Block): void {
    this.blocks_.splice(this.position(block), 0, block);
  }

  /** Precondition: the block is in the pool, and its size has not changed since. */
  erase(block: Block): void {
    this.blocks_.splice(this.position(block), 1);
  }

  blocks(): readonly Block[] {
    return this.blocks_;
  }

  /** Index where the block is, or would be inserted. */
  private position(block: Block): number {
    const blocks = this.blocks_;
    let [low, high] = [0, blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(blocks[middle], block)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
