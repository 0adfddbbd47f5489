/**
 * @file A simulated graphics card: it has memory of its own, and computes only there. The host may allocate memory, send bytes
 * there, fetch them back, and start a computation; it cannot read the memory directly.
 * @original
 */
import "./guard.ts";

/** A piece of the card's memory. Whoever holds this handle knows where it is, and not what is in it. */
export interface Memory {
  readonly address: number;
  readonly nbytes: number;
}

/** Where a tensor's elements are on the card: from element `offset` of a piece of memory on, so far apart in each dimension. */
export interface Operand {
  readonly memory: Memory;
  readonly offset: number;
  readonly strides: readonly number[];
}

const ALIGNMENT = 256;

export class Card {
  /** The collector frees what no handle is left of. */
  private readonly bytes = new WeakMap<Memory, Uint8Array>();
  private next = ALIGNMENT;
  /** How often it was asked to add. */
  added = 0;

  malloc(nbytes: number): Memory {
    const memory = { address: this.next, nbytes };
    this.next += Math.ceil((nbytes + 1) / ALIGNMENT) * ALIGNMENT;
    this.bytes.set(memory, new Uint8Array(nbytes).fill(0xff)); // old data; most dtypes read it as NaN
    return memory;
  }

  /** Bytes from the host into a piece of memory, from its beginning on. */
  upload(memory: Memory, bytes: Uint8Array): void {
    this.of(memory).set(bytes);
  }

  /** A copy of all the bytes of a piece of memory, for the host. */
  download(memory: Memory): Uint8Array {
    return this.of(memory).slice();
  }

  /** out = a + alpha * b, in float32, for every index of `shape`; the first stride is that of the first index. */
  add(shape: readonly number[], out: Operand, a: Operand, b: Operand, alpha: number): void {
    this.added++;
    const [to, x, y] = [out, a, b].map(({ memory }) => new Float32Array(this.of(memory).buffer));
    const index = shape.map(() => 0);
    const place = ({ offset, strides }: Operand): number => index.reduce((at, i, dim) => at + i * strides[dim], offset);
    for (let left = shape.reduce((product, n) => product * n, 1); left > 0; left--) {
      to[place(out)] = x[place(a)] + alpha * y[place(b)];
      for (let dim = 0; dim < shape.length && ++index[dim] === shape[dim]; dim++) index[dim] = 0;
    }
  }

  private of(memory: Memory): Uint8Array {
    const bytes = this.bytes.get(memory);
    if (bytes === undefined) throw new Error("the card has no such memory");
    return bytes;
  }
}
