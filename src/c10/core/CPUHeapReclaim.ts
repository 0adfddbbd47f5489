/**
 * @file How the heap learns that nobody holds a block any more.
 * @original In PyTorch the last reference frees the memory; JavaScript tells of no last reference.
 * @see CPUHeap.ts
 */
import type { MemoryBlock } from "./Allocator.ts";

/** A block's place in the heap, which outlives the block. */
export interface Segment {
  readonly begin: number;
  readonly nbytes: number;
  /** Null where nobody asks. */
  block: WeakRef<MemoryBlock> | null;
}

export interface Reclaimer {
  /** Whether `collect` may be called. */
  readonly on_demand: boolean;

  /** What `collect` needs only once, so that its time tells nothing of the next one's. */
  prepare(): void;

  /** From now on the death of `block` will be learnt. */
  watch(block: MemoryBlock, segment: Segment): void;

  /** `segment` was freed by hand: its block's death is of no interest. */
  forget(segment: Segment): void;

  /**
   * Collects garbage now; false where that cannot be. Afterwards `segment.block.deref()` is right for all that was watched, or, if only
   * what is young was collected, for most of what was made lately.
   */
  collect(which: "young" | "all"): boolean;

  /** Whether garbage was collected since the last time, for whatever reason. Then, too, `deref` is right for what had died by then. */
  has_collected(): boolean;

  /** The `deref`s are done. */
  asked(): void;
}

// Note [Deaths within a synchronous job]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A training loop without an `await` is one job, and no finalizer runs before it ends. A `WeakRef` can be asked at any time, but
// making or asking one keeps its target until the job's end. In Node both are overcome by documented means:
//
//   1. a script that runs in a context of `microtaskMode: "afterEvaluate"` ends with a microtask checkpoint of that context's own
//      queue, and V8 then lets go of all targets it kept (of the program's own microtasks none is run)
//   2. `gc()`, which such a context has if it was made while --expose-gc was set, collects what nobody holds. Without arguments:
//      `gc(undefined)` is a minor collection on Node 22 and 24
//   3. `deref()` of each block; and step 1 again, for those that live were kept anew
//
// From Node 26 on a minor collection, at a twentieth of the price, clears the WeakRefs of young objects, too. Whether it does is tried out.
//
// No flag is set and no context made before the first collection, and `globalThis.gc` stays undefined.

interface NodeModules {
  readonly vm: typeof import("node:vm");
  readonly v8: typeof import("node:v8");
}

interface Collector {
  readonly all: () => void;
  /** Null where it would leave WeakRefs as they are. */
  readonly young: (() => void) | null;
  /** Step 1 of the Note. */
  readonly checkpoint: () => void;
}

/** Collects when asked to. */
export class CollectingReclaimer implements Reclaimer {
  readonly on_demand = true;
  private readonly modules_: NodeModules;
  private collector_: Collector | null | undefined = undefined;
  /** Of an object that nobody holds: gone once garbage was collected. */
  private canary_: WeakRef<object> = new_canary();

  constructor(modules: NodeModules) {
    this.modules_ = modules;
  }

  prepare(): void {
    this.collector();
  }

  watch(block: MemoryBlock, segment: Segment): void {
    segment.block = new WeakRef(block);
  }

  forget(segment: Segment): void {
    segment.block = null;
  }

  collect(which: "young" | "all"): boolean {
    const collector = this.collector();
    const collect = collector?.[which] ?? null;
    if (collector === null || collect === null) return false;
    collector.checkpoint();
    collect();
    return true;
  }

  has_collected(): boolean {
    const collector = this.collector();
    if (this.canary_.deref() === undefined) return collector !== null;
    collector?.checkpoint(); // or asking would have kept it
    return false;
  }

  asked(): void {
    const collector = this.collector();
    this.canary_ = new_canary();
    collector?.checkpoint();
  }

  private collector(): Collector | null {
    if (this.collector_ === undefined) this.collector_ = make_collector(this.modules_);
    return this.collector_;
  }
}

function new_canary(): WeakRef<object> {
  return new WeakRef({});
}

/** Null where it does not work: another runtime than Node may have the modules, and not what they do. */
function make_collector({ vm, v8 }: NodeModules): Collector | null {
  try {
    v8.setFlagsFromString("--expose-gc");
    const context = vm.createContext({}, { microtaskMode: "afterEvaluate" });
    const gc: unknown = vm.runInContext("globalThis.gc", context);
    v8.setFlagsFromString("--no-expose-gc");
    if (typeof gc !== "function") return null;
    const nothing = new vm.Script("0");
    const checkpoint = (): void => void nothing.runInContext(context);
    const clears = (collect: () => void): boolean => {
      const probe = new_canary();
      checkpoint();
      collect();
      return probe.deref() === undefined;
    };
    const young = (): void => void gc({ type: "minor" });
    const all = (): void => void gc();
    return clears(all) ? { all, young: clears(young) ? young : null, checkpoint } : null;
  } catch {
    return null;
  }
}

/** Is told by the engine, between tasks and when it likes. */
export class FinalizingReclaimer implements Reclaimer {
  readonly on_demand = false;
  private readonly registry_: FinalizationRegistry<Segment>;

  /** @param died is called for each segment whose block is no more */
  constructor(died: (segment: Segment) => void) {
    this.registry_ = new FinalizationRegistry(died);
  }

  prepare(): void {}

  watch(block: MemoryBlock, segment: Segment): void {
    this.registry_.register(block, segment, segment);
  }

  forget(segment: Segment): void {
    this.registry_.unregister(segment);
  }

  collect(): boolean {
    return false;
  }

  has_collected(): boolean {
    return false;
  }

  asked(): void {}
}

/** Never learns of any: the heap fills. */
export class NoReclaimer implements Reclaimer {
  readonly on_demand = false;

  prepare(): void {}

  watch(): void {}

  forget(): void {}

  collect(): boolean {
    return false;
  }

  has_collected(): boolean {
    return false;
  }

  asked(): void {}
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): unknown };
  readonly WeakRef?: unknown;
  readonly FinalizationRegistry?: unknown;
}

/** The best way that this runtime has. */
export function make_reclaimer(died: (segment: Segment) => void, runtime: Runtime = globalThis as Runtime): Reclaimer {
  const module = (name: string): unknown => runtime.process?.getBuiltinModule?.(name);
  const [vm, v8] = [module("node:vm"), module("node:v8")] as [
    NodeModules["vm"] | undefined,
    NodeModules["v8"] | undefined,
  ];
  if (vm !== undefined && v8 !== undefined && runtime.WeakRef !== undefined) return new CollectingReclaimer({ vm, v8 });
  return runtime.FinalizationRegistry === undefined ? new NoReclaimer() : new FinalizingReclaimer(died);
}
