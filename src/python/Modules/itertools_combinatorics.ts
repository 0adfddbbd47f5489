/**
 * @file Products, permutations and combinations, in the order of the input's places.
 * @mirrors Modules/itertoolsmodule.c (CPython 3.11)
 */
import { TypeError_, ValueError } from "../Objects/exceptions.ts";
import { list_from } from "../Objects/iterobject.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { int_of, ssize } from "./arguments.ts";

function length_argument(value: unknown): number {
  const r = ssize(value);
  if (r < 0) throw new ValueError("r must be non-negative");
  return r;
}

export function product(iterables: unknown[], repeat: unknown): Iterator<unknown> {
  const times = ssize(repeat);
  if (times < 0) throw new ValueError("repeat argument cannot be negative");
  const once = iterables.map(list_from);
  const pools = Array.from({ length: times }, () => once).flat();
  return (function* () {
    if (pools.some((pool) => pool.length === 0)) return;
    const places = pools.map(() => 0);
    for (;;) {
      yield tuple(places.map((at, i) => (pools[i] as unknown[])[at]));
      // Counts up as a clock does: the last place first.
      let i = places.length - 1;
      for (; i >= 0; i--) {
        places[i] = (places[i] as number) + 1;
        if ((places[i] as number) < (pools[i] as unknown[]).length) break;
        places[i] = 0;
      }
      if (i < 0) return;
    }
  })();
}

/** Choices of `r` places, in lexical order; `next(chosen)` gives the places that may follow a beginning. */
function* choices(
  pool: readonly unknown[],
  r: number,
  next: (chosen: readonly number[]) => number[],
): Iterator<unknown> {
  const chosen: number[] = [];
  const open: number[][] = [];
  if (r === 0) {
    yield tuple([]);
    return;
  }
  open.push(next(chosen));
  while (open.length > 0) {
    const at = (open[open.length - 1] as number[]).shift();
    if (at === undefined) {
      open.pop();
      chosen.pop();
      continue;
    }
    chosen.push(at);
    if (chosen.length < r) open.push(next(chosen));
    else {
      yield tuple(chosen.map((i) => pool[i]));
      chosen.pop();
    }
  }
}

const from = (low: number, high: number): number[] =>
  Array.from({ length: Math.max(0, high - low) }, (_, i) => low + i);

export function permutations(iterable: unknown, length: unknown): Iterator<unknown> {
  const pool = list_from(iterable);
  if (length !== null && int_of(length) === undefined) throw new TypeError_("Expected int as r");
  const r = length === null ? pool.length : length_argument(length);
  if (r > pool.length) return [].values();
  return choices(pool, r, (chosen) => from(0, pool.length).filter((i) => !chosen.includes(i)));
}

export function combinations(iterable: unknown, length: unknown): Iterator<unknown> {
  const pool = list_from(iterable);
  const r = length_argument(length);
  // Enough places must be left for the rest.
  return choices(pool, r, (chosen) => from((chosen.at(-1) ?? -1) + 1, pool.length - (r - chosen.length) + 1));
}

export function combinations_with_replacement(iterable: unknown, length: unknown): Iterator<unknown> {
  const pool = list_from(iterable);
  const r = length_argument(length);
  return choices(pool, r, (chosen) => from(chosen.at(-1) ?? 0, pool.length));
}
