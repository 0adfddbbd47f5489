/**
 * @file Starting the thread that serves the device, in Node and in a page.
 * @original
 * @see server/serve.ts: what it does
 */
import type { Host } from "./Connection.ts";
import { Control, PLACE, PROTOCOL } from "./protocol.ts";
import { worker_script, worker_text } from "./server/serve.ts";

interface Machine {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** Declared here because the program's own TypeScript library is of 2023. */
interface AtomicsOfTomorrow {
  waitAsync?(array: Int32Array, index: number, value: number): { readonly value: Promise<string> | string };
}

const POLL_MS = 1;
const SLICE_MS = 100;

/**
 * Resolves when the word is no longer `value`, somebody notifies it, or a while has passed. Until then the process does not end.
 */
export function change_of(control: Int32Array, word: number, value: number): Promise<void> {
  const { waitAsync } = Atomics as AtomicsOfTomorrow;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitAsync === undefined ? POLL_MS : SLICE_MS);
    const changed = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (waitAsync !== undefined)
      void Promise.resolve(waitAsync.call(Atomics, control, word, value).value).then(changed);
  });
}

export function node_builtin<T>(name: string): T | undefined {
  return (globalThis as Machine).process?.getBuiltinModule?.(name) as T | undefined;
}

/** The host of a server in a thread of its own, over `memory`. */
export class WorkerHost implements Host {
  readonly cannot_wait = null;
  private readonly control_: Int32Array;
  private readonly terminate_: () => void;
  private ended_ = false;

  /** @param module the module to import in Node to get the device; null in a page */
  constructor(memory: SharedArrayBuffer, module: string | null) {
    this.control_ = new Int32Array(memory, PLACE.CONTROL, PLACE.CONTROL_WORDS);
    const work = { memory, protocol: PROTOCOL, module };
    const ended = (): void => {
      this.ended_ = true;
      Atomics.notify(this.control_, Control.ANSWERS);
    };
    this.terminate_ = module === null ? in_page(work, ended) : in_node(work, ended);
  }

  wake(): void {
    Atomics.notify(this.control_, Control.WRITE);
  }

  has_ended(): boolean {
    return this.ended_;
  }

  has_thread(): boolean | null {
    const thread = Atomics.load(this.control_, Control.THREAD);
    const fs = thread === 0 ? undefined : node_builtin<typeof import("node:fs")>("node:fs");
    return fs === undefined ? null : fs.existsSync(`/proc/self/task/${thread}`);
  }

  next_answer(answers: number): Promise<void> {
    return change_of(this.control_, Control.ANSWERS, answers);
  }

  before_exit(settle: () => void): () => void {
    return on_exit_of_node(settle);
  }

  stop(): void {
    this.ended_ = true;
    this.terminate_();
  }
}

/** Registers a function for the end of a Node process; does nothing elsewhere. */
function on_exit_of_node(fn: () => void): () => void {
  const process = node_builtin<NodeJS.Process>("node:process");
  process?.on("exit", fn);
  return () => void process?.off("exit", fn);
}

const NAME = "webgpu";

/** Starts the worker in Node; it does not keep the process alive. */
function in_node(workerData: object, ended: () => void): () => void {
  const { Worker } = node_builtin<typeof import("node:worker_threads")>(
    "node:worker_threads",
  ) as typeof import("node:worker_threads");
  // Without the program's flags: a TypeScript loader would take longer to start than the device.
  const text = `(${worker_text()})(require("node:worker_threads").workerData)`;
  const worker = new Worker(text, { eval: true, workerData, execArgv: [], name: NAME });
  worker.unref();
  worker.on("error", ended);
  worker.on("exit", ended);
  return () => void worker.terminate();
}

function in_page(work: object, ended: () => void): () => void {
  const url = URL.createObjectURL(new Blob([worker_script()], { type: "text/javascript" }));
  const worker = new Worker(url, { name: NAME });
  worker.onerror = ended;
  worker.postMessage(work);
  return () => worker.terminate();
}
