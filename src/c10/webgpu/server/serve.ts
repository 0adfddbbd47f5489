/**
 * @file The worker that serves the device: it sleeps until there are commands. Also its source text, for the code that starts it.
 * @original
 * @see ../worker.ts: who starts it
 */
import { PROTOCOL, type Protocol } from "../protocol.ts";
import { device_batch } from "./batch.ts";
import { device_kernels } from "./kernels.ts";
import { open_device } from "./open.ts";
import { device_readback } from "./readback.ts";
import { device_segments } from "./segments.ts";
import { device_server, type Server, type ServerParts } from "./server.ts";

/** Declared here because the program's own TypeScript library is of 2023. */
interface AtomicsOfTomorrow {
  waitAsync?(array: Int32Array, index: number, value: number): { readonly value: Promise<string> | string };
}

/** The data that the worker receives. */
interface Work {
  readonly memory: SharedArrayBuffer;
  readonly protocol: Protocol;
  /** Node's module with `create`; null if `navigator.gpu` exists. */
  readonly module: string | null;
}

/** Functions passed to the worker's text beside its arguments: a bundler would rewrite an `import()` in it. */
interface Surroundings {
  readonly device_server: typeof device_server;
  readonly parts: ServerParts;
  readonly load: (module: string) => Promise<unknown>;
}

/**
 * Serves the program over `memory`. Call the returned function to serve another program instead.
 * Sent to workers as text: uses nothing from outside but its arguments.
 */
function serve(work: Work, { device_server, parts, load }: Surroundings): (memory: SharedArrayBuffer) => void {
  const { protocol, module } = work;
  const { Control, Failure, PLACE } = protocol;
  const { waitAsync } = Atomics as AtomicsOfTomorrow;
  const POLL_MS = 1;
  const control_of = (memory: SharedArrayBuffer): Int32Array<SharedArrayBuffer> =>
    new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);

  let memory = work.memory;
  let control = control_of(memory);
  let next: SharedArrayBuffer | null = null;
  setInterval(() => undefined, 2 ** 30); // otherwise Node ends a worker that only waits for memory

  const end = (why: unknown): void => {
    const bytes = new TextEncoder().encode(JSON.stringify({ message: String(why), kernel: "" }));
    new Int32Array(memory, PLACE.MESSAGE, 1)[0] = bytes.length;
    new Uint8Array(memory, PLACE.MESSAGE + 4, bytes.length).set(bytes);
    Atomics.store(control, Control.FAILED, Failure.SERVER);
    Atomics.add(control, Control.ANSWERS, 1);
    Atomics.notify(control, Control.ANSWERS);
  };

  /** Resolves when the word is no longer `value`, or somebody notifies it. */
  const change_of = (word: number, value: number): Promise<unknown> => {
    if (waitAsync !== undefined) return Promise.resolve(waitAsync.call(Atomics, control, word, value).value);
    return new Promise((resolve) => {
      const poll = (): unknown => {
        const changed = next !== null || Atomics.load(control, word) !== value;
        return changed ? resolve(null) : setTimeout(poll, POLL_MS);
      };
      poll();
    });
  };

  /** Answers pings: a caller that waits long checks whether the server is alive. */
  const answer_pings = async (): Promise<void> => {
    for (const mine = control; mine === control; ) {
      const ping = Atomics.load(control, Control.PING);
      Atomics.store(control, Control.PONG, ping);
      await change_of(Control.PING, ping);
    }
  };

  /** Stores the thread's number on Linux, so that the caller can check whether the thread exists. */
  const tell_thread = async (): Promise<void> => {
    try {
      const { readlinkSync } = (await load("node:fs")) as typeof import("node:fs");
      Atomics.store(control, Control.THREAD, Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
    } catch {}
  };

  const find_gpu = async (): Promise<GPU> => {
    if (module === null) {
      if (typeof navigator === "undefined" || navigator.gpu === undefined)
        throw new Error("this browser has no WebGPU (navigator.gpu)");
      return navigator.gpu;
    }
    await tell_thread();
    const { create } = (await load(module)) as { create(flags: string[]): GPU };
    return create([]);
  };

  /** Runs until another program is to be served. */
  const serve_program = async (server: Server): Promise<void> => {
    while (next === null) {
      const waiting = server.drain();
      if (waiting !== null) {
        await waiting;
        continue;
      }
      server.idle();
      Atomics.store(control, Control.SLEEPING, 1);
      if (next === null) await change_of(Control.WRITE, server.position());
      Atomics.store(control, Control.SLEEPING, 0);
    }
    server.close();
  };

  const serve_all = async (): Promise<never> => {
    const gpu = await find_gpu();
    (globalThis as { __gpu?: GPU }).__gpu = gpu; // Node ends if it is collected
    let server: Server | null = null;
    for (;;) {
      memory = next ?? memory;
      control = control_of(memory);
      next = null;
      const answered = (control: Int32Array) => (): void => void Atomics.notify(control, Control.ANSWERS);
      const work = { memory, protocol, gpu, parts, may_pause: true, answered: answered(control) };
      server = await device_server(work, server?.opened ?? null);
      void answer_pings();
      await serve_program(server);
    }
  };

  serve_all().catch((error: unknown) => end(error instanceof Error ? error.message : error));
  return (other) => {
    next = other;
    Atomics.notify(control, Control.WRITE);
    Atomics.notify(control, Control.PING);
  };
}

/**
 * The worker's source text: an expression that is a function of its `Work`. It defines the helper by which some
 * transpilers name functions.
 */
export function worker_text(): string {
  return `(work) => {
  const __name = (f) => f;
  const parts = {
    open_device: ${open_device},
    device_segments: ${device_segments},
    device_kernels: ${device_kernels},
    device_batch: ${device_batch},
    device_readback: ${device_readback},
  };
  return (${serve})(work, { device_server: ${device_server}, parts, load: (module) => import(module) });
}`;
}

/** Script for a page's worker: the first message is its `Work`; each later one has the `memory` of another program. */
export function worker_script(): string {
  return `let serve_another;
onmessage = ({ data }) => {
  if (serve_another === undefined) serve_another = (${worker_text()})(data);
  else serve_another(data.memory);
};`;
}

/** The server's parts, for a server in the caller's own thread. */
export const server_parts: ServerParts = {
  open_device,
  device_segments,
  device_kernels,
  device_batch,
  device_readback,
};

/**
 * Serves the program over `memory`, in a page's worker that has imported its modules. Call the returned function to
 * serve another program instead.
 */
export function serve_from(memory: SharedArrayBuffer): (memory: SharedArrayBuffer) => void {
  const load = (module: string): Promise<never> => Promise.reject(new Error(`a page has no ${module}`));
  return serve({ memory, protocol: PROTOCOL, module: null }, { device_server, parts: server_parts, load });
}
