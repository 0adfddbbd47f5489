/**
 * @file The caller's end: the shared memory, how the server is woken, and how one waits for it.
 * @original CUDA's driver does this inside every call that synchronizes.
 * @see protocol.ts, Note [Two threads and a ring]
 */
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import { Control, Failure, PLACE } from "./protocol.ts";
import { error_of, type Told } from "./WebGPUException.ts";

/** Who runs the server. */
export interface Host {
  /** Null where the thread may wait; else the sentence that says why it may not. */
  readonly cannot_wait: string | null;
  /** There are commands, and the server sleeps. */
  wake(): void;
  /** Whether the server is known to be no more. */
  has_ended(): boolean;
  /** Resolves at the next answer, or after a while. */
  next_answer(answers: number): Promise<void>;
  /** Ends it. */
  stop(): void;
}

/** One slice of waiting, in milliseconds: then one looks whether the server is alive. */
const SLICE_MS = 100;
/** So many slices without a sign of life, and it is dead. */
const SLICES_OF_SILENCE = 8;
/** Of all waiting at once, in slices: half an hour. */
const SLICES_IN_ALL = 18_000;

export class Connection {
  readonly memory: ArrayBufferLike;
  readonly control: Int32Array;
  readonly host: Host;
  /** What assertions' numbers stand for; nobody has number 0. */
  readonly operators: string[] = [""];
  /** The device is gone for good: what every call throws from then on. */
  gone: Error | null = null;

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
    const { control } = this;
    let silence = 0;
    for (let slice = 0; slice < SLICES_IN_ALL; slice++) {
      this.check_alive();
      const ping = Atomics.load(control, Control.PONG);
      if (Atomics.wait(control, Control.ANSWERS, answers, SLICE_MS) !== "timed-out") return;
      const alive = this.ping(ping) || Atomics.load(control, Control.BUSY) > 0;
      silence = alive ? 0 : silence + 1;
      if (silence >= SLICES_OF_SILENCE) this.declare_dead();
    }
    TORCH_CHECK(false, "WebGPU error: no answer within ", (SLICES_IN_ALL * SLICE_MS) / 1000, " s");
  }

  /** The same without blocking. */
  async wait_async(answers: number): Promise<void> {
    this.check_alive();
    await this.host.next_answer(answers);
  }

  /** A device that was lost may be opened again. */
  forget_loss(): void {
    this.check_alive(false);
    this.gone = null;
  }

  /** What the server said last. */
  message(): unknown {
    const length = new Int32Array(this.memory, PLACE.MESSAGE, 1)[0];
    const bytes = new Uint8Array(this.memory, PLACE.MESSAGE + 4, length).slice(); // decoders refuse what is shared
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  private check_alive(or_lost = true): void {
    if (this.gone !== null && or_lost) throw this.gone;
    if (Atomics.load(this.control, Control.FAILED) === Failure.SERVER) throw this.take_failure();
    if (this.host.has_ended()) this.declare_dead();
  }

  /** Asks for a sign of life; whether there was one since `before`. */
  private ping(before: number): boolean {
    Atomics.add(this.control, Control.PING, 1);
    Atomics.notify(this.control, Control.PING);
    return Atomics.load(this.control, Control.PONG) !== before || Atomics.load(this.control, Control.READY) === 0;
  }

  private declare_dead(): never {
    const message = "the thread that serves the device has ended";
    throw this.remember({ failure: Failure.SERVER, message, kernel: "", operators: this.operators });
  }

  private take_failure(): Error {
    const failure = Atomics.load(this.control, Control.FAILED);
    const { message, kernel } = this.message() as { message: string; kernel: string };
    const told: Told = { failure, message, kernel, operators: this.operators };
    if (failure === Failure.LOST || failure === Failure.SERVER) return this.remember(told);
    Atomics.store(this.control, Control.FAILED, 0);
    return error_of(told);
  }

  private remember(told: Told): Error {
    this.gone = error_of(told);
    return this.gone;
  }
}
