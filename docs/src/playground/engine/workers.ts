/**
 * @file The page's side of the workers: compilers, codegen, and the runner with its watchdog.
 * @original
 */
import type { Compile, Regenerate } from "./library.ts";
import type { Defect, FromCodegen, FromCompiler, FromRunner, RunRequest, ToCompiler, ToRunner } from "./protocol.ts";
import { type Module, SyntaxProblem } from "./transpile.ts";

/** Codegen refused an edit. */
export class CodegenProblem extends Error {
  readonly problem: Defect;

  constructor(problem: Defect) {
    super(problem.message);
    this.name = "CodegenProblem";
    this.problem = problem;
  }
}

function startWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

interface Batch {
  readonly texts: readonly (readonly [string, string])[];
  readonly resolve: (modules: readonly Module[]) => void;
  readonly reject: (error: Error) => void;
}

/** Compiles batches side by side, in as many workers as the machine has cores, up to four; one stays for later edits. */
export class Compilers {
  private readonly idle: Worker[] = [];
  private readonly queue: Batch[] = [];
  private started = 0;
  private readonly most = Math.max(1, Math.min(4, navigator.hardwareConcurrency ?? 2));

  readonly compile: Compile = (texts) =>
    new Promise((resolve, reject) => {
      this.queue.push({ texts, resolve, reject });
      this.next();
    });

  private next(): void {
    if (this.idle.length === 0 && this.started < this.most && this.queue.length > 0) {
      this.started++;
      this.idle.push(startWorker());
    }
    while (this.idle.length > 0 && this.queue.length > 0)
      this.give(this.idle.pop() as Worker, this.queue.shift() as Batch);
  }

  private give(worker: Worker, { texts, resolve, reject }: Batch): void {
    worker.onmessage = ({ data }: MessageEvent<FromCompiler>) => {
      if ("modules" in data) resolve(data.modules);
      else reject(new SyntaxProblem(data.problem));
      if (this.queue.length === 0 && this.started > 1) {
        this.started--;
        worker.terminate();
      } else this.idle.push(worker);
      this.next();
    };
    worker.onerror = (event) => reject(new Error(`the compiler stopped: ${event.message}`));
    worker.postMessage({ id: 0, texts } satisfies ToCompiler);
  }
}

/** Codegen's worker, started with the first edit. */
export function codegen(): Regenerate {
  let worker: Worker | null = null;
  let last = 0;
  return (texts, pristine, edited) =>
    new Promise((resolve, reject) => {
      worker ??= new Worker(new URL("./codegen_worker.ts", import.meta.url), { type: "module" });
      const id = ++last;
      worker.addEventListener("message", function listen({ data }: MessageEvent<FromCodegen>) {
        if (data.id !== id) return;
        worker?.removeEventListener("message", listen);
        if ("outputs" in data) resolve(new Map(data.outputs));
        else reject(new CodegenProblem(data.problem));
      });
      worker.onerror = (event) => reject(new Error(`codegen stopped: ${event.message}`));
      const read = [...pristine].filter(([path]) => /^(src|tools)\//.test(path));
      worker.postMessage({ id, pristine: read, edits: edited.map((path) => [path, texts.get(path) as string]) });
    });
}

export type Ending =
  | { readonly kind: "done"; readonly claims: number; readonly ms: number }
  /** Nothing was heard for as long as the reader wants to wait. */
  | { readonly kind: "silent"; readonly line: number; readonly seconds: number }
  | { readonly kind: "stopped" };

interface Prepared {
  readonly worker: Worker;
  readonly version: number;
  readonly preload: boolean;
  readonly ready: Promise<void>;
}

/** Loading the library takes far less; only an edit of it can hang. */
const LOADING_SECONDS = 20;

/** One fresh worker for each run; the next one loads the library while the reader reads. */
export class Runner {
  private next: Prepared | null = null;
  private running: { readonly worker: Worker; readonly stop: () => void } | null = null;

  /** Starts loading for a run to come. */
  prepare(modules: readonly Module[], version: number, preload = true): void {
    if (this.next?.version === version && this.next.preload === preload) return;
    this.next?.worker.terminate();
    const worker = startWorker();
    const ready = new Promise<void>((resolve, reject) => {
      worker.addEventListener("message", function first({ data }: MessageEvent<FromRunner>) {
        if (data.type !== "ready") return;
        worker.removeEventListener("message", first);
        resolve();
      });
      worker.onerror = (event) => reject(new Error(`the worker stopped: ${event.message}`));
    });
    ready.catch(() => {}); // told to whoever runs
    worker.postMessage({ type: "modules", modules, preload } satisfies ToRunner);
    this.next = { worker, version, preload, ready };
  }

  /** Runs a program in the prepared worker. `hear` gets what it tells; `seconds` is how long it may be silent. */
  async run(
    modules: readonly Module[],
    version: number,
    request: RunRequest,
    hear: (message: FromRunner) => void,
    seconds: number,
  ): Promise<Ending> {
    this.stop();
    // A program that imports the library later wants to watch it load.
    const preload = /^import\s(?!type)[^;]*["']glasstorch["']/m.test(request.program.text);
    this.prepare(modules, version, preload);
    const { worker, ready } = this.next as Prepared;
    this.next = null;
    return new Promise<Ending>((resolve, reject) => {
      let line = 0;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (ending: Ending): void => {
        clearTimeout(timer);
        if (ending.kind !== "done") worker.terminate();
        resolve(ending);
      };
      const wait = (limit: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => end({ kind: "silent", line, seconds: limit }), limit * 1000);
      };
      this.running = {
        worker,
        stop: () => {
          worker.terminate(); // also after the end: a program may have left timers
          end({ kind: "stopped" });
        },
      };
      worker.onmessage = ({ data }: MessageEvent<FromRunner>) => {
        if (data.type === "ready") return;
        if (data.type === "at") {
          line = data.line;
          return;
        }
        hear(data);
        if (data.type === "done") end({ kind: "done", claims: data.claims, ms: data.ms });
        else if (timer !== undefined) wait(seconds);
      };
      wait(LOADING_SECONDS);
      ready.then(() => {
        wait(seconds);
        worker.postMessage({ type: "run", request } satisfies ToRunner);
      }, reject);
    });
  }

  stop(): void {
    this.running?.stop();
    this.running = null;
  }

  dispose(): void {
    this.stop();
    this.next?.worker.terminate();
    this.next = null;
  }
}
