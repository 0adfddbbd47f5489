/**
 * @file Node's own modules, where there are any.
 * @original Python imports `os` and `gzip` everywhere; a page has neither.
 */
interface Machine {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** One of Node's modules; undefined in a page. */
export function builtin<T>(name: string): T | undefined {
  return (globalThis as Machine).process?.getBuiltinModule?.(name) as T | undefined;
}
