/**
 * @file Computing with constants while the program is followed: an error is the program's own.
 * @mirrors torch/_dynamo/utils.py#raise_on_overridden_hash
 */
import { as_python_exception } from "#python/vm/errors";
import { ObservedException } from "../observed.ts";
import type { Translator, VariableTracker } from "./base.ts";

/** The variable of what `compute` returns; an exception of Python goes on in the program. */
export function constant_call(tx: Translator, compute: () => unknown): VariableTracker {
  let result: unknown;
  try {
    result = compute();
  } catch (error) {
    throw new ObservedException(as_python_exception(error));
  }
  return tx.value(result);
}
