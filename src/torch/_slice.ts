/**
 * @file `torch.slice`, for indices such as `x.at(torch.slice(1, 3))`.
 * @original Python's class `slice` and the notation `start:stop:step`, which JavaScript does not have.
 * @differs `torch.slice()` is `:`, and the result is a plain object; Python's `slice` needs an argument, and is a class.
 */
import type { IndexNumber, PySlice } from "./_C.ts";

type Bound = IndexNumber | null;

/**
 * The slice `start:stop:step`. With one argument it is `:stop`, as Python's `slice`; null leaves a bound out.
 * @example x.at(torch.slice(3)); // x[:3]
 * @example x.at(torch.slice(3, null)); // x[3:]
 * @example x.at(torch.slice(), torch.slice(1, 3)); // x[:, 1:3]
 */
export function slice(stop?: Bound): PySlice;
export function slice(start: Bound, stop: Bound, step?: Bound): PySlice;
export function slice(...bounds: (Bound | undefined)[]): PySlice {
  if (bounds.length === 1) return { start: null, stop: bounds[0] ?? null, step: null };
  const [start = null, stop = null, step = null] = bounds;
  return { start, stop, step };
}
