/**
 * @file "Did you mean": the name that a program may have meant when it asked for one that is missing.
 * @mirrors Python/suggestions.c (CPython 3.11)
 */

import { call_special } from "../Objects/call.ts";
import { AttributeError, type BaseException, missing, NameError, type PyTraceback } from "../Objects/exceptions.ts";
import { list_from } from "../Objects/iterobject.ts";
import type { Frame } from "./frame.ts";

const MOST_NAMES = 750;
const LONGEST = 40;
/** Cost of a character that is added, left out or replaced; a replaced case costs less. */
const MOVE = 2;
const CASE = 1;

function substitution(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? CASE : MOVE;
}

/** Levenshtein's distance of two names; more than `most` if it is greater than that. */
function distance(first: string, second: string, most: number): number {
  let [a, b] = [[...first], [...second]];
  while (a.length > 0 && a[0] === b[0]) {
    a.shift();
    b.shift();
  }
  while (a.length > 0 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
  }
  if (a.length === 0 || b.length === 0) return (a.length + b.length) * MOVE;
  if (a.length > LONGEST || b.length > LONGEST) return most + 1;
  if (b.length < a.length) [a, b] = [b, a];
  if ((b.length - a.length) * MOVE > most) return most + 1;
  const row = a.map((_, i) => (i + 1) * MOVE);
  let result = 0;
  for (const [i, letter] of b.entries()) {
    let diagonal = i * MOVE;
    result = diagonal;
    let least = Number.POSITIVE_INFINITY;
    for (const [k, other] of a.entries()) {
      const replaced = diagonal + substitution(letter, other);
      diagonal = row[k] as number;
      result = Math.min(replaced, Math.min(result, diagonal) + MOVE);
      row[k] = result;
      least = Math.min(least, result);
    }
    if (least > most) return most + 1;
  }
  return result;
}

/** The nearest of the names, if one is near enough. */
function nearest(names: readonly unknown[], wanted: string): string | null {
  if (names.length >= MOST_NAMES) return null;
  let best: string | null = null;
  let best_distance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (typeof name !== "string" || name === wanted) continue;
    const most = Math.min(Math.floor(((wanted.length + name.length + 3) * MOVE) / 6), best_distance - 1);
    const found = distance(wanted, name, most);
    if (found > most) continue;
    best = name;
    best_distance = found;
  }
  return best;
}

function sorted_names(value: unknown): unknown[] {
  const names = call_special(value, "__dir__");
  return names === undefined ? [] : (list_from(names) as string[]).sort();
}

function suggestion(error: BaseException): string | null {
  const about = missing.get(error);
  if (about === undefined) return null;
  if (error instanceof AttributeError) return nearest(sorted_names(about.obj), about.name);
  let last: PyTraceback | null = error.__traceback__;
  if (!(error instanceof NameError) || last === null) return null;
  while (last.tb_next !== null) last = last.tb_next;
  const { f_code, globals, builtins } = last.tb_frame as Frame;
  return (
    nearest(f_code.co_varnames, about.name) ??
    nearest([...globals.keys()], about.name) ??
    nearest([...builtins.keys()], about.name)
  );
}

/** `. Did you mean: 'name'?` or nothing. */
export function did_you_mean(error: BaseException): string {
  try {
    const name = suggestion(error);
    return name === null ? "" : `. Did you mean: '${name}'?`;
  } catch {
    return ""; // `__dir__` of a program may fail
  }
}
