/**
 * @file How a case is timed, in a process that has run nothing else.
 * @original
 */

/** Calls `fn` as often as it is told. */
export type Loop = (times: number) => unknown;

export function loop_of(fn: () => unknown): Loop {
  return (times) => {
    for (let i = 0; i < times; i++) fn();
  };
}

/** A loop over a function that returns a promise. */
export function awaited_loop_of(fn: () => unknown): Loop {
  return async (times) => {
    for (let i = 0; i < times; i++) await fn();
  };
}

/**
 * Least ns per call over nine rounds of about `ms` each, once rounds no longer get faster; whatever else the machine does adds to it.
 * How long that takes depends on when the engine's compiler thread gets a core, so on a busy machine a fixed warm-up measures the
 * interpreter.
 */
export async function measure(loop: Loop, ms = 50): Promise<number> {
  let n = 1;
  const round = async (): Promise<number> => {
    const start = performance.now();
    await loop(n);
    const took = performance.now() - start;
    const ns = (took / n) * 1e6;
    n = Math.max(1, Math.round(Math.min(n * 4, (n * ms) / Math.max(took, 1e-3))));
    return ns;
  };
  while ((await round()) * n < (ms * 1e6) / 2); // until rounds are long enough to be timed
  const nine = async (): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 9; i++) least = Math.min(least, await round());
    return least;
  };
  let best = await nine();
  for (let tries = 0, unimproved = 0; tries < 12 && unimproved < 2; tries++) {
    const next = await nine();
    unimproved = next < best * 0.95 ? 0 : unimproved + 1;
    best = Math.min(best, next);
  }
  return best;
}

/** Mean ns per call over about `seconds`, in one synchronous loop. */
export function mean_over(fn: () => unknown, seconds: number): number {
  const start = performance.now();
  const until = start + seconds * 1000;
  let calls = 0;
  for (; performance.now() < until; calls++) fn();
  return ((performance.now() - start) / calls) * 1e6;
}
