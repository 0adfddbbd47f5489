/**
 * @file Functions that stand in front of another function: a Python program and TypeScript can call them.
 * @original In PyTorch they are Python functions.
 */
import { bind_method, running } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { builtin_type, TYPE } from "#python/Objects/typeobject";

export type Run = (args: readonly unknown[], kwargs: ReadonlyMap<string, unknown>) => unknown;

const RUN: unique symbol = Symbol("dynamo.run");

interface Wrapper {
  (...args: unknown[]): unknown;
  readonly [RUN]: Run;
}

function with_names(run: Run, args: readonly unknown[], kwnames: readonly string[] | null): unknown {
  const count = args.length - (kwnames?.length ?? 0);
  return run(args.slice(0, count), new Map((kwnames ?? []).map((name, i) => [name, args[count + i]])));
}

const NAMES = ["__name__", "__qualname__", "__doc__", "__module__"] as const;
/** Attributes that a program finds at such a function. */
const SHOWN: ReadonlySet<string> = new Set([
  ...NAMES,
  "_torchdynamo_orig_callable",
  "_torchdynamo_disable",
  "__wrapped__",
]);

const wrapper_type = builtin_type("function", {
  is_method_descriptor: true,
  tp_call: (fn: Wrapper, args, kwnames) => with_names(fn[RUN], args, kwnames),
  tp_getattro: (fn: Wrapper, name) => (SHOWN.has(name) ? (fn as unknown as Record<string, unknown>)[name] : undefined),
  tp_descr_get: (fn: Wrapper, instance) => (instance === undefined ? fn : bind_method(fn, instance)),
});

/** A function that calls `run` with its arguments, and has the names of `of`. */
export function wrapper(of: unknown, run: Run): (...args: unknown[]) => unknown {
  const fn = ((...args: unknown[]) => {
    const [values, kwnames] = running.arguments_of_javascript(args, null);
    return with_names(run, values, kwnames);
  }) as unknown as Wrapper;
  Object.defineProperties(fn, { [RUN]: { value: run }, [TYPE]: { value: wrapper_type } });
  for (const name of NAMES) {
    const value = getattr_or_undefined(of, name);
    if (value !== undefined) Object.defineProperty(fn, name, { value, configurable: true, writable: true });
  }
  for (const name of ["_torchdynamo_orig_callable", "__wrapped__"])
    Object.defineProperty(fn, name, { value: of, configurable: true, writable: true });
  return fn;
}
