/**
 * @file What a dataset may ask about the worker it is read in.
 * @mirrors torch/utils/data/_utils/worker.py
 */
import { repr } from "#torch/_C";
import { def } from "#torch/_signature";

/** One worker of a loader, as seen from inside of it. */
export class WorkerInfo {
  /** 0 .. num_workers - 1 */
  readonly id: number;
  readonly num_workers: number;
  /** The seed of this thread's default generator: the loader's base seed plus `id`. */
  readonly seed: number | bigint;
  /** The dataset that this worker built. */
  readonly dataset: unknown;
  readonly rng = null;
  readonly worker_method = "thread";

  constructor(id: number, num_workers: number, seed: number | bigint, dataset: unknown) {
    this.id = id;
    this.num_workers = num_workers;
    this.seed = seed;
    this.dataset = dataset;
    Object.freeze(this);
  }

  __repr__(): string {
    const fields = ["id", "num_workers", "seed", "dataset", "rng", "worker_method"] as const;
    return `WorkerInfo(${fields.map((name) => `${name}=${repr(this[name])}`).join(", ")})`;
  }
}

let _worker_info: WorkerInfo | null = null;

/** Says who this thread is; null: none of a loader's workers. */
export function set_worker_info(info: WorkerInfo | null): void {
  _worker_info = info;
}

/** In a worker what it is and what it reads from; elsewhere null. */
export const get_worker_info = def("get_worker_info()", (): WorkerInfo | null => _worker_info);
