/**
 * @file Keyword arguments of functions that are written in Python in PyTorch: positional first, then one plain object by name.
 * @original Python has them in the language.
 */
import { TypeError_ } from "#c10/util/Exception";

function isKeywords(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** `args` by name. What was not given is `undefined`. */
export function bind_arguments(
  fn: string,
  names: readonly string[],
  args: readonly unknown[],
): Record<string, unknown> {
  const last = args[args.length - 1];
  const keywords = isKeywords(last) ? last : {};
  const positional = isKeywords(last) ? args.slice(0, -1) : args;
  if (positional.length > names.length) {
    throw new TypeError_(`${fn}() takes ${names.length} positional arguments but ${positional.length} were given`);
  }
  const bound: Record<string, unknown> = {};
  for (const [i, value] of positional.entries()) bound[names[i]] = value;
  for (const [name, value] of Object.entries(keywords)) {
    if (!names.includes(name)) throw new TypeError_(`${fn}() got an unexpected keyword argument '${name}'`);
    if (bound[name] !== undefined) throw new TypeError_(`${fn}() got multiple values for argument '${name}'`);
    bound[name] = value;
  }
  return bound;
}
