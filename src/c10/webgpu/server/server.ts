/**
 * @file The server: it owns the device, reads commands, executes them and answers. It is one long function because it
 * is sent to workers as text.
 * @original A CUDA driver and its queue; the nearest readable relative is the server of a browser's GPU process.
 * @see protocol.ts, Note [Two threads and a ring]
 */
import type { KernelSource } from "../interface.ts";
import type { Protocol } from "../protocol.ts";
import type { Batch, device_batch, TellRecord } from "./batch.ts";
import type { device_kernels, Fail, Kernels } from "./kernels.ts";
import type { OpenDevice, open_device } from "./open.ts";
import type { device_readback, Readback } from "./readback.ts";
import type { device_segments, Segments } from "./segments.ts";

/** The functions that make the server's parts. */
export interface ServerParts {
  readonly open_device: typeof open_device;
  readonly device_segments: typeof device_segments;
  readonly device_kernels: typeof device_kernels;
  readonly device_batch: typeof device_batch;
  readonly device_readback: typeof device_readback;
}

/** The memory to serve, and the means to do it. */
export interface ServerWork {
  readonly memory: ArrayBufferLike;
  readonly protocol: Protocol;
  readonly gpu: GPU;
  readonly parts: ServerParts;
  /** Whether it has a thread of its own. In the caller's thread nothing can complete before the caller's job ends. */
  readonly may_pause: boolean;
  /** Called when something in the memory has changed. */
  answered(): void;
}

export interface Server {
  readonly opened: OpenDevice;
  /**
   * Executes the commands in the ring. Returns a promise if it must wait in between; call it again after that. Never a
   * promise if it may not pause.
   */
  drain(): Promise<unknown> | null;
  /** Submits the commands collected so far. */
  idle(): void;
  /** Number of words read so far. */
  position(): number;
  /** Ends the program: its device memory is released. */
  close(): void;
}

/** Serves a program. Sent to workers as text: uses nothing from outside but its arguments. */
export async function device_server(
  { memory, protocol, gpu, parts, may_pause, answered }: ServerWork,
  kept: OpenDevice | null,
): Promise<Server> {
  const { Op, Control, Failure, SUBMIT_REASONS, PLACE } = protocol;
  const [FULL, , SYNC, WRITE, COMPILE] = SUBMIT_REASONS.map((_, reason) => reason);
  const IDLE = SUBMIT_REASONS.indexOf("idle");
  const control = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
  const ring = new Int32Array(memory, PLACE.RING, PLACE.RING_WORDS);
  const window_up = new Uint8Array(memory, PLACE.UP, PLACE.UP_NBYTES);
  const records = new Float64Array(memory, PLACE.RECORDS, PLACE.RECORDS_MAX * PLACE.RECORD_NUMBERS);
  /** Not shared: Node crashes when a device is given bytes of shared memory. */
  const upload = new Uint8Array(PLACE.UP_CHUNK);
  const mask = PLACE.RING_WORDS - 1;
  const MOST_CHARACTERS = 4000;

  const something_happened = (): void => {
    Atomics.add(control, Control.ANSWERS, 1);
    answered();
  };

  const say = (place: number, what: object): void => {
    const bytes = new TextEncoder().encode(JSON.stringify(what));
    new Int32Array(memory, place, 1)[0] = bytes.length;
    new Uint8Array(memory, place + 4, bytes.length).set(bytes);
  };

  /** Reports the first failure; the caller resets the word before the next one is reported. */
  const fail: Fail = (failure, message, kernel = "") => {
    if (failure === Failure.LOST) Atomics.store(control, Control.FAILED, 0); // the loss is the cause of all other failures
    if (Atomics.compareExchange(control, Control.FAILED, 0, -1) !== 0) return;
    say(PLACE.MESSAGE, { message: message.slice(0, MOST_CHARACTERS), kernel: kernel.slice(0, MOST_CHARACTERS) });
    Atomics.store(control, Control.FAILED, failure);
    something_happened();
  };

  const tell: TellRecord = (kind, a, b = 0, c = 0, d = 0) => {
    const n = Atomics.load(control, Control.RECORDS);
    records.set([kind, a, b, c, d], (n % PLACE.RECORDS_MAX) * PLACE.RECORD_NUMBERS);
    Atomics.store(control, Control.RECORDS, n + 1);
  };

  let opened: OpenDevice;
  let device: GPUDevice;
  let segments: Segments;
  let kernels: Kernels;
  let batch: Batch;
  let readback: Readback;

  const begin = async (kept_device: OpenDevice | null): Promise<void> => {
    opened = kept_device !== null && kept_device.lost === null ? kept_device : await parts.open_device(protocol, gpu);
    device = opened.device;
    segments = parts.device_segments(device);
    kernels = parts.device_kernels(opened, protocol, segments, fail);
    batch = parts.device_batch(device, protocol, segments, tell);
    readback = parts.device_readback(device, protocol, memory, segments, batch, fail);
    opened.fail = (failure, message) => {
      // Reported after a kernel's own message, which says more.
      if (failure === Failure.LOST) fail(failure, message);
      else void kernels.known().then(() => fail(failure, message));
    };
    await segments.make(PLACE.ASSERTION_SEGMENT, PLACE.ASSERTION_NBYTES);
    say(PLACE.PROPERTIES, opened.properties);
    Atomics.store(control, Control.READY, 1);
    something_happened();
  };

  /** The last answer: answers are given in the order of the commands. */
  let tail: Promise<void> = Promise.resolve();
  const answer = (seq: number, done: Promise<void>): void => {
    const recordings = batch.recordings.splice(0);
    done.catch(() => undefined); // handled below
    tail = tail
      .then(() => Promise.all([kernels.known(), ...recordings]))
      .then(() => done)
      .catch((error: Error) => {
        if (opened.lost === null && error.name !== "AbortError") fail(Failure.INTERNAL, error.message);
      })
      .then(() => {
        Atomics.store(control, Control.DONE, seq);
        something_happened();
      });
  };

  let under_way = 0;
  const submit = (reason: number): void => {
    const before = batch.number;
    batch.submit(reason);
    if (batch.number === before || batch.number % 8 !== 0) return;
    under_way += 8;
    void device.queue.onSubmittedWorkDone().then(() => void (under_way -= 8));
  };

  const word = (position: number): number => ring[position & mask];

  let text = new Uint8Array(0);
  /** Adds a piece of text, four bytes per word. */
  const take_text = (at: number): void => {
    const nbytes = word(at + 1);
    const words = Int32Array.from({ length: Math.ceil(nbytes / 4) }, (_, k) => word(at + 2 + k));
    const joined = new Uint8Array(text.length + nbytes);
    joined.set(text);
    joined.set(new Uint8Array(words.buffer, 0, nbytes), text.length);
    text = joined;
  };

  const define_kernel = (id: number): void => {
    kernels.define(id, JSON.parse(new TextDecoder().decode(text)) as KernelSource);
    text = new Uint8Array(0);
  };

  const write = (at: number): void => {
    const [segment, offset, nbytes, from] = [word(at + 1), word(at + 2) >>> 0, word(at + 3), word(at + 4)];
    if (batch.last_touch(segment) === batch.number) submit(WRITE);
    upload.set(window_up.subarray(from, from + nbytes));
    device.queue.writeBuffer(segments.buffer(segment), offset, upload, 0, nbytes);
    Atomics.store(control, Control.UP_READ, word(at + 5));
    something_happened();
  };

  const copy = (at: number): void => {
    const [from, to] = [word(at + 1), word(at + 3)];
    const source = segments.buffer(from);
    batch
      .encoder()
      .copyBufferToBuffer(source, word(at + 2) >>> 0, segments.buffer(to), word(at + 4) >>> 0, word(at + 5) >>> 0);
    batch.touch(from);
    batch.touch(to);
  };

  const read = (segment: number, offset: number, nbytes: number, window: number, seq: number): void => {
    const bytes_there = readback.read(segment, offset, nbytes, window);
    submit(SYNC);
    answer(seq, bytes_there());
  };

  const event = (seq: number, timed: boolean): void => {
    if (timed) batch.mark(seq);
    submit(SYNC);
    answer(
      seq,
      device.queue.onSubmittedWorkDone().then(() => undefined),
    );
  };

  const make_segment = async (id: number, nbytes: number, seq: number): Promise<void> => {
    const error = await segments.make(id, nbytes);
    if (error !== null) {
      segments.release(id);
      if (!may_pause) fail(Failure.OUT_OF_MEMORY, error.message); // nobody waits for the answer
    }
    Atomics.store(control, Control.SEGMENT_REFUSED, error === null ? 0 : 1);
    Atomics.store(control, Control.SEGMENT_ANSWER, seq);
    something_happened();
  };

  /** Resets everything to the state at a program's start. */
  const reset = async (seq: number): Promise<void> => {
    segments.release_all();
    text = new Uint8Array(0);
    await begin(opened);
    Atomics.store(control, Control.FAILED, 0);
    answer(seq, Promise.resolve());
  };

  /** Submits one launch inside an error scope, so that an error names the kernel. */
  const launch_alone = async (name: string): Promise<void> => {
    device.pushErrorScope("validation");
    submit(SYNC);
    const error = await device.popErrorScope();
    if (error !== null) fail(Failure.VALIDATION, error.message, name);
  };

  const launch = (at: number, length: number): Promise<unknown> | null => {
    const kernel = kernels.get(word(at + 1));
    if (kernel.complaint !== null) {
      fail(Failure.VALIDATION, kernel.complaint, kernel.source.name);
      return null;
    }
    batch.launch(kernel, ring, at, length);
    if (control[Control.BLOCKING] === 1) return launch_alone(kernel.source.name);
    if (batch.full) submit(FULL);
    return null;
  };

  /** The promise to wait for if the command at `at` needs a kernel that is being compiled. */
  const compiling = (at: number): Promise<unknown> | null => {
    const kernel = kernels.get(word(at + 1));
    if (kernel.pipeline !== null || kernel.complaint !== null) return null;
    if (!may_pause) {
      kernels.compile_at_once(kernel);
      return null;
    }
    submit(COMPILE);
    Atomics.add(control, Control.BUSY, 1);
    return kernels.compile(kernel).finally(() => Atomics.sub(control, Control.BUSY, 1));
  };

  const execute = (op: number, at: number, length: number): Promise<unknown> | null => {
    switch (op) {
      case Op.LAUNCH:
        return launch(at, length);
      case Op.TEXT:
        take_text(at);
        return null;
      case Op.KERNEL:
        define_kernel(word(at + 1));
        return null;
      case Op.SEGMENT:
        return make_segment(word(at + 1), word(at + 2) >>> 0, word(at + 3));
      case Op.RELEASE:
        if (batch.last_touch(word(at + 1)) === batch.number) submit(SYNC);
        segments.release(word(at + 1));
        return null;
      case Op.WRITE:
        write(at);
        return null;
      case Op.COPY:
        copy(at);
        return null;
      case Op.READ:
        read(word(at + 1), word(at + 2) >>> 0, word(at + 3), word(at + 4), word(at + 5));
        return null;
      case Op.EVENT:
        event(word(at + 1), word(at + 2) === 1);
        return null;
      case Op.SYNC:
        read(PLACE.ASSERTION_SEGMENT, 0, 0, 0, word(at + 1));
        return null;
      case Op.RESET:
        return reset(word(at + 1));
      default:
        throw new Error(`no such command: ${op}`);
    }
  };

  /** Handles a command without a device: it does nothing, but a waiting caller is answered and sees the error. */
  const skip = (op: number, at: number): Promise<unknown> | null => {
    if (op === Op.RESET) return reset(word(at + 1));
    if (op === Op.READ) answer(word(at + 5), Promise.resolve());
    if (op === Op.SYNC || op === Op.EVENT) answer(word(at + 1), Promise.resolve());
    if (op === Op.SEGMENT) Atomics.store(control, Control.SEGMENT_ANSWER, word(at + 3));
    if (op === Op.WRITE) Atomics.store(control, Control.UP_READ, word(at + 5));
    return null;
  };

  const TELL_EVERY = 64;

  /** Publishes the read position: the caller may overwrite the words before it. */
  const tell_position = (at: number): void => {
    Atomics.store(control, Control.READ, at);
    something_happened();
  };

  /** Timing of launches is switched only between submissions. */
  const look_at_trace = (): void => {
    const timed = control[Control.TRACE] === 1;
    if (timed !== batch.timed) submit(FULL);
    batch.timed = timed;
  };

  const drain = (): Promise<unknown> | null => {
    let at = control[Control.READ];
    let until_told = TELL_EVERY;
    for (let end = Atomics.load(control, Control.WRITE); at !== end; end = Atomics.load(control, Control.WRITE)) {
      look_at_trace();
      while (at !== end) {
        const head = word(at);
        const [op, length] = [head & 255, head >>> 8];
        let wait: Promise<unknown> | null =
          may_pause && under_way > PLACE.UNDER_WAY ? device.queue.onSubmittedWorkDone() : null;
        if (wait === null && op === Op.LAUNCH && opened.lost === null) wait = compiling(at);
        if (wait === null) {
          wait = opened.lost !== null ? skip(op, at) : execute(op, at, length);
          at = (at + length) | 0;
        }
        if (wait !== null || --until_told === 0) {
          until_told = TELL_EVERY;
          tell_position(at);
        }
        if (wait !== null && may_pause) return wait;
      }
      tell_position(at);
    }
    return null;
  };

  await begin(kept);
  return {
    get opened() {
      return opened;
    },
    drain,
    idle: () => submit(IDLE),
    position: () => control[Control.READ],
    close() {
      opened.fail = () => undefined;
      segments.release_all();
    },
  };
}
