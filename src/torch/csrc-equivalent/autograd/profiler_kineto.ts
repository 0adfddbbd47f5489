/**
 * @file Switching the profiler on and off: it adds RecordFunction callbacks and returns the data they collected.
 * @mirrors torch/csrc/autograd/profiler_kineto.h
 */
import { addGlobalCallback, type CallbackHandle, RecordFunctionCallback, removeCallback } from "#aten/record_function";
import { TORCH_CHECK } from "#c10/util/Exception";
import { type ProfilerConfig, RecordQueue, type TorchOpEvent } from "#torch/csrc-equivalent/profiler/collection";
import { toChromeTrace } from "#torch/csrc-equivalent/profiler/kineto_shim";

/** All data of one profiling run. */
export class ProfilerResult {
  readonly queue: RecordQueue;
  readonly duration_us: number;
  private readonly config: ProfilerConfig;

  constructor(queue: RecordQueue, duration_us: number, config: ProfilerConfig) {
    this.queue = queue;
    this.duration_us = duration_us;
    this.config = config;
  }

  /** The export as an object; `name` becomes its `traceName`. */
  trace(name: string): object {
    const metadata: Record<string, number> = {};
    for (const [field, on] of Object.entries(this.config)) if (on) metadata[field] = 1;
    return toChromeTrace(this.queue, this.duration_us, metadata, name);
  }
}

interface Running {
  readonly config: ProfilerConfig;
  readonly queue: RecordQueue;
  readonly handle: CallbackHandle;
}

let running: Running | null = null;

export function _enable_profiler(config: ProfilerConfig): void {
  TORCH_CHECK(running === null, "Profiler is already enabled on this thread");
  const queue = new RecordQueue(config);
  const callback = new RecordFunctionCallback(
    (fn) => queue.begin_op(fn),
    (_fn, context) => queue.end_op(context as TorchOpEvent),
  ).needsInputs(config.record_shapes);
  const handle = addGlobalCallback(callback);
  queue.attach();
  running = { config, queue, handle };
}

export function _disable_profiler(): ProfilerResult {
  TORCH_CHECK(running !== null, "Can't disable Kineto profiler when it's not running");
  const { config, queue, handle } = running;
  running = null;
  queue.detach();
  removeCallback(handle);
  return new ProfilerResult(queue, queue.now_us(), config);
}

export function _profiler_enabled(): boolean {
  return running !== null;
}
