/**
 * @file The free blocks of one pool, found by size.
 * @mirrors c10/cuda/CUDACachingAllocator.cpp#BlockPool
 */
import type { Block } from "./memory.ts";

/** CUDA's order: the smallest first, and among equals the one that lies lowest. */
function before(a: Block, b: Block): boolean {
  if (a.nbytes !== b.nbytes) return a.nbytes < b.nbytes;
  if (a.segment !== b.segment) return a.segment.id < b.segment.id;
  return a.begin < b.begin;
}

export class BlockPool {
  readonly is_small: boolean;
  /** In order. */
  private readonly blocks_: Block[] = [];

  constructor(is_small: boolean) {
    this.is_small = is_small;
  }

  /** The smallest that holds `nbytes`; it stays in the pool. */
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

  /** Precondition: it is there, and its size is what it was. */
  erase(block: Block): void {
    this.blocks_.splice(this.position(block), 1);
  }

  blocks(): readonly Block[] {
    return this.blocks_;
  }

  /** Where the block is, or would be. */
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
