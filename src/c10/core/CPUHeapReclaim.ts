/**
 * @file The reclaimers: how the heap learns that nobody holds a block any more.
 * @original In PyTorch the last reference frees the memory; JavaScript does not report a last reference.
 * @see CPUHeap.ts
 */
/** A block's place in the heap; it outlives the block. */
export interface Segment {
  readonly begin: number;
  readonly nbytes: number;
}

/** An object whose death the heap wants to learn, such as a `MemoryBlock`. */
export interface Mortal {
  /** An object that only this one holds, so both die together. */
  witness: object | null;
}

/** Which garbage is collected: only objects made recently, which is far cheaper, or all. */
export type Generation = "young" | "all";

const NONE: readonly never[] = [];

/** Reports deaths. `S` is the record that stands for a dead object and outlives it. */
export interface Reclaimer<S extends object = Segment> {
  /** Whether `collect` may be called at any time. */
  readonly on_demand: boolean;

  /** Does the one-time setup of `collect`, so that its cost is not counted as part of the first collection. */
  prepare(): void;

  /** Begins to watch `block`: its death will be reported as `segment`. */
  watch(block: Mortal, segment: S): void;

  /** Stops watching: `segment` was freed by hand. */
  forget(segment: S): void;

  /**
   * Collects garbage now and returns the segments whose blocks are dead, each once; null if that is not possible. A
   * collection of young objects finds most of the blocks that were made and died recently.
   */
  collect(which: Generation): readonly S[] | null;

  /** Segments whose blocks were found dead by the engine's own collections, as far as they are known without running one. */
  collected(): readonly S[];
}

// Note [Deaths within a synchronous job]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A training loop without an `await` is one job. No finalizer runs before it ends, and creating or reading a `WeakRef`
// keeps its target alive until then. In Node deaths can be learnt all the same, by documented means:
//
//   1. Each block alone holds a witness, and a `WeakSet` contains the witnesses.
//   2. `gc()` collects what nobody holds. A context has this function if it was made while --expose-gc was set. It is
//      called without arguments for a full collection: `gc(undefined)` is a minor one on Node 22 and 24.
//      `gc({ type: "minor" })` collects only young objects, in a tenth of a millisecond instead of tens. It removes
//      dead entries from a WeakSet, but leaves a WeakRef as it is.
//   3. `util.inspect(set, { showHidden: true })` calls each remaining entry's own `inspect`: this is the roll call.
//
// A witness that was met twice is old: only a full collection can find it dead, so it moves to a roll of its own. The
// roll call may fail one day (another runtime, or somebody's own `inspect`). Each set therefore has one entry that
// lives for ever; if that entry is not met, no block is taken for dead.
//
// Almost no young object survives. V8 shares such a collection among helper threads, which take longer to wake up than
// one thread needs for all of it, and which take processors from the kernels' threads. They are therefore off during
// our collections only.
//
// Before the first collection no flag is set and no context made. `globalThis.gc` stays undefined.

interface NodeModules {
  readonly vm: typeof import("node:vm");
  readonly v8: typeof import("node:v8");
  readonly util: typeof import("node:util");
}

const inspect_custom = Symbol.for("nodejs.util.inspect.custom");
/** Witnesses that have answered since the roll call began. */
let met: Witness<object>[] = [];

/** A witness. Only its block holds it, so it exists exactly as long as the block. */
class Witness<S extends object> {
  readonly segment: S | null;
  /** Number of roll calls at which it was met. */
  age = 0;

  constructor(segment: S | null) {
    this.segment = segment;
  }

  [inspect_custom](): string {
    met.push(this);
    return "";
  }
}

/** At this age a witness is old; V8 promotes an object after as many collections. */
const OLD = 2;

/** Segments that are watched together, with a WeakSet of their witnesses. */
class Roll<S extends object> {
  private readonly util_: NodeModules["util"];
  private readonly witnesses_ = new WeakSet<Witness<S>>();
  private readonly segments_ = new Set<S>();
  private readonly eternal_ = new Witness<S>(null);

  constructor(util: NodeModules["util"]) {
    this.util_ = util;
    this.witnesses_.add(this.eternal_);
  }

  enter(witness: Witness<S>, segment: S): void {
    this.witnesses_.add(witness);
    this.segments_.add(segment);
  }

  /** Removes a segment; returns whether it was on the roll. */
  leave(witness: Witness<S>, segment: S): boolean {
    this.witnesses_.delete(witness);
    return this.forget(segment);
  }

  /** Removes a freed segment. Its witness may still be met while somebody holds the freed block. */
  forget(segment: S): boolean {
    return this.segments_.delete(segment);
  }

  /** Calls the roll: the witnesses that still exist; null if the roll call does not work. */
  private call(): Witness<S>[] | null {
    met = [];
    this.util_.inspect(this.witnesses_, {
      showHidden: true,
      maxArrayLength: Number.POSITIVE_INFINITY,
      depth: 0,
      customInspect: true,
    });
    const present = met as Witness<S>[]; // only the witnesses of this roll
    met = [];
    return present.includes(this.eternal_) ? present : null;
  }

  /**
   * Removes dead segments and adds them to `dead`. Returns the witnesses that still exist; null if the roll call does not work.
   */
  strike(dead: S[]): Witness<S>[] | null {
    if (this.segments_.size === 0) return [];
    const present = this.call();
    if (present === null) return null;
    const living = new Set(present.map((witness) => witness.segment));
    for (const segment of this.segments_) {
      if (living.has(segment)) continue;
      this.segments_.delete(segment);
      dead.push(segment);
    }
    return present;
  }
}

interface Collector {
  readonly all: () => void;
  /** Collects young objects; null if such a collection removes nothing from a WeakSet. */
  readonly young: (() => void) | null;
}

/** Reclaimer that collects garbage on demand (Node). */
export class CollectingReclaimer<S extends object = Segment> implements Reclaimer<S> {
  readonly on_demand = true;
  private readonly modules_: NodeModules;
  private collector_: Collector | null | undefined = undefined;
  private readonly young_: Roll<S>;
  private readonly old_: Roll<S>;

  constructor(modules: NodeModules) {
    this.modules_ = modules;
    this.young_ = new Roll(modules.util);
    this.old_ = new Roll(modules.util);
  }

  prepare(): void {
    this.collector();
  }

  watch(block: Mortal, segment: S): void {
    const witness = new Witness(segment);
    block.witness = witness;
    this.young_.enter(witness, segment);
  }

  forget(segment: S): void {
    if (!this.young_.forget(segment)) this.old_.forget(segment);
  }

  collect(which: Generation): readonly S[] | null {
    const collect = this.collector()?.[which] ?? null;
    if (collect === null) return null;
    collect();
    const dead: S[] = [];
    const known = this.strike_young(dead) && (which === "young" || this.old_.strike(dead) !== null);
    return known ? dead : null;
  }

  collected(): readonly S[] {
    const dead: S[] = [];
    this.young_.strike(dead);
    this.old_.strike(dead);
    return dead;
  }

  /** Removes dead young segments; false if the roll call does not work. */
  private strike_young(dead: S[]): boolean {
    const present = this.young_.strike(dead);
    for (const witness of present ?? []) {
      const segment = witness.segment;
      if (segment === null || ++witness.age < OLD) continue;
      if (this.young_.leave(witness, segment)) this.old_.enter(witness, segment);
    }
    return present !== null;
  }

  private collector(): Collector | null {
    if (this.collector_ === undefined) this.collector_ = make_collector(this.modules_);
    return this.collector_;
  }
}

/**
 * The functions that collect and inspect; null if they do not work: another runtime may have the modules without their effects.
 */
function make_collector({ vm, v8, util }: NodeModules): Collector | null {
  try {
    v8.setFlagsFromString("--expose-gc");
    const gc: unknown = vm.runInContext("globalThis.gc", vm.createContext({}));
    v8.setFlagsFromString("--no-expose-gc");
    if (typeof gc !== "function") return null;
    const all = (): void => void gc();
    const young = (): void => {
      v8.setFlagsFromString("--no-parallel-scavenge");
      gc({ type: "minor" });
      v8.setFlagsFromString("--parallel-scavenge");
    };
    return finds_dead(util, all) ? { all, young: finds_dead(util, young) ? young : null } : null;
  } catch {
    return null;
  }
}

/**
 * Whether, after `collect`, a roll call finds an entry that is held and misses most that are not; the last one may
 * still be on the stack.
 */
function finds_dead(util: NodeModules["util"], collect: () => void): boolean {
  const roll = new Roll<Segment>(util);
  const segments: Segment[] = [0, 1, 2, 3].map((begin) => ({ begin, nbytes: 0 }));
  const held = new Witness(segments[0]);
  roll.enter(held, segments[0]);
  for (const segment of segments.slice(1)) roll.enter(new Witness(segment), segment);
  collect();
  const dead: Segment[] = [];
  const present = roll.strike(dead);
  return present?.includes(held) === true && dead.length > 1 && !dead.includes(segments[0]);
}

/** Reclaimer that the engine informs by finalizers, between tasks and whenever it chooses. */
export class FinalizingReclaimer<S extends object = Segment> implements Reclaimer<S> {
  readonly on_demand = false;
  private readonly registry_: FinalizationRegistry<S>;

  /** @param died called for each segment whose block is dead */
  constructor(died: (segment: S) => void) {
    this.registry_ = new FinalizationRegistry(died);
  }

  prepare(): void {}

  watch(block: Mortal, segment: S): void {
    this.registry_.register(block, segment, segment);
  }

  forget(segment: S): void {
    this.registry_.unregister(segment);
  }

  collect(): null {
    return null;
  }

  collected(): readonly never[] {
    return NONE;
  }
}

/** Reclaimer that never learns of any death: the heap fills up. */
export class NoReclaimer implements Reclaimer<object> {
  readonly on_demand = false;

  prepare(): void {}

  watch(): void {}

  forget(): void {}

  collect(): null {
    return null;
  }

  collected(): readonly never[] {
    return NONE;
  }
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): unknown };
  readonly FinalizationRegistry?: unknown;
}

/** Makes the best reclaimer that this runtime supports. */
export function make_reclaimer<S extends object = Segment>(
  died: (segment: S) => void,
  runtime: Runtime = globalThis as Runtime,
): Reclaimer<S> {
  const module = <T>(name: string): T | undefined => runtime.process?.getBuiltinModule?.(name) as T | undefined;
  const vm = module<NodeModules["vm"]>("node:vm");
  const v8 = module<NodeModules["v8"]>("node:v8");
  const util = module<NodeModules["util"]>("node:util");
  if (vm !== undefined && v8 !== undefined && util !== undefined) return new CollectingReclaimer({ vm, v8, util });
  return runtime.FinalizationRegistry === undefined ? new NoReclaimer() : new FinalizingReclaimer(died);
}
