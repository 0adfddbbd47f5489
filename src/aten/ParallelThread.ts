/**
 * @file A thread of the pool: it takes parts of the current job, runs them, and sleeps when there are none.
 * @original OpenMP's threads share the program; a JavaScript worker shares only memory.
 * @see ParallelNative.ts: who makes jobs
 */

// Note [A job in memory]
// ~~~~~~~~~~~~~~~~~~~~~~
// Workers see nothing but the heap, and a waiting worker receives no messages. So a job lies in the heap: a range is
// cut into chunks; a chunk is a list of calls; a call is a function's number and its arguments.
//
//   control    TICKET chunks not yet taken   DONE chunks finished   FAILED who failed first   SLEEPERS   COUNT chunks   TIMED
//   functions  [address of the module, its bytes, which export, which parameter is room to work, or -1]
//   chunks     [first word, past the last] in `words`
//   times      [thread, begun, ended]
//   words      [function, arguments, which of them are bigints (bits)], arguments; ...
//
// A thread takes a chunk by decrementing TICKET, and only then reads anything. If a thread is late and takes a chunk of
// the next job, that job is already complete in memory. A job ends when DONE equals COUNT, so nothing is overwritten
// while somebody reads it.

/** Places of the parts of a job, in bytes from the beginning of memory, and the thread that reads them. */
export interface ThreadPlace {
  readonly control: number;
  readonly functions: number;
  readonly chunks: number;
  readonly times: number;
  readonly words: number;
  readonly error: number;
  /** Meaning of the words of `control`. */
  readonly layout: typeof CONTROL;
  /** Number of this thread; 0 is the thread that makes the jobs. */
  readonly thread: number;
  /** This thread's scratch memory; -1: use the address in the call. */
  readonly room: number;
}

export const CONTROL = {
  // Words of `control`, each on a cache line of its own.
  TICKET: 0,
  DONE: 16,
  FAILED: 32,
  SLEEPERS: 48,
  COUNT: 64,
  TIMED: 80,
  /** Size of all words. */
  NBYTES: 384,
  /** Length of an error's text, whose characters follow this number. */
  ERROR_CHARS: 250,
  /** How often a thread looks for a job before it sleeps. */
  POLLS: 20000,
} as const;

export interface PoolThread {
  /** Takes chunks and runs them until none is left. */
  run(): void;
  /** Runs jobs for ever, and sleeps in between. */
  serve(): void;
}

/** A job's function by number: the thread's own one if known, otherwise undefined; then the module's export is used. */
export type FunctionOf = (id: number) => ((...args: unknown[]) => unknown) | undefined;

/** Makes the thread's functions. Sent to workers as text: uses nothing from outside but its arguments. */
export function pool_thread(memory: WebAssembly.Memory, place: ThreadPlace, function_of: FunctionOf): PoolThread {
  // The first bytes of shared memory stay in place when it grows, so these views remain valid.
  const control = new Int32Array(memory.buffer, place.control);
  const functions = new Int32Array(memory.buffer, place.functions);
  const chunks = new Int32Array(memory.buffer, place.chunks);
  const times = new Float64Array(memory.buffer, place.times);
  const words = new Float64Array(memory.buffer, place.words);
  const bigs = new BigInt64Array(memory.buffer, place.words);
  const { TICKET, DONE, FAILED, SLEEPERS, COUNT, TIMED, ERROR_CHARS, POLLS } = place.layout;
  const kernels: ((...args: unknown[]) => unknown)[] = [];

  /**
   * Compiles a copy of the module's bytes, because shared bytes cannot be compiled. V8 reuses the code it compiled for
   * the same bytes before.
   */
  const link = (id: number): ((...args: unknown[]) => unknown) => {
    const [address, nbytes, which] = functions.subarray(id * 4, id * 4 + 3);
    const bytes = new Uint8Array(memory.buffer, address, nbytes).slice() as Uint8Array<ArrayBuffer>;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    return Object.values(exports)[which] as (...args: unknown[]) => unknown;
  };

  const run_chunk = (chunk: number): void => {
    const end = chunks[chunk * 2 + 1];
    for (let at = chunks[chunk * 2]; at < end; ) {
      const [id, count, is_bigint] = [words[at], words[at + 1], words[at + 2]];
      kernels[id] ??= function_of(id) ?? link(id);
      const args: unknown[] = [];
      for (let k = 0; k < count; k++) args.push(((is_bigint >> k) & 1) === 1 ? bigs[at + 3 + k] : words[at + 3 + k]);
      const room = functions[id * 4 + 3];
      if (place.room >= 0 && room >= 0) args[room] = place.room;
      kernels[id](...args);
      at += 3 + count;
    }
  };

  const fail = (error: unknown): void => {
    if (Atomics.compareExchange(control, FAILED, 0, place.thread + 1) !== 0) return;
    const text = String(error).slice(0, ERROR_CHARS);
    const chars = new Uint16Array(memory.buffer, place.error, ERROR_CHARS + 1);
    chars[0] = text.length;
    for (let k = 0; k < text.length; k++) chars[k + 1] = text.charCodeAt(k);
  };

  const take = (): number => {
    for (;;) {
      const left = Atomics.load(control, TICKET);
      if (left <= 0) return -1;
      if (Atomics.compareExchange(control, TICKET, left, left - 1) === left) return control[COUNT] - left;
    }
  };

  const run = (): void => {
    for (let chunk = take(); chunk >= 0; chunk = take()) {
      const timed = control[TIMED] !== 0;
      if (timed) times[chunk * 3 + 1] = performance.timeOrigin + performance.now();
      try {
        run_chunk(chunk);
      } catch (error) {
        fail(error);
      }
      times[chunk * 3] = place.thread;
      if (timed) times[chunk * 3 + 2] = performance.timeOrigin + performance.now();
      Atomics.add(control, DONE, 1);
      if (place.thread > 0) Atomics.notify(control, DONE);
    }
  };

  const serve = (): void => {
    for (let polls = 0; ; polls++) {
      if (Atomics.load(control, TICKET) > 0) {
        run();
        polls = 0;
      } else if (polls >= POLLS) {
        Atomics.add(control, SLEEPERS, 1);
        Atomics.wait(control, TICKET, 0);
        Atomics.sub(control, SLEEPERS, 1);
        polls = 0;
      }
    }
  };

  return { run, serve };
}
