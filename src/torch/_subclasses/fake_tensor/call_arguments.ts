/**
 * @file The arguments of an operator's call as `__torch_dispatch__` gets them: positional ones, lists among them, and keywords.
 * @original PyTorch flattens them with `torch.utils._pytree`.
 */
import type { OpOverload } from "#torch/_ops";
import { map_leaves } from "#torch/utils/_pytree/index";

export type Keywords = Readonly<Record<string, unknown>>;

/** All arguments, those in lists one by one. */
export function flat_arguments(args: readonly unknown[], kwargs: Keywords): unknown[] {
  const flat: unknown[] = [];
  const add = (value: unknown): void => {
    if (Array.isArray(value)) for (const element of value) add(element);
    else flat.push(value);
  };
  for (const arg of args) add(arg);
  for (const name in kwargs) add(kwargs[name]);
  return flat;
}

/** The arguments with each leaf replaced. */
export function map_arguments(
  args: readonly unknown[],
  kwargs: Keywords,
  fn: (leaf: unknown) => unknown,
): [args: unknown[], kwargs: Record<string, unknown>] {
  const mapped = (value: unknown): unknown => (Array.isArray(value) ? map_leaves(value, fn) : fn(value));
  return [args.map(mapped), Object.fromEntries(Object.entries(kwargs).map(([name, value]) => [name, mapped(value)]))];
}

/** Calls an operator with keywords, if there are any. */
export function call(func: (...args: unknown[]) => unknown, args: readonly unknown[], kwargs: Keywords): unknown {
  for (const _ in kwargs) return func(...args, kwargs);
  return func(...args);
}

/** The given arguments by the names of the schema. */
export function by_name(func: OpOverload, args: readonly unknown[], kwargs: Keywords): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  const parameters = func._schema.arguments;
  for (const [i, arg] of args.entries()) named[parameters[i].name] = arg;
  return { ...named, ...kwargs };
}
