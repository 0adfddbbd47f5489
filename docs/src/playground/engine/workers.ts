/**
 * @file The page's side of the workers: compilers, codegen, and the runner with its watchdog.
 * @original
 */
import { Allowance } from "./allowance.ts";
import { startConfined } from "./cell.ts";
import { forgetDevice, serveDevice } from "./device.ts";
import { heard } from "./hearing.ts";
import type { Compile, Regenerate } from "./library.ts";
import { importsTorch } from "./program_text.ts";
import {
  type Capability,
  type Defect,
  type FromCodegen,
  type FromCompiler,
  type FromRunner,
  languageOf,
  type MissingPart,
  type Preload,
  type Program,
  type RunRequest,
  type ToCompiler,
  type ToRunner,
} from "./protocol.ts";
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

function startCompiler(): Worker {
  return new Worker(new URL("./compiler_worker.ts", import.meta.url), { type: "module" });
}

interface Batch {
  readonly texts: readonly (readonly [string, string])[];
  readonly watched: boolean;
  readonly resolve: (modules: readonly Module[]) => void;
  readonly reject: (error: Error) => void;
}

/** Compiles batches side by side, in as many workers as the machine has cores, up to four; one stays for later edits. */
export class Compilers {
  private readonly idle: Worker[] = [];
  private readonly queue: Batch[] = [];
  private started = 0;
  private readonly most = Math.max(1, Math.min(4, navigator.hardwareConcurrency ?? 2));

  readonly compile: Compile = (texts) => this.enqueue(texts, false);

  /** The script of a program. Rejects with a `SyntaxProblem`. */
  async compileProgram(path: string, text: string): Promise<string> {
    const [module] = await this.enqueue([[path, text]], true);
    return (module as Module).js;
  }

  private enqueue(texts: Batch["texts"], watched: boolean): Promise<readonly Module[]> {
    return new Promise((resolve, reject) => {
      this.queue.push({ texts, watched, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.idle.length === 0 && this.started < this.most && this.queue.length > 0) {
      this.started++;
      this.idle.push(startCompiler());
    }
    while (this.idle.length > 0 && this.queue.length > 0)
      this.give(this.idle.pop() as Worker, this.queue.shift() as Batch);
  }

  private give(worker: Worker, { texts, watched, resolve, reject }: Batch): void {
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
    worker.postMessage({ id: 0, texts, watched } satisfies ToCompiler);
  }
}

/** Codegen's worker, started with the first edit. */
export function codegen(): Regenerate {
  let worker: Worker | null = null;
  let last = 0;
  return (texts, pristine, edited, whole) =>
    new Promise((resolve, reject) => {
      worker ??= new Worker(new URL("./codegen_worker.ts", import.meta.url), { type: "module" });
      const id = ++last;
      worker.addEventListener("message", function listen({ data }: MessageEvent<FromCodegen>) {
        if (data.id !== id) return;
        worker?.removeEventListener("message", listen);
        if ("outputs" in data) resolve(new Map(data.outputs));
        else if ("reads" in data) resolve({ reads: data.reads });
        else reject(new CodegenProblem(data.problem));
      });
      worker.onerror = (event) => reject(new Error(`codegen stopped: ${event.message}`));
      const read = [...pristine].filter(([path]) => /^(src|tools)\//.test(path));
      const edits = edited.map((path): [string, string] => [path, texts.get(path) as string]);
      worker.postMessage({ id, pristine: read, edits, whole });
    });
}

export type Ending =
  | { readonly kind: "done"; readonly claims: number; readonly ms: number }
  /** Nothing was heard for as long as the reader wants to wait. */
  | { readonly kind: "silent"; readonly line: number; readonly seconds: number }
  /** It told more than a run may, or what is no message. */
  | { readonly kind: "flooded" }
  /** It asked for a part of the library that was not sent. */
  | { readonly kind: "missing"; readonly part: MissingPart }
  | { readonly kind: "stopped" };

/** Loading the library takes far less; only an edit of it can hang. */
const LOADING_SECONDS = 20;

/** Most notices of a worker about output that it leaves out. */
const NOTICES = 2;

/** Threads that a run may have. */
const MOST_THREADS = 16;

/** The settings with which a worker begins. */
interface Setting {
  readonly modules: readonly Module[];
  /** Tells settings apart, with the next two. */
  readonly version: string;
  readonly preload: Preload;
  readonly capability?: Capability | undefined;
}

/** A worker with a library in it, and the one way to talk to it. */
class Stage {
  readonly setting: Setting;
  /** The modules are there, and have run if they were to. */
  readonly ready: Promise<void>;
  /** Gets all else that it says; null is what is no message. */
  hear: (message: FromRunner | null) => void = () => {};
  private readonly port: MessagePort;
  private readonly script: string;
  private worker: Worker | null = null;
  private readonly threads: Worker[] = [];
  private asked = 0;
  private hasDevice = false;
  private ended = false;

  constructor(script: string, setting: Setting) {
    const { port1, port2 } = new MessageChannel();
    const { modules, preload, capability } = setting;
    this.setting = setting;
    this.script = script;
    this.port = port1;
    this.ready = new Promise((resolve, reject) => {
      port1.onmessage = ({ data }) => {
        const message = heard(data);
        if (message?.type === "ready") resolve();
        else if (message?.type === "thread") void this.start(message);
        else if (message?.type === "device") this.serve(message.memory);
        else this.hear(message);
      };
      startConfined(script).then((worker) => {
        if (this.ended) return worker.terminate();
        this.worker = worker;
        // Errors of a program come by the port; this is a worker that could not begin.
        worker.onerror = (event) => reject(new Error(`the worker stopped: ${event.message}`));
        worker.postMessage(null, [port2]);
      }, reject);
    });
    this.ready.catch(() => {}); // told to whoever runs
    this.tell({ type: "modules", modules, preload, capability });
  }

  /** A thread of the library's pool; a run that wants more than there may be goes on without. */
  private async start({ text, data }: Extract<FromRunner, { type: "thread" }>): Promise<void> {
    if (++this.asked > MOST_THREADS) return;
    const thread = await startConfined(this.script);
    if (this.ended) return thread.terminate();
    this.threads.push(thread);
    thread.postMessage({ text, data });
  }

  private serve(memory: SharedArrayBuffer): void {
    this.hasDevice = true;
    serveDevice(memory);
  }

  tell(message: ToRunner): void {
    this.port.postMessage(message);
  }

  /** @param well whether nothing went wrong: a device that somebody was stopped at may be in the midst of it */
  end(well = false): void {
    this.ended = true;
    if (this.hasDevice && !well) forgetDevice();
    this.port.close();
    this.worker?.terminate();
    for (const thread of this.threads) thread.terminate();
  }
}

/** A Python program imports the library in its first instructions, so it does not need to be asked. */
function preloadOf({ path, text }: Program): Preload {
  const language = languageOf(path);
  return language === "python" || importsTorch(text) ? language : null;
}

/** A fresh worker for each run, ended with it; the next one loads the library while the reader reads. */
export class Runner {
  private next: Stage | null = null;
  private running: (() => void) | null = null;

  /** Starts loading for a run to come; `preload` runs the library's modules, for a program in this language. */
  prepare(script: string, setting: Setting): void {
    const before = this.next?.setting;
    const { version, preload, capability } = setting;
    if (before?.version === version && before.preload === preload && before.capability === capability) return;
    this.next?.end();
    this.next = new Stage(script, setting);
  }

  /** Runs a program in the prepared worker. `hear` gets what it tells; `seconds` is how long it may be silent. */
  run(
    script: string,
    modules: readonly Module[],
    version: string,
    request: RunRequest,
    hear: (message: FromRunner) => void,
    seconds: number,
  ): Promise<Ending> {
    const preload = preloadOf(request.program);
    this.prepare(script, { modules, version, preload, capability: request.options.capability });
    return this.begin({ type: "run", request }, hear, seconds);
  }

  /** Has the prepared worker do something. */
  async begin(task: ToRunner, hear: (message: FromRunner) => void, seconds: number): Promise<Ending> {
    this.stop();
    const stage = this.next as Stage;
    this.next = null;
    const allowance = new Allowance(NOTICES);
    return new Promise<Ending>((resolve, reject) => {
      /** Whether the program's instructions are counted. */
      const limited = task.type === "run" && languageOf(task.request.program.path) === "python";
      let line = 0;
      let started = false;
      let failed = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (ending: Ending): void => {
        clearTimeout(timer);
        stage.end(ending.kind === "done" && !failed); // with every timer and promise that the program has left
        this.running = null;
        resolve(ending);
      };
      const wait = (limit: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => end({ kind: "silent", line, seconds: limit }), limit * 1000);
      };
      this.running = () => end({ kind: "stopped" });
      stage.hear = (message) => {
        if (message === null || allowance.beyond(message) !== null) return end({ kind: "flooded" });
        if (message.type === "at") {
          line = message.line;
          if (limited) wait(seconds); // the machine ends it, sooner or later
          return;
        }
        if (message.type === "missing") return end({ kind: "missing", part: message.part });
        hear(message);
        failed ||= message.type === "failure";
        if (message.type === "done") end({ kind: "done", claims: message.claims, ms: message.ms });
        else if (started) wait(seconds);
      };
      wait(LOADING_SECONDS);
      stage.ready.then(
        () => {
          started = true;
          wait(seconds);
          stage.tell(task);
        },
        (error: Error) => {
          reject(error);
          this.stop();
        },
      );
    });
  }

  stop(): void {
    this.running?.();
  }

  dispose(): void {
    this.stop();
    this.next?.end();
    this.next = null;
  }
}
