/**
 * @file How the allocator learns that nobody holds an allocation any more: large ones by themselves, small ones in groups.
 * @original In PyTorch the last reference calls the deleter.
 * @see ../core/CPUHeapReclaim.ts (how the engine tells), memory.ts, Note [Epochs] (what is done where it does not)
 */
import type { Block, Memory } from "./memory.ts";

/** What is told of a death: these blocks are nobody's. It knows no `Memory`. */
export interface Tenancy {
  readonly blocks: Block[];
}

/** Whoever has a field for what shares its fate. */
export interface Mortal {
  witness: object | null;
}

/** The engine's word on who is dead. */
export interface DeathWatch {
  /** Whether `collect` may be called. */
  readonly on_demand: boolean;
  /** From now on the death of `holder` will be told, through what `collect` returns or between two jobs. */
  watch(holder: Mortal, tenancy: Tenancy): void;
  /** Collects garbage now, and returns whose holders are dead; null where that cannot be. */
  collect(which: "young" | "all"): readonly Tenancy[] | null;
}

/** Nobody ever dies: only paging makes room. */
export const NO_DEATHS: DeathWatch = { on_demand: false, watch: () => undefined, collect: () => null };

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
  private readonly watch_: DeathWatch;
  /** The group under construction; while it is, it cannot die. */
  private lease_: Lease | null = null;
  private tenancy_: Tenancy = { blocks: [] };

  constructor(watch: DeathWatch) {
    this.watch_ = watch;
  }

  enter(memory: Memory, block: Block): void {
    if (block.nbytes >= WATCHED_NBYTES) {
      const own: Tenancy = { blocks: [block] };
      block.tenancy = own;
      this.watch_.watch(memory, own);
      return;
    }
    if (this.lease_ === null) this.open();
    memory.witness = this.lease_;
    block.tenancy = this.tenancy_;
    this.tenancy_.blocks.push(block);
    if (this.tenancy_.blocks.length >= GROUP_BLOCKS) this.close();
  }

  /** What comes now begins a new group, so that the last one may die. */
  close(): void {
    this.lease_ = null;
  }

  private open(): void {
    this.lease_ = new Lease();
    this.tenancy_ = { blocks: [] };
    this.watch_.watch(this.lease_, this.tenancy_);
  }
}
