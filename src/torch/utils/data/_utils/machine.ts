/**
 * @file What a loader asks of the machine: Node's own modules, where there are any, and how much runs at once.
 * @mirrors torch/_utils.py#cpu_count
 */
interface Machine {
  readonly process?: { getBuiltinModule?(name: string): unknown };
  readonly navigator?: { hardwareConcurrency?: number };
}
const { process, navigator } = globalThis as Machine;

/** One of Node's modules; undefined in a page. */
export function builtin<T>(name: string): T | undefined {
  return process?.getBuiltinModule?.(name) as T | undefined;
}

/** How many threads run at once, by what this process may use; null if nobody says. */
export function cpu_count(): number | null {
  const os = builtin<typeof import("node:os")>("node:os");
  return os?.availableParallelism() ?? navigator?.hardwareConcurrency ?? null;
}
