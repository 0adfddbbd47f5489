/**
 * @file The caller's connection to the server: the shared memory, waking the server, and waiting for its answers.
 * @original CUDA's driver does this inside every call that synchronizes.
 * @see protocol.ts, Note [Two threads and a ring]
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { Control, Failure, PLACE } from "./protocol.ts";
import { type Assertion, error_of, type Told } from "./WebGPUException.ts";

/** The environment in which the server runs. */
export interface Host {
  /** Null if this thread may block; otherwise a sentence that says why it may not. */
  readonly cannot_wait: string | null;
  /** Wakes the server, which sleeps although there are commands. */
  wake(): void;
  /** Whether the server is known to have ended. */
  has_ended(): boolean;
  /** Whether the server's thread exists; null if that cannot be determined. */
  has_thread(): boolean | null;
  /** A promise that resolves at the next answer, or after a while. */
  next_answer(answers: number): Promise<void>;
  /** Registers `settle`, called when the process is about to end. Returns a function that unregisters it. */
  before_exit(settle: () => void): () => void;
  /** Ends the server. Precondition: no work is in progress. */
  stop(): void;
}

/** Milliseconds of one wait; after each, the caller checks whether the server is alive. */
const SLICE_MS = 100;
/** After so many waits without a sign of life the server counts as dead. */
const PATIENCE = 8;
/** Limit when the thread is known to exist (a busy machine may delay it) or is still opening the device. */
const MORE_PATIENCE = 300;
/** No ping was sent; real pings are numbered from 1. */
const NO_PING = 0;
/** Longest waiting time of one call, in waits of SLICE_MS: half an hour. */
const SLICES_IN_ALL = 18_000;

export class Connection {
  readonly memory: ArrayBufferLike;
  readonly control: Int32Array;
  readonly host: Host;
  /** The assertions by number. */
  readonly assertions: Assertion[] = [];
  /** Set when the device is lost for good: every later call throws it. */
  gone: Error | null = null;
  /** Consecutive waits without a sign of life. */
  private silence_ = 0;

  constructor(memory: ArrayBufferLike, host: Host) {
    this.memory = memory;
    this.control = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
    this.host = host;
  }

  /** Number of answers so far. Read it before checking the awaited condition, so that no answer is missed in between. */
  answers(): number {
    return Atomics.load(this.control, Control.ANSWERS);
  }

  is_done(seq: number): boolean {
    return ((Atomics.load(this.control, Control.DONE) - seq) | 0) >= 0;
  }

  /** Throws the error that occurred since the last check. */
  check(): void {
    if (this.gone !== null) throw this.gone;
    if (Atomics.load(this.control, Control.FAILED) > 0) throw this.take_failure();
  }

  /** Throws if this thread may not block. */
  must_wait(): void {
    if (this.host.cannot_wait !== null) throw new RuntimeError(this.host.cannot_wait);
  }

  /** Waits until the server has answered something after `answers`. Throws if it never will. */
  wait(answers: number): void {
    this.must_wait();
    for (let slice = 0; slice < SLICES_IN_ALL; slice++) {
      this.check_alive();
      const ping = slice === 0 ? NO_PING : this.ping(); // most waits are short
      if (Atomics.wait(this.control, Control.ANSWERS, answers, SLICE_MS) !== "timed-out") {
        this.silence_ = 0;
        return;
      }
      this.listen(ping);
    }
    TORCH_CHECK(false, "WebGPU error: no answer within ", (SLICES_IN_ALL * SLICE_MS) / 1000, " s");
  }

  /** Waits once, without blocking. */
  async wait_async(answers: number): Promise<void> {
    this.check_alive();
    const ping = this.silence_ === 0 ? NO_PING : this.ping();
    await this.host.next_answer(answers);
    if (this.answers() === answers) this.listen(ping);
    else this.silence_ = 0;
  }

  /** Whether every later call throws. */
  is_gone(): boolean {
    const failed = Atomics.load(this.control, Control.FAILED);
    return this.gone !== null || failed === Failure.LOST || failed === Failure.SERVER || this.host.has_ended();
  }

  /** Allows a lost device to be opened again. */
  forget_loss(): void {
    this.check_alive(false);
    this.gone = null;
  }

  /** The server's message at `place`, parsed. */
  message(place: number): unknown {
    const length = new Int32Array(this.memory, place, 1)[0];
    const bytes = new Uint8Array(this.memory, place + 4, length).slice(); // decoders refuse shared memory
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  private check_alive(or_lost = true): void {
    if (this.gone !== null && or_lost) throw this.gone;
    if (Atomics.load(this.control, Control.FAILED) === Failure.SERVER) throw this.take_failure();
    if (this.host.has_ended()) this.declare_dead();
  }

  /** Sends a ping; returns the number that the server must repeat. */
  private ping(): number {
    const ping = Atomics.add(this.control, Control.PING, 1) + 1;
    Atomics.notify(this.control, Control.PING);
    return ping;
  }

  /** After a wait without an answer: checks whether the server still responds. */
  private listen(ping: number): void {
    const { control } = this;
    const heard = ping !== NO_PING && Atomics.load(control, Control.PONG) === ping;
    this.silence_ = heard || Atomics.load(control, Control.BUSY) > 0 ? 0 : this.silence_ + 1;
    const seen = this.host.has_thread();
    const patience = seen === true || Atomics.load(control, Control.READY) === 0 ? MORE_PATIENCE : PATIENCE;
    if (seen === false || this.silence_ >= patience) this.declare_dead();
  }

  private declare_dead(): never {
    const message = "the thread that serves the device has ended";
    throw this.remember({ failure: Failure.SERVER, message, kernel: "", assertions: this.assertions });
  }

  private take_failure(): Error {
    const failure = Atomics.load(this.control, Control.FAILED);
    const { message, kernel } = this.message(PLACE.MESSAGE) as { message: string; kernel: string };
    const told: Told = { failure, message, kernel, assertions: this.assertions };
    if (failure === Failure.LOST || failure === Failure.SERVER) return this.remember(told);
    Atomics.store(this.control, Control.FAILED, 0);
    return error_of(told);
  }

  private remember(told: Told): Error {
    this.gone = error_of(told);
    return this.gone;
  }
}
