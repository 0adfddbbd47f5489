/**
 * @file Functions of which a flag makes one of two.
 * @mirrors torch/_jit_internal.py
 */
import { type Args, type Def, dress, Signature } from "./_signature.ts";

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

/**
 * `fn` as PyTorch shows a function that hands its arguments on to one of two others: with the signature `fn(*args, **kwargs)`.
 * @differs `fn` is both, and looks at the flag itself.
 */
export function boolean_dispatch<Text extends string, F extends (...args: never[]) => unknown>(
  fn: Def<Text, F>,
): Dispatched<Text, F> {
  const call = (...args: never[]): unknown => (fn as unknown as F)(...args);
  return dress(call, new Signature("fn(*args, **kwargs)"), fn.name) as unknown as Dispatched<Text, F>;
}
