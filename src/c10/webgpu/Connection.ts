/**
 * @file The caller's end: the shared memory, how the server is woken, and how one waits for it.
 * @original CUDA's driver does this inside every call that synchronizes.
 * @see protocol.ts, Note [Two threads and a ring]
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { Control, Failure, PLACE } from "./protocol.ts";
import { type Assertion, error_of, type Told } from "./WebGPUException.ts";

/** Who runs the server. */
export interface Host {
  /** Null where the thread may wait; else the sentence that says why it may not. */
  readonly cannot_wait: string | null;
  /** There are commands, and the server sleeps. */
  wake(): void;
  /** Whether the server is known to be no more. */
  has_ended(): boolean;
  /** Whether its thread exists; null if that cannot be seen. */
  has_thread(): boolean | null;
  /** Resolves at the next answer, or after a while. */
  next_answer(answers: number): Promise<void>;
  /** Has `settle` called when the process is about to end. Returns the way to take that back. */
  before_exit(settle: () => void): () => void;
  /** Ends it. Precondition: nothing is under way. */
  stop(): void;
}

/** One slice of waiting, in milliseconds: then one looks whether the server is alive. */
const SLICE_MS = 100;
/** So many slices without a sign of life, and it is dead. */
const PATIENCE = 8;
/** A busy machine may keep a thread waiting that is seen to exist; and opening a device takes its time. */
const MORE_PATIENCE = 300;
/** None was sent: their numbers begin at 1. */
const NO_PING = 0;
/** Of all waiting at once, in slices: half an hour. */
const SLICES_IN_ALL = 18_000;

export class Connection {
  readonly memory: ArrayBufferLike;
  readonly control: Int32Array;
  readonly host: Host;
  /** What assertions' numbers stand for. */
  readonly assertions: Assertion[] = [];
  /** The device is gone for good: what every call throws from then on. */
  gone: Error | null = null;
  /** Slices of waiting without a sign of life. */
  private silence_ = 0;

  constructor(memory: ArrayBufferLike, host: Host) {
    this.memory = memory;
    this.control = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
    this.host = host;
  }

  /** To be taken before one looks whether what one waits for is there. */
  answers(): number {
    return Atomics.load(this.control, Control.ANSWERS);
  }

  is_done(seq: number): boolean {
    return ((Atomics.load(this.control, Control.DONE) - seq) | 0) >= 0;
  }

  /** Throws what went wrong since it was last asked. */
  check(): void {
    if (this.gone !== null) throw this.gone;
    if (Atomics.load(this.control, Control.FAILED) > 0) throw this.take_failure();
  }

  /** Throws where nobody may wait. */
  must_wait(): void {
    if (this.host.cannot_wait !== null) throw new RuntimeError(this.host.cannot_wait);
  }

  /** Until the server has answered something after `answers`. Throws if it never will. */
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

  /** The same without blocking, one slice of it. */
  async wait_async(answers: number): Promise<void> {
    this.check_alive();
    const ping = this.silence_ === 0 ? NO_PING : this.ping();
    await this.host.next_answer(answers);
    if (this.answers() === answers) this.listen(ping);
    else this.silence_ = 0;
  }

  /** A device that was lost may be opened again. */
  forget_loss(): void {
    this.check_alive(false);
    this.gone = null;
  }

  /** What the server says at `place`. */
  message(place: number): unknown {
    const length = new Int32Array(this.memory, place, 1)[0];
    const bytes = new Uint8Array(this.memory, place + 4, length).slice(); // decoders refuse what is shared
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  private check_alive(or_lost = true): void {
    if (this.gone !== null && or_lost) throw this.gone;
    if (Atomics.load(this.control, Control.FAILED) === Failure.SERVER) throw this.take_failure();
    if (this.host.has_ended()) this.declare_dead();
  }

  /** Asks for a sign of life: the number that comes back. */
  private ping(): number {
    const ping = Atomics.add(this.control, Control.PING, 1) + 1;
    Atomics.notify(this.control, Control.PING);
    return ping;
  }

  /** Nothing was answered for a slice: is somebody there? */
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
