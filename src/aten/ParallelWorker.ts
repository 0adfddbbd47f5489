/**
 * @file Starting a worker of the pool, in Node and in a page.
 * @original A thread of OpenMP needs no source text.
 * @see ParallelThread.ts: what it does
 */
import { pool_thread, type ThreadPlace } from "./ParallelThread.ts";

export interface StartedWorker {
  stop(): void;
}

/**
 * The worker's source text: an expression that is a function of its data. It defines the helper by which some
 * transpilers name functions.
 */
function worker_text(): string {
  return `({ memory, place }) => {
  const __name = (f) => f;
  (${pool_thread})(memory, place, () => undefined).serve();
}`;
}

interface WorkerData {
  readonly memory: WebAssembly.Memory;
  readonly place: ThreadPlace;
}

/** Runs `text` in another thread: an expression, whose value is a function of `data`. */
type StartThread = (text: string, data: WorkerData) => StartedWorker;

interface Machine {
  readonly process?: { getBuiltinModule?(name: string): unknown };
  readonly Worker?: unknown;
  /** Function that the surroundings may offer where programs cannot start workers (a playground). */
  readonly __start_thread?: StartThread;
}
const machine = globalThis as Machine;

function node_threads(): typeof import("node:worker_threads") | undefined {
  return machine.process?.getBuiltinModule?.("node:worker_threads") as never;
}

/** Whether workers can be started. */
export function can_start_workers(): boolean {
  return machine.__start_thread !== undefined || node_threads() !== undefined || machine.Worker !== undefined;
}

/** Starts a worker; it does not keep the process alive. `died` is called when it is known to have ended. */
export function start_worker(memory: WebAssembly.Memory, place: ThreadPlace, died: () => void): StartedWorker {
  const data = { memory, place };
  if (machine.__start_thread !== undefined) return machine.__start_thread(worker_text(), data);
  const threads = node_threads();
  return threads === undefined ? in_page(data, died) : in_node(threads, data, died);
}

function in_node({ Worker }: typeof import("node:worker_threads"), data: WorkerData, died: () => void): StartedWorker {
  // Without the program's flags: a TypeScript loader would take longer to start than the work takes.
  const worker = new Worker(`(${worker_text()})(require("node:worker_threads").workerData)`, {
    eval: true,
    workerData: data,
    execArgv: [],
    name: name_of(data),
  });
  worker.unref();
  worker.on("error", died);
  worker.on("exit", died);
  return { stop: () => void worker.terminate() };
}

function in_page(data: WorkerData, died: () => void): StartedWorker {
  const text = `onmessage = ({ data }) => (${worker_text()})(data)`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(url, { name: name_of(data) });
  worker.onerror = died;
  worker.postMessage(data);
  return { stop: () => worker.terminate() };
}

function name_of({ place }: WorkerData): string {
  return `pt_intraop_${place.thread}`;
}
