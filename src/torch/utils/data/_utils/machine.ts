/**
 * @file The number of threads that the machine runs at once.
 * @mirrors torch/_utils.py#cpu_count
 */
import { builtin } from "#torch/_node_builtins";

interface Machine {
  readonly navigator?: { hardwareConcurrency?: number };
}
const { navigator } = globalThis as Machine;

/** The number of threads that this process may run at once; null if it is unknown. */
export function cpu_count(): number | null {
  const os = builtin<typeof import("node:os")>("node:os");
  return os?.availableParallelism() ?? navigator?.hardwareConcurrency ?? null;
}
