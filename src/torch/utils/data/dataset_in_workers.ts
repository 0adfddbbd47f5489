/**
 * @file A stand-in for a dataset that only workers have: it knows the length, which a first worker reported.
 * @original In PyTorch the main process has the dataset, too.
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import type { ModuleAddress } from "./_utils/address.ts";
import { _DatasetKind } from "./_utils/fetch.ts";
import type { DatasetReport } from "./_utils/worker.ts";
import { WorkerThread } from "./_utils/worker_thread.ts";
import { Dataset, IterableDataset } from "./dataset.ts";

const abandoned = new FinalizationRegistry<WorkerThread>((worker) => worker.stop());

/** The address of a dataset, a report about it, and the first worker, which has built it. */
export class DatasetInWorkers {
  readonly address: ModuleAddress;
  readonly report: DatasetReport;
  /** The stand-in that the loader uses as its dataset. */
  readonly dataset: Dataset;
  private worker: WorkerThread | null;

  constructor(address: ModuleAddress) {
    this.address = address;
    const worker = new WorkerThread(address);
    this.worker = worker;
    this.report = worker.report();
    const is_stream = this.report.kind === _DatasetKind.Iterable;
    this.dataset = is_stream ? new StreamElsewhere(this.report) : new DatasetElsewhere(this.report);
    abandoned.register(this, worker, this);
  }

  /** The first worker, for the first pass; later null. */
  take_worker(): WorkerThread | null {
    const { worker } = this;
    this.worker = null;
    abandoned.unregister(this);
    return worker;
  }

  /** Stops the first worker, if the loader could not be created. */
  stop(): void {
    this.take_worker()?.stop();
  }
}

function length_of({ length, type }: DatasetReport): number {
  if (length === null) throw new TypeError_(`object of type '${type}' has no len()`);
  return length;
}

function not_here({ type }: DatasetReport): RuntimeError {
  return new RuntimeError(`this ${type} exists in the workers of its DataLoader, not in this thread`);
}

class DatasetElsewhere extends Dataset {
  private readonly report: DatasetReport;

  constructor(report: DatasetReport) {
    super();
    this.report = report;
  }

  override __getitem__(_index: unknown): never {
    throw not_here(this.report);
  }

  __len__(): number {
    return length_of(this.report);
  }

  __repr__(): string {
    return this.report.repr;
  }
}

class StreamElsewhere extends IterableDataset {
  private readonly report: DatasetReport;

  constructor(report: DatasetReport) {
    super();
    this.report = report;
  }

  __iter__(): never {
    throw not_here(this.report);
  }

  __len__(): number {
    return length_of(this.report);
  }

  __repr__(): string {
    return this.report.repr;
  }
}
