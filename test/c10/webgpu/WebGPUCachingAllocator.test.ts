/** @file The allocator by itself, over buffers of the host: random programs, and the cases that CUDA's allocator is known by. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Mortal, NoReclaimer, type Reclaimer } from "#c10/core/CPUHeapReclaim";
import { resetWarnOnce, setWarningHandler } from "#c10/util/Exception";
import type { Tenancy } from "#c10/webgpu/deaths";
import type { Block, HostRun, Memory } from "#c10/webgpu/memory";
import { memory_stats } from "#c10/webgpu/stats";
import { type SegmentSource, WebGPUCachingAllocator } from "#c10/webgpu/WebGPUCachingAllocator";

const MB = 2 ** 20;

/** A device whose memory the host can look at. */
class HostSegments implements SegmentSource {
  readonly max_segment_nbytes = 256 * MB;
  cannot_wait: string | null = null;
  /** Bytes that the device has. */
  room = Number.POSITIVE_INFINITY;
  readonly segments = new Map<number, Uint8Array>();

  make_segment(id: number, nbytes: number): boolean {
    if (this.segments.has(id)) throw new Error(`segment ${id} is there already`);
    if (nbytes > this.room) return false;
    this.room -= nbytes;
    this.segments.set(id, new Uint8Array(nbytes));
    return true;
  }

  release_segment(id: number): void {
    this.room += this.bytes(id).length;
    this.segments.delete(id);
  }

  copy_out(id: number, runs: readonly HostRun[]): void {
    for (const { begin, bytes } of runs) bytes.set(this.bytes(id).subarray(begin, begin + bytes.length));
  }

  copy_in(id: number, begin: number, bytes: Uint8Array): void {
    this.bytes(id).set(bytes, begin);
  }

  bytes(id: number): Uint8Array {
    const bytes = this.segments.get(id);
    if (bytes === undefined) throw new Error(`there is no segment ${id}`);
    return bytes;
  }
}

/** Deaths as the test says. */
class ToldDeaths implements Reclaimer<Tenancy> {
  readonly on_demand: boolean;
  private readonly watched_ = new Map<Mortal, Set<Tenancy>>();
  private dead_: Tenancy[] = [];
  /** Whoever is held by one that lives. */
  readonly living = new Set<Memory>();

  constructor(on_demand: boolean) {
    this.on_demand = on_demand;
  }

  prepare(): void {}

  collected(): readonly Tenancy[] {
    return [];
  }

  forget(tenancy: Tenancy): void {
    for (const tenancies of this.watched_.values()) tenancies.delete(tenancy);
  }

  watch(holder: Mortal, tenancy: Tenancy): void {
    const tenancies = this.watched_.get(holder) ?? new Set();
    this.watched_.set(holder, tenancies.add(tenancy));
  }

  collect(): Tenancy[] {
    const held = new Set<Mortal>(this.living);
    for (const memory of this.living) if (memory.witness !== null) held.add(memory.witness as Mortal);
    for (const [holder, tenancies] of this.watched_) {
      if (held.has(holder)) continue;
      this.dead_.push(...tenancies);
      this.watched_.delete(holder);
    }
    return this.dead_.splice(0);
  }
}

function allocator_of(
  source: SegmentSource,
  limit: number,
  reclaimer: Reclaimer<Tenancy> = new NoReclaimer(),
): WebGPUCachingAllocator {
  return new WebGPUCachingAllocator(source, { reclaimer, total_memory: limit, now: () => 0 });
}

const pattern = (memory: Memory, k: number): number => (memory.nbytes * 31 + k * 7) & 0xff;

function write(source: HostSegments, allocator: WebGPUCachingAllocator, memory: Memory, k: number): void {
  const segment = allocator.use(memory);
  source.bytes(segment.id).fill(pattern(memory, k), memory.begin, memory.begin + memory.nbytes);
}

function check(source: HostSegments, allocator: WebGPUCachingAllocator, memory: Memory, k: number): void {
  const segment = allocator.use(memory);
  const bytes = source.bytes(segment.id).subarray(memory.begin, memory.begin + memory.nbytes);
  const wanted = pattern(memory, k);
  const step = Math.ceil(bytes.length / 1000);
  for (let i = 0; i < bytes.length; i += step) if (bytes[i] !== wanted) throw new Error(`byte ${i} of ${k} is wrong`);
  expect(bytes.at(-1)).toBe(wanted);
}

type Step = {
  readonly op: "malloc" | "free" | "die" | "check" | "collect";
  readonly size: number;
  readonly pick: number;
};

const steps = fc.array(
  fc.record({
    op: fc.constantFrom<Step["op"]>("malloc", "malloc", "malloc", "free", "die", "check", "collect"),
    size: fc.oneof(
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 2 * MB }),
      fc.constantFrom(512, MB, MB + 1, 10 * MB, 11 * MB),
    ),
    pick: fc.nat(),
  }),
  { maxLength: 80 },
);

describe.each([
  ["who is dead is told on demand", true],
  ["nobody ever dies", false],
])("random programs under a limit of 48 MB, and %s", (_, on_demand) => {
  test("no two overlap, bytes stay, all is counted, and everything merges to whole segments", () => {
    fc.assert(
      fc.property(steps, (program) => {
        const source = new HostSegments();
        const deaths = new ToldDeaths(on_demand);
        const allocator = allocator_of(source, 48 * MB, deaths);
        const held = new Map<number, Memory>();
        const drop = (k: number): Memory => {
          const memory = held.get(k) as Memory;
          held.delete(k);
          deaths.living.delete(memory);
          return memory;
        };
        for (const [k, { op, size, pick }] of program.entries()) {
          const chosen = [...held.keys()][pick % Math.max(1, held.size)];
          if (op === "malloc") {
            const memory = allocator.malloc(size);
            deaths.living.add(memory);
            held.set(k, memory);
            write(source, allocator, memory, k);
          } else if (op === "collect") {
            allocator.emptyCache();
          } else if (chosen !== undefined) {
            if (op === "check") check(source, allocator, held.get(chosen) as Memory, chosen);
            else if (op === "free") allocator.free(drop(chosen));
            else drop(chosen);
          }
          allocator.checkInvariants();
          expect(allocator.stats.reserved_bytes.all.current).toBeLessThanOrEqual(48 * MB);
          expect(no_overlap(held.values())).toBe(true);
        }
        for (const [k, memory] of held) check(source, allocator, memory, k);
        for (const k of [...held.keys()]) allocator.free(drop(k));
        if (!on_demand) return;
        allocator.emptyCache();
        allocator.checkInvariants();
        expect(source.segments.size).toBe(0);
        expect(allocator.stats.allocated_bytes.all.current).toBe(0);
        expect(allocator.stats.reserved_bytes.all.current).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

function no_overlap(memories: Iterable<Memory>): boolean {
  const resident = [...memories].filter((memory) => memory.is_resident());
  resident.sort((a, b) => (a.epoch.segment?.id ?? 0) - (b.epoch.segment?.id ?? 0) || a.begin - b.begin);
  return resident.every((memory, i) => {
    const next = resident[i + 1];
    return next === undefined || next.epoch !== memory.epoch || memory.begin + memory.nbytes <= next.begin;
  });
}

function blocks_of(allocator: WebGPUCachingAllocator): string[] {
  return allocator.all_segments().map((segment) => {
    const parts: string[] = [];
    for (let block: Block | null = segment.first; block !== null; block = block.next)
      parts.push(`${block.nbytes}${block.allocated ? "" : " free"}`);
    return parts.join(", ");
  });
}

describe("as CUDA's", () => {
  test("sizes are multiples of 512; up to 1 MiB they come from segments of 2 MiB", () => {
    const allocator = allocator_of(new HostSegments(), 1024 * MB);
    allocator.malloc(1);
    allocator.malloc(513);
    expect(blocks_of(allocator)).toEqual([`512, 1024, ${2 * MB - 1536} free`]);
    expect(allocator.stats.requested_bytes.all.current).toBe(514);
    expect(allocator.stats.allocated_bytes.small_pool.current).toBe(1536);
  });

  test("larger ones from segments of 20 MiB, and from 10 MiB on from their own, in steps of 2 MiB", () => {
    const allocator = allocator_of(new HostSegments(), 1024 * MB);
    allocator.malloc(MB + 1);
    allocator.malloc(10 * MB);
    allocator.malloc(11 * MB);
    expect(allocator.all_segments().map(({ nbytes }) => nbytes / MB)).toEqual([20, 12]);
    expect(blocks_of(allocator)[1]).toBe(`${12 * MB}`);
  });

  test("a rest of at most 1 MiB is not split off a large block", () => {
    const allocator = allocator_of(new HostSegments(), 1024 * MB);
    allocator.malloc(19 * MB);
    allocator.malloc(9 * MB);
    expect(blocks_of(allocator)).toEqual([`${20 * MB}`, `${9 * MB}, ${11 * MB} free`]);
    allocator.malloc(10 * MB + 512);
    expect(blocks_of(allocator)).toEqual([`${20 * MB}`, `${9 * MB}, ${11 * MB}`]);
  });

  test("the smallest block that fits is taken", () => {
    const allocator = allocator_of(new HostSegments(), 1024 * MB);
    const many = [4096, 512, 2048, 512, 8192, 512].map((nbytes) => allocator.malloc(nbytes));
    for (const i of [0, 2, 4]) allocator.free(many[i]);
    const memory = allocator.malloc(1536);
    expect(memory.begin).toBe(4608);
  });

  test("what is freed merges with its neighbours", () => {
    const allocator = allocator_of(new HostSegments(), 1024 * MB);
    const [a, b, c] = [1, 2, 3].map(() => allocator.malloc(1024));
    allocator.free(a);
    allocator.free(c);
    expect(blocks_of(allocator)).toEqual([`1024 free, 1024, ${2 * MB - 2048} free`]);
    expect(allocator.stats.inactive_split.all.current).toBe(2);
    allocator.free(b);
    expect(blocks_of(allocator)).toEqual([`${2 * MB} free`]);
    expect(allocator.stats.inactive_split_bytes.all.current).toBe(0);
  });

  test("what is freed is used again without asking the device", () => {
    const allocator = allocator_of(new HostSegments(), 1024 * MB);
    for (let i = 0; i < 100; i++) allocator.free(allocator.malloc(3 * MB));
    expect(allocator.stats.num_device_alloc).toBe(1);
    expect(allocator.stats.allocation.all).toMatchObject({ current: 0, peak: 1, allocated: 100, freed: 100 });
  });

  test("when the device has no room, idle segments are given back first", () => {
    const source = new HostSegments();
    source.room = 24 * MB;
    const allocator = allocator_of(source, 1024 * MB);
    allocator.free(allocator.malloc(20 * MB));
    allocator.malloc(22 * MB);
    expect(allocator.stats).toMatchObject({ num_alloc_retries: 1, num_device_free: 1, num_page_outs: 0 });
  });

  test("out of memory, in CUDA's words", () => {
    const allocator = allocator_of(new HostSegments(), 64 * MB);
    allocator.malloc(30 * MB);
    expect(() => allocator.malloc(2 ** 31)).toThrow(
      "WebGPU out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 64.00 MiB, of which 64.00 MiB are allowed and 34.00 MiB are free. Of the allocated memory 30.00 MiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.",
    );
    expect(allocator.stats.num_ooms).toBe(1);
  });

  test("set_per_process_memory_fraction", () => {
    const allocator = allocator_of(new HostSegments(), 64 * MB);
    allocator.setMemoryFraction(0.25);
    expect(() => allocator.malloc(20 * MB)).toThrow("of which 16.00 MiB are allowed");
    expect(allocator.getMemoryInfo()).toEqual([16 * MB, 64 * MB]);
  });
});

test("memory_stats has CUDA's keys; peaks and sums are reset", () => {
  const allocator = allocator_of(new HostSegments(), 1024 * MB);
  allocator.free(allocator.malloc(1000));
  allocator.malloc(3 * MB);
  const stats = memory_stats(allocator.stats);
  expect(stats).toMatchObject({
    "active.all.current": 1,
    "active_bytes.large_pool.current": 3 * MB,
    "allocated_bytes.all.peak": 3 * MB,
    "allocated_bytes.small_pool.freed": 1024,
    "allocation.all.allocated": 2,
    "inactive_split.large_pool.current": 1,
    "inactive_split_bytes.all.current": 17 * MB,
    max_split_size: -1,
    num_alloc_retries: 0,
    num_device_alloc: 2,
    num_device_free: 0,
    num_ooms: 0,
    num_sync_all_streams: 0,
    "oversize_allocations.current": 0,
    "oversize_segments.peak": 0,
    "requested_bytes.small_pool.allocated": 1000,
    "reserved_bytes.all.current": 22 * MB,
    "segment.all.current": 2,
  });
  expect(Object.keys(stats)).toEqual(Object.keys(stats).sort());
  allocator.emptyCache();
  allocator.stats.resetPeakStats();
  allocator.stats.resetAccumulatedStats();
  expect(memory_stats(allocator.stats)).toMatchObject({
    "allocated_bytes.all.peak": 3 * MB,
    "allocation.all.allocated": 0,
    "allocation.all.current": 1,
    "reserved_bytes.all.peak": 20 * MB,
  });
});

describe("paging", () => {
  test("the first one warns, and the bytes on the host are counted", () => {
    const texts: string[] = [];
    resetWarnOnce();
    const usual = setWarningHandler(({ msg }) => texts.push(msg));
    try {
      const allocator = allocator_of(new HostSegments(), 40 * MB);
      const kept = Array.from({ length: 4 }, () => allocator.malloc(20 * MB));
      expect(kept.map((m) => m.is_resident())).toEqual([false, false, true, true]);
      expect(texts.length).toBe(1);
      expect(texts[0]).toContain("need more than the 40.00 MiB of memory that the WebGPU device may use");
      expect(memory_stats(allocator.stats)).toMatchObject({
        "host_bytes.current": 40 * MB,
        "host_bytes.peak": 40 * MB,
        "allocated_bytes.all.current": 40 * MB,
      });
    } finally {
      setWarningHandler(usual);
      resetWarnOnce();
    }
  });

  test("the segment that was used longest ago goes, and comes back when it is used", () => {
    const source = new HostSegments();
    const allocator = allocator_of(source, 40 * MB);
    const [a, b] = [allocator.malloc(20 * MB), allocator.malloc(20 * MB)];
    write(source, allocator, a, 1);
    write(source, allocator, b, 2);
    allocator.use(a);
    const c = allocator.malloc(20 * MB);
    expect([a, b, c].map((m) => m.is_resident())).toEqual([true, false, true]);
    write(source, allocator, c, 3);
    check(source, allocator, b, 2);
    expect([a, b, c].map((m) => m.is_resident())).toEqual([false, true, true]);
    check(source, allocator, a, 1);
    expect(allocator.stats).toMatchObject({ num_page_outs: 3, num_page_ins: 2 });
  });

  test("what is pinned stays; if nothing else can go, memory is out", () => {
    const allocator = allocator_of(new HostSegments(), 40 * MB);
    const [a, b] = [allocator.malloc(20 * MB), allocator.malloc(20 * MB)];
    const c = allocator.malloc(20 * MB);
    allocator.pin();
    allocator.use(b);
    allocator.use(c);
    expect(() => allocator.use(a)).toThrow("out of memory");
    allocator.unpin();
    allocator.use(a);
    expect(a.is_resident()).toBe(true);
  });

  test("where nobody may wait nothing goes, and the error says why", () => {
    const source = new HostSegments();
    source.cannot_wait = "This page may not.";
    const allocator = allocator_of(source, 40 * MB);
    allocator.malloc(20 * MB);
    allocator.malloc(20 * MB);
    expect(() => allocator.malloc(MB)).toThrow("Nothing could be paged out to the host: This page may not.");
  });

  test("memory that was freed by hand is not used again", () => {
    const allocator = allocator_of(new HostSegments(), 40 * MB);
    const a = allocator.malloc(512);
    allocator.free(a);
    expect(() => allocator.use(a)).toThrow("device memory was used after it was freed");
  });
});

describe("deaths", () => {
  test("a small one is freed with its group, a large one by itself", () => {
    const deaths = new ToldDeaths(true);
    const allocator = allocator_of(new HostSegments(), 1024 * MB, deaths);
    const small = Array.from({ length: 64 }, () => allocator.malloc(100));
    const large = [allocator.malloc(MB), allocator.malloc(MB)];
    for (const memory of [...small.slice(1), large[0]]) deaths.living.delete(memory);
    deaths.living.add(small[0]).add(large[0]);
    for (const tenancy of deaths.collect()) allocator.died(tenancy);
    expect(allocator.stats.allocation.all.current).toBe(65);
    deaths.living.delete(small[0]);
    for (const tenancy of deaths.collect()) allocator.died(tenancy);
    expect(allocator.stats.allocation.all.current).toBe(1);
  });

  test("a death that is told late frees nobody else's block", () => {
    const deaths = new ToldDeaths(true);
    const allocator = allocator_of(new HostSegments(), 1024 * MB, deaths);
    allocator.free(allocator.malloc(MB)); // its death is still to come
    const memory = allocator.malloc(MB);
    deaths.living.add(memory);
    for (const tenancy of deaths.collect()) allocator.died(tenancy);
    expect(allocator.stats.allocation.all.current).toBe(1);
    allocator.use(memory);
  });
});
