/**
 * @file A worker that serves the device: it sleeps until there are commands. Its text, for whoever starts it.
 * @original
 * @see ../worker.ts: who starts it
 */
import type { Protocol } from "../protocol.ts";
import { device_batch } from "./batch.ts";
import { device_kernels } from "./kernels.ts";
import { device_readback } from "./readback.ts";
import { device_segments } from "./segments.ts";
import { device_server, type ServerParts } from "./server.ts";

/** Without it in the program's own library: TypeScript's is of 2023. */
interface AtomicsOfTomorrow {
  waitAsync?(array: Int32Array, index: number, value: number): { readonly value: Promise<string> | string };
}

interface Work {
  readonly memory: SharedArrayBuffer;
  readonly protocol: Protocol;
  /** Node's module with `create`; null where `navigator.gpu` is. */
  readonly module: string | null;
}

/** What the text adds to a worker's arguments: a bundler would rewrite an `import()`. */
interface Surroundings {
  readonly device_server: typeof device_server;
  readonly parts: ServerParts;
  readonly load: (module: string) => Promise<unknown>;
}

/** Sent to workers as text: uses nothing from outside but its arguments. */
async function serve({ memory, protocol, module }: Work, { device_server, parts, load }: Surroundings): Promise<void> {
  const { Control, Failure, PLACE } = protocol;
  const control = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
  const { waitAsync } = Atomics as AtomicsOfTomorrow;
  const POLL_MS = 1;
  setInterval(() => undefined, 2 ** 30); // Node takes a worker that only waits for memory to be done

  const end = (why: unknown): void => {
    const bytes = new TextEncoder().encode(JSON.stringify({ message: String(why), kernel: "" }));
    new Int32Array(memory, PLACE.MESSAGE, 1)[0] = bytes.length;
    new Uint8Array(memory, PLACE.MESSAGE + 4, bytes.length).set(bytes);
    Atomics.store(control, Control.FAILED, Failure.SERVER);
    Atomics.add(control, Control.ANSWERS, 1);
    Atomics.notify(control, Control.ANSWERS);
  };

  /** Until the word is no longer `value`, or somebody calls. */
  const change_of = (word: number, value: number): Promise<unknown> => {
    if (waitAsync !== undefined) return Promise.resolve(waitAsync.call(Atomics, control, word, value).value);
    return new Promise((resolve) => {
      const poll = (): unknown => (Atomics.load(control, word) === value ? setTimeout(poll, POLL_MS) : resolve(null));
      poll();
    });
  };

  /** Whoever waits long asks whether we are alive. */
  const answer_pings = async (): Promise<never> => {
    for (;;) {
      const ping = Atomics.load(control, Control.PING);
      Atomics.store(control, Control.PONG, ping);
      await change_of(Control.PING, ping);
    }
  };

  const find_gpu = async (): Promise<GPU> => {
    if (module === null) {
      if (typeof navigator === "undefined" || navigator.gpu === undefined)
        throw new Error("this browser has no WebGPU (navigator.gpu)");
      return navigator.gpu;
    }
    const { create } = (await load(module)) as { create(flags: string[]): GPU };
    return create([]);
  };

  try {
    const gpu = await find_gpu();
    (globalThis as { __gpu?: GPU }).__gpu = gpu; // Node ends when it is collected
    const answered = (): void => void Atomics.notify(control, Control.ANSWERS);
    const server = await device_server(memory, protocol, gpu, parts, true, answered);
    void answer_pings();
    for (;;) {
      const waiting = server.drain();
      if (waiting !== null) {
        await waiting;
        continue;
      }
      server.idle();
      Atomics.store(control, Control.SLEEPING, 1);
      await change_of(Control.WRITE, server.position());
      Atomics.store(control, Control.SLEEPING, 0);
    }
  } catch (error) {
    end(error instanceof Error ? error.message : error);
  }
}

/** What a worker runs, an expression: a function of its `Work`. A transpiler may name functions by a helper, which is not there. */
export function worker_text(): string {
  return `(work) => {
  const __name = (f) => f;
  const parts = {
    device_segments: ${device_segments},
    device_kernels: ${device_kernels},
    device_batch: ${device_batch},
    device_readback: ${device_readback},
  };
  (${serve})(work, { device_server: ${device_server}, parts, load: (module) => import(module) });
}`;
}

/** The same for a server in the caller's own thread. */
export const server_parts: ServerParts = { device_segments, device_kernels, device_batch, device_readback };
