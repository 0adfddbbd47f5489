/**
 * @file Access to Node's built-in modules, if the program runs in Node.
 * @original Python can import `os` and `gzip` everywhere; a browser page has neither.
 */
interface Machine {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** One of Node's modules; undefined in a browser page. */
export function builtin<T>(name: string): T | undefined {
  return (globalThis as Machine).process?.getBuiltinModule?.(name) as T | undefined;
}
