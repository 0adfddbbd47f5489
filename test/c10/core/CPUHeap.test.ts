/** @file The heap by itself: what it hands out, takes back and refuses, under reclaimers of every kind. */
import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { MemoryBlock } from "#c10/core/Allocator";
import { type CPUHeap, type HeapOptions, make_heap } from "#c10/core/CPUHeap";
import { FreeRanges, size_class } from "#c10/core/CPUHeapRanges";
import {
  CollectingReclaimer,
  FinalizingReclaimer,
  type Generation,
  make_reclaimer,
  NoReclaimer,
  type Reclaimer,
  type Segment,
} from "#c10/core/CPUHeapReclaim";
import { setTracer } from "#c10/util/Trace";

const MB = 2 ** 20;

afterEach(() => vi.unstubAllGlobals());

function heap_of(options: HeapOptions): CPUHeap {
  const heap = make_heap(options);
  if (heap === null) throw new Error("no heap");
  return heap;
}

const NODE = {
  vm: process.getBuiltinModule("node:vm"),
  v8: process.getBuiltinModule("node:v8"),
  util: process.getBuiltinModule("node:util"),
};

/** Blocks die when the test says so, and the heap learns of it when it collects; that takes `ms` of a clock that nothing else moves. */
class Told implements Reclaimer {
  readonly on_demand = true;
  readonly dead = new Set<MemoryBlock>();
  private readonly watched = new Map<Segment, MemoryBlock>();
  collections: { at: number; ms: number }[] = [];
  collected_by_itself = false;
  time = 0;
  ms = 0;

  prepare(): void {}

  watch(block: MemoryBlock, segment: Segment): void {
    this.watched.set(segment, block);
  }

  forget(segment: Segment): void {
    this.watched.delete(segment);
  }

  collect(which: Generation): readonly Segment[] | null {
    if (which === "young") return null;
    this.collections.push({ at: this.time, ms: this.ms });
    this.time += this.ms;
    return this.found();
  }

  collected(): readonly Segment[] {
    return this.collected_by_itself ? this.found() : [];
  }

  protected found(seen: (block: MemoryBlock) => boolean = () => true): Segment[] {
    this.collected_by_itself = false;
    const dead = [...this.watched]
      .filter(([, block]) => this.dead.has(block) && seen(block))
      .map(([segment]) => segment);
    for (const segment of dead) this.watched.delete(segment);
    return dead;
  }
}

function told_heap(options: HeapOptions = {}): [CPUHeap, Told] {
  const told = new Told();
  return [heap_of({ reclaimer: () => told, now: () => told.time, ...options }), told];
}

function allocated(heap: CPUHeap, nbytes: number): MemoryBlock {
  const block = heap.allocate(nbytes);
  if (block === null) throw new Error("the heap is full");
  return block;
}

test("sizes are eight an octave, multiples of 64, and at most an eighth too large", () => {
  expect([1, 64, 65, 512, 513, 1024, 1025, 65536, 65537].map(size_class)).toEqual([
    64, 64, 128, 512, 576, 1024, 1152, 65536, 73728,
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 512, max: 2 ** 31 - 2 ** 28 }), (n) => {
      const size = size_class(n);
      expect(size % 64).toBe(0);
      expect(size >= n && size <= n * 1.125).toBe(true);
      expect(size_class(size)).toBe(size);
    }),
  );
});

test("ranges that touch become one", () => {
  const free = new FreeRanges();
  for (const i of [3, 0, 2, 5, 1]) free.give(1000 + i * 64, 64);
  free.merge();
  expect([free.count(), free.nbytes()]).toEqual([2, 5 * 64]);
  expect(free.take(256)).toBe(1000);
  expect(free.take(128)).toBe(-1);
  expect(free.take(64)).toBe(1000 + 5 * 64);
  expect([free.count(), free.nbytes()]).toEqual([0, 0]);
});

test("blocks have no byte in common, nor with the null address or the guard", () => {
  const heap = heap_of({ maximum: 4 * MB });
  const blocks = [1, 64, 100, 5000, 70000].map((n) => allocated(heap, n));
  expect(blocks[0].begin).toBe(64);
  for (const [i, block] of blocks.entries()) {
    expect(block.in_heap).toBe(true);
    expect(block.begin % 64).toBe(0);
    if (i > 0) expect(block.begin).toBeGreaterThanOrEqual(blocks[i - 1].begin + blocks[i - 1].nbytes);
    expect(block.f32() === blocks[0].f32()).toBe(true); // all share the arrays over the whole memory
    expect(block.f32().buffer === heap.memory.buffer).toBe(true);
  }
  const free = 4 * MB - (heap.dumpState()["top"] as number);
  expect(heap.allocate(free)).toBe(null); // the last 64 bytes are nobody's
  heap.checkInvariants();
});

// What a program may do. Bytes of a block are compared with a copy before it goes, and all at the end.
type Step =
  | { readonly kind: "allocate"; readonly nbytes: number; readonly fill: number }
  | { readonly kind: "free" | "drop" | "write"; readonly which: number; readonly fill: number }
  | { readonly kind: "sweep" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("allocate" as const), nbytes: sizes(), fill: fc.nat(255) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("free" as const, "drop" as const, "write" as const),
      which: fc.nat(1000),
      fill: fc.nat(255),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "sweep" as const }) },
);

function sizes(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100_000 }), fc.constant(65536));
}

function bytes_of(block: MemoryBlock, nbytes: number): Uint8Array {
  return new Uint8Array(block.buffer, block.begin, nbytes);
}

/** Minutes of it: `GLASSTORCH_HEAP_RUNS=20000 npx vitest run test/c10/core/CPUHeap.test.ts --testTimeout=600000`. */
const numRuns = Number(process.env["GLASSTORCH_HEAP_RUNS"] ?? "150");

test("whatever is allocated, dropped, freed and swept, no byte of a living block changes", () => {
  const run = (steps: readonly Step[], stress: boolean): void => {
    const [heap, told] = told_heap({ maximum: MB, stress });
    const live: { block: MemoryBlock; copy: Uint8Array }[] = [];
    const compare = ({ block, copy }: (typeof live)[number]): void =>
      expect(Buffer.compare(bytes_of(block, copy.length), copy)).toBe(0);
    for (const s of steps) {
      if (s.kind === "sweep") heap.sweep();
      else if (s.kind === "allocate") {
        const block = heap.allocate(s.nbytes);
        if (block === null) continue;
        bytes_of(block, s.nbytes).fill(s.fill);
        live.push({ block, copy: new Uint8Array(s.nbytes).fill(s.fill) });
      } else if (live.length > 0) {
        const i = s.which % live.length;
        const { block, copy } = live[i];
        compare(live[i]);
        if (s.kind === "write") for (const bytes of [copy, bytes_of(block, copy.length)]) bytes.fill(s.fill);
        else live.splice(i, 1);
        if (s.kind === "free") heap.free(block);
        if (s.kind === "drop") told.dead.add(block);
      }
      heap.checkInvariants();
    }
    for (const one of live) compare(one);
    for (const { block } of live) told.dead.add(block);
    heap.sweep();
    heap.checkInvariants();
    expect(heap.dumpState()["blocks"]).toBe(0);
    expect(heap.dumpState()["free_ranges"]).toBeLessThanOrEqual(1); // all merged again
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), run), { numRuns });
});

test("a freed block reads nothing, and its memory is handed out again at once", () => {
  const [heap] = told_heap();
  const block = allocated(heap, 5000);
  const begin = block.begin;
  heap.free(block);
  expect([block.in_heap, block.f32().length, block.buffer.byteLength]).toEqual([false, 0, 0]);
  heap.free(block); // twice is once
  const next = allocated(heap, 5000);
  expect([next.begin, next.reused, block.reused]).toEqual([begin, true, false]);
  heap.checkInvariants();
});

test("a reclaimer that reports a block freed by hand frees nobody else's memory", () => {
  class Forgetful extends Told {
    override forget(): void {}
  }
  const told = new Forgetful();
  const heap = heap_of({ reclaimer: () => told, now: () => told.time });
  const freed = allocated(heap, 5000);
  heap.free(freed);
  const live = allocated(heap, 5000); // in the same place
  told.dead.add(freed);
  expect(heap.sweep()).toBe(0);
  expect(allocated(heap, 5000).begin).not.toBe(live.begin);
  expect(heap.dumpState()["blocks"]).toBe(2);
  heap.checkInvariants();
});

test("the last block has a guard behind it that can be read, also where memory ends", () => {
  const heap = heap_of({ maximum: MB, shared: false, reclaimer: () => new NoReclaimer() });
  let last = allocated(heap, 64);
  for (let next = heap.allocate(64); next !== null; next = heap.allocate(64)) last = next;
  expect(last.begin + last.nbytes).toBe(MB - 64);
  heap.checkInvariants();
});

test("memory grows in time for the guard", () => {
  const [heap] = told_heap();
  const size = heap.memory.buffer.byteLength; // a power of two
  let last = allocated(heap, size / 2);
  for (let nbytes = size / 4; nbytes >= 64; nbytes /= 2) last = allocated(heap, nbytes);
  expect(last.begin + last.nbytes).toBe(size); // they fill what memory there was
  expect(heap.memory.buffer.byteLength).toBeGreaterThanOrEqual(size + 64);
  heap.checkInvariants();
});

test("fill writes the bytes it is told to, in shared memory and in unshared", () => {
  for (const shared of [true, false]) {
    const heap = heap_of({ maximum: MB, shared });
    const block = allocated(heap, 1000);
    heap.fill(block.begin + 3, 0xab, 500);
    const bytes = [...bytes_of(block, 505)];
    expect(bytes).toEqual([0, 0, 0, ...new Array<number>(500).fill(0xab), 0, 0]);
  }
});

test("what no memory holds is refused", () => {
  const [heap] = told_heap();
  for (const nbytes of [2 ** 31 - 1, 2 ** 31, 2 ** 53, 2 ** 62, Infinity]) expect(heap.allocate(nbytes)).toBe(null);
  heap.checkInvariants();
});

test("memory grows, and what lies in it stays where it is", () => {
  const [heap] = told_heap();
  const first = allocated(heap, 100);
  const old = first.u8();
  old[first.begin] = 7;
  const before = heap.memory.buffer.byteLength;
  const large = allocated(heap, 100 * MB);
  expect(heap.memory.buffer.byteLength).toBeGreaterThan(before);
  expect(large.u8().length).toBe(heap.memory.buffer.byteLength);
  expect(large.u8()[first.begin]).toBe(7);
  expect(first.u8() === old).toBe(true);
  large.u8()[first.begin] = 8;
  expect(old[first.begin]).toBe(8);
});

test("a sweep comes when 64 MB were handed out, and never takes more than a tenth of the time since the last", () => {
  const [heap, told] = told_heap();
  told.ms = 50;
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const block = heap.allocate(MB);
    if (block === null) refused++;
    else told.dead.add(block);
    told.time += 0.2;
  }
  expect(told.collections.length).toBeGreaterThan(5);
  expect(told.collections[0].at).toBeCloseTo(64 * 0.2, 0);
  const [, ...later] = told.collections;
  later.forEach(({ at, ms }, i) => {
    const since = at - (told.collections[i].at + told.collections[i].ms);
    expect(ms).toBeLessThanOrEqual(0.1 * since + 1e-9);
  });
  expect(refused).toBeGreaterThan(0); // meanwhile ArrayBuffers took over
  expect(heap.stats.reserved_bytes.current).toBeLessThanOrEqual(225 * MB); // and the heap did not grow for ever
});

/** Learns of what died young for `young_ms`; what was met twice only when everything is collected. */
class Generations extends Told {
  young_ms = 0;
  readonly old = new Set<MemoryBlock>();
  young_collections = 0;

  override collect(which: Generation): readonly Segment[] | null {
    if (which === "all") return super.collect(which);
    this.young_collections++;
    this.time += this.young_ms;
    return this.found((block) => !this.old.has(block));
  }
}

function generations_heap(): [CPUHeap, Generations] {
  const told = new Generations();
  return [heap_of({ reclaimer: () => told, now: () => told.time }), told];
}

test("where sweeps of the young cost little they come sooner, where they cost much later", () => {
  const thresholds = [0.01, 2].map((ms) => {
    const [heap, told] = generations_heap();
    told.young_ms = ms;
    for (let i = 0; i < 2000; i++) {
      const block = heap.allocate(MB);
      if (block !== null) told.dead.add(block);
      told.time += 0.4;
    }
    expect(told.young_collections).toBeGreaterThan(10);
    expect(told.collections.length).toBe(0); // nothing grows old
    expect(heap.stats.num_fallbacks).toBe(0);
    return (heap.dumpState()["threshold"] as number) / MB;
  });
  expect(thresholds).toEqual([12, 64]);
});

test("sweeps of the young that pay by warm memory may take more than a tenth of the time", () => {
  const [heap, told] = generations_heap();
  told.young_ms = 0.1;
  for (let i = 0; i < 2000; i++) {
    told.dead.add(allocated(heap, MB));
    told.time += 0.04;
  }
  expect((heap.dumpState()["threshold"] as number) / MB).toBe(12);
  expect(heap.stats.sweep_ms / told.time).toBeGreaterThan(0.1);
  expect(heap.stats.reserved_bytes.current).toBeLessThanOrEqual(66 * MB);
});

test("where much outlives sweeps of the young, they stay rarer: what is collected often grows old early", () => {
  const [heap, told] = generations_heap();
  told.young_ms = 0.01;
  told.ms = 1e6; // nothing else is collected
  for (let i = 0; i < 24; i++) allocated(heap, MB); // held
  for (let i = 0; i < 2000; i++) {
    told.dead.add(allocated(heap, MB));
    told.time += 0.4;
  }
  expect((heap.dumpState()["threshold"] as number) / MB).toBe(16);
});

test("what outlives sweeps of the young adds up until everything is collected, within the same tenth of the time", () => {
  const [heap, told] = generations_heap();
  told.young_ms = 0.3;
  told.ms = 5;
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const block = heap.allocate(MB);
    told.time += 0.2;
    if (block === null) refused++;
    else {
      if (i % 4 === 0) told.old.add(block); // dies, too, but nobody sees it in time
      told.dead.add(block);
    }
  }
  expect(told.collections.length).toBeGreaterThan(5);
  expect(heap.stats.sweep_ms).toBeLessThanOrEqual(0.1 * told.time + 6);
  expect(heap.stats.reserved_bytes.current).toBeLessThanOrEqual(225 * MB);
  expect(refused).toBeLessThan(20_000 / 4);
  heap.checkInvariants();
});

test("a heap that is full of what grew old has everything collected, though sweeps of the young have used up their part", () => {
  const [heap, told] = generations_heap();
  told.young_ms = 0.05;
  told.ms = 20;
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const block = heap.allocate(MB);
    if (block === null) refused++;
    else {
      if (i % 4 === 0) told.old.add(block);
      told.dead.add(block);
    }
    told.time += block === null ? 0.25 : 0.1; // who gets an ArrayBuffer has to fault it in
  }
  // Of the time since the last: then there is room again.
  const [, ...later] = told.collections;
  later.forEach(({ at, ms }, i) => {
    expect(ms).toBeLessThanOrEqual(0.1 * (at - (told.collections[i].at + told.collections[i].ms)) + 1e-9);
  });
  expect(told.collections.length).toBeGreaterThan(0.8 * (told.time / 220)); // as often as a tenth of the time allows
  expect(refused).toBeLessThan(20_000 / 2);
});

test("when the engine collects by itself, the heap takes note without collecting", () => {
  const [heap, told] = told_heap();
  told.ms = 1e6; // far too dear after the first
  const fill = (): number => {
    let n = 0;
    for (let block = heap.allocate(MB); block !== null; block = heap.allocate(MB)) {
      told.dead.add(block);
      n++;
    }
    return n;
  };
  fill();
  expect(fill()).toBe(0);
  told.collected_by_itself = true;
  expect(Array.from({ length: 10 }, fill).reduce((a, b) => a + b)).toBe(160);
  expect(told.collections.length).toBe(1);
});

test("within one job Node learns which blocks are dead, and nobody else gets `gc`", () => {
  const heap = heap_of({ maximum: 64 * MB });
  const kept = allocated(heap, 5000);
  (() => {
    for (let i = 0; i < 500; i++) allocated(heap, 5000);
  })();
  expect(heap.sweep()).toBe(500 * size_class(5000));
  expect(heap.dumpState()["blocks"]).toBe(1);
  expect(kept.in_heap).toBe(true);
  expect([heap.stats.num_sweeps, (globalThis as { gc?: unknown }).gc]).toEqual([1, undefined]);
  expect(process.getBuiltinModule("node:vm").runInNewContext("typeof gc")).toBe("undefined");
});

test("the young are told from the old: a collection of the young frees the first, and only one of all the second", () => {
  const heap = heap_of({ maximum: 64 * MB });
  const size = size_class(5000);
  let old: MemoryBlock[] | null = Array.from({ length: 10 }, () => allocated(heap, 5000));
  for (let i = 0; i < 3; i++) expect(heap.sweep("young")).toBe(0);
  expect(old.every((block) => block.in_heap)).toBe(true);
  old = null;
  const waste = (): void => {
    for (let i = 0; i < 10; i++) allocated(heap, 5000);
  };
  waste();
  expect(heap.sweep("young") / size).toBeGreaterThanOrEqual(9);
  expect(heap.sweep("all") / size).toBeGreaterThanOrEqual(9);
  waste();
  expect(heap.sweep("all") / size).toBeGreaterThanOrEqual(9);
  expect(heap.dumpState()["blocks"]).toBeLessThanOrEqual(3);
  heap.checkInvariants();
});

test("a block that was freed by hand and is held still grows old without a segment", () => {
  const heap = heap_of({ maximum: 64 * MB });
  const freed = allocated(heap, 5000);
  heap.free(freed);
  const next = allocated(heap, 5000); // in its place
  for (let i = 0; i < 3; i++) heap.sweep("young");
  expect([heap.sweep("all"), next.in_heap, freed.in_heap]).toEqual([0, true, false]);
  expect(allocated(heap, 5000).begin).not.toBe(next.begin);
  heap.checkInvariants();
});

test("where the roll is not called, nobody is taken for dead", () => {
  let broken = false;
  const util = { inspect: (value: unknown, options: never) => (broken ? "" : NODE.util.inspect(value, options)) };
  const heap = heap_of({ reclaimer: () => new CollectingReclaimer({ ...NODE, util: util as never }) });
  const kept = [allocated(heap, 5000), allocated(heap, 5000)];
  expect(heap.sweep("young")).toBe(0);
  broken = true;
  expect(heap.sweep("young")).toBe(-1);
  expect(heap.sweep("all")).toBe(-1);
  expect(kept.every((block) => block.in_heap)).toBe(true);
  heap.checkInvariants();
});

test("a collection of the engine's own is noticed, too", () => {
  const [watching, other] = [new CollectingReclaimer(NODE), new CollectingReclaimer(NODE)];
  const heap = heap_of({ reclaimer: () => watching });
  const kept = allocated(heap, 5000);
  (() => {
    for (let i = 0; i < 20; i++) allocated(heap, 5000);
  })();
  expect(watching.collected()).toEqual([]);
  other.collect("all");
  expect(watching.collected().length).toBeGreaterThanOrEqual(19); // the last may still be on the stack
  expect(kept.in_heap).toBe(true);
});

test("a browser tells between tasks", async () => {
  const heap = heap_of({ reclaimer: (died) => new FinalizingReclaimer(died) });
  const kept = allocated(heap, 5000);
  const freed_by_hand = allocated(heap, 5000);
  heap.free(freed_by_hand);
  const reused = allocated(heap, 5000); // in its place: the death of the first must not free it
  (() => {
    while (heap.allocate(MB) !== null);
  })();
  expect(heap.sweep()).toBe(-1);
  expect(heap.allocate(MB)).toBe(null);
  for (let i = 0; i < 50 && heap.stats.allocation.current > 2; i++) {
    new CollectingReclaimer(NODE).collect("all"); // V8 likes
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(heap.stats.allocation.current).toBe(2);
  expect(heap.allocate(100 * MB)?.in_heap).toBe(true); // what came back one by one is one range again
  expect([kept.in_heap, reused.in_heap, freed_by_hand.in_heap]).toEqual([true, true, false]);
  heap.checkInvariants();
});

test("with neither way the heap fills, once", () => {
  const heap = heap_of({ reclaimer: () => new NoReclaimer() });
  let n = 0;
  while (heap.allocate(MB) !== null) n++;
  expect(n).toBe(160);
  expect(heap.stats.num_sweeps).toBe(0);
});

test("the reclaimer is the best that the runtime has", () => {
  const registry = { FinalizationRegistry };
  const modules = { process };
  expect(make_reclaimer(() => {}, { ...modules, ...registry })).toBeInstanceOf(CollectingReclaimer);
  expect(make_reclaimer(() => {}, registry)).toBeInstanceOf(FinalizingReclaimer);
  expect(make_reclaimer(() => {}, {})).toBeInstanceOf(NoReclaimer);
});

test("a runtime that has Node's modules and not what they do is taken for a browser", () => {
  const vm = { createContext: () => ({}), runInContext: () => undefined };
  const modules = { vm: vm as never, v8: { setFlagsFromString: () => {} } as never, util: NODE.util };
  const heap = heap_of({ reclaimer: () => new CollectingReclaimer(modules) });
  const block = allocated(heap, 5000);
  expect(heap.sweep()).toBe(-1);
  expect(block.in_heap).toBe(true);
  expect(allocated(heap, 5000).begin).not.toBe(block.begin);
  heap.checkInvariants();
});

test("where address space is short the memory is smaller; where there is none, there is no heap", () => {
  const tried: number[] = [];
  const { Memory } = WebAssembly;
  const give = (most: number): void => {
    vi.stubGlobal("WebAssembly", {
      Memory: function (descriptor: WebAssembly.MemoryDescriptor) {
        const maximum = (descriptor.maximum as number) / 16;
        tried.push(maximum);
        if (maximum > most) throw new RangeError("WebAssembly.Memory(): could not allocate memory");
        return new Memory(descriptor);
      },
    });
  };
  give(512);
  expect(make_heap()?.dumpState()["maximum"]).toBe(512 * MB);
  give(0);
  expect(make_heap()).toBe(null);
  vi.stubGlobal("WebAssembly", undefined);
  expect(make_heap()).toBe(null);
  expect(tried).toEqual([2048, 512, 2048, 512, 256]);
});

test("a page that is not cross-origin isolated has unshared memory of a fixed size", () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  const heap = heap_of({ reclaimer: () => new NoReclaimer() });
  expect(heap.shared).toBe(false);
  expect(heap.memory.buffer).toBeInstanceOf(ArrayBuffer);
  expect(heap.memory.buffer.byteLength).toBe(256 * MB);
  const block = allocated(heap, 200 * MB);
  expect(heap.allocate(100 * MB)).toBe(null); // growing would detach every view
  expect(block.u8().length).toBe(256 * MB);
});

test("a sweep is on record", () => {
  const [heap, told] = told_heap();
  told.dead.add(allocated(heap, 5000));
  told.ms = 3;
  const seen: unknown[] = [];
  setTracer({
    begin: (kind, name, data) => seen.push([kind, name, data]),
    end: (_, data) => void seen.push(data),
  });
  try {
    heap.sweep();
  } finally {
    setTracer(null);
  }
  expect(seen).toEqual([["memory", "c10::CPUHeap::sweep", { which: "all" }], { freed: size_class(5000), ms: 3 }]);
});
