/**
 * @file What a loader asks of the machine: how much runs at once.
 * @mirrors torch/_utils.py#cpu_count
 */
import { builtin } from "#torch/_node_builtins";

interface Machine {
  readonly navigator?: { hardwareConcurrency?: number };
}
const { navigator } = globalThis as Machine;

/** How many threads run at once, by what this process may use; null if nobody says. */
export function cpu_count(): number | null {
  const os = builtin<typeof import("node:os")>("node:os");
  return os?.availableParallelism() ?? navigator?.hardwareConcurrency ?? null;
}
