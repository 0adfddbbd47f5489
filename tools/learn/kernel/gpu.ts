/**
 * @file A simulated graphics card: it runs kernels one invocation after the other, slowly, and detects errors that a
 * real card does not report: reads and writes outside a buffer, two invocations on one element, invocations that wait
 * for others in vain.
 * @original
 */
import { compile, type Program } from "./compile.ts";
import type { Invocation, Memory } from "./memory.ts";
import { KernelError, type Place } from "./wgsl.ts";

/** Memory is allocated in blocks; the rest of a block belongs to another tensor. */
const BLOCK = 256;

/** A buffer on the card: bytes that the host copies there and back. */
export class Buffer {
  readonly nbytes: number;
  readonly words: ArrayBuffer;
  /** The contents after the buffer's end, a different number for each buffer. */
  private readonly neighbour: number;

  constructor(nbytes: number, neighbour: number) {
    this.nbytes = nbytes;
    this.neighbour = neighbour;
    this.words = new ArrayBuffer(Math.max(Math.ceil(nbytes / BLOCK), 1) * BLOCK);
    const numbers = new Float32Array(this.words);
    numbers.fill(Number.NaN); // the contents are undefined
    numbers.fill(neighbour, nbytes / 4);
  }

  /** The first element after the end that was written; -1 if there is none. */
  strayed(): number {
    return new Float32Array(this.words).findIndex((value, i) => i * 4 >= this.nbytes && value !== this.neighbour);
  }
}

/** The interface of the host's part to the card: this simulation, or a device (device.ts). */
export interface Card {
  createBuffer(nbytes: number): Buffer;
  /** Copies the host's numbers to the beginning of a buffer. */
  writeBuffer(buffer: Buffer, data: Float32Array | Int32Array | Uint32Array): void;
  /** A copy of a buffer's numbers, for the host. */
  readBuffer(buffer: Buffer): Float32Array;
  /** Runs a kernel in `groups` workgroups; `buffers` are in the order of their bindings. */
  dispatch(kernel: string, buffers: readonly Buffer[], groups: readonly number[]): void;
}

/** The cost of a dispatch, in elements of buffers. */
export interface Cost {
  readonly reads: number;
  readonly writes: number;
  readonly invocations: number;
  /** Number of memory accesses of the busiest invocation: all wait for it. */
  readonly longest: number;
}

/** The bytes of `data`; throws if they do not fit into the buffer. */
export function fitting(buffer: Buffer, data: Float32Array | Int32Array | Uint32Array): Uint8Array {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (bytes.length > buffer.nbytes)
    throw new Error(`writeBuffer: ${bytes.length} bytes into a buffer of ${buffer.nbytes}`);
  return bytes;
}

const MAX_GROUPS = 65535;
const MAX_INVOCATIONS = 256;

export class Gpu implements Card {
  /** The cost of each dispatch, in order. */
  readonly costs: Cost[] = [];
  /** All buffers made so far. */
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

  /** @throws {KernelError} if the text is wrong, or its execution */
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

/**
 * Runs all invocations of one workgroup: each to the next barrier, then all onwards. Returns the number of memory
 * accesses of the busiest.
 */
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
