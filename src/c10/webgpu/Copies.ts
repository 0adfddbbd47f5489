/**
 * @file Copies between host and device, and within the device.
 * @original cudaMemcpy and cudaMemcpyAsync.
 * @see protocol.ts, Note [Two threads and a ring]: the two windows
 */
import type { CommandRing } from "./CommandRing.ts";
import type { Connection } from "./Connection.ts";
import {
  COPY_ACROSS,
  COPY_VECTORS,
  COPY_VECTORS_EACH,
  COPY_WITHIN,
  COPY_WORKGROUP,
  PATCH_WORDS,
  VECTOR_NBYTES,
} from "./copy_kernels.ts";
import { Access, type KernelSource, type Launch } from "./interface.ts";
import type { HostRun, Memory } from "./memory.ts";
import { Control, Op, PLACE } from "./protocol.ts";
import type { WebGPUCachingAllocator } from "./WebGPUCachingAllocator.ts";

export interface CopyContext {
  readonly connection: Connection;
  readonly ring: CommandRing;
  readonly allocator: WebGPUCachingAllocator;
  readonly launch: Launch;
  readonly max_grid: number;
  register(kernel: KernelSource): number;
  next_seq(): number;
  /** Waits until command `seq` is done. */
  wait_for(seq: number, who: string): void;
  wait_for_async(seq: number): Promise<void>;
}

/** Rounds up to whole words of 4 bytes. */
function words_end(byte: number): number {
  return Math.ceil(byte / 4) * 4;
}

function words_begin(byte: number): number {
  return byte - (byte % 4);
}

export class Copies {
  private readonly context_: CopyContext;
  private readonly window_: Uint8Array;
  private readonly down_: Uint8Array;
  /** Position of the next byte of the upload window; it only grows. */
  private up_ = 0;
  /** The last asynchronous copy. They run one after another, because they share one part of the window. */
  private fetching_: Promise<unknown> = Promise.resolve();

  constructor(context: CopyContext) {
    const { memory, control } = context.connection;
    this.context_ = context;
    this.window_ = new Uint8Array(memory, PLACE.UP, PLACE.UP_NBYTES);
    this.down_ = new Uint8Array(memory, PLACE.DOWN, 3 * PLACE.DOWN_CHUNK);
    this.up_ = Atomics.load(control, Control.UP_READ);
  }

  to_device(dst: Memory, dst_offset: number, src: Uint8Array): void {
    if (src.length === 0) return;
    const segment = this.context_.allocator.use_where_it_is(dst);
    if (segment === null) {
      dst.epoch.bytes(dst.begin + dst_offset, src.length).set(src);
      return;
    }
    const begin = dst.begin + dst_offset;
    const end = begin + src.length;
    const inner_begin = Math.min(words_end(begin), end);
    const inner_end = Math.max(words_begin(end), inner_begin);
    this.write(segment.id, inner_begin, src.subarray(inner_begin - begin, inner_end - begin));
    if (begin < inner_begin || inner_end < end) this.patch(dst, begin, inner_begin, inner_end, src);
  }

  /** Writes whole words of a segment. */
  write(segment: number, offset: number, src: Uint8Array): void {
    for (let at = 0; at < src.length; at += PLACE.UP_CHUNK)
      this.write_chunk(segment, offset + at, src.subarray(at, at + PLACE.UP_CHUNK));
  }

  private write_chunk(segment: number, offset: number, src: Uint8Array): void {
    const { ring } = this.context_;
    const nbytes = src.length;
    let begin = this.up_ & (PLACE.UP_NBYTES - 1);
    if (begin + nbytes > PLACE.UP_NBYTES) {
      this.up_ = (this.up_ + PLACE.UP_NBYTES - begin) | 0; // the rest of the window is too short: begin again at its start
      begin = 0;
    }
    const end = (this.up_ + nbytes) | 0;
    this.wait_for_window(end);
    this.window_.set(src, begin);
    this.up_ = end;
    ring.begin(Op.WRITE, 6);
    ring.put(segment);
    ring.put(offset);
    ring.put(nbytes);
    ring.put(begin);
    ring.put(end);
    ring.end();
  }

  /** Waits until the window has room up to `end`. */
  private wait_for_window(end: number): void {
    const { connection, ring } = this.context_;
    for (let told = false; ; ) {
      const answers = connection.answers();
      if (((end - Atomics.load(connection.control, Control.UP_READ)) | 0) <= PLACE.UP_NBYTES) return;
      if (told) connection.wait(answers);
      else ring.publish();
      told = true;
    }
  }

  /** Writes the bytes before the first whole word and after the last; the other bytes of those words stay as they are. */
  private patch(dst: Memory, begin: number, inner_begin: number, inner_end: number, src: Uint8Array): void {
    const { launch } = this.context_;
    launch.begin();
    launch.operand(dst, 0, dst.nbytes, Access.read_write);
    launch.u32.fill(0, 0, 6);
    const put = (at: number, from: number, to: number): void => {
      if (from >= to) return;
      launch.u32[at] = words_begin(from) / 4;
      for (let byte = from; byte < to; byte++) {
        const shift = 8 * (byte % 4);
        launch.i32[at + 1] |= 0xff << shift;
        launch.i32[at + 2] |= src[byte - begin] << shift;
      }
    };
    put(0, begin, inner_begin);
    put(3, inner_end, begin + src.length);
    launch.run(this.context_.register(PATCH_WORDS), 1, 1, 1, 6);
  }

  from_device(dst: Uint8Array, src: Memory, src_offset: number, who: string): void {
    if (dst.length === 0) return;
    const segment = this.context_.allocator.use_where_it_is(src);
    if (segment === null) {
      dst.set(src.epoch.bytes(src.begin + src_offset, dst.length));
      return;
    }
    this.context_.connection.must_wait();
    this.read(segment.id, src.begin + src_offset, dst, who);
  }

  /** Reads several ranges of a segment, each of whole words. */
  read_runs(segment: number, runs: readonly HostRun[], who: string): void {
    for (const { begin, bytes } of runs) this.read(segment, begin, bytes, who);
  }

  /** Reads any bytes of a segment. While one chunk is copied out of one part of the window, the next one arrives in the other. */
  private read(segment: number, offset: number, dst: Uint8Array, who: string): void {
    const begin = words_begin(offset);
    const end = words_end(offset + dst.length);
    let earlier: (() => void) | null = null;
    let part = 0;
    for (let at = begin; at < end; at += PLACE.DOWN_CHUNK) {
      const arrive = this.ask(segment, at, Math.min(end, at + PLACE.DOWN_CHUNK), part, offset, dst, who);
      earlier?.();
      earlier = arrive;
      part = 1 - part;
    }
    earlier?.();
  }

  /** Requests a chunk; the returned function waits for it and stores it. */
  private ask(segment: number, begin: number, end: number, part: number, offset: number, dst: Uint8Array, who: string) {
    const window = part * PLACE.DOWN_CHUNK;
    const seq = this.send_read(segment, begin, end - begin, window);
    return (): void => {
      this.context_.wait_for(seq, who);
      const from = Math.max(begin, offset);
      const to = Math.min(end, offset + dst.length);
      dst.set(this.down_.subarray(window + from - begin, window + to - begin), from - offset);
    };
  }

  private send_read(segment: number, offset: number, nbytes: number, window: number): number {
    const { ring } = this.context_;
    const seq = this.context_.next_seq();
    ring.begin(Op.READ, 6);
    ring.put(segment);
    ring.put(offset);
    ring.put(nbytes);
    ring.put(PLACE.DOWN + window);
    ring.put(seq);
    ring.end();
    return seq;
  }

  /** Reads bytes without blocking. Changes made to `src` after the call have no effect on the result. */
  fetch(src: Memory, src_offset: number, nbytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const dst = new Uint8Array(nbytes);
    const segment = nbytes === 0 ? null : this.context_.allocator.use_where_it_is(src);
    if (segment === null) {
      if (nbytes > 0) dst.set(src.epoch.bytes(src.begin + src_offset, nbytes));
      return Promise.resolve(dst);
    }
    const snapshot = this.context_.allocator.malloc(nbytes);
    this.on_device(snapshot, 0, src, src_offset, nbytes);
    const mine = this.fetching_.then(() => this.fetch_chunks(snapshot, dst));
    this.fetching_ = mine.catch(() => undefined);
    return mine;
  }

  private async fetch_chunks(src: Memory, dst: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const window = 2 * PLACE.DOWN_CHUNK;
    for (let at = 0; at < dst.length; at += PLACE.DOWN_CHUNK) {
      const chunk = dst.subarray(at, at + PLACE.DOWN_CHUNK);
      const segment = this.context_.allocator.use_where_it_is(src);
      if (segment === null) {
        chunk.set(src.epoch.bytes(src.begin + at, chunk.length));
        continue;
      }
      await this.context_.wait_for_async(this.send_read(segment.id, src.begin + at, words_end(chunk.length), window));
      chunk.set(this.down_.subarray(window, window + chunk.length));
    }
    return dst;
  }

  on_device(dst: Memory, dst_offset: number, src: Memory, src_offset: number, nbytes: number): void {
    if (nbytes === 0) return;
    const { allocator } = this.context_;
    allocator.pin();
    const [to, from] = [allocator.use(dst), allocator.use(src)];
    const [to_byte, from_byte] = [dst.begin + dst_offset, src.begin + src_offset];
    const whole = to_byte % 4 === 0 && from_byte % 4 === 0 && nbytes % 4 === 0;
    if (!whole || to === from) {
      const vectors = (to_byte | from_byte) % VECTOR_NBYTES === 0 ? Math.floor(nbytes / VECTOR_NBYTES) : 0;
      const copied = to === from ? vectors * VECTOR_NBYTES : 0;
      if (copied > 0) this.copy_vectors(dst, dst_offset, src, src_offset, copied);
      if (copied < nbytes) this.copy_by_kernel(dst, dst_offset + copied, src, src_offset + copied, nbytes - copied);
      return;
    }
    allocator.unpin();
    const { ring } = this.context_;
    ring.begin(Op.COPY, 6);
    ring.put(from.id);
    ring.put(from_byte);
    ring.put(to.id);
    ring.put(to_byte);
    ring.put(nbytes);
    ring.end();
  }

  /** Copies within a segment, at multiples of a vector. */
  private copy_vectors(dst: Memory, dst_offset: number, src: Memory, src_offset: number, nbytes: number): void {
    const { launch } = this.context_;
    launch.begin();
    const to = launch.operand(dst, dst_offset, nbytes, Access.read_write);
    const from = launch.operand(src, src_offset, nbytes, Access.read);
    const count = nbytes / VECTOR_NBYTES;
    launch.u32[0] = launch.offset(to) / VECTOR_NBYTES;
    launch.u32[1] = launch.offset(from) / VECTOR_NBYTES;
    launch.u32[2] = count;
    this.run(COPY_VECTORS, Math.ceil(count / COPY_VECTORS_EACH), 3);
  }

  /** Launches a copy kernel; the grid's row length is the last parameter. */
  private run(kernel: KernelSource, invocations: number, row: number): void {
    const { launch, max_grid } = this.context_;
    const groups = Math.ceil(invocations / COPY_WORKGROUP);
    const rows = Math.ceil(groups / max_grid);
    const in_row = Math.ceil(groups / rows);
    launch.u32[row] = in_row * COPY_WORKGROUP;
    launch.run(this.context_.register(kernel), in_row, rows, 1, row + 1);
  }

  private copy_by_kernel(dst: Memory, dst_offset: number, src: Memory, src_offset: number, nbytes: number): void {
    const { launch } = this.context_;
    launch.begin();
    const to = launch.operand(dst, dst_offset, nbytes, Access.read_write);
    const from = launch.operand(src, src_offset, nbytes, Access.read);
    const begin = launch.offset(to);
    const words = (words_end(begin + nbytes) - words_begin(begin)) / 4;
    launch.u32[0] = begin;
    launch.u32[1] = launch.offset(from);
    launch.u32[2] = nbytes;
    launch.u32[3] = words;
    this.run(launch.slots() === 1 ? COPY_WITHIN : COPY_ACROSS, words, 4);
  }
}
