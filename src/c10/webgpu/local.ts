/**
 * @file The host of a server in the caller's own thread: used if there is no shared memory, or if the thread may not block.
 * @original
 * @see protocol.ts, Note [Two threads and a ring]
 */
import type { Host } from "./Connection.ts";
import { Control, PLACE, PROTOCOL } from "./protocol.ts";
import { server_parts } from "./server/serve.ts";
import { device_server, type Server } from "./server/server.ts";

/** The headers that make a page cross-origin isolated. */
const HEADERS = "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp";

/** A sentence that says why this thread may not wait for the device; null if it may. */
export function why_not_wait(): string | null {
  const instead = "Use `await torch.webgpu.fetch(x)`, which gives a CPU tensor";
  if (typeof SharedArrayBuffer === "undefined")
    return `The value of a WebGPU tensor cannot be waited for: this page is not cross-origin isolated, so it has no SharedArrayBuffer. ${instead}, or have the page sent with ${HEADERS}.`;
  if (typeof document !== "undefined")
    return `The value of a WebGPU tensor cannot be waited for in the main thread of a browser. ${instead}, or run this in a worker.`;
  return null;
}

/** Milliseconds until collected commands are submitted. */
const IDLE_MS = 0;
const SLICE_MS = 100;

export class LocalHost implements Host {
  readonly cannot_wait: string;
  private server_: Server | null = null;
  private idle_ = false;
  private waiting_: (() => void)[] = [];

  private constructor(cannot_wait: string) {
    this.cannot_wait = cannot_wait;
  }

  /** Makes memory of its own, and a server that has opened its device. */
  static async open(gpu: GPU, cannot_wait: string): Promise<[ArrayBuffer, LocalHost]> {
    const memory = new ArrayBuffer(PLACE.NBYTES);
    const host = new LocalHost(cannot_wait);
    const answered = (): void => host.answered();
    const work = { memory, protocol: PROTOCOL, gpu, parts: server_parts, may_pause: false, answered };
    host.server_ = await device_server(work, null);
    new Int32Array(memory, PLACE.CONTROL)[Control.SLEEPING] = 1; // always 1, so each command wakes the server
    return [memory, host];
  }

  wake(): void {
    this.server_?.drain();
    if (this.idle_) return;
    this.idle_ = true;
    setTimeout(() => {
      this.idle_ = false;
      this.server_?.idle();
    }, IDLE_MS);
  }

  has_ended(): boolean {
    return this.server_ === null;
  }

  /** The server lives in the caller's thread, so its silence only means that the device still works. */
  has_thread(): boolean {
    return this.server_ !== null;
  }

  next_answer(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, SLICE_MS);
      this.waiting_.push(resolve);
    });
  }

  before_exit(): () => void {
    return () => undefined;
  }

  stop(): void {
    this.server_ = null;
  }

  private answered(): void {
    const waiting = this.waiting_;
    this.waiting_ = [];
    for (const resolve of waiting) resolve();
  }
}
