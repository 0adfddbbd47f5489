/**
 * @file The caller's end of the command ring: it writes commands.
 * @original
 * @see protocol.ts, Note [Two threads and a ring]
 */
import type { Connection } from "./Connection.ts";
import { Control, PLACE } from "./protocol.ts";

const MASK = PLACE.RING_WORDS - 1;
/** The server is informed of new commands at least every so many commands. */
const PUBLISH_EVERY = 16;

export class CommandRing {
  private readonly connection_: Connection;
  private readonly control_: Int32Array;
  private readonly words_: Int32Array;
  /** Position of the next word to write. */
  private at_ = 0;
  /** Position up to which there is certainly room. */
  private end_ = 0;
  private unpublished_ = 0;

  constructor(connection: Connection) {
    this.connection_ = connection;
    this.control_ = connection.control;
    this.words_ = new Int32Array(connection.memory, PLACE.RING, PLACE.RING_WORDS);
    this.at_ = Atomics.load(this.control_, Control.WRITE);
    this.end_ = (Atomics.load(this.control_, Control.READ) + PLACE.RING_WORDS) | 0;
  }

  /** Begins a command of `length` words, including the first. Waits for room. */
  begin(op: number, length: number): void {
    if (((this.end_ - this.at_) | 0) < length) this.make_room(length);
    this.put(op | (length << 8));
  }

  /** Position of the next command. */
  position(): number {
    return this.at_;
  }

  put(word: number): void {
    this.words_[this.at_ & MASK] = word;
    this.at_ = (this.at_ + 1) | 0;
  }

  /** Writes the first `n` of `words`. */
  put_all(words: Int32Array, n: number): void {
    let at = this.at_;
    for (let k = 0; k < n; k++) this.words_[(at + k) & MASK] = words[k];
    at = (at + n) | 0;
    this.at_ = at;
  }

  /** Ends a command. If the server sleeps, it is woken now; otherwise it is informed of several commands together. */
  end(): void {
    if (++this.unpublished_ >= PUBLISH_EVERY || this.control_[Control.SLEEPING] === 1) this.publish();
  }

  publish(): void {
    this.unpublished_ = 0;
    Atomics.store(this.control_, Control.WRITE, this.at_);
    if (Atomics.load(this.control_, Control.SLEEPING) === 1) this.connection_.host.wake();
  }

  private make_room(length: number): void {
    this.publish();
    for (;;) {
      const answers = this.connection_.answers();
      this.end_ = (Atomics.load(this.control_, Control.READ) + PLACE.RING_WORDS) | 0;
      if (((this.end_ - this.at_) | 0) >= length) return;
      this.connection_.wait(answers);
    }
  }
}
