/**
 * @file A trace handler that writes the traces of a profiler for TensorBoard: a folder with one file per cycle.
 * @mirrors torch/profiler/profiler.py#tensorboard_trace_handler
 */
import { RuntimeError } from "#c10/util/Exception";
import { builtin } from "#torch/_node_builtins";
import { def } from "#torch/_signature";
import type { profile } from "./profiler.ts";

function make_directory(dir_name: string): void {
  try {
    builtin<typeof import("node:fs")>("node:fs")?.mkdirSync(dir_name, { recursive: true });
  } catch {
    throw new RuntimeError(`Can't create directory: ${dir_name}`);
  }
}

/** The name of the machine and the number of the process. */
function this_worker(): string {
  const os = builtin<typeof import("node:os")>("node:os");
  const { pid } = (globalThis as { process?: { pid?: number } }).process ?? {};
  return `${os?.hostname()}_${pid}`;
}

/** A time that is unique in this process. */
function time_ns(): bigint {
  const begin = BigInt(Math.trunc(performance.timeOrigin * 1000));
  return (begin + BigInt(Math.trunc(performance.now() * 1000))) * 1000n;
}

/**
 * Creates a handler for a profiler's `on_trace_ready`: it writes the trace to a new file in `dir_name`, which is created if necessary.
 * @param worker_name the beginning of the file name; by default the name of the machine and the number of the process
 * @param use_gzip whether the file is compressed
 * @throws {NotImplementedError} with `use_python_export`, when a trace is ready
 */
export const tensorboard_trace_handler = def(
  "tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False, use_python_export=False)",
  (dir_name: string, worker_name: string | null, use_gzip: boolean, use_python_export: boolean) => {
    return (prof: Pick<profile, "export_chrome_trace">): void => {
      make_directory(dir_name);
      const file_name = `${worker_name || this_worker()}.${time_ns()}.pt.trace.json${use_gzip ? ".gz" : ""}`;
      prof.export_chrome_trace(`${dir_name}/${file_name}`, { use_python_export });
    };
  },
);
