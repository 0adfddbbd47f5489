/**
 * @file Functions of which a flag makes one of two.
 * @mirrors torch/_jit_internal.py
 */
import { PyObject_IsTrue } from "./_C.ts";
import { type Args, type Def, dress, Signature, split_keywords } from "./_signature.ts";

/** A flag, by name. */
type Asked = { return_indices: true } | { return_inverse: true } | { return_counts: true };

/** What a call gives: more than one, where a flag asks for it by name; where all is said by position, the type does not tell. */
type Chosen<A extends readonly unknown[], All extends number, R> = A extends readonly [...unknown[], Asked]
  ? Extract<R, unknown[]>
  : A["length"] extends All
    ? R
    : Exclude<R, unknown[]>;

/** One of two functions: a result, or a list of it and what more was asked for. */
export interface Dispatched<Text extends string, F extends (...args: never[]) => unknown> {
  <const A extends Args<Text, Parameters<F>>>(...args: A): Chosen<A, Parameters<F>["length"], ReturnType<F>>;
  readonly __signature__: Signature;
}

/** A flag of a call: by what name, and at which place among those that are given by position. */
interface Flag {
  readonly arg_name: string;
  readonly arg_index: number;
}

/**
 * A function that only looks at the flag, which is false unless it is given, and hands all that it was given on to one of two others. In
 * error messages stand their names.
 */
export function boolean_dispatch<Text extends string, F extends (...args: never[]) => unknown, R>(
  { arg_name, arg_index }: Flag,
  if_true: (...args: never[]) => R,
  if_false: Def<Text, F>,
  func_name: string,
): Dispatched<Text, (...args: Parameters<F>) => R | ReturnType<F>> {
  const fn = (...given: never[]): unknown => {
    const [args, kwargs] = split_keywords(given);
    const dispatch_flag = Object.hasOwn(kwargs, arg_name) ? kwargs[arg_name] : args[arg_index];
    const chosen = PyObject_IsTrue(dispatch_flag ?? false) ? if_true : (if_false as (...args: never[]) => unknown);
    return chosen(...given);
  };
  return dress(fn, new Signature("fn(*args, **kwargs)"), func_name) as unknown as ReturnType<
    typeof boolean_dispatch<Text, F, R>
  >;
}
