/**
 * @file The fake device itself, as a driver shows a real one: two devices with memory that the host cannot look into, queues of work
 * (streams), and marks in them (events). Everything else in this folder knows it by these functions only.
 * @original PyTorch's openreg has such a simulation in C, in third_party/openreg.
 *
 * Note [Nothing runs before somebody waits]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A launch is put into its stream's queue. It runs when somebody waits for the stream, for an event or for the device, and not before;
 * and a stream that nobody waits for does not run for the sake of another. So a mark that was forgotten is no luck of timing: whoever
 * reads what another stream should have written first reads old bytes, every time. New memory is full of 0xFF, which is NaN.
 */
import { RuntimeError } from "#c10/util/Exception";

export const DEVICE_COUNT = 2;
export const DEVICE_BYTES = 1 << 30;

/** A piece of a device's memory; the host has the address, the device's own work has the bytes. */
export class Memory {
  readonly device: number;
  readonly address: number;
  readonly nbytes: number;
  private readonly bytes_: ArrayBuffer;

  constructor(device: number, address: number, bytes: ArrayBuffer, nbytes: number) {
    this.device = device;
    this.address = address;
    this.nbytes = nbytes;
    this.bytes_ = bytes;
  }

  /** Precondition: the caller is work that runs on the device. */
  on_device(): ArrayBuffer {
    if (!running) throw new RuntimeError("openreg: the host looked into the device's memory");
    return this.bytes_;
  }
}

/** A mark: reached when the queue's position is past `at`. */
export class Mark {
  readonly id: number;
  readonly queue: Queue;
  /** Position in the queue. */
  readonly at: number;
  /** Milliseconds; when the device came by. */
  reached_at: number | null = null;

  constructor(id: number, queue: Queue, at: number) {
    this.id = id;
    this.queue = queue;
    this.at = at;
  }
}

type Item = { readonly launch: () => void } | { readonly reach: Mark } | { readonly wait_for: Mark };

class Queue {
  readonly items: Item[] = [];
  /** The items before this one are done. */
  done = 0;
}

let running = false;
let clock = 0;
let next_address = 0x7000_0000;
let next_mark = 0;
const queues: Map<number, Queue>[] = Array.from({ length: DEVICE_COUNT }, () => new Map([[0, new Queue()]]));

function queue_of(device: number, stream: number): Queue {
  const queue = queues[device]?.get(stream);
  if (queue === undefined) throw new RuntimeError(`openreg: device ${device} has no stream ${stream}`);
  return queue;
}

/** Runs the queue up to `end`; what it must wait for runs first. */
function run(queue: Queue, end = queue.items.length): void {
  while (queue.done < end) {
    const item = queue.items[queue.done];
    if ("wait_for" in item) run(item.wait_for.queue, item.wait_for.at + 1);
    if ("reach" in item) item.reach.reached_at = clock += 0.001;
    if ("launch" in item) {
      const before = running;
      running = true;
      try {
        item.launch();
      } finally {
        running = before;
        clock += 0.01;
      }
    }
    queue.done++;
  }
}

export function malloc(device: number, nbytes: number): Memory {
  const rounded = Math.ceil(nbytes / 8) * 8;
  const bytes = new ArrayBuffer(rounded);
  new Uint8Array(bytes).fill(0xff);
  const address = next_address;
  next_address += Math.max(rounded, 512);
  return new Memory(device, address, bytes, nbytes);
}

/** Work for the device; `work` may look into memory. */
export function launch(device: number, stream: number, work: () => void): void {
  queue_of(device, stream).items.push({ launch: work });
}

/** All bytes from the host, after what the stream has to do. */
export function upload(stream: number, to: Memory, bytes: Uint8Array): void {
  const copied = bytes.slice();
  launch(to.device, stream, () => new Uint8Array(to.on_device()).set(copied));
}

/** All bytes to the host, at the end of the stream's work: this waits. */
export function download(stream: number, from: Memory): Uint8Array {
  const bytes = new Uint8Array(from.nbytes);
  launch(from.device, stream, () => bytes.set(new Uint8Array(from.on_device(), 0, from.nbytes)));
  synchronize_stream(from.device, stream);
  return bytes;
}

export function create_stream(device: number): number {
  const id = (queues[device] as Map<number, Queue>).size;
  queues[device].set(id, new Queue());
  return id;
}

export function query_stream(device: number, stream: number): boolean {
  const queue = queue_of(device, stream);
  return queue.done === queue.items.length;
}

export function synchronize_stream(device: number, stream: number): void {
  run(queue_of(device, stream));
}

export function synchronize_device(device: number): void {
  for (const queue of queues[device].values()) run(queue);
}

export function record_event(device: number, stream: number): Mark {
  const queue = queue_of(device, stream);
  const mark = new Mark(++next_mark, queue, queue.items.length);
  queue.items.push({ reach: mark });
  return mark;
}

export function wait_event(device: number, stream: number, mark: Mark): void {
  queue_of(device, stream).items.push({ wait_for: mark });
}

export function query_event(mark: Mark): boolean {
  return mark.queue.done > mark.at;
}

export function synchronize_event(mark: Mark): void {
  run(mark.queue, mark.at + 1);
}

/** Milliseconds between two marks that were reached. */
export function elapsed_time(begin: Mark, end: Mark): number {
  return (end.reached_at ?? 0) - (begin.reached_at ?? 0);
}
