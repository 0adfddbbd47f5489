/**
 * @file A pass with workers: the distribution of indices to workers, and the order of the returned batches.
 * @mirrors torch/utils/data/dataloader.py#_MultiProcessingDataLoaderIter
 * @differs Our workers are threads, and one thread runs before the first pass, because only it knows the length of the dataset; PyTorch's
 * are processes.
 */
import { AssertionError, RuntimeError, ValueError } from "#c10/util/Exception";
import { href_of, is_address, type ModuleAddress } from "#torch/utils/data/_utils/address";
import { default_collate, default_convert } from "#torch/utils/data/_utils/collate";
import { reraise, type WrappedException } from "#torch/utils/data/_utils/exception_wrapper";
import { END, type Fetched } from "#torch/utils/data/_utils/fetch";
import { rebuild, reduce } from "#torch/utils/data/_utils/reductions";
import type { Start } from "#torch/utils/data/_utils/worker";
import { type Received, WorkerThread, wait_for_message } from "#torch/utils/data/_utils/worker_thread";
import type { DatasetInWorkers } from "#torch/utils/data/dataset_in_workers";
import type { DataLoader } from "./index.ts";
import { _BaseDataLoaderIter } from "./iter.ts";

/** The answer to a task: the message, which is converted only when its turn has come. */
type Answer = { readonly data: unknown } | { readonly error: WrappedException };
interface Task {
  readonly worker_id: number;
  answer: Answer | null;
}

/** Stops the threads of a pass without references. */
const abandoned = new FinalizationRegistry<readonly WorkerThread[]>((workers) => {
  for (const worker of workers) worker.stop();
});

/** The address of a function in the form of a message, which cannot contain a URL object. */
function sent(address: ModuleAddress): ModuleAddress {
  return { module: href_of(address), export: address.export };
}

/** The way in which workers collate samples; a function that is no address runs in this thread. */
function collate_there(loader: DataLoader): Start["collate"] {
  const { collate_fn } = loader;
  if (is_address(collate_fn)) return sent(collate_fn);
  if (collate_fn === default_collate) return "collate";
  return collate_fn === default_convert ? "convert" : "list";
}

function init_fn_there({ worker_init_fn }: DataLoader): ModuleAddress | null {
  if (worker_init_fn === null) return null;
  if (is_address(worker_init_fn)) return sent(worker_init_fn);
  throw new ValueError(
    "worker_init_fn runs in worker threads, which a function of this one cannot reach: give it as {module, export}",
  );
}

// biome-ignore lint/suspicious/noExplicitAny: batches have any type
export class _MultiProcessingDataLoaderIter<B = any> extends _BaseDataLoaderIter<B> {
  private readonly _prefetch_factor: number;
  private readonly _in_order: boolean;
  private readonly _workers: WorkerThread[] = [];
  private readonly _collates_here: boolean;
  private _shutdown = false;
  /** The number of the next task to send; below, of the next task whose batch is returned. */
  private _send_idx = 0;
  private _rcvd_idx = 0;
  private _task_info = new Map<number, Task>();
  /** The number of tasks without an answer. */
  private _tasks_outstanding = 0;
  /** Whether each worker may still send data in this pass; each stream ends separately. */
  private _workers_status: boolean[] = [];
  /** Number of tasks per worker whose batches have not been returned. */
  private _workers_num_tasks: number[] = [];
  private _next_worker = 0;

  constructor(loader: DataLoader<B>, dataset: DatasetInWorkers) {
    super(loader);
    this._prefetch_factor = loader.prefetch_factor as number;
    this._in_order = loader.in_order;
    if (this._num_workers <= 0)
      throw new AssertionError("num_workers must be greater than 0 for MultiProcessingDataLoaderIter");
    if (this._prefetch_factor <= 0)
      throw new AssertionError("prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter");
    const collate = collate_there(loader);
    const init_fn = init_fn_there(loader);
    this._collates_here = collate === "list";
    const built: WorkerThread[] = [];
    for (let worker_id = 0; worker_id < this._num_workers; worker_id++) {
      const first = worker_id === 0 ? dataset.take_worker() : null;
      const worker = first ?? new WorkerThread(dataset.address);
      if (first === null) built.push(worker);
      this._workers.push(worker);
      worker.put({
        kind: "start",
        worker_id,
        num_workers: this._num_workers,
        base_seed: this._base_seed,
        dataset_kind: this._dataset_kind,
        auto_collation: this._auto_collation,
        drop_last: this._drop_last,
        collate,
        init_fn,
      });
    }
    abandoned.register(this, this._workers, this);
    this.guarded(() => {
      for (const worker of built) worker.report();
    });
    this._reset(loader, true);
  }

  /** Stops the workers if `body` raises. */
  private guarded<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      this._shutdown_workers();
      throw error;
    }
  }

  override _reset(loader: DataLoader<B>, first_iter = false): void {
    super._reset(loader, first_iter);
    this._send_idx = 0;
    this._rcvd_idx = 0;
    this._task_info = new Map();
    this._tasks_outstanding = 0;
    this._workers_status = this._workers.map(() => true);
    this._workers_num_tasks = this._workers.map(() => 0);
    this._next_worker = 0;
    if (!first_iter) this.resume();
    for (let k = 0; k < this._prefetch_factor * this._num_workers; k++) this._try_put_index();
  }

  /** Begins another pass with the same workers. Messages that belong to the previous pass are read and dropped. */
  private resume(): void {
    for (const worker of this._workers) worker.put({ kind: "resume" });
    for (let left = this._num_workers; left > 0; ) if (this._get_data().message.kind === "resumed") left--;
  }

  /** The next message from the workers that are expected to send one. */
  private _get_data(): Received {
    const waited_for = this._workers.map((worker, id) => (this._workers_status[id] ? worker : null));
    const got = wait_for_message(waited_for, this._timeout > 0 ? this._timeout : Number.POSITIVE_INFINITY);
    if (got !== null) return got;
    const failed = waited_for.filter((worker) => worker?.is_alive === false);
    this._shutdown_workers();
    if (failed.length === 0) throw new RuntimeError(`DataLoader timed out after ${this._timeout} seconds`);
    const ids = failed.map((worker) => worker?.id).join(", ");
    throw new RuntimeError(`DataLoader worker (pid(s) ${ids}) exited unexpectedly`);
  }

  protected override _next_data(): Fetched {
    for (;;) {
      const task = this.next_task();
      if (task === null) {
        if (!this._persistent_workers) this._shutdown_workers();
        return END;
      }
      if (task.answer !== null) return this.return_task(this._rcvd_idx++, task, task.answer);
      if (this._shutdown || this._tasks_outstanding <= 0) {
        throw new AssertionError("Invalid iterator state: shutdown or no outstanding tasks when fetching next data");
      }
      const { from, message } = this._get_data();
      if (message.kind !== "data" && message.kind !== "failed" && message.kind !== "end") continue;
      this._tasks_outstanding--;
      if (message.kind === "end") {
        this._mark_worker_as_unavailable(from);
        this._try_put_index();
        continue;
      }
      const answered = this._task_info.get(message.idx) as Task;
      const answer = message.kind === "data" ? { data: message.data } : { error: message.error };
      if (message.idx === this._rcvd_idx) return this.return_task(this._rcvd_idx++, answered, answer);
      if (!this._in_order) return this.return_task(message.idx, answered, answer);
      answered.answer = answer;
    }
  }

  /** The first task whose batch has not been returned; tasks of workers whose stream has ended are skipped. */
  private next_task(): Task | null {
    for (; this._rcvd_idx < this._send_idx; this._rcvd_idx++) {
      const task = this._task_info.get(this._rcvd_idx);
      if (task === undefined) continue;
      if (task.answer !== null || this._workers_status[task.worker_id]) return task;
      this._task_info.delete(this._rcvd_idx);
    }
    return null;
  }

  /** `_process_data`: sends a new task to the worker, then returns the batch. */
  private return_task(idx: number, { worker_id }: Task, answer: Answer): Fetched {
    this._task_info.delete(idx);
    this._workers_num_tasks[worker_id]--;
    this._try_put_index();
    if ("error" in answer) return this.raise(answer.error);
    const data = rebuild(answer.data);
    return { done: false, value: this._collates_here ? this._collate_fn(data) : data };
  }

  private raise(error: WrappedException): never {
    reraise(error);
  }

  private _try_put_index(): void {
    const max_tasks = this._prefetch_factor * this._num_workers;
    if (this._tasks_outstanding >= max_tasks)
      throw new AssertionError("Number of outstanding tasks exceeded maximum allowed tasks");
    const index = this._next_index();
    if (index.done === true) return;
    const worker_id = this.free_worker(max_tasks);
    if (worker_id === null) return;
    this._workers[worker_id].put({ kind: "fetch", idx: this._send_idx, index: reduce(index.value) });
    this._task_info.set(this._send_idx++, { worker_id, answer: null });
    this._workers_num_tasks[worker_id]++;
    this._tasks_outstanding++;
  }

  /** The next worker in turn. Workers whose stream has ended are skipped, and with `in_order` false also workers with enough tasks. */
  private free_worker(max_tasks: number): number | null {
    const share = Math.floor(max_tasks / this._workers_status.filter((active) => active).length);
    for (let k = 0; k < this._num_workers; k++) {
      const worker_id = this._next_worker;
      this._next_worker = (worker_id + 1) % this._num_workers;
      if (!this._workers_status[worker_id]) continue;
      if (this._in_order || this._workers_num_tasks[worker_id] < share) return worker_id;
    }
    return null;
  }

  /** Marks a worker whose stream has ended: it sends no more data in this pass, and stops unless it is kept for the next pass. */
  private _mark_worker_as_unavailable(worker_id: number): void {
    this._workers_status[worker_id] = false;
    if (!this._persistent_workers) this._workers[worker_id].stop();
  }

  /** Called by `break` in a `for` loop. Persistent workers are kept; the next pass starts again with them. */
  return(): IteratorResult<B, undefined> {
    if (!this._persistent_workers) this._shutdown_workers();
    return END;
  }

  _shutdown_workers(): void {
    if (this._shutdown) return;
    this._shutdown = true;
    abandoned.unregister(this);
    for (const worker of this._workers) worker.stop();
    // No more data will come: a pass that continues is at its end.
    this._task_info.clear();
    this._rcvd_idx = this._send_idx;
  }
}
