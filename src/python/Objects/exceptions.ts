/**
 * @file All built-in exceptions: those of the library, and those that only programs raise.
 * @mirrors Objects/exceptions.c (CPython 3.11)
 */
import {
  ArithmeticError,
  BaseException,
  Exception,
  LIBRARY_EXCEPTIONS,
  named,
  place,
  TEXT,
  UnicodeError,
} from "./library_exceptions.ts";
import { EMPTY_TUPLE, type PyTuple, tuple } from "./tupleobject.ts";
import { escaped } from "./unicodeobject.ts";

export * from "./library_exceptions.ts";

export class SystemExit extends BaseException {
  get code(): unknown {
    return this.args.length === 0 ? null : this.args.length === 1 ? this.args[0] : this.args;
  }
}
export class KeyboardInterrupt extends BaseException {}
export class GeneratorExit extends BaseException {}
export class StopIteration extends Exception {
  get value(): unknown {
    return this.args.length > 0 ? this.args[0] : null;
  }
}
export class StopAsyncIteration extends Exception {}
export class FloatingPointError extends ArithmeticError {}
export class NameError extends Exception {}
export class UnboundLocalError extends NameError {}
export class ReferenceError_ extends Exception {}
export class SystemError extends Exception {}
/** `UnicodeEncodeError(encoding, object, start, end, reason)` */
export class UnicodeEncodeError extends UnicodeError {
  override [TEXT](args: readonly unknown[]): string {
    if (args.length !== 5) return super[TEXT](args);
    const [encoding, object, start, end, reason] = args as [string, string, number, number, string];
    const character = Array.from(object)[start] ?? "\0";
    return `'${encoding}' codec can't encode ${place("character", `'${escaped(character)}'`, start, end)}: ${reason}`;
  }
}
/** `BaseExceptionGroup(message, exceptions)`: several exceptions that are raised as one. */
export class BaseExceptionGroup extends BaseException {
  /** The attribute `message` of Python, a name that JavaScript's errors use for their whole text. */
  msg: unknown = null;
  /** The exceptions of the group; `args` keeps the sequence that was given. */
  exceptions: PyTuple = EMPTY_TUPLE;

  constructor(...args: unknown[]) {
    super(...args);
    this.msg = args[0] ?? null;
    if (Array.isArray(args[1])) this.exceptions = tuple(args[1]);
  }

  override [TEXT](args: readonly unknown[]): string {
    const [message, exceptions] = args;
    if (typeof message !== "string" || !Array.isArray(exceptions)) return super[TEXT](args);
    return text_of_group(message, exceptions.length);
  }
}
/** In Python it is an `Exception`, too. */
export class ExceptionGroup extends BaseExceptionGroup {}
export const text_of_group = (message: string, count: number): string =>
  `${message} (${count} sub-exception${count === 1 ? "" : "s"})`;
export class Warning extends Exception {}
export class DeprecationWarning extends Warning {}
export class PendingDeprecationWarning extends Warning {}
export class RuntimeWarning extends Warning {}
export class SyntaxWarning extends Warning {}
export class UserWarning extends Warning {}
export class FutureWarning extends Warning {}
export class ImportWarning extends Warning {}
export class UnicodeWarning extends Warning {}
export class BytesWarning extends Warning {}
export class ResourceWarning extends Warning {}
export class EncodingWarning extends Warning {}

// biome-ignore format: table
const OTHERS = {
  UnicodeEncodeError, BaseExceptionGroup, ExceptionGroup, SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration, StopAsyncIteration, FloatingPointError, NameError, UnboundLocalError,
  ReferenceError: ReferenceError_, SystemError, Warning, DeprecationWarning, PendingDeprecationWarning, RuntimeWarning, SyntaxWarning,
  UserWarning, FutureWarning, ImportWarning, UnicodeWarning, BytesWarning, ResourceWarning, EncodingWarning,
} as const;
for (const [name, cls] of Object.entries(OTHERS)) named(cls, name);

/** The classes by Python's names. `SyntaxError` stands in Parser/errors.ts. */
export const EXCEPTIONS = { ...LIBRARY_EXCEPTIONS, ...OTHERS } as const;
