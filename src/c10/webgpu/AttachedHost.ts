/**
 * @file A server that someone else started, and that outlives the program: a playground's.
 * @original
 */
import type { Host } from "./Connection.ts";
import { Control, PLACE } from "./protocol.ts";
import { change_of } from "./worker.ts";

export class AttachedHost implements Host {
  readonly cannot_wait = null;
  private readonly control_: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.control_ = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
  }

  wake(): void {
    Atomics.notify(this.control_, Control.WRITE);
  }

  /** Nobody tells us; but it is asked for a sign of life. */
  has_ended(): boolean {
    return false;
  }

  next_answer(answers: number): Promise<void> {
    return change_of(this.control_, Control.ANSWERS, answers);
  }

  stop(): void {}
}
