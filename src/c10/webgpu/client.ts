/**
 * @file The client: the device as the caller sees it, with kernels by number, memory, copies, waiting. All of it is
 * written into the ring.
 * @original CUDA's runtime.
 * @see interface.ts: what each method means
 */
import { DataPtr, DeviceDataPtr } from "../core/Allocator.ts";
import { make_reclaimer, type Reclaimer } from "../core/CPUHeapReclaim.ts";
import { Device } from "../core/Device.ts";
import { DeviceType } from "../core/DeviceType.ts";
import { TORCH_CHECK } from "../util/Exception.ts";
import { before_recording_ends, type Tracer, traceInstant, tracer } from "../util/Trace.ts";
import { CommandRing } from "./CommandRing.ts";
import { Connection, type Host } from "./Connection.ts";
import { Copies } from "./Copies.ts";
import type { Tenancy } from "./deaths.ts";
import type { DeviceMemory, DeviceProperties, KernelSource, WebGPUDevice } from "./interface.ts";
import { KernelLaunch } from "./KernelLaunch.ts";
import type { HostRun, Memory } from "./memory.ts";
import { Control, Op, PLACE } from "./protocol.ts";
import { QUEUE, Recordings } from "./Recordings.ts";
import { WebGPUCachingAllocator } from "./WebGPUCachingAllocator.ts";
import { launch_blocking } from "./WebGPUMiscFunctions.ts";

const GB = 2 ** 30;

export interface ClientOptions {
  /** Number of bytes that may be reserved: WebGPU does not report how much memory there is. */
  readonly total_memory?: number;
  /** Reports which allocations are dead; by default the best reclaimer of this engine. */
  readonly reclaimer?: Reclaimer<Tenancy>;
  /** Whether to wait for each launch, as `WEBGPU_LAUNCH_BLOCKING=1` requests. */
  readonly blocking?: boolean;
}

/** Properties of the device as the server reports them. */
interface ToldProperties extends Omit<DeviceProperties, "features" | "total_memory" | "max_buffer_size"> {
  readonly features: readonly string[];
  readonly max_segment_nbytes: number;
}

/** The condition of an assertion that reports an index and a limit. */
const IN_BOUNDS = [""] as const;

/** Addresses are invented: unique, ascending, never reused, and different from the host's. */
const FIRST_ADDRESS = 2 ** 46;
const ADDRESS_ALIGNMENT = 512;

export class WebGPUClient implements WebGPUDevice {
  readonly properties: DeviceProperties;
  readonly launch: KernelLaunch;
  readonly allocator: WebGPUCachingAllocator;
  readonly device = new Device(DeviceType.PrivateUse1, 0);
  private readonly connection_: Connection;
  private readonly ring_: CommandRing;
  private readonly copies_: Copies;
  private readonly recordings_: Recordings;
  private readonly kernels_: KernelSource[] = [];
  private readonly kernel_of_text_ = new Map<string, number>();
  private readonly kernel_of_source_ = new WeakMap<KernelSource, number>();
  private readonly assertion_of_ = new Map<string, number>();
  private readonly null_ = new DataPtr(null, 0, this.device);
  private readonly forget_recordings_: () => void;
  private readonly forget_exit_: () => void;
  private next_address_ = FIRST_ADDRESS;
  /** The last number whose answer covers everything sent before it, and the ring's position at that time. */
  private last_mark_ = 0;
  private marked_until_ = Number.NaN;

  /** Precondition: the server is ready; see `connect`. */
  private constructor(connection: Connection, options: ClientOptions) {
    this.connection_ = connection;
    this.ring_ = new CommandRing(connection);
    const told = connection.message(PLACE.PROPERTIES) as ToldProperties;
    const { max_segment_nbytes, features, ...rest } = told;
    const total_memory = options.total_memory ?? (told.is_fallback_adapter ? GB : 4 * GB);
    this.properties = { ...rest, features: new Set(features), total_memory, max_buffer_size: max_segment_nbytes };
    this.allocator = new WebGPUCachingAllocator(this.segment_source(max_segment_nbytes), {
      reclaimer: options.reclaimer ?? make_reclaimer((tenancy: Tenancy) => this.allocator.died(tenancy)),
      total_memory,
    });
    const blocking = options.blocking ?? launch_blocking();
    connection.control[Control.BLOCKING] = blocking ? 1 : 0;
    const common = { connection, ring: this.ring_, allocator: this.allocator, max_grid: rest.max_grid };
    this.launch = new KernelLaunch({
      ...common,
      kernels: this.kernels_,
      max_slots: rest.max_slots,
      blocking,
      synchronize: (who) => this.synchronize(who),
    });
    this.copies_ = new Copies({
      ...common,
      launch: this.launch,
      register: (kernel) => this.register(kernel),
      next_seq: () => this.next_seq(),
      wait_for: (seq, who) => this.wait_for(seq, who),
      wait_for_async: (seq) => this.wait_for_async(seq),
    });
    this.recordings_ = new Recordings(connection);
    this.forget_recordings_ = before_recording_ends(this.end_recording);
    this.forget_exit_ = connection.host.before_exit(this.settle);
  }

  /** Connects to a server: waits until it has opened its device. */
  static connect(memory: ArrayBufferLike, host: Host, options: ClientOptions = {}): WebGPUClient {
    const connection = new Connection(memory, host);
    for (;;) {
      const answers = connection.answers();
      if (Atomics.load(connection.control, Control.READY) === 1) return new WebGPUClient(connection, options);
      connection.wait(answers);
    }
  }

  /** Connects without blocking. */
  static async connect_async(memory: ArrayBufferLike, host: Host, options: ClientOptions = {}): Promise<WebGPUClient> {
    const connection = new Connection(memory, host);
    for (;;) {
      const answers = connection.answers();
      if (Atomics.load(connection.control, Control.READY) === 1) return new WebGPUClient(connection, options);
      await connection.wait_async(answers);
    }
  }

  get can_wait(): boolean {
    return this.connection_.host.cannot_wait === null;
  }

  register(kernel: KernelSource): number {
    const known = this.kernel_of_source_.get(kernel);
    if (known !== undefined) return known;
    const key = `${kernel.slots} ${kernel.written} ${kernel.code}`;
    let id = this.kernel_of_text_.get(key);
    if (id === undefined) {
      id = this.kernels_.push(kernel) - 1;
      this.kernel_of_text_.set(key, id);
      this.send_kernel(id, kernel);
    }
    this.kernel_of_source_.set(kernel, id);
    return id;
  }

  private send_kernel(id: number, kernel: KernelSource): void {
    const PIECE = 16384;
    const bytes = new TextEncoder().encode(JSON.stringify(kernel));
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      const words = new Int32Array(Math.ceil(piece.length / 4));
      new Uint8Array(words.buffer).set(piece);
      this.ring_.begin(Op.TEXT, 2 + words.length);
      this.ring_.put(piece.length);
      this.ring_.put_all(words, words.length);
      this.ring_.end();
    }
    this.ring_.begin(Op.KERNEL, 2);
    this.ring_.put(id);
    this.ring_.end();
  }

  assertion(of: string, conditions: readonly string[] = IN_BOUNDS): number {
    let number = this.assertion_of_.get(of);
    if (number === undefined) {
      const { assertions } = this.connection_;
      number = assertions.length;
      for (const condition of conditions) assertions.push({ of, condition });
      this.assertion_of_.set(of, number);
    }
    return number;
  }

  allocate(nbytes: number): DataPtr {
    if (this.connection_.gone !== null) throw this.connection_.gone;
    if (nbytes === 0) return this.null_;
    const memory = this.allocator.malloc(nbytes);
    const address = this.next_address_;
    this.next_address_ += Math.ceil(nbytes / ADDRESS_ALIGNMENT) * ADDRESS_ALIGNMENT;
    return new DeviceDataPtr(address, memory, this.device);
  }

  copy_to_device(dst: DeviceMemory, dst_offset: number, src: Uint8Array): void {
    this.copies_.to_device(this.own(dst, dst_offset, src.length), dst_offset, src);
    if (tracer !== null) this.told("copy_to_device", src.length);
  }

  copy_from_device(dst: Uint8Array, src: DeviceMemory, src_offset: number, who: string): void {
    this.copies_.from_device(dst, this.own(src, src_offset, dst.length), src_offset, who);
    if (tracer !== null) this.told("copy_from_device", dst.length);
  }

  copy_on_device(dst: DeviceMemory, dst_offset: number, src: DeviceMemory, src_offset: number, nbytes: number): void {
    const [to, from] = [this.own(dst, dst_offset, nbytes), this.own(src, src_offset, nbytes)];
    this.copies_.on_device(to, dst_offset, from, src_offset, nbytes);
    if (tracer !== null) this.told("copy_on_device", nbytes);
  }

  fetch(src: DeviceMemory, src_offset: number, nbytes: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.copies_.fetch(this.own(src, src_offset, nbytes), src_offset, nbytes);
  }

  synchronize(who: string): void {
    this.connection_.must_wait();
    this.wait_for(this.send_sync(), who);
  }

  /** Waits without blocking. */
  synchronize_async(): Promise<void> {
    return this.wait_for_async(this.send_sync());
  }

  private send_sync(): number {
    const seq = this.next_seq();
    this.ring_.begin(Op.SYNC, 2);
    this.ring_.put(seq);
    this.ring_.end();
    return this.mark(seq);
  }

  /** Notes that `seq` covers everything sent until now. */
  private mark(seq: number): number {
    this.last_mark_ = seq;
    this.marked_until_ = this.ring_.position();
    return seq;
  }

  is_done(): boolean {
    const event = this.marked_until_ === this.ring_.position() ? this.last_mark_ : this.record_event(false);
    return this.event_is_done(event);
  }

  record_event(timed: boolean): number {
    const seq = this.next_seq();
    this.ring_.begin(Op.EVENT, 3);
    this.ring_.put(seq);
    this.ring_.put(timed ? 1 : 0);
    this.ring_.end();
    this.ring_.publish();
    return this.mark(seq);
  }

  event_is_done(event: number): boolean {
    return this.connection_.is_done(event);
  }

  wait_for_event(event: number): void {
    this.connection_.must_wait();
    this.wait_for(event, "event");
  }

  elapsed_time(begin: number, end: number): number {
    const [from, to] = [this.recordings_.time_of(begin), this.recordings_.time_of(end)];
    TORCH_CHECK(
      from !== null && to !== null,
      "Both events must be recorded with timing, and lately, before calculating elapsed time.",
    );
    return (to - from) / 1e6;
  }

  /** Forgets all memory, and opens a lost device again. Registered kernels stay. */
  reset(): void {
    this.connection_.forget_loss();
    this.allocator.forget_all();
    const seq = this.next_seq();
    this.ring_.begin(Op.RESET, 2);
    this.ring_.put(seq);
    this.ring_.end();
    for (const [id, kernel] of this.kernels_.entries()) this.send_kernel(id, kernel);
    this.wait_for(seq, "reset");
  }

  /** Whether the device is lost, or its server has ended. */
  is_gone(): boolean {
    return this.connection_.is_gone();
  }

  /** Ends the server. A tensor of this device that is used later raises an error. */
  stop(): void {
    this.forget_recordings_();
    this.forget_exit_();
    this.settle();
    this.allocator.abandon_all();
    this.connection_.host.stop();
  }

  /** Waits until no work is in progress, whatever failed. Node's device crashes the process if it is released during its work. */
  private readonly settle = (): void => {
    if (!this.can_wait || this.connection_.gone !== null) return;
    try {
      this.wait_until_done(this.send_sync());
    } catch {}
  };

  private next_seq(): number {
    return (this.connection_.control[Control.SEQ] = (this.connection_.control[Control.SEQ] + 1) | 0);
  }

  private wait_for(seq: number, who: string): void {
    if (tracer === null) this.wait_until_done(seq);
    else this.wait_told(seq, who);
    this.connection_.check();
  }

  private wait_until_done(seq: number): void {
    this.ring_.publish();
    for (;;) {
      const answers = this.connection_.answers();
      if (this.connection_.is_done(seq)) break;
      this.connection_.wait(answers);
    }
  }

  /** Waits inside a trace event that shows who waits and how long, then reports the server's work until then. */
  private wait_told(seq: number, who: string): void {
    const active = tracer as Tracer;
    const id = active.begin("device", "c10::webgpu::synchronize", { ...QUEUE, who });
    try {
      this.wait_until_done(seq);
    } finally {
      active.end(id);
    }
    this.recordings_.tell();
  }

  /** Work in progress belongs to the ending recording, so this waits for it. Errors are thrown at the next synchronization. */
  private readonly end_recording = (): void => {
    const { control, gone } = this.connection_;
    if (control[Control.TRACE] === 0) return;
    if (this.can_wait && gone === null) this.wait_told(this.send_sync(), "record");
    else this.recordings_.tell();
    control[Control.TRACE] = 0;
  };

  private async wait_for_async(seq: number): Promise<void> {
    this.ring_.publish();
    for (;;) {
      const answers = this.connection_.answers();
      if (this.connection_.is_done(seq)) break;
      await this.connection_.wait_async(answers);
    }
    this.connection_.check();
  }

  private own(memory: DeviceMemory, offset: number, nbytes: number): Memory {
    if (this.connection_.gone !== null) throw this.connection_.gone;
    TORCH_CHECK(offset >= 0 && offset + nbytes <= memory.nbytes, "a copy reaches beyond its memory");
    return memory as Memory; // all DeviceMemory objects are Memory objects of this device
  }

  private told(what: string, nbytes: number): void {
    traceInstant("device", `c10::webgpu::${what}`, { ...QUEUE, nbytes });
  }

  private segment_source(max_segment_nbytes: number): ConstructorParameters<typeof WebGPUCachingAllocator>[0] {
    return {
      max_segment_nbytes,
      cannot_wait: this.connection_.host.cannot_wait,
      make_segment: (id, nbytes) => this.make_segment(id, nbytes),
      release_segment: (id) => this.release_segment(id),
      copy_out: (id, runs: readonly HostRun[]) => this.copies_.read_runs(id, runs, "page_out"),
      copy_in: (id, begin, bytes) => this.copies_.write(id, begin, bytes),
    };
  }

  private make_segment(id: number, nbytes: number): boolean {
    const seq = this.next_seq();
    this.ring_.begin(Op.SEGMENT, 4);
    this.ring_.put(id);
    this.ring_.put(nbytes);
    this.ring_.put(seq);
    this.ring_.end();
    if (!this.can_wait) return true; // a failure is reported later
    this.ring_.publish();
    const { control } = this.connection_;
    for (;;) {
      const answers = this.connection_.answers();
      if (Atomics.load(control, Control.SEGMENT_ANSWER) === seq) return control[Control.SEGMENT_REFUSED] === 0;
      this.connection_.wait(answers);
    }
  }

  private release_segment(id: number): void {
    this.ring_.begin(Op.RELEASE, 2);
    this.ring_.put(id);
    this.ring_.end();
  }
}
