/**
 * @file The host of a server that outlives the program: in a playground the page keeps the device from one program to the next.
 * @original
 */
import type { Host } from "./Connection.ts";
import { Control, PLACE } from "./protocol.ts";
import { change_of } from "./worker.ts";

/**
 * Function by which the surroundings of the program start serving `memory` and stop serving the previous program. Each
 * program has its own memory, so one that was stopped and still runs for a moment does not disturb the next.
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

  /** Always false: nothing reports the end here. The caller pings the server instead. */
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
