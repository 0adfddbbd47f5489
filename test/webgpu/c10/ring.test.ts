/** @file The ring against a model: what is put in comes out, in order and whole, however the two sides are timed and wherever the count stands. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CommandRing } from "../../../src/c10/webgpu/CommandRing.ts";
import { Connection, type Host } from "../../../src/c10/webgpu/Connection.ts";
import { Control, PLACE } from "../../../src/c10/webgpu/protocol.ts";

const MASK = PLACE.RING_WORDS - 1;

/** A server that reads when it is woken or waited for, as many commands as it is told. */
class Reader implements Host {
  readonly cannot_wait = null;
  readonly read: number[][] = [];
  private readonly control_: Int32Array;
  private readonly words_: Int32Array;

  constructor(memory: ArrayBufferLike, start: number) {
    this.control_ = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
    this.words_ = new Int32Array(memory, PLACE.RING, PLACE.RING_WORDS);
    this.control_[Control.READ] = this.control_[Control.WRITE] = start;
  }

  wake(): void {
    this.take(3);
  }

  take(commands: number): void {
    for (let n = 0; n < commands && this.control_[Control.READ] !== this.control_[Control.WRITE]; n++) {
      const at = this.control_[Control.READ];
      const length = this.words_[at & MASK] >>> 8;
      this.read.push(Array.from({ length }, (_, k) => this.words_[(at + k) & MASK]));
      this.control_[Control.READ] = (at + length) | 0;
    }
  }

  set asleep(asleep: boolean) {
    this.control_[Control.SLEEPING] = asleep ? 1 : 0;
  }

  has_ended = (): boolean => false;
  next_answer = (): Promise<void> => Promise.resolve();
  stop(): void {}
}

/** Waiting is where the other side gets its turn. */
class TestConnection extends Connection {
  override wait(): void {
    (this.host as Reader).take(2);
  }
}

const commands = fc.array(
  fc.record({
    length: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20_000 })),
    take: fc.nat(5),
    asleep: fc.boolean(),
  }),
  { maxLength: 60 },
);

/** Around the places where counts of 32 bits change their sign, and end. */
const starts = fc.constantFrom(0, 17, 2 ** 31 - 50_000, -(2 ** 31), -1, -70_000);

test("commands come out as they were put in", () => {
  fc.assert(
    fc.property(starts, commands, (start, program) => {
      const memory = new SharedArrayBuffer(PLACE.NBYTES);
      const reader = new Reader(memory, start);
      const ring = new CommandRing(new TestConnection(memory, reader));
      const written: number[][] = [];
      let value = 1;
      for (const { length, take, asleep } of program) {
        reader.asleep = asleep;
        const command = [1 | (length << 8), ...Array.from({ length: length - 1 }, () => value++)];
        written.push(command);
        ring.begin(1, length);
        if (length % 2 === 0) ring.put_all(Int32Array.from(command.slice(1)), length - 1);
        else for (const word of command.slice(1)) ring.put(word);
        ring.end();
        reader.take(take);
      }
      ring.publish();
      reader.take(program.length);
      expect(reader.read).toEqual(written);
    }),
    { numRuns: 100 },
  );
});
