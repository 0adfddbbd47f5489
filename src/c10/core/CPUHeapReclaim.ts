/**
 * @file How the heap learns that nobody holds a block any more.
 * @original In PyTorch the last reference frees the memory; JavaScript tells of no last reference.
 * @see CPUHeap.ts
 */
/** A block's place in the heap, which outlives the block. */
export interface Segment {
  readonly begin: number;
  readonly nbytes: number;
}

/** Whoever's death is to be learnt: a `MemoryBlock`, say. */
export interface Mortal {
  /** What shares its fate; nobody else holds it. */
  witness: object | null;
}

/** Which garbage: what was made lately, at a small part of the price, or all of it. */
export type Generation = "young" | "all";

const NONE: readonly never[] = [];

/** `S` is what stands for the one that died, and outlives it. */
export interface Reclaimer<S extends object = Segment> {
  /** Whether `collect` may be called. */
  readonly on_demand: boolean;

  /** What `collect` needs only once, so that its time tells nothing of the next one's. */
  prepare(): void;

  /** From now on the death of `block` will be learnt. */
  watch(block: Mortal, segment: S): void;

  /** `segment` was freed by hand: its block's death is of no interest. */
  forget(segment: S): void;

  /**
   * Collects garbage now, and returns the segments whose blocks are dead, each once; null where that cannot be. If only what is young
   * is collected, these are most of what was made and died lately.
   */
  collect(which: Generation): readonly S[] | null;

  /** The segments whose blocks are dead by the engine's own collections, as far as that can be had without one. */
  collected(): readonly S[];
}

// Note [Deaths within a synchronous job]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A training loop without an `await` is one job. No finalizer runs before it ends, and making or asking a `WeakRef` keeps its target
// until then. In Node deaths are learnt by documented means all the same:
//
//   1. each block alone holds a witness, and a `WeakSet` has the witnesses
//   2. `gc()`, which a context has if it was made while --expose-gc was set, collects what nobody holds. Without arguments:
//      `gc(undefined)` is a minor collection on Node 22 and 24. `gc({ type: "minor" })` collects the young alone, in a tenth of a
//      millisecond instead of tens; the entries of a WeakSet that it finds dead are gone, where a WeakRef would stay as it is
//   3. `util.inspect(set, { showHidden: true })` calls each entry that is left by its own `inspect`: the roll
//
// A witness that was met twice is old: only a collection of everything would miss it, and it moves to a roll of its own.
// Should the roll not be called one day (another runtime, someone's own `inspect`), each set has an entry that lives for ever; where it
// is not met nobody is taken for dead.
//
// Of the young next to nothing lives: V8's helper threads, which share such a collection, take longer to wake than one thread needs for
// it, and take the processors from the kernels' threads. So they sleep while a collection is ours; no other is changed.
//
// No flag is set and no context made before the first collection, and `globalThis.gc` stays undefined.

interface NodeModules {
  readonly vm: typeof import("node:vm");
  readonly v8: typeof import("node:v8");
  readonly util: typeof import("node:util");
}

const inspect_custom = Symbol.for("nodejs.util.inspect.custom");
/** Who has answered since the roll was begun. */
let met: Witness<object>[] = [];

/** Held by its block, and by nobody else: it is there as long as the block. */
class Witness<S extends object> {
  readonly segment: S | null;
  /** How often it was met. */
  age = 0;

  constructor(segment: S | null) {
    this.segment = segment;
  }

  [inspect_custom](): string {
    met.push(this);
    return "";
  }
}

/** At this age a witness is old, as V8 has it. */
const OLD = 2;

/** Segments that are watched together. */
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

  /** Whether it was on the roll. */
  leave(witness: Witness<S>, segment: S): boolean {
    this.witnesses_.delete(witness);
    return this.forget(segment);
  }

  /** Its witness may be met all the same, as long as somebody holds the block that was freed. */
  forget(segment: S): boolean {
    return this.segments_.delete(segment);
  }

  /** The witnesses that are there; null if the roll cannot be called. */
  private call(): Witness<S>[] | null {
    met = [];
    this.util_.inspect(this.witnesses_, {
      showHidden: true,
      maxArrayLength: Number.POSITIVE_INFINITY,
      depth: 0,
      customInspect: true,
    });
    const present = met as Witness<S>[]; // this roll's, and no other's
    met = [];
    return present.includes(this.eternal_) ? present : null;
  }

  /** Strikes the dead off, and adds their segments to `dead`. Returns the witnesses that are there; null if nobody knows. */
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
  /** Null where it would clear no WeakSet. */
  readonly young: (() => void) | null;
}

/** Collects when asked to. */
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

  /** False if nobody knows who is dead. */
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

/** Null where it does not work: another runtime than Node may have the modules, and not what they do. */
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

/** Whether a roll tells, after `collect`, of one that is held and of some that are not: the last of them may still be on the stack. */
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

/** Is told by the engine, between tasks and when it likes. */
export class FinalizingReclaimer<S extends object = Segment> implements Reclaimer<S> {
  readonly on_demand = false;
  private readonly registry_: FinalizationRegistry<S>;

  /** @param died is called for each segment whose block is no more */
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

/** Never learns of any: the heap fills. */
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

/** The best way that this runtime has. */
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
