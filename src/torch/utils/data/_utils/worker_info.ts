/**
 * @file Information about the current worker, which a dataset can request.
 * @mirrors torch/utils/data/_utils/worker.py
 */
import { repr } from "#torch/_C";
import { def } from "#torch/_signature";

/** A worker of a loader, as its own code sees it. */
export class WorkerInfo {
  /** The number of the worker, from 0 to num_workers - 1. */
  readonly id: number;
  readonly num_workers: number;
  /** The seed of this thread's default generator: the base seed of the loader plus `id`. */
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

/** Sets the information about this thread; null: it is not a worker. */
export function set_worker_info(info: WorkerInfo | null): void {
  _worker_info = info;
}

/** In a worker, its information; elsewhere null. */
export const get_worker_info = def("get_worker_info()", (): WorkerInfo | null => _worker_info);
