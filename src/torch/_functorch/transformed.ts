/**
 * @file The function that a transform returns.
 * @original In Python it is a function with `*args` and `**kwargs` that `functools.wraps` the given one.
 */
import { takes_values } from "#python/bridge/foreign_functions";
import { written_keywords } from "#python/bridge/positional_dicts";
import type { Func } from "./apis.ts";

export type Kwargs = ReadonlyMap<string, unknown>;

/** A function that a program gets from the library, which takes its values as they are. */
export function returned<F extends Func>(fn: F): F {
  return takes_values("torch.func", fn);
}

/**
 * A function that stands for `func`.
 * @differs A plain object at the end of a call from TypeScript is an argument, a dict; PyTorch's Python tells dicts and keywords apart.
 */
export function transformed(func: unknown, run: (args: readonly unknown[], kwargs: Kwargs) => unknown): Func {
  const wrapper = (...args: unknown[]): unknown => {
    const last = args.at(-1);
    const keywords = typeof last === "object" && last !== null && written_keywords.has(last);
    return keywords ? run(args.slice(0, -1), new Map(Object.entries(last))) : run(args, new Map());
  };
  const { name } = func as { readonly name?: unknown };
  if (typeof name === "string") Object.defineProperty(wrapper, "name", { value: name });
  return returned(Object.assign(wrapper, { __wrapped__: func }));
}
