/**
 * @file The launch builder: it collects a launch and writes it into the ring. One object serves all launches.
 * @original `<<<grid, block>>>` and its arguments.
 * @see interface.ts: what each method means
 */
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { type Tracer, traceInstant, tracer } from "#c10/util/Trace";
import type { CommandRing } from "./CommandRing.ts";
import type { Connection } from "./Connection.ts";
import { Access, type DeviceMemory, type KernelSource, type Launch, MAX_OPERANDS, PARAMS_NBYTES } from "./interface.ts";
import type { Memory } from "./memory.ts";
import { Control, Op, PLACE } from "./protocol.ts";
import { QUEUE } from "./Recordings.ts";
import type { WebGPUCachingAllocator } from "./WebGPUCachingAllocator.ts";

/** The parts of the device that a launch uses. */
export interface LaunchContext {
  readonly connection: Connection;
  readonly ring: CommandRing;
  readonly allocator: WebGPUCachingAllocator;
  readonly kernels: readonly KernelSource[];
  readonly max_slots: number;
  readonly max_grid: number;
  readonly blocking: boolean;
  synchronize(who: string): void;
}

const ACCESS_NAMES = Object.keys(Access);

export class KernelLaunch implements Launch {
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  private readonly context_: LaunchContext;
  private readonly control_: Int32Array;
  private noperands_ = 0;
  private nslots_ = 0;
  private written_ = 0;
  /** Segment numbers by slot. */
  private readonly segments_ = new Int32Array(MAX_OPERANDS);
  /** Slots by operand. */
  private readonly slot_of_ = new Int32Array(MAX_OPERANDS);
  private readonly offset_of_ = new Float64Array(MAX_OPERANDS);
  /** Bytes of each operand, for traces. */
  private readonly nbytes_of_ = new Float64Array(MAX_OPERANDS);
  private readonly access_of_ = new Int32Array(MAX_OPERANDS);
  /** Number of launches so far: it connects the caller's and the server's trace events. */
  private correlation_ = 0;
  /** The recording in progress, and the kernel texts that it already contains. */
  private recording_: Tracer | null = null;
  private readonly told_texts_ = new Set<string>();

  constructor(context: LaunchContext) {
    this.context_ = context;
    this.control_ = context.connection.control;
    this.i32 = new Int32Array(PARAMS_NBYTES / 4);
    this.u32 = new Uint32Array(this.i32.buffer);
    this.f32 = new Float32Array(this.i32.buffer);
  }

  begin(): void {
    this.noperands_ = this.nslots_ = this.written_ = 0;
    this.context_.allocator.pin();
  }

  operand(memory: DeviceMemory, byte_offset: number, nbytes: number, access: Access): number {
    const own = memory as Memory; // all DeviceMemory objects are Memory objects of this device
    TORCH_INTERNAL_ASSERT(byte_offset + nbytes <= own.nbytes, "an operand reaches beyond its memory");
    const segment = this.context_.allocator.use(own);
    return this.add(segment.id, own.begin + byte_offset, nbytes, access);
  }

  assertion_operand(): number {
    return this.add(PLACE.ASSERTION_SEGMENT, 0, PLACE.ASSERTION_NBYTES, Access.read_write);
  }

  private add(segment: number, offset: number, nbytes: number, access: Access): number {
    const operand = this.noperands_++;
    TORCH_INTERNAL_ASSERT(operand < MAX_OPERANDS, "a launch has at most ", MAX_OPERANDS, " operands");
    let slot = 0;
    while (slot < this.nslots_ && this.segments_[slot] !== segment) slot++;
    if (slot === this.nslots_) this.segments_[this.nslots_++] = segment;
    if (access !== Access.read) this.written_ |= 1 << slot;
    this.slot_of_[operand] = slot;
    this.offset_of_[operand] = offset;
    this.nbytes_of_[operand] = nbytes;
    this.access_of_[operand] = access;
    return operand;
  }

  slot(operand: number): number {
    return this.slot_of_[operand];
  }

  offset(operand: number): number {
    return this.offset_of_[operand];
  }

  slots(): number {
    return this.nslots_;
  }

  written(): number {
    return this.written_;
  }

  layout(): number {
    let layout = this.noperands_;
    for (let operand = 0; operand < this.noperands_; operand++) layout = layout * 8 + this.slot_of_[operand];
    return layout * 256 + this.written_;
  }

  run(kernel: number, x: number, y: number, z: number, nwords: number): void {
    const { ring, connection, kernels, max_grid, max_slots, allocator, blocking } = this.context_;
    allocator.unpin();
    const source = kernels[kernel];
    if (connection.gone !== null) throw connection.gone;
    if (x === 0 || y === 0 || z === 0) return;
    TORCH_INTERNAL_ASSERT(nwords <= PARAMS_NBYTES / 4, "a launch has at most ", PARAMS_NBYTES, " bytes of parameters");
    if (x > max_grid || y > max_grid || z > max_grid) this.refuse_grid(source, x, y, z);
    if (source.slots !== this.nslots_ || source.written !== this.written_ || this.nslots_ > max_slots)
      this.refuse_slots(source);
    const nslots = this.nslots_;
    const correlation = ++this.correlation_;
    if (tracer !== null) this.told(source, x, y, z, nwords);
    ring.begin(Op.LAUNCH, 7 + nslots + nwords);
    ring.put(kernel);
    ring.put(correlation);
    ring.put(x);
    ring.put(y);
    ring.put(z);
    ring.put(nslots);
    ring.put_all(this.segments_, nslots);
    ring.put_all(this.i32, nwords);
    ring.end();
    if (blocking) this.context_.synchronize("launch");
  }

  private refuse_grid(source: KernelSource, x: number, y: number, z: number): never {
    const grid = `(${x}, ${y}, ${z})`;
    TORCH_CHECK(false, source.name, ": a grid of ", grid, " is larger than the device takes, ", this.context_.max_grid);
  }

  /** Refuses a launch now: on the device, one bad launch would lose all others of its command buffer. */
  private refuse_slots(source: KernelSource): never {
    const { name, slots, written } = source;
    const { max_slots } = this.context_;
    TORCH_CHECK(this.nslots_ <= max_slots, name, ": ", this.nslots_, " segments, and the device binds ", max_slots);
    const has = `${this.nslots_} slots, written ${this.written_}`;
    TORCH_INTERNAL_ASSERT(false, name, " has ", slots, " slots, written ", written, ", and is launched with ", has);
  }

  private told(source: KernelSource, x: number, y: number, z: number, nwords: number): void {
    this.control_[Control.TRACE] = 1;
    const buffers = Array.from({ length: this.noperands_ }, (_, operand) => ({
      segment: this.segments_[this.slot_of_[operand]],
      slot: this.slot_of_[operand],
      offset: this.offset_of_[operand],
      nbytes: this.nbytes_of_[operand],
      access: ACCESS_NAMES[this.access_of_[operand]],
    }));
    const bytes = (without: string): number =>
      buffers.reduce((sum, { access, nbytes }) => sum + (access === without ? 0 : nbytes), 0);
    const [wx, wy, wz] = source.workgroup_size;
    traceInstant("device", source.name, {
      ...QUEUE,
      correlation: this.correlation_,
      grid: [x, y, z],
      workgroup_size: source.workgroup_size,
      invocations: x * y * z * wx * wy * wz,
      buffers,
      bytes_read: bytes("write"),
      bytes_written: bytes("read"),
      params: Array.from(this.u32.subarray(0, nwords)),
      text: this.told_text(source),
      scalar_function: source.scalar_function,
    });
  }

  /** A hash of the kernel's text. Each recording contains the text itself once. */
  private told_text({ name, code, scalar_function }: KernelSource): string {
    const hash = fnv1a(code);
    if (this.recording_ !== tracer) {
      this.recording_ = tracer;
      this.told_texts_.clear();
    }
    if (this.told_texts_.has(hash)) return hash;
    this.told_texts_.add(hash);
    traceInstant("device", "webgpu::kernel", { kernel: name, text: hash, wgsl: code, scalar_function });
    return hash;
  }
}

/** FNV-1a hash of 32 bits, in hexadecimal. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
