/**
 * @file A graphics card that is none: it runs kernels one invocation after the other, slowly, and sees what a real one keeps to itself: reads
 * and writes outside of a buffer, two invocations at one element, invocations that wait for others in vain.
 * @original
 */
import { compile, type Program } from "./compile.ts";
import type { Invocation, Memory } from "./memory.ts";
import { KernelError, type Place } from "./wgsl.ts";

/** Memory is given out in blocks; the rest of a block is another tensor's. */
const BLOCK = 256;

/** A buffer on the card: bytes that the host copies there and back. */
export class Buffer {
  readonly nbytes: number;
  readonly words: ArrayBuffer;
  /** What lies behind the buffer's end, another number for each. */
  private readonly neighbour: number;

  constructor(nbytes: number, neighbour: number) {
    this.nbytes = nbytes;
    this.neighbour = neighbour;
    this.words = new ArrayBuffer(Math.max(Math.ceil(nbytes / BLOCK), 1) * BLOCK);
    const numbers = new Float32Array(this.words);
    numbers.fill(Number.NaN); // what was there before
    numbers.fill(neighbour, nbytes / 4);
  }

  /** The first element behind the end that somebody wrote to; -1 if there is none. */
  strayed(): number {
    return new Float32Array(this.words).findIndex((value, i) => i * 4 >= this.nbytes && value !== this.neighbour);
  }
}

/** What the host's part of a kernel deals with: this card here, or a device (device.ts). */
export interface Card {
  createBuffer(nbytes: number): Buffer;
  /** The host's numbers into a buffer, from its beginning on. */
  writeBuffer(buffer: Buffer, data: Float32Array | Int32Array | Uint32Array): void;
  /** A copy of a buffer's numbers, for the host. */
  readBuffer(buffer: Buffer): Float32Array;
  /** Runs a kernel in `groups` workgroups. `buffers` by their binding. */
  dispatch(kernel: string, buffers: readonly Buffer[], groups: readonly number[]): void;
}

/** What a dispatch cost, in elements of buffers. */
export interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly invocations: number;
  /** How often one invocation touched memory, whichever did most: all wait for it. */
  readonly longest: number;
}

/** The bytes of `data`, which have room in the buffer. */
export function fitting(buffer: Buffer, data: Float32Array | Int32Array | Uint32Array): Uint8Array {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (bytes.length > buffer.nbytes)
    throw new Error(`writeBuffer: ${bytes.length} bytes into a buffer of ${buffer.nbytes}`);
  return bytes;
}

const MAX_GROUPS = 65535;
const MAX_INVOCATIONS = 256;

export class Gpu implements Card {
  /** What each dispatch cost, in order. */
  readonly costs: Cost[] = [];
  /** All buffers that were made. */
  readonly buffers: Buffer[] = [];
  private readonly programs = new Map<string, Program>();

  createBuffer(nbytes: number): Buffer {
    const buffer = new Buffer(nbytes, -1000 - this.buffers.length);
    this.buffers.push(buffer);
    return buffer;
  }

  writeBuffer(buffer: Buffer, data: Float32Array | Int32Array | Uint32Array): void {
    new Uint8Array(buffer.words).set(fitting(buffer, data));
  }

  readBuffer(buffer: Buffer): Float32Array {
    return new Float32Array(buffer.words.slice(0, buffer.nbytes));
  }

  /** @throws {KernelError} where the text is wrong, or what it does */
  dispatch(kernel: string, buffers: readonly Buffer[], groups: readonly number[]): void {
    const [gx, gy = 1, gz = 1] = groups;
    for (const n of [gx, gy, gz])
      if (!Number.isInteger(n) || n < 0 || n > MAX_GROUPS)
        throw new Error(`dispatch: ${n} workgroups; a whole number from 0 to ${MAX_GROUPS} was expected`);
    const program = this.program(kernel);
    const bound = program.bind(buffers);
    const invocations = program.workgroup_size[0] * program.workgroup_size[1] * program.workgroup_size[2];
    if (invocations > MAX_INVOCATIONS)
      throw new KernelError(program.place, `${invocations} invocations in a workgroup; ${MAX_INVOCATIONS} are allowed`);
    let longest = 0;
    for (let group = 0; group < gx * gy * gz; group++) {
      const at = [group % gx, Math.floor(group / gx) % gy, Math.floor(group / (gx * gy))];
      longest = Math.max(longest, runGroup(program, bound, at, [gx, gy, gz], group * invocations));
    }
    const sum = (of: (memory: Memory) => number): number =>
      bound.reduce((total, memory) => total + (memory.space === "storage" ? of(memory) : 0), 0);
    this.costs.push({
      reads: sum((m) => m.reads),
      writes: sum((m) => m.writes),
      invocations: gx * gy * gz * invocations,
      longest,
    });
  }

  private program(kernel: string): Program {
    let program = this.programs.get(kernel);
    if (program === undefined) this.programs.set(kernel, (program = compile(kernel)));
    return program;
  }
}

/** All invocations of one workgroup: each up to the next barrier, then all on. Returns how often the busiest touched memory. */
function runGroup(
  program: Program,
  buffers: readonly Memory[],
  group: readonly number[],
  groups: readonly number[],
  first: number,
): number {
  const shared = program.shared();
  const [sx, sy, sz] = program.workgroup_size;
  const invocations = Array.from({ length: sx * sy * sz }, (_, i): Invocation => {
    const local = [i % sx, Math.floor(i / sx) % sy, Math.floor(i / (sx * sy))];
    const global = local.map((at, dim) => group[dim] * program.workgroup_size[dim] + at);
    return {
      slots: [],
      memories: [...buffers, ...shared],
      number: first + i,
      touched: 0,
      builtins: {
        global_invocation_id: global,
        local_invocation_id: local,
        local_invocation_index: i,
        workgroup_id: group,
        num_workgroups: groups,
      },
    };
  });
  const running = invocations.map((each) => program.run(each));
  for (;;) {
    const waiting = running.map((each) => each.next());
    const at = waiting.findIndex(({ done }) => done !== true);
    if (at === -1) return Math.max(...invocations.map(({ touched }) => touched));
    const barrier = waiting[at].value as Place;
    const other = waiting.findIndex(({ value }) => value !== barrier);
    if (other !== -1) {
      const where =
        waiting[other].done === true ? "has ended" : `waits in line ${(waiting[other].value as Place).line}`;
      throw new KernelError(
        barrier,
        `not all come to this barrier: invocation ${first + at} waits here, and invocation ${first + other} of its workgroup ${where}`,
      );
    }
    for (const memory of shared) memory.forget();
  }
}
