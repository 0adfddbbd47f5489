/**
 * @file Where a profiler leaves its traces for TensorBoard: a folder with a file for each cycle.
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

/** The machine's name and the process's number. */
function this_worker(): string {
  const os = builtin<typeof import("node:os")>("node:os");
  const { pid } = (globalThis as { process?: { pid?: number } }).process ?? {};
  return `${os?.hostname()}_${pid}`;
}

/** No two of one process are alike. */
function time_ns(): bigint {
  const begin = BigInt(Math.trunc(performance.timeOrigin * 1000));
  return (begin + BigInt(Math.trunc(performance.now() * 1000))) * 1000n;
}

/**
 * For a profiler's `on_trace_ready`: writes its trace to a new file in `dir_name`, which is made if it is not there.
 * @param worker_name with which the file's name begins; by default the machine's name and the process's number
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
