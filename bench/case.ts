/**
 * @file Times one case, in the process that this program is: `NAME FOLDER THREADS` on the command line, then
 * `least`, `once`, or of how many seconds the mean is asked; one line of JSON out.
 * @original
 */
import { join } from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { BARE_LOOP, bareLoop, casesFor, type Torch } from "./cases.ts";
import { loop_of, mean_over, measure } from "./measure.ts";

/** The result of one process. */
export interface Timed {
  readonly ns: number;
  /** Shares of the mean time: the heap's sweeps, and the whole garbage collection. */
  readonly sweeping?: number;
  readonly collecting?: number;
  readonly sweeps?: number;
  readonly fallbacks?: number;
}

async function mean(torch: Torch, fn: () => unknown, seconds: number): Promise<Timed> {
  mean_over(fn, Math.min(1, seconds));
  let collector_ms = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collector_ms += duration;
  });
  observer.observe({ entryTypes: ["gc"] });
  const before = torch.cpu.memory_stats();
  const start = performance.now();
  const ns = mean_over(fn, seconds);
  const took = performance.now() - start;
  const after = torch.cpu.memory_stats();
  await setTimeout(100); // entries come when the loop is over
  observer.disconnect();
  const since = (name: string): number => after[name] - before[name];
  return {
    ns,
    sweeping: since("sweep_ms") / took,
    collecting: collector_ms / took,
    sweeps: since("num_sweeps"),
    fallbacks: since("num_fallbacks"),
  };
}

/** Seconds in which a case runs `once`. */
const MOMENT = 0.02;

async function timed(name: string, folder: string, threads: number, how: string): Promise<Timed> {
  const ns_of = (fn: () => unknown) => (how === "once" ? mean_over(fn, MOMENT) : measure(loop_of(fn)));
  if (name === BARE_LOOP) return { ns: await ns_of(bareLoop()) };
  const { default: torch } = (await import(pathToFileURL(join(folder, "index.js")).href)) as { default: Torch };
  torch.set_num_threads(threads);
  const fn = casesFor(torch)[name];
  return how === "least" || how === "once" ? { ns: await ns_of(fn) } : mean(torch, fn, Number(how));
}

const [name, folder, threads, how] = process.argv.slice(2);
console.log(JSON.stringify(await timed(name, folder, Number(threads), how)));
