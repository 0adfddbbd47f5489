/**
 * @file How the allocator learns that nobody holds an allocation any more: large ones by themselves, small ones in groups.
 * @original In PyTorch the last reference calls the deleter.
 * @see ../core/CPUHeapReclaim.ts (how the engine tells), memory.ts, Note [Epochs] (what is done where it does not)
 */
import type { Mortal, Reclaimer } from "../core/CPUHeapReclaim.ts";
import type { Block, Memory } from "./memory.ts";

/** What a death is told of: these blocks are nobody's. It knows no `Memory`. */
export interface Tenancy {
  readonly blocks: Block[];
  /** How many of them are still allocated for it. */
  left: number;
}

/** From this size on an allocation is watched by itself: watching costs more than a small allocation. */
export const WATCHED_NBYTES = 65536;
/** Of a group: what one survivor keeps. */
const GROUP_BLOCKS = 64;

/** What the memories of a group hold together. */
class Lease implements Mortal {
  witness: object | null = null;
}

/** Enters allocations into the watch. */
export class Tenancies {
  private readonly reclaimer_: Reclaimer<Tenancy>;
  /** Of the group under construction; while it is, it cannot die. */
  private lease_: Lease | null = null;
  private group_: Tenancy = { blocks: [], left: 0 };

  constructor(reclaimer: Reclaimer<Tenancy>) {
    this.reclaimer_ = reclaimer;
  }

  enter(memory: Memory, block: Block): void {
    if (block.nbytes >= WATCHED_NBYTES) {
      const own: Tenancy = { blocks: [block], left: 1 };
      block.tenancy = own;
      this.reclaimer_.watch(memory, own);
      return;
    }
    this.lease_ ??= this.open();
    memory.witness = this.lease_;
    block.tenancy = this.group_;
    this.group_.blocks.push(block);
    if (++this.group_.left >= GROUP_BLOCKS) this.close();
  }

  /** The block is free, by whatever means. */
  leave(block: Block): void {
    const tenancy = block.tenancy;
    block.tenancy = null;
    if (tenancy === null || --tenancy.left > 0) return;
    if (tenancy !== this.group_ || this.lease_ === null) this.reclaimer_.forget(tenancy);
  }

  /** What comes now begins a new group, so that the last one may die. */
  close(): void {
    this.lease_ = null;
  }

  private open(): Lease {
    const lease = new Lease();
    this.group_ = { blocks: [], left: 0 };
    this.reclaimer_.watch(lease, this.group_);
    return lease;
  }
}
