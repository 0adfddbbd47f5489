/**
 * @file The error of a thread that loads data, as the program sees it.
 * @mirrors torch/csrc/api/include/torch/data/worker_exception.h
 */
export class WorkerException extends Error {
  readonly original_exception: Error;

  constructor(original: Error) {
    super(`Caught exception in DataLoader worker thread. Original message: ${original.message}`);
    this.name = "WorkerException";
    this.original_exception = original;
  }
}
