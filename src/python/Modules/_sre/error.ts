/**
 * @file How the regular expressions raise `re.error`, a class that Lib/re.py defines.
 * @mirrors Lib/re/_constants.py#error (CPython 3.11)
 */
import { call } from "../../Objects/call.ts";
import { NotImplementedError } from "../../Objects/exceptions.ts";

/** `re.error`; Lib/re.py sets it when it is imported. */
export const error_class: { value: unknown } = { value: NotImplementedError };

/** The error of a pattern; without a place its text has none. */
export function re_error(message: string, pattern: unknown, position: number | null = null): unknown {
  return call(error_class.value, message, pattern, position);
}

/** The error for a part of Python's patterns that JavaScript cannot express. */
export function refused(what: string): NotImplementedError {
  return new NotImplementedError(`${what} is not in this Python`);
}
