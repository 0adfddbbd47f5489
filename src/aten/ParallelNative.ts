/**
 * @file The thread pool, and its entry: `parallel_kernel` splits a range as at::parallel_for does and lets workers run
 * WebAssembly functions on its parts.
 * @mirrors aten/src/ATen/ParallelNative.cpp
 * @differs Only calls of WebAssembly functions on the heap run in parallel (loops, products, sums, softmax): a closure
 * cannot cross to another JavaScript thread, but every thread sees the heap. PyTorch runs any closure in parallel.
 * @see ParallelThread.ts (what a thread does), Note [A job in memory]
 */
import { ROOM } from "#aten/cpu/vec/heap";
import { kernel_source } from "#aten/cpu/vec/modules";
import type { MemoryBlock } from "#c10/core/Allocator";
import { type CPUHeap, cpu_heap, heap_is_shared } from "#c10/core/CPUHeap";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { type TraceData, tracer } from "#c10/util/Trace";
import { parts_of } from "./Parallel.ts";
import { CONTROL, type PoolThread, pool_thread, type ThreadPlace } from "./ParallelThread.ts";
import { can_start_workers, type StartedWorker, start_worker } from "./ParallelWorker.ts";

// Number of threads -----------------------------------------------------------------------------------------------------

interface Machine {
  readonly process?: { env?: Record<string, string | undefined>; getBuiltinModule?(name: string): unknown };
  readonly navigator?: { hardwareConcurrency?: number };
}
const { process, navigator } = globalThis as Machine;

function env_num_threads(name: string, otherwise: number): number {
  const value = process?.env?.[name];
  if (value === undefined) return otherwise;
  const n = Number.parseInt(value, 10);
  if (n > 0) return n;
  const why = Number.isNaN(n) ? "stoi" : "Expected nthreads > 0 to be true, but got false.";
  TORCH_WARN("Invalid ", name, " variable value, ", why);
  return otherwise;
}

/** The value of OMP_NUM_THREADS or MKL_NUM_THREADS, else the number of threads that the machine can run at once. */
export function intraop_default_num_threads(): number {
  const wanted = env_num_threads("MKL_NUM_THREADS", env_num_threads("OMP_NUM_THREADS", 0));
  if (wanted > 0) return wanted;
  if (!heap_is_shared() || !can_start_workers()) return 1; // for example a page that is not cross-origin isolated
  const os = process?.getBuiltinModule?.("node:os") as typeof import("node:os") | undefined;
  return os?.availableParallelism() ?? navigator?.hardwareConcurrency ?? 1;
}

let num_threads = 0;

export function get_num_threads(): number {
  if (num_threads === 0) num_threads = intraop_default_num_threads();
  return num_threads;
}

export function set_num_threads(nthreads: number): void {
  TORCH_CHECK(nthreads > 0, "Expected positive number of threads");
  num_threads = nthreads;
}

// The pool ------------------------------------------------------------------------------------------------------------

const MOST_CHUNKS = 1024;
const MOST_FUNCTIONS = 1024;
const MOST_WORDS = 65536;
/** Number of grains whose work takes about as long as a sweep; parts per thread in a job beside which a sweep runs. */
const WORTH_A_SWEEP = 16;
const FINER = 4;
/** Words of a call before its arguments. */
const HEAD = 3;
/** How often the caller checks before it sleeps between checks. */
const POLLS = 10000;

/** Time limit of a worker after the caller has done its own part: `times` times as long as that part took, but at least `ms`. */
const patience = { ms: 10_000, times: 20 };
/** Changes the time limit; for tests. */
export function set_patience(ms: number): void {
  patience.ms = ms;
}

// biome-ignore lint/suspicious/noExplicitAny: kernels of every signature
export type WasmKernel = (...args: any[]) => unknown;

/** One part of a range, as a recording shows it. Times are in milliseconds from the job's beginning. */
interface Chunk {
  readonly begin: number;
  readonly end: number;
  readonly thread: number;
  readonly start_ms: number;
  readonly ms: number;
}

class ThreadPool {
  private readonly memory: WebAssembly.Memory;
  /** Blocks that hold the pool's memory. */
  private readonly blocks: MemoryBlock[] = [];
  private readonly place: ThreadPlace;
  private readonly control: Int32Array;
  private readonly functions: Int32Array;
  private readonly chunks: Int32Array;
  private readonly times: Float64Array;
  private readonly words: Float64Array;
  private readonly bigs: BigInt64Array;
  private readonly me: PoolThread;
  /** Workers by thread number. */
  private readonly workers = new Map<number, StartedWorker>();
  private readonly rooms: number[] = [];
  private readonly ids = new Map<WasmKernel, number>();
  private readonly kernels: WasmKernel[] = [];
  private readonly modules = new Map<Uint8Array, MemoryBlock>();
  private count = 0;
  private used = 0;
  private ranges: [number, number][] = [];
  /** Parts of the last job, if a recording asked for them. */
  told: Chunk[] = [];

  private constructor(memory: WebAssembly.Memory, block: MemoryBlock) {
    this.memory = memory;
    this.blocks.push(block);
    const control = block.begin;
    const functions = control + CONTROL.NBYTES;
    const chunks = functions + MOST_FUNCTIONS * 16;
    const times = chunks + MOST_CHUNKS * 8;
    const words = times + MOST_CHUNKS * 24;
    const error = words + MOST_WORDS * 8;
    this.place = { control, functions, chunks, times, words, error, layout: CONTROL, thread: 0, room: -1 };
    const { buffer } = memory;
    this.control = new Int32Array(buffer, control, CONTROL.NBYTES / 4).fill(0);
    this.functions = new Int32Array(buffer, functions, MOST_FUNCTIONS * 4);
    this.chunks = new Int32Array(buffer, chunks, MOST_CHUNKS * 2);
    this.times = new Float64Array(buffer, times, MOST_CHUNKS * 3);
    this.words = new Float64Array(buffer, words, MOST_WORDS);
    this.bigs = new BigInt64Array(buffer, words, MOST_WORDS);
    this.me = pool_thread(memory, this.place, (id) => this.kernels[id]);
  }

  /** Makes a pool; null if there are no threads, or no memory for them. */
  static make(): ThreadPool | null {
    const heap = cpu_heap();
    if (heap === null || !heap.shared || !can_start_workers()) return null;
    const nbytes =
      CONTROL.NBYTES + MOST_FUNCTIONS * 16 + MOST_CHUNKS * 32 + MOST_WORDS * 8 + (CONTROL.ERROR_CHARS + 1) * 2;
    const block = heap.allocate(nbytes, "kernel");
    return block === null ? null : new ThreadPool(heap.memory, block);
  }

  /**
   * Starts one more worker if there are fewer than `wanted`. Starting one takes milliseconds, and the caller would have
   * to wait for sixteen. Workers that are not ready when a job comes do not take part in it.
   */
  start(wanted: number): void {
    if (this.workers.size >= wanted) return;
    let thread = 1;
    while (this.workers.has(thread)) thread++;
    const room = this.room_of(thread);
    if (room < 0) return;
    const place = { ...this.place, thread, room };
    const died = (): unknown => this.workers.delete(thread);
    this.workers.set(thread, start_worker(this.memory, place, died));
  }

  private room_of(thread: number): number {
    if (this.rooms[thread] === undefined) {
      const block = cpu_heap()?.allocate(ROOM, "kernel") ?? null;
      if (block === null) return -1;
      this.blocks.push(block);
      this.rooms[thread] = block.begin;
    }
    return this.rooms[thread];
  }

  /** The number of a function in the list that all threads know; -1 if it cannot cross. */
  id_of(kernel: WasmKernel, room: number): number {
    const known = this.ids.get(kernel);
    if (known !== undefined) return known;
    const source = kernel_source(kernel);
    const id = this.kernels.length;
    if (source === undefined || id === MOST_FUNCTIONS) return -1;
    let module = this.modules.get(source.bytes);
    if (module === undefined) {
      const block = cpu_heap()?.allocate(source.bytes.length, "kernel") ?? null;
      if (block === null) return -1;
      new Uint8Array(this.memory.buffer, block.begin, source.bytes.length).set(source.bytes);
      this.modules.set(source.bytes, (module = block));
    }
    this.functions.set([module.begin, source.bytes.length, source.which, room], id * 4);
    this.kernels.push(kernel);
    this.ids.set(kernel, id);
    return id;
  }

  /** Calls of `call` from now on belong to the part [begin, end). */
  begin_chunk(begin: number, end: number): void {
    if (this.count === MOST_CHUNKS) this.finish();
    this.chunks[this.count * 2] = this.used;
    this.ranges.push([begin, end]);
  }

  end_chunk(): void {
    this.chunks[this.count * 2 + 1] = this.used;
    this.count++;
  }

  call(id: number, args: readonly unknown[]): void {
    if (this.used + HEAD + args.length > MOST_WORDS) {
      // The rest of this part becomes a part of the next job.
      const [begin, end] = this.ranges.at(-1) as [number, number];
      this.end_chunk();
      this.finish();
      this.begin_chunk(begin, end);
    }
    const at = this.used;
    let is_bigint = 0;
    for (let k = 0; k < args.length; k++) {
      const value = args[k];
      if (typeof value === "bigint") {
        this.bigs[at + HEAD + k] = value;
        is_bigint |= 1 << k;
      } else this.words[at + HEAD + k] = value as number;
    }
    this.words[at] = id;
    this.words[at + 1] = args.length;
    this.words[at + 2] = is_bigint;
    this.used = at + HEAD + args.length;
  }

  /**
   * Runs the collected calls on all workers that are ready. First this thread sweeps `swept`, if given. Throws what a
   * thread threw.
   */
  finish(swept: CPUHeap | null = null): void {
    const { control, count } = this;
    control[CONTROL.COUNT] = count;
    control[CONTROL.TIMED] = tracer === null ? 0 : 1;
    control[CONTROL.FAILED] = 0;
    control[CONTROL.DONE] = 0;
    const start = performance.now();
    Atomics.store(control, CONTROL.TICKET, count);
    if (Atomics.load(control, CONTROL.SLEEPERS) > 0) Atomics.notify(control, CONTROL.TICKET);
    swept?.sweep_if_due();
    this.me.run();
    this.wait(performance.now() - start);
    if (tracer !== null) this.tell(start + performance.timeOrigin);
    this.forget();
    if (control[CONTROL.FAILED] !== 0) this.raise();
  }

  private forget(): void {
    this.count = 0;
    this.used = 0;
    this.ranges = [];
  }

  private wait(own_ms: number): void {
    const { control, count } = this;
    for (let polls = 0; polls < POLLS; polls++) if (Atomics.load(control, CONTROL.DONE) === count) return;
    const until = performance.now() + Math.max(patience.ms, patience.times * own_ms);
    for (;;) {
      const done = Atomics.load(control, CONTROL.DONE);
      if (done === count) return;
      if (can_wait) Atomics.wait(control, CONTROL.DONE, done, 10);
      if (performance.now() > until) this.give_up(count - done);
    }
  }

  /**
   * Handles a worker that took a part and never finished. It may have written anything and may still write, so all
   * workers are stopped.
   */
  private give_up(missing: number): never {
    for (const worker of this.workers.values()) worker.stop();
    given_up.push(this);
    pool = undefined;
    TORCH_CHECK(
      false,
      "A thread of the intra-op pool died: ",
      missing,
      missing === 1 ? " part" : " parts",
      " of a kernel's range did not come back. The result is not complete; the next call starts new threads.",
    );
    throw undefined;
  }

  private raise(): never {
    const thread = this.control[CONTROL.FAILED] - 1;
    const chars = new Uint16Array(this.memory.buffer, this.place.error, CONTROL.ERROR_CHARS + 1);
    const text = String.fromCharCode(...chars.subarray(1, 1 + chars[0]));
    TORCH_CHECK(false, "Caught ", text, " in thread ", thread, " of the intra-op pool.");
    throw undefined;
  }

  private tell(origin: number): void {
    for (const [k, [begin, end]] of this.ranges.entries()) {
      const [thread, from, to] = this.times.subarray(k * 3, k * 3 + 3);
      this.told.push({ begin, end, thread, start_ms: from - origin, ms: to - from });
    }
  }
}

/** Whether this thread may sleep; the main thread of a page may not. */
const can_wait =
  process?.getBuiltinModule !== undefined || typeof (globalThis as { document?: unknown }).document === "undefined";

/** Pools whose memory is never reused: a worker may still write to it. */
const given_up: ThreadPool[] = [];
/** Undefined: not yet made; null: no pool is possible. */
let pool: ThreadPool | null | undefined;

/** A test sets this lower to split small ranges. */
let largest_grain = Number.POSITIVE_INFINITY;
export function set_largest_grain_size(n: number): void {
  largest_grain = n;
}

/** Whether a range of `n` would be split. */
export function is_worth_splitting(n: number, grain_size: number): boolean {
  return n > Math.min(grain_size, largest_grain) && n > 1 && get_num_threads() > 1;
}

// Note [A sweep beside a job]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The heap is swept on the caller's thread (Note [When the heap sweeps]), and normally the workers wait meanwhile. So if a sweep is
// due when a job begins, and it is shorter than the job, it runs while the workers run the job. The range is cut into
// smaller parts, and each thread that becomes free takes the next one.
//
// The engine may consider operands dead as soon as their addresses are taken, and a sweep frees their blocks although
// the job still reads them. This is safe: a block keeps its bytes until it is handed out again, which only the caller
// does, after the job. For this reason a sweep runs only beside the last job of a kernel.

export const ANY_UNIT = 1;
export const LAST_JOB = true;

/**
 * Runs `calls(kernel, begin, end)` for the parts of a range, in parallel. `calls` may only call the given kernel, with
 * arguments that do not depend on the thread. Parts are cut as at::parallel_for cuts them.
 * @param kernel a WebAssembly function that works on the heap; @param room the index of its parameter for the address
 *   of scratch memory, or -1
 * @param unit parts begin at multiples of it; @param last whether nothing reads the operands after this range
 */
export function parallel_kernel<F extends WasmKernel>(
  kernel: F,
  room: number,
  begin: number,
  end: number,
  grain_size: number,
  calls: (kernel: F, begin: number, end: number) => void,
  unit = ANY_UNIT,
  last = !LAST_JOB,
): void {
  if (begin >= end) return;
  const grain = Math.min(grain_size, largest_grain);
  const parts = is_worth_splitting(end - begin, grain) ? parts_of(begin, end, grain, get_num_threads(), unit) : [];
  const threads = parts.length > 1 ? ready_pool(parts.length - 1) : null;
  const id = threads === null ? -1 : threads.id_of(kernel, room);
  if (threads === null || id < 0) {
    calls(kernel, begin, end);
    return;
  }
  const record = ((...args: unknown[]) => threads.call(id, args)) as unknown as F;
  threads.told = [];
  const heap = last && end - begin >= WORTH_A_SWEEP * grain ? cpu_heap() : null;
  const swept = heap?.is_due() === true ? heap : null;
  const taken = swept === null ? parts : parts_of(begin, end, grain, FINER * get_num_threads(), unit);
  for (const [from, to] of taken) {
    threads.begin_chunk(from, to);
    calls(record, from, to);
    threads.end_chunk();
  }
  threads.finish(swept);
}

/** The pool with as many workers as have work to do. */
function ready_pool(workers: number): ThreadPool | null {
  if (pool === undefined) pool = ThreadPool.make();
  pool?.start(workers);
  return pool;
}

/** Fields for a recording about the kernel that ran last: none if it ran on one thread. */
export function told_of_threads(): TraceData {
  const chunks = pool?.told ?? [];
  if (pool != null) pool.told = [];
  return chunks.length === 0 ? {} : { threads: new Set(chunks.map((c) => c.thread)).size, chunks };
}
