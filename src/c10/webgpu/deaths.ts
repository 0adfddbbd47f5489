/**
 * @file Tenancies: how the allocator learns that an allocation is dead. Large ones are watched one by one, small ones in groups.
 * @original In PyTorch the last reference calls the deleter.
 * @see ../core/CPUHeapReclaim.ts (how the engine tells), memory.ts, Note [Epochs] (what is done where it does not)
 */
import type { Mortal, Reclaimer } from "../core/CPUHeapReclaim.ts";
import type { Block, Memory } from "./memory.ts";

/** The blocks that become free at one reported death. It holds no `Memory`. */
export interface Tenancy {
  readonly blocks: Block[];
  /** How many of the blocks still belong to it. */
  left: number;
}

/** From this size on an allocation is watched by itself: watching costs more than making a small allocation. */
export const WATCHED_NBYTES = 65536;
/** Blocks per group. While one of them lives, all are kept. */
const GROUP_BLOCKS = 64;

/** An object that all memories of a group hold; the group is dead when it is collected. */
class Lease implements Mortal {
  witness: object | null = null;
}

/** Registers allocations with the reclaimer. */
export class Tenancies {
  private readonly reclaimer_: Reclaimer<Tenancy>;
  /** The lease of the group under construction; while it is here, the group cannot die. */
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

  /** Removes a block that became free, by whatever means. */
  leave(block: Block): void {
    const tenancy = block.tenancy;
    block.tenancy = null;
    if (tenancy === null || --tenancy.left > 0) return;
    if (tenancy !== this.group_ || this.lease_ === null) this.reclaimer_.forget(tenancy);
  }

  /** Closes the current group, so that it can die; the next allocation begins a new one. */
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
