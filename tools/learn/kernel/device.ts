/**
 * @file The exercises' card on a WebGPU device: the same buffers, with memory after their ends, and the same
 * dispatches. It reports no races, but computes like a real card.
 * @original
 */
import { Buffer, type Card, fitting } from "./gpu.ts";
import { KernelError, parse, type Variable } from "./wgsl.ts";

/** A device, and the name of its adapter. */
export interface OpenedDevice {
  readonly device: GPUDevice;
  readonly name: string;
}

/** The device that `gpu` offers, or the reason why there is none. */
export async function openDevice(gpu: GPU): Promise<OpenedDevice | string> {
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (adapter === null) return "the system offers no WebGPU adapter";
    const { vendor, architecture, description } = adapter.info;
    return { device: await adapter.requestDevice(), name: description || `${vendor} ${architecture}`.trim() };
  } catch (error) {
    return `the device does not open: ${(error as Error).message.split("\n")[0]}`;
  }
}

const [MAP_READ, COPY_SRC, COPY_DST, UNIFORM, STORAGE, COMPUTE] = [0x1, 0x4, 0x8, 0x40, 0x80, 0x4];

interface Compiled {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  readonly variables: readonly Variable[];
}

// Note [Asking a device that cannot answer at once]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The host's part is written as in PyTorch: when a call returns, the data it reads is there. A device answers later,
// and a host that may not wait cannot return its answer yet. So if a query has no answer yet, the host's part ends with
// `Unanswered`; the answer is awaited; and the host's part runs again from its beginning. Earlier steps are not
// repeated: each one gets its first result again.
class Unanswered extends Error {}

export class DeviceCard implements Card {
  /** All buffers made so far; after `run` their `words` are as the device left them. */
  readonly buffers: Buffer[] = [];
  dispatches = 0;
  readonly name: string;
  private readonly device: GPUDevice;
  private readonly kernels = new Map<string, Compiled>();
  private readonly memory = new Map<Buffer, GPUBuffer>();
  /** The results of the host's steps so far, and the position of this run in them. */
  private readonly given: unknown[] = [];
  private at = 0;
  private question: (() => Promise<void>) | null = null;

  constructor({ device, name }: OpenedDevice) {
    this.device = device;
    this.name = name;
  }

  /** Runs the host's part to its end and returns its result. */
  async run<T>(host: () => T): Promise<T> {
    for (;;) {
      this.device.pushErrorScope("validation");
      const { result, question } = this.attempt(host);
      const invalid = await this.device.popErrorScope();
      if (invalid !== null) throw new Error(invalid.message);
      if (question === null) {
        await this.bring();
        return result();
      }
      await question();
    }
  }

  /** Runs from the beginning to the first query without an answer. */
  private attempt<T>(host: () => T): { result: () => T; question: (() => Promise<void>) | null } {
    this.at = 0;
    this.question = null;
    let result: () => T;
    try {
      const value = host();
      result = () => value;
    } catch (error) {
      result = () => {
        throw error;
      };
    }
    return { result, question: this.question };
  }

  createBuffer(nbytes: number): Buffer {
    return this.step(() => {
      const buffer = new Buffer(nbytes, -1000 - this.buffers.length);
      const { words } = buffer;
      const usage = STORAGE | UNIFORM | COPY_SRC | COPY_DST;
      const memory = this.device.createBuffer({ size: words.byteLength, usage });
      this.device.queue.writeBuffer(memory, 0, words);
      this.buffers.push(buffer);
      this.memory.set(buffer, memory);
      return buffer;
    });
  }

  writeBuffer(buffer: Buffer, data: Float32Array | Int32Array | Uint32Array): void {
    const bytes = fitting(buffer, data).slice();
    this.step(() => this.device.queue.writeBuffer(this.memoryOf(buffer), 0, bytes));
  }

  readBuffer(buffer: Buffer): Float32Array {
    const { nbytes } = buffer;
    const known = this.answered(async () => (await this.contents(buffer)).slice(0, nbytes));
    return new Float32Array(known.slice(0));
  }

  dispatch(kernel: string, buffers: readonly Buffer[], groups: readonly number[]): void {
    const compiled = this.kernels.get(kernel);
    if (compiled === undefined) this.ask(() => this.compile(kernel));
    else
      this.step(() => {
        const { pipeline, layout, variables } = compiled;
        const entries = variables.map(({ binding }) => ({
          binding,
          resource: { buffer: this.memoryOf(buffers[binding]) },
        }));
        const encoder = this.device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, this.device.createBindGroup({ layout, entries }));
        const [x, y = 1, z = 1] = groups;
        if (x * y * z > 0) pass.dispatchWorkgroups(x, y, z);
        pass.end();
        this.device.queue.submit([encoder.finish()]);
        this.dispatches++;
      });
  }

  /**
   * Lets the device compile a kernel.
   * @throws {KernelError} with the line and the message of the device's compiler
   */
  async compile(kernel: string): Promise<void> {
    const { device } = this;
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code: kernel });
    const { messages } = await module.getCompilationInfo();
    await device.popErrorScope();
    const wrong = messages.find(({ type }) => type === "error");
    if (wrong !== undefined) throw new KernelError({ line: wrong.lineNum, column: wrong.linePos }, told(wrong.message));
    const { variables, functions } = parse(kernel);
    const bound = variables.filter(({ space }) => space !== "workgroup");
    const layout = device.createBindGroupLayout({
      entries: bound.map(({ binding, space, writable }) => ({
        binding,
        visibility: COMPUTE,
        buffer: { type: space === "uniform" ? "uniform" : writable ? "storage" : "read-only-storage" },
      })),
    });
    const entry = functions.find(({ workgroup_size }) => workgroup_size !== null);
    try {
      const pipeline = await device.createComputePipelineAsync({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module },
      });
      this.kernels.set(kernel, { pipeline, layout, variables: bound });
    } catch (error) {
      throw new KernelError(entry ?? { line: 1, column: 1 }, (error as Error).message);
    }
  }

  /** Releases the device's memory. */
  end(): void {
    for (const memory of this.memory.values()) memory.destroy();
  }

  private step<T>(what: () => T): T {
    if (this.at === this.given.length) this.given.push(what());
    return this.given[this.at++] as T;
  }

  /** The device's answer; it is known only in a later run of the host's part. */
  private answered<T>(what: () => Promise<T>): T {
    if (this.at < this.given.length) return this.given[this.at++] as T;
    return this.ask(async () => void this.given.push(await what()));
  }

  private ask(question: () => Promise<void>): never {
    this.question = question;
    throw new Unanswered("the device has not answered yet");
  }

  private memoryOf(buffer: Buffer): GPUBuffer {
    const memory = this.memory.get(buffer);
    if (memory === undefined) throw new Error("this is no buffer of the card");
    return memory;
  }

  /** The contents of a buffer's whole block. */
  private async contents(buffer: Buffer): Promise<ArrayBuffer> {
    const { byteLength: size } = buffer.words;
    const staging = this.device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.memoryOf(buffer), 0, staging, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(1);
    const bytes = staging.getMappedRange().slice(0);
    staging.destroy();
    return bytes;
  }

  private async bring(): Promise<void> {
    for (const buffer of this.buffers) new Uint8Array(buffer.words).set(new Uint8Array(await this.contents(buffer)));
  }
}

/** The compiler's message; the simulator's message comes first if both report the same. */
function told(message: string): string {
  const [first] = message.trim().split("\n");
  return /must only be called from uniform control flow/.test(first) ? `not all come to this barrier: ${first}` : first;
}
