/**
 * @file Memory shared by several invocations, which records their accesses.
 * @original
 */
import { KernelError, type Place } from "./wgsl.ts";

export type Scalar = "f32" | "u32" | "i32" | "bool";
export type Space = "storage" | "uniform" | "workgroup";

/** An access to an element: the invocation, and the place in the text. */
interface Touch {
  readonly invocation: number;
  readonly place: Place;
}

// Note [Races]
// ~~~~~~~~~~~~
// Between two barriers invocations run in any order. So if two of them access one element, and one of the two writes,
// the result depends on chance. Here they run one after the other, without chance; but each element records its
// accesses since the last barrier, and the second access is reported. A barrier belongs to a workgroup: it separates
// accesses to workgroup memory. Nothing separates accesses of several invocations to a buffer in one dispatch.
export class Memory {
  readonly name: string;
  readonly space: Space;
  readonly length: number;
  private readonly f32: Float32Array;
  private readonly i32: Int32Array;
  private readonly u32: Uint32Array;
  /** The first invocation that read each element, and a second one. */
  private readonly readers: (Touch | undefined)[] = [];
  private readonly others: (Touch | undefined)[] = [];
  private readonly writers: (Touch | undefined)[] = [];
  /** Numbers of elements read and written, each counted as often as it was accessed. */
  reads = 0;
  writes = 0;

  constructor(name: string, space: Space, words: ArrayBuffer) {
    this.name = name;
    this.space = space;
    this.f32 = new Float32Array(words);
    this.i32 = new Int32Array(words);
    this.u32 = new Uint32Array(words);
    this.length = this.u32.length;
  }

  read(type: Scalar, i: number, on: Invocation, place: Place): number {
    const invocation = on.number;
    on.touched++;
    this.check(i, place, "read");
    const writer = this.writers[i];
    if (writer !== undefined && writer.invocation !== invocation)
      this.race(i, "read", invocation, place, "written", writer);
    const reader = this.readers[i];
    if (reader === undefined) this.readers[i] = { invocation, place };
    else if (reader.invocation !== invocation) this.others[i] = { invocation, place };
    this.reads++;
    return this.of(type)[i];
  }

  write(type: Scalar, i: number, value: number, on: Invocation, place: Place): void {
    const invocation = on.number;
    on.touched++;
    this.check(i, place, "written");
    const writer = this.writers[i];
    const reader = this.readers[i]?.invocation === invocation ? this.others[i] : this.readers[i];
    if (writer !== undefined && writer.invocation !== invocation)
      this.race(i, "written", invocation, place, "written", writer);
    if (reader !== undefined && reader.invocation !== invocation)
      this.race(i, "written", invocation, place, "read", reader);
    this.writers[i] = { invocation, place };
    this.writes++;
    this.of(type)[i] = value;
  }

  /** A barrier: accesses before it and after it are no race. */
  forget(): void {
    this.readers.length = 0;
    this.others.length = 0;
    this.writers.length = 0;
  }

  private of(type: Scalar): Float32Array | Int32Array | Uint32Array {
    return type === "f32" ? this.f32 : type === "i32" ? this.i32 : this.u32;
  }

  private check(i: number, place: Place, what: string): void {
    if (i >= 0 && i < this.length) return;
    throw new KernelError(
      place,
      `${this.name}[${i}] is ${what}, and the memory of ${this.name} ends with element ${this.length - 1}`,
    );
  }

  private race(i: number, what: string, by: number, place: Place, before: string, other: Touch): never {
    throw new KernelError(
      place,
      `a race: ${this.name}[${i}] is ${what} by invocation ${by}, and ${before} by invocation ${other.invocation} in line ${other.place.line}, with no barrier between`,
    );
  }
}

/** The state of one invocation: its values, and the memory that others see. */
export interface Invocation {
  readonly slots: unknown[];
  /** Memories by variable of the module. */
  readonly memories: readonly Memory[];
  /** Its number in the whole dispatch. */
  readonly number: number;
  /** Number of its memory accesses. */
  touched: number;
  readonly builtins: Readonly<Record<string, number | readonly number[]>>;
}
