/**
 * @file A plain call of a boxed kernel: box the arguments, run, unbox the results.
 * @mirrors aten/src/ATen/core/boxing/impl/boxing.h
 * @differs The schema drives the conversion at run time; C++ instantiates one wrapper per C++ signature.
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";

/** Precondition: `args` are the schema's arguments, all of them, in order. */
export function boxArgs(schema: FunctionSchema, args: readonly unknown[]): Stack {
  return schema.arguments().map((declared, i) => IValue.from(args[i], declared.type()));
}

/**
 * The results on `stack` for an unboxed caller. A result that is declared to be a written argument (`Tensor(a!)`) is
 * that argument, not the value that the kernel pushed: in-place and out calls return the reference they were given.
 */
export function unboxResults(schema: FunctionSchema, stack: Stack, args: readonly unknown[]): unknown {
  const returns = schema.returns();
  const results = returns.map((ret, i) => {
    const written = ret.is_write()
      ? schema.arguments().findIndex((arg) => arg.is_write() && sameSets(arg.alias_info(), ret.alias_info()))
      : -1;
    return written >= 0 ? args[written] : stack[stack.length - returns.length + i].toJS(ret.type());
  });
  stack.length -= returns.length;
  if (results.length === 0) return undefined;
  return results.length === 1 ? results[0] : results;
}

function sameSets(a: object | null, b: object | null): boolean {
  return String(a) === String(b);
}
