/**
 * @file A server that outlives the program: a playground's, whose page keeps the device from program to program.
 * @original
 */
import type { Host } from "./Connection.ts";
import { Control, PLACE } from "./protocol.ts";
import { change_of } from "./worker.ts";

/**
 * What whoever runs the program offers: to have `memory` served, and the program before no more. Its memory is its own, so that one that was
 * stopped, and runs on for a while, disturbs nobody.
 */
export type AttachServer = (memory: SharedArrayBuffer) => void;

export class AttachedHost implements Host {
  readonly cannot_wait = null;
  private readonly control_: Int32Array;

  constructor(memory: SharedArrayBuffer, attach: AttachServer) {
    this.control_ = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
    attach(memory);
  }

  wake(): void {
    Atomics.notify(this.control_, Control.WRITE);
  }

  /** Nobody tells us; but it is asked for a sign of life. */
  has_ended(): boolean {
    return false;
  }

  has_thread(): null {
    return null;
  }

  next_answer(answers: number): Promise<void> {
    return change_of(this.control_, Control.ANSWERS, answers);
  }

  before_exit(): () => void {
    return () => undefined;
  }

  stop(): void {}
}
