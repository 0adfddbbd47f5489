/**
 * @file The key set of a call: it decides, before any kernel runs, which kernel sees the call first.
 * @mirrors aten/src/ATen/core/dispatch/DispatchKeyExtractor.h
 */
import { DispatchKeySet } from "#c10/core/DispatchKeySet";

// A DispatchKeySet never changes; its methods make a new one:
//   a.or(b)   keys of either       a.sub(b)  keys of `a` without those of `b`
//   a.and(b)  keys of both         DispatchKeySet.EMPTY

/** One argument: the key set of a tensor, null if None was passed for `Tensor?`, an array for `Tensor[]` and `Tensor?[]`. */
type Argument = DispatchKeySet | null | (DispatchKeySet | null)[];

/** The keys that this thread adds to every call and takes from it: `with` statements change them. */
interface Local {
  included: DispatchKeySet;
  excluded: DispatchKeySet;
}

/** All keys of all tensor arguments of a call. */
export function keys_of_arguments(args: Argument[]): DispatchKeySet {
  // ex:begin(07.arguments)
  let keys = DispatchKeySet.EMPTY;
  for (const arg of args.flat()) {
    if (arg !== null) keys = keys.or(arg);
  }
  return keys;
  // ex:stub
  // return DispatchKeySet.EMPTY;
  // ex:end
}

/**
 * The key set that the dispatcher uses; its highest key wins the call.
 * @param mask every key, without those that fall through for this operator
 */
export function computeDispatchKeySet(ks: DispatchKeySet, local: Local, mask: DispatchKeySet): DispatchKeySet {
  // ex:begin(07.local)
  return ks.or(local.included).sub(local.excluded).and(mask);
  // ex:stub
  // return ks;
  // ex:end
}
