/**
 * @file The code of a worker: it builds its dataset, then fetches the samples for the indices that it receives.
 * @mirrors torch/utils/data/_utils/worker.py
 * @differs Our worker is a thread that answers messages, and it builds its dataset before its generator is seeded, so that all workers
 * build the same dataset; PyTorch's worker is a process that receives a copy of the dataset and waits at a queue.
 * @see worker_thread.ts: the other end
 *
 * Note [Messages of a loader]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~
 *
 *     to the worker    Start: number, seeds, how to fetch   Fetch: task, index   Resume: a new pass   Stop
 *     back             Built or Failed, once                Data, End or Failed, for its task   Resumed
 *
 * The waiting thread sleeps in `Atomics.wait` on a word (`bell`) that every worker increments after each message. If there is no message
 * and the word has not changed, the thread may sleep.
 */
import { python_type, repr } from "#torch/_C";
import { torch } from "#torch/_torch";
import { is_class } from "#torch/_utils/index";
import { is_stream } from "../dataset.ts";
import { type ImportModule, load, type ModuleAddress } from "./address.ts";
import { default_collate, default_convert } from "./collate.ts";
import { type WrappedException, wrap_exception } from "./exception_wrapper.ts";
import { _DatasetKind, type AnyCollateFn, type DatasetFetcher } from "./fetch.ts";
import { len } from "./protocol.ts";
import { buffers_of, rebuild, reduce } from "./reductions.ts";
import { set_worker_info, WorkerInfo } from "./worker_info.ts";

/** The data with which a worker is started. */
export interface Boot {
  readonly dataset: ModuleAddress;
  readonly port: import("node:worker_threads").MessagePort;
  readonly bell: Int32Array;
  /** The state words of this worker, named by `STATE`. */
  readonly state: Int32Array;
}

export const STATE = { DONE: 0, DEAD: 1, COUNT: 2 } as const;

/** Properties of the dataset for the loader, which does not have the dataset itself. */
export interface DatasetReport {
  readonly kind: number;
  /** Null: it has no length. */
  readonly length: number | null;
  readonly type: string;
  readonly repr: string;
}

export interface Start {
  readonly kind: "start";
  readonly worker_id: number;
  readonly num_workers: number;
  readonly base_seed: number | bigint;
  readonly dataset_kind: number;
  readonly auto_collation: boolean;
  readonly drop_last: boolean;
  /** `list`: the samples are returned uncollated, for a function that only the caller has. */
  readonly collate: "collate" | "convert" | "list" | ModuleAddress;
  readonly init_fn: ModuleAddress | null;
}

export type ToWorker =
  | Start
  | { readonly kind: "fetch"; readonly idx: number; readonly index: unknown }
  | { readonly kind: "resume" }
  | { readonly kind: "stop" };

export type FromWorker =
  | { readonly kind: "built"; readonly report: DatasetReport }
  | { readonly kind: "data"; readonly idx: number; readonly data: unknown }
  | { readonly kind: "end"; readonly idx: number }
  | { readonly kind: "failed"; readonly idx: number; readonly error: WrappedException }
  | { readonly kind: "resumed" };

/** The seed of one worker. */
export function seed_of(base_seed: number | bigint, worker_id: number): number | bigint {
  const seed = BigInt(base_seed) + BigInt(worker_id);
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : seed;
}

function report_of(dataset: unknown): DatasetReport {
  let length: number | null = null;
  try {
    length = len(dataset);
  } catch (error) {
    if ((error as Error | null)?.name !== "TypeError") throw error;
  }
  const kind = is_stream(dataset) ? _DatasetKind.Iterable : _DatasetKind.Map;
  return { kind, length, type: python_type(dataset), repr: repr(dataset) };
}

// biome-ignore lint/suspicious/noExplicitAny: the user decides what an address refers to
type Made = any;

async function build(address: ModuleAddress, import_module: ImportModule): Promise<unknown> {
  const made: Made = await load(address, import_module);
  const args = (address.args ?? []).map(rebuild);
  if (typeof made !== "function") return made;
  return is_class(made) ? new made(...args) : await made(...args);
}

class Worker {
  private readonly boot: Boot;
  private readonly import_module: ImportModule;
  private dataset: unknown = null;
  private start: Start | null = null;
  private collate_fn: AnyCollateFn = default_collate;
  private fetcher: DatasetFetcher | null = null;
  /** An error that occurred before the first task; it is sent as the answer to that task. */
  private init_exception: WrappedException | null = null;
  /** The stream has ended: later tasks are ignored, as the loader expects. */
  private iteration_end = false;

  constructor(boot: Boot, import_module: ImportModule) {
    this.boot = boot;
    this.import_module = import_module;
  }

  async serve(): Promise<void> {
    const { port, dataset } = this.boot;
    try {
      this.dataset = await build(dataset, this.import_module);
      this.answer({ kind: "built", report: report_of(this.dataset) });
    } catch (error) {
      this.answer({
        kind: "failed",
        idx: -1,
        error: wrap_exception(error, "when a DataLoader worker built its dataset"),
      });
      port.close();
      return;
    }
    let before = Promise.resolve();
    port.on("message", (message: ToWorker) => {
      before = before.then(() => this.handle(message));
    });
  }

  private answer(message: FromWorker, buffers: ArrayBuffer[] = []): void {
    const { port, bell } = this.boot;
    port.postMessage(message, buffers);
    Atomics.add(bell, 0, 1);
    Atomics.notify(bell, 0);
  }

  private async handle(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case "start":
        return this.begin(message);
      case "fetch":
        return this.fetch(message.idx, message.index);
      case "resume":
        this.iteration_end = false;
        this.answer({ kind: "resumed" });
        return this.guarded(() => this.make_fetcher());
      case "stop":
        this.boot.port.close();
    }
  }

  private get where(): string {
    return `in DataLoader worker thread ${this.start?.worker_id}`;
  }

  private async guarded(body: () => void | Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      this.init_exception = wrap_exception(error, this.where);
    }
  }

  private async begin(start: Start): Promise<void> {
    this.start = start;
    const { worker_id, num_workers, base_seed } = start;
    const seed = seed_of(base_seed, worker_id);
    torch.manual_seed(seed);
    set_worker_info(new WorkerInfo(worker_id, num_workers, seed, this.dataset));
    await this.guarded(async () => {
      const init_fn: Made = start.init_fn === null ? null : await load(start.init_fn, this.import_module);
      if (init_fn !== null) init_fn(worker_id);
      this.collate_fn = await this.collate_fn_for(start.collate);
      this.make_fetcher();
    });
  }

  private async collate_fn_for(collate: Start["collate"]): Promise<AnyCollateFn> {
    switch (collate) {
      case "collate":
        return default_collate;
      case "convert":
        return default_convert;
      case "list":
        return (data) => data;
      default:
        return (await load(collate, this.import_module)) as AnyCollateFn;
    }
  }

  private make_fetcher(): void {
    const { dataset_kind, auto_collation, drop_last } = this.start as Start;
    this.fetcher = _DatasetKind.create_fetcher(dataset_kind, this.dataset, auto_collation, this.collate_fn, drop_last);
  }

  private fetch(idx: number, index: unknown): void {
    if (Atomics.load(this.boot.state, STATE.DONE) !== 0 || this.iteration_end) return;
    const answer = this.answer_for(idx, index);
    this.answer(answer, answer.kind === "data" ? buffers_of(answer.data) : []);
  }

  private answer_for(idx: number, index: unknown): FromWorker {
    const failed = this.init_exception;
    this.init_exception = null;
    if (failed !== null) return { kind: "failed", idx, error: failed };
    try {
      const fetched = (this.fetcher as DatasetFetcher).fetch(rebuild(index));
      if (fetched.done !== true) return { kind: "data", idx, data: reduce(fetched.value) };
      this.iteration_end = true;
      return { kind: "end", idx };
    } catch (error) {
      return { kind: "failed", idx, error: wrap_exception(error, this.where) };
    }
  }
}

/** The number of stack frames of an error that are reported: the dataset's own line lies below those of the operator it called. */
const FRAMES = 50;

/** The main function of a worker's thread. */
export function _worker_loop(boot: Boot, import_module: ImportModule): Promise<void> {
  torch.set_num_threads(1);
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, FRAMES);
  const { process } = globalThis as { process?: { on(event: "exit", listener: () => void): void } };
  process?.on("exit", () => {
    Atomics.store(boot.state, STATE.DEAD, 1);
    Atomics.add(boot.bell, 0, 1);
    Atomics.notify(boot.bell, 0);
  });
  return new Worker(boot, import_module).serve();
}
