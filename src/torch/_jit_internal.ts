/**
 * @file Functions that choose between two functions by a flag, and whether a script runs.
 * @mirrors torch/_jit_internal.py
 */
import { PyObject_IsTrue } from "./_C.ts";
import { type Args, type Def, def, dress, Signature, split_keywords } from "./_signature.ts";

/** A flag given by name. */
type Asked = { return_indices: true } | { return_inverse: true } | { return_counts: true };

/** The type of the result: a list if the flag is given by name, both types if all arguments are given by position, otherwise one tensor. */
type Chosen<A extends readonly unknown[], All extends number, R> = A extends readonly [...unknown[], Asked]
  ? Extract<R, unknown[]>
  : A["length"] extends All
    ? R
    : Exclude<R, unknown[]>;

/** One of two functions: its result is a tensor, or a list that also contains the requested extra result. */
export interface Dispatched<Text extends string, F extends (...args: never[]) => unknown> {
  <const A extends Args<Text, Parameters<F>>>(...args: A): Chosen<A, Parameters<F>["length"], ReturnType<F>>;
  readonly __signature__: Signature;
}

/** The name of a flag, and its position among the positional arguments. */
interface Flag {
  readonly arg_name: string;
  readonly arg_index: number;
}

/**
 * A function that reads the flag, false by default, and passes all its arguments to one of two functions. Error messages name the function
 * that was chosen.
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

/** Whether the code runs as a script: always false, since a script's own code answers itself. */
export const is_scripting = def("is_scripting()", (): boolean => false);
