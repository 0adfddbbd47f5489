/**
 * @file The built-in exceptions. Each is a JavaScript error, so a program's `raise` and the library's `throw` are one thing, and `except` and
 * `catch` see both.
 * @mirrors Objects/exceptions.c (CPython 3.11)
 * @differs `message`, JavaScript's text of an error, stands beside `args`; CPython has `args` alone.
 */

/** One frame that an exception left on its way up. */
export interface PyTraceback {
  readonly tb_frame: unknown;
  /** Offset in code units of the instruction that raised. */
  readonly tb_lasti: number;
  readonly tb_lineno: number;
  tb_next: PyTraceback | null;
}

/** How `str(exception)` writes its arguments; object.ts sets it, because it needs `str` and `repr` of any value. */
export const text_of_args: { write: (args: readonly unknown[]) => string } = {
  write: (args) => (args.length === 0 ? "" : args.length === 1 ? String(args[0]) : `(${args.map(String).join(", ")})`),
};

/** How many frames of JavaScript an exception keeps; 0 while a program runs, whose own frames are kept instead. */
export class BaseException extends Error {
  args: readonly unknown[];
  __cause__: BaseException | null = null;
  __context__: BaseException | null = null;
  __suppress_context__ = false;
  __traceback__: PyTraceback | null = null;
  /** Texts of `add_note`, or null. */
  __notes__: unknown[] | null = null;

  constructor(...args: unknown[]) {
    super(typeof args[0] === "string" && args.length === 1 ? args[0] : text_of_args.write(args));
    this.args = args;
  }
}
Object.defineProperty(BaseException.prototype, "name", { value: "BaseException", writable: true, configurable: true });

export class SystemExit extends BaseException {
  get code(): unknown {
    return this.args.length === 0 ? null : this.args.length === 1 ? this.args[0] : this.args;
  }
}
export class KeyboardInterrupt extends BaseException {}
export class GeneratorExit extends BaseException {}
export class Exception extends BaseException {}
export class StopIteration extends Exception {
  value: unknown = this.args.length > 0 ? this.args[0] : null;
}
export class StopAsyncIteration extends Exception {}
export class ArithmeticError extends Exception {}
export class FloatingPointError extends ArithmeticError {}
export class OverflowError extends ArithmeticError {}
export class ZeroDivisionError extends ArithmeticError {}
export class AssertionError extends Exception {}
export class AttributeError extends Exception {}
export class BufferError extends Exception {}
export class EOFError extends Exception {}
export class ImportError extends Exception {}
export class ModuleNotFoundError extends ImportError {}
export class LookupError extends Exception {}
export class IndexError extends LookupError {}
/** Its text is the `repr` of the key, as in CPython. */
export class KeyError extends LookupError {}
export class MemoryError extends Exception {}
export class NameError extends Exception {}
export class UnboundLocalError extends NameError {}
export class ReferenceError_ extends Exception {}
export class RuntimeError extends Exception {}
export class NotImplementedError extends RuntimeError {}
export class RecursionError extends RuntimeError {}
export class SystemError extends Exception {}
/** The underscore keeps it apart from JavaScript's own `TypeError`. */
export class TypeError_ extends Exception {}
export class ValueError extends Exception {}
export class UnicodeError extends ValueError {}

/** A text or bytes that a codec refused, from `start` to `end`. */
abstract class UnicodeCodecError extends UnicodeError {
  readonly encoding: unknown;
  readonly object: unknown;
  readonly start: number;
  readonly end: number;
  readonly reason: unknown;

  constructor(...args: unknown[]) {
    super(...args);
    [this.encoding, this.object, , , this.reason] = args;
    this.start = Number(args[2]);
    this.end = Number(args[3]);
  }

  /** `str(error)`, where `what` names what could not be read or written. */
  protected describe(what: (single: boolean) => string): void {
    const single = this.end === this.start + 1;
    const place = single ? `${this.start}` : `${this.start}-${this.end - 1}`;
    this.message = `'${this.encoding}' codec can't ${what(single)} in position ${place}: ${this.reason}`;
  }
}
export class UnicodeDecodeError extends UnicodeCodecError {
  constructor(...args: unknown[]) {
    super(...args);
    const { data } = this.object as { data: Uint8Array };
    const byte = (data[this.start] ?? 0).toString(16).padStart(2, "0");
    this.describe((single) => (single ? `decode byte 0x${byte}` : "decode bytes"));
  }
}
export class UnicodeEncodeError extends UnicodeCodecError {
  constructor(...args: unknown[]) {
    super(...args);
    const code = Array.from(this.object as string)[this.start]?.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    const shown =
      code < 0x100
        ? `\\x${digits.padStart(2, "0")}`
        : code < 0x10000
          ? `\\u${digits.padStart(4, "0")}`
          : `\\U${digits.padStart(8, "0")}`;
    this.describe((single) => (single ? `encode character '${shown}'` : "encode characters"));
  }
}
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
