/**
 * @file A worker as the loader sees it: a thread, a port to it, and a wait for messages.
 * @original Replaces Python's `multiprocessing` and `queue`. Node's threads deliver messages in the event loop, but `next()` must wait
 * without returning to it.
 * @see worker.ts: the other end, and Note [Messages of a loader]
 */
import { RuntimeError } from "#c10/util/Exception";
import { builtin } from "#torch/_node_builtins";
import { href_of, type ModuleAddress } from "./address.ts";
import { reraise } from "./exception_wrapper.ts";
import { reduce } from "./reductions.ts";
import { type Boot, type DatasetReport, type FromWorker, STATE, type ToWorker } from "./worker.ts";

type Threads = typeof import("node:worker_threads");

/** The first lines that each worker runs. A TypeScript loader in the main program is not inherited by threads, so it is registered here. */
const BOOT = `
const { workerData: { boot, library, loader } } = require("node:worker_threads");
const import_module = (href) => import(href);
(async () => {
  if (loader !== null) require("node:module").register(loader, { data: {} });
  const { default: torch } = await import_module(library);
  await torch.utils.data._utils.worker._worker_loop(boot, import_module);
})().catch((error) => {
  boot.port.postMessage({ kind: "failed", idx: -1, error: { where: "when a DataLoader worker started", exc_type: "RuntimeError", exc_msg: String(error && error.stack) } });
  Atomics.add(boot.bell, 0, 1);
  Atomics.notify(boot.bell, 0);
  boot.port.close();
});
`;

/** Incremented by every worker after every message; created with the first worker. */
let bell: Int32Array | null = null;

/** The URL at which Node finds `specifier` when imported from `href`; null if it is not found. */
function resolve_from(href: string, specifier: string): string | null {
  const node_module = builtin<typeof import("node:module")>("node:module");
  const url = builtin<typeof import("node:url")>("node:url");
  try {
    return url?.pathToFileURL(node_module?.createRequire(href).resolve(specifier) ?? "").href ?? null;
  } catch {
    return null;
  }
}

/**
 * The URL from which a thread imports the library: the one that the dataset's module finds, so that both use the same; otherwise this
 * file's. In a bundle of one file, the latter is unknown.
 */
function library_href(module: string): string {
  const found = resolve_from(module, "glasstorch");
  if (found !== null) return found;
  const here = import.meta.url as string | undefined;
  if (here) return new URL("../../../../index.ts", here).href;
  throw new RuntimeError(`DataLoader with num_workers > 0: no package 'glasstorch' can be found from ${module}`);
}

/**
 * The URL of `tsx`, for a thread that loads TypeScript; null if it loads none or there is no tsx, since some versions of Node run
 * TypeScript themselves.
 */
function typescript_loader(hrefs: readonly string[]): string | null {
  if (!hrefs.some((href) => /\.[mc]?tsx?$/.test(href))) return null;
  for (const href of hrefs) {
    const found = resolve_from(href, "tsx/esm");
    if (found !== null) return found;
  }
  return null;
}

/** One thread, which begins to build its dataset at once. It does not keep the process alive. */
export class WorkerThread {
  private readonly threads: Threads;
  private readonly worker: import("node:worker_threads").Worker;
  private readonly port: import("node:worker_threads").MessagePort;
  private readonly state: Int32Array;
  private stopped = false;

  constructor(address: ModuleAddress) {
    const threads = builtin<Threads>("node:worker_threads");
    if (threads === undefined)
      throw new RuntimeError(
        "DataLoader with num_workers > 0 needs Node's worker threads, which are not available here; use num_workers=0",
      );
    this.threads = threads;
    const { port1, port2 } = new threads.MessageChannel();
    this.port = port1;
    this.state = new Int32Array(new SharedArrayBuffer(STATE.COUNT * 4));
    bell ??= new Int32Array(new SharedArrayBuffer(4));
    const href = href_of(address);
    const args = (address.args ?? []).map(reduce);
    const boot: Boot = { dataset: { ...address, module: href, args }, port: port2, bell, state: this.state };
    const library = library_href(href);
    const loader = typescript_loader([href, library]);
    this.worker = new threads.Worker(BOOT, {
      eval: true,
      name: "pt_data_worker",
      workerData: { boot, library, loader },
      transferList: [port2],
    });
    this.worker.unref();
    this.port.unref();
    this.worker.on("error", () => undefined); // the loader notices that the thread is dead
  }

  get id(): number {
    return this.worker.threadId;
  }

  put(message: ToWorker): void {
    this.port.postMessage(message);
  }

  /** The next message, or undefined if there is none. */
  receive(): FromWorker | undefined {
    return this.threads.receiveMessageOnPort(this.port)?.message as FromWorker | undefined;
  }

  get is_alive(): boolean {
    return Atomics.load(this.state, STATE.DEAD) === 0;
  }

  /** Tells the thread to end after its current task; earlier messages are ignored. */
  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    Atomics.store(this.state, STATE.DONE, 1);
    this.put({ kind: "stop" });
  }

  /** Waits until the dataset is built. */
  report(): DatasetReport {
    const got = wait_for_message([this], Number.POSITIVE_INFINITY);
    if (got === null) throw new RuntimeError(`DataLoader worker (thread ${this.id}) exited unexpectedly`);
    const { message } = got;
    if (message.kind === "failed") reraise(message.error);
    if (message.kind !== "built")
      throw new RuntimeError(`a DataLoader worker answered '${message.kind}' before it had a dataset`);
    return message.report;
  }
}

export interface Received {
  /** The index of the thread. */
  readonly from: number;
  readonly message: FromWorker;
}

/** The next message from one of `threads` (null: a thread that is skipped). Null after `seconds`, or if a thread has died. */
export function wait_for_message(threads: readonly (WorkerThread | null)[], seconds: number): Received | null {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const rung = Atomics.load(bell as Int32Array, 0);
    const dead = threads.some((thread) => thread?.is_alive === false); // checked before the ports, because the last messages of a dead thread count
    for (const [from, thread] of threads.entries()) {
      const message = thread?.receive();
      if (message !== undefined) return { from, message };
    }
    const left = until - performance.now();
    if (dead || left <= 0) return null;
    Atomics.wait(bell as Int32Array, 0, rung, left);
  }
}
