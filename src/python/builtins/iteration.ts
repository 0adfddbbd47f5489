/**
 * @file Built-in functions over iterables: `all`, `any`, `iter`, `next`, `max`, `min`, `sorted`.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import { call, call_unbound } from "../Objects/call.ts";
import { StopIteration, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each, iter, iterate_calls, list_from, PyIterator, step } from "../Objects/iterobject.ts";
import { flag, sort } from "../Objects/listobject.ts";
import type { Implementation } from "../Objects/methodobject.ts";
import { equal, is_callable, richcompare, truth } from "../Objects/object.ts";
import { type_of } from "../Objects/typeobject.ts";

/** `max` and `min`: the first element that no other beats. */
function extreme(
  name: string,
  beats: ">" | "<",
  args: readonly unknown[],
  { key, fallback }: { readonly key: unknown; readonly fallback: unknown },
): unknown {
  if (args.length === 0) throw new TypeError_(`${name} expected at least 1 argument, got 0`);
  if (args.length > 1 && fallback !== undefined) {
    throw new TypeError_(`Cannot specify a default for ${name}() with multiple positional arguments`);
  }
  let best: unknown;
  let best_key: unknown;
  for (const value of args.length > 1 ? args : each(args[0])) {
    const by = key === null ? value : call(key, value);
    if (best === undefined || truth(richcompare(by, best_key, beats))) {
      best = value;
      best_key = by;
    }
  }
  if (best !== undefined) return best;
  if (fallback !== undefined) return fallback;
  throw new ValueError(`${name}() arg is an empty sequence`);
}

function next(iterator: unknown, fallback: unknown): unknown {
  if (iterator instanceof PyIterator) {
    const value = iterator.step();
    if (value !== undefined) return value;
    if (fallback !== undefined) return fallback;
    throw iterator.result === null ? new StopIteration() : new StopIteration(iterator.result);
  }
  const type = type_of(iterator);
  const method = type.lookup("__next__");
  if (method === undefined || method === null) throw new TypeError_(`'${type.tp_name}' object is not an iterator`);
  if (fallback === undefined) return call_unbound(method, iterator, [], null, type);
  const value = step(iterator);
  return value === undefined ? fallback : value;
}

export const iteration: Readonly<Record<string, Implementation>> = {
  "all(iterable, /)": (values: unknown) => {
    for (const value of each(values)) if (!truth(value)) return false;
    return true;
  },
  "any(iterable, /)": (values: unknown) => {
    for (const value of each(values)) if (truth(value)) return true;
    return false;
  },
  "iter(object, sentinel=<unset>, /)": (value: unknown, sentinel: unknown) => {
    if (sentinel === undefined) return iter(value);
    if (!is_callable(value)) throw new TypeError_("iter(v, w): v must be callable");
    return iterate_calls(value, (it) => equal(it, sentinel));
  },
  "next(iterator, default=<unset>, /)": next,
  "max(*args, key=None, default=<unset>)": (args: unknown[], key: unknown, fallback: unknown) =>
    extreme("max", ">", args, { key, fallback }),
  "min(*args, key=None, default=<unset>)": (args: unknown[], key: unknown, fallback: unknown) =>
    extreme("min", "<", args, { key, fallback }),
  "sorted(iterable, /, *, key=None, reverse=False)": (values: unknown, key: unknown, reverse: unknown) => {
    const result = list_from(values);
    sort(result, key, flag(reverse));
    return result;
  },
};
