/**
 * @file When the heap collects garbage, and when it refuses a request instead. Only counts and times: the heap does the work.
 * @original PyTorch frees a block with its last reference, so nothing has to be scheduled there.
 * @see CPUHeap.ts
 */
import type { Generation } from "./CPUHeapReclaim.ts";

// Note [When the heap sweeps]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A sweep collects garbage and frees the blocks that died. A young sweep looks at recent objects only and is cheap; a full sweep
// looks at every object of the program and is slow if there are many. Most tensors die young, and memory that is reused soon is still
// in the processor's caches. So young sweeps are frequent and full sweeps are rare.
//
//   fresh     bytes handed out since the last sweep
//   survived  bytes that were still alive after young sweeps, since the last full sweep
//   unknown   fresh + survived: bytes that may be garbage by now
//
//   event           condition                                                        action
//   --------------  ---------------------------------------------------------------  --------------------------------------------------
//   allocate        fresh < threshold, and unknown < LIMIT of the tenant             no sweep: take a free range, or memory never used
//                   else                                                             steps 1 to 3
//   1. young sweep  the last young sweep took at most 10 % of the time since the     sweep the young
//                   last sweep (20 % if unknown >= 160 MB), or it took less time
//                   than cached memory saves
//   2. full sweep   unknown >= 64 MB; and the last full sweep and the young sweeps   sweep everything
//                   since then took at most 10 % of the time since then (if unknown
//                   was >= 160 MB before step 1, only the full sweep counts)
//   3. a look       unknown >= LIMIT, and 8 MB were refused since the last look      free blocks that died in collections of the engine
//   refusal         unknown >= LIMIT, and the look did not free enough               return null: the caller makes an ArrayBuffer
//   no room         no free range is large enough, and memory cannot grow            steps 1 to 3, then a refusal
//   after a sweep   it took less time than cached memory saves, or less than 2 %     halve the threshold
//                   of the time since the last sweep
//                   it took more than 8 % of that time                               double the threshold
//   free                                                                             fresh shrinks by the size of the block
//   a death is      garbage cannot be collected on demand, as in a browser           fresh becomes 0: all other blocks were alive then
//   reported
//
// The threshold moves between 12 and 64 MB. While 16 MB or more have survived it does not go below 16 MB: with frequent collections
// tensors would soon count as old, and only a full sweep would find them dead.
const MB = 2 ** 20;
const FIRST_THRESHOLD = 64 * MB;
/** Fits into the processor's caches together with two operands. */
const SMALLEST_THRESHOLD = 12 * MB;
const LARGEST_THRESHOLD = 64 * MB;
/** From this many surviving bytes on, the threshold does not go below this value. */
const MANY_SURVIVORS = 16 * MB;
/** Milliseconds that one byte costs more when it is written to memory that has left the caches; two thirds of the measured value. */
const MS_PER_UNCACHED_BYTE = 0.015 / MB;
/** Bytes that may be garbage, from which on a full sweep is worth its time. */
const WORTH_FULL_SWEEP = 64 * MB;

/**
 * The kind of request. A slab holds a thousand small tensors, and all of them would miss the heap if the slab were an ArrayBuffer. A
 * kernel's scratch memory lives shortly or for ever, and a kernel must not round differently because there happens to be garbage: it
 * is never refused while there is room.
 */
export type Tenant = "tensor" | "slab" | "kernel";
/** Bytes that may be garbage, from which on a tenant is refused. The process then stays below 400 MB, with library and ArrayBuffers. */
const LIMIT = { tensor: 160 * MB, slab: 256 * MB, kernel: Number.POSITIVE_INFINITY } as const;

/** Share of the run time that sweeps may use. */
const SHARE_OF_TIME = 0.1;
/** Share of the run time that young sweeps may use while tensors are refused: the pages of an ArrayBuffer cost as much as a sweep. */
const SHARE_OF_TIME_IF_FULL = 0.2;
/** Share of the time since the last sweep, above which the threshold is doubled. */
const HIGH_SHARE = 0.08;
/** Share of the time since the last sweep, below which the threshold is halved. */
const LOW_SHARE = 0.02;
/** Refused bytes between two looks for blocks that died in the engine's own collections. */
const LOOK_AFTER = 8 * MB;

export class Pacing {
  private threshold_ = FIRST_THRESHOLD;
  /** Bytes handed out since the last sweep. */
  private fresh_ = 0;
  /** Bytes that were alive after the young sweeps since the last full sweep. */
  private survived_ = 0;
  /** Bytes refused since the last look. */
  private refused_ = 0;
  /** End of the last sweep of each kind, and its duration: milliseconds. A full sweep counts as a young sweep, too. */
  private readonly end_: Record<Generation, number>;
  private readonly took_ = { young: 0, all: 0 };
  /** Duration of all young sweeps since the last full sweep. */
  private young_ms_ = 0;
  /** State before the round of sweeps that is under way, and the milliseconds since the sweep before it. */
  private fresh_before_ = 0;
  private was_full_ = false;
  private ms_before_ = 0;

  constructor(now: number) {
    this.end_ = { young: now, all: now };
  }

  // Questions ----------------------------------------------------------------------------------------------------------

  is_due(): boolean {
    return this.fresh_ >= this.threshold_;
  }

  is_full_for(tenant: Tenant): boolean {
    return this.unknown() >= LIMIT[tenant];
  }

  /** Bytes that may be garbage. */
  private unknown(): number {
    return this.fresh_ + this.survived_;
  }

  may_sweep_young(now: number): boolean {
    const share = this.is_full_for("tensor") ? SHARE_OF_TIME_IF_FULL : SHARE_OF_TIME;
    return this.took_.young <= share * (now - this.end_.young) || pays(this.took_.young, this.fresh_);
  }

  may_sweep_all(now: number): boolean {
    if (this.unknown() < WORTH_FULL_SWEEP) return false;
    // If the heap was full, young sweeps had not helped it. The time they took must not keep it full.
    const spent = this.was_full_ ? this.took_.all : this.young_ms_ + this.took_.all;
    return spent <= SHARE_OF_TIME * (now - this.end_.all);
  }

  /** Whether enough was refused since the last look; the count begins again then. */
  may_look(): boolean {
    if (this.refused_ < LOOK_AFTER) return false;
    this.refused_ = 0;
    return true;
  }

  // Events -------------------------------------------------------------------------------------------------------------

  handed_out(nbytes: number): void {
    this.fresh_ += nbytes;
  }

  given_back(nbytes: number): void {
    this.fresh_ -= nbytes;
  }

  refused(nbytes: number): void {
    this.refused_ += nbytes;
  }

  collected_by_engine(): void {
    this.fresh_ = 0;
  }

  /** A round begins: a young sweep, a full sweep, both or none. */
  round_begins(now: number): void {
    this.fresh_before_ = this.fresh_;
    this.was_full_ = this.is_full_for("tensor");
    this.ms_before_ = now - this.end_.young;
  }

  /** @param end when the sweep ended; the bytes it freed are given back already */
  swept(which: Generation, ms: number, end: number): void {
    this.took_[which] = ms;
    this.end_.young = end;
    if (which === "young") {
      this.survived_ = Math.max(0, this.unknown());
      this.young_ms_ += ms;
    } else {
      this.survived_ = this.young_ms_ = 0;
      this.end_.all = end;
    }
    this.fresh_ = 0;
  }

  /** The round is over; its sweeps took `ms`. */
  round_ends(ms: number): void {
    const share = ms / (this.ms_before_ + ms);
    const least = this.survived_ < MANY_SURVIVORS ? SMALLEST_THRESHOLD : MANY_SURVIVORS;
    if (pays(ms, this.fresh_before_) || share < LOW_SHARE) this.threshold_ = Math.max(this.threshold_ / 2, least);
    else if (share > HIGH_SHARE) this.threshold_ = Math.min(2 * this.threshold_, LARGEST_THRESHOLD);
  }

  dumpState(): { threshold: number; handed_out: number; outlived: number } {
    return { threshold: this.threshold_, handed_out: this.fresh_, outlived: this.survived_ };
  }
}

/** Whether a sweep of `ms` milliseconds takes less time than it saves when `fresh` bytes are written to cached memory afterwards. */
function pays(ms: number, fresh: number): boolean {
  return ms <= MS_PER_UNCACHED_BYTE * fresh;
}
