/**
 * @file The built-in exceptions that the library itself raises. Each is a JavaScript error, so a program's `raise` and the library's `throw` are one
 * thing, and `except` and `catch` see both.
 * @mirrors Objects/exceptions.c (CPython 3.11)
 * @differs `message`, JavaScript's text of an error, stands beside `args`; CPython has `args` alone.
 */
import { EMPTY_TUPLE, type PyTuple, tuple } from "./tupleobject.ts";

/** One frame that an exception left on its way up. */
export interface PyTraceback {
  readonly tb_frame: unknown;
  /** Offset in code units of the instruction that raised. */
  readonly tb_lasti: number;
  readonly tb_lineno: number;
  tb_next: PyTraceback | null;
}

/** `name` and `obj` of errors about a name or an attribute that is missing. They stand beside the error, whose own `name` is JavaScript's. */
export const missing = new WeakMap<Error, { readonly name: string; readonly obj: unknown }>();

/** How `str(exception)` writes its arguments; object.ts sets it, because it needs `str` and `repr` of any value. */
export const text_of_args: { write: (args: readonly unknown[]) => string } = {
  write: (args) => (args.length === 0 ? "" : args.length === 1 ? simple(args[0]) : `(${args.map(simple).join(", ")})`),
};
/** A list may be nested too deeply to print. */
const simple = (value: unknown): string => (Array.isArray(value) ? "[...]" : String(value));

/** Steps of the library while an error is made; c10/util/Exception.ts installs them. */
export const making = {
  /** Whether messages may get hints for writers of TypeScript. The machine switches them off while a program runs. */
  hints: true,
  with_hint: (message: string): string => message,
  without_hint: (message: string): string => message,
  /** Raises the number of frames that the engine keeps, and returns what restores it. */
  raise_stack_limit: (_least: number): number | null => null,
  restore_stack_limit: (_limit: number | null): void => {},
};

/** Python's part of an exception. Most errors of the library never get one. */
class State {
  /** null: the text of the error alone. */
  args: PyTuple | null = null;
  cause: BaseException | null = null;
  context: BaseException | null = null;
  suppress_context = false;
  traceback: PyTraceback | null = null;
  notes: unknown[] | null = null;
}

/** A class may write the text of its arguments itself. */
export const TEXT: unique symbol = Symbol("exception.text");

// A private field, because an engine prints the properties of an error that nobody catches.
export class BaseException extends Error {
  #state: State | null = null;

  constructor(...args: unknown[]) {
    const limit = making.raise_stack_limit(1); // 0: nobody wants stacks
    const [only] = args;
    const plain = typeof only === "string" && args.length === 1;
    const text = plain ? only : (new.target.prototype as BaseException)[TEXT](args);
    super(making.hints ? making.with_hint(text) : text);
    making.restore_stack_limit(limit);
    if (!plain) this.args = args.length === 0 ? EMPTY_TUPLE : tuple(args);
  }

  [TEXT](args: readonly unknown[]): string {
    return text_of_args.write(args);
  }

  /** The message without a hint. */
  what(): string {
    return making.without_hint(this.message);
  }

  private get state(): State {
    this.#state ??= new State();
    return this.#state;
  }

  get args(): PyTuple {
    return this.#state?.args ?? tuple([this.what()]);
  }

  set args(args: PyTuple) {
    this.state.args = args;
  }

  get __cause__(): BaseException | null {
    return this.#state?.cause ?? null;
  }

  set __cause__(cause: BaseException | null) {
    this.state.cause = cause;
  }

  get __context__(): BaseException | null {
    return this.#state?.context ?? null;
  }

  set __context__(context: BaseException | null) {
    this.state.context = context;
  }

  get __suppress_context__(): boolean {
    return this.#state?.suppress_context ?? false;
  }

  set __suppress_context__(suppress: boolean) {
    this.state.suppress_context = suppress;
  }

  get __traceback__(): PyTraceback | null {
    return this.#state?.traceback ?? null;
  }

  set __traceback__(traceback: PyTraceback | null) {
    this.state.traceback = traceback;
  }

  /** Texts of `add_note`, or null. */
  get __notes__(): unknown[] | null {
    return this.#state?.notes ?? null;
  }

  set __notes__(notes: unknown[] | null) {
    this.state.notes = notes;
  }
}

export class Exception extends BaseException {}
export class ArithmeticError extends Exception {}
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
/** `str` of it in Python is the `repr` of the key; `message` is the key. */
export class KeyError extends LookupError {}
/** CPython raises it also for a text that is nested too deeply to be parsed. */
export class MemoryError extends Exception {}
export class RuntimeError extends Exception {}
export class NotImplementedError extends RuntimeError {}
export class RecursionError extends RuntimeError {}
/** The underscore keeps it apart from JavaScript's own `TypeError`. */
export class TypeError_ extends Exception {}
export class ValueError extends Exception {}
export class UnicodeError extends ValueError {}

/** `byte 0xff in position 3` or `bytes in position 3-4`. */
export function place(unit: string, what: string, start: number, end: number): string {
  return end === start + 1 ? `${unit} ${what} in position ${start}` : `${unit}s in position ${start}-${end - 1}`;
}
const hex = (code: number): string => code.toString(16).padStart(2, "0");

/** `UnicodeDecodeError(encoding, object, start, end, reason)` */
export class UnicodeDecodeError extends UnicodeError {
  override [TEXT](args: readonly unknown[]): string {
    if (args.length !== 5) return super[TEXT](args);
    const [encoding, object, start, end, reason] = args as [
      string,
      Uint8Array | { data: Uint8Array },
      number,
      number,
      string,
    ];
    const data = "data" in object ? object.data : object; // a bytes, or what the library read
    return `'${encoding}' codec can't decode ${place("byte", `0x${hex(data[start] ?? 0)}`, start, end)}: ${reason}`;
  }
}

/** `OSError(errno, strerror, filename)` is one of the subclasses if the number has one, as in CPython. */
export class OSError extends Exception {
  errno: number | null = null;
  /** The system's text for `errno`. */
  strerror: string | null = null;
  filename: string | null = null;

  constructor(...args: unknown[]) {
    super(...args);
    if (args.length < 2 || args.length > 5) return;
    [this.errno, this.strerror, this.filename = null] = args as [number, string, (string | null)?];
    if (this.filename !== null) this.args = tuple(args.slice(0, 2)); // CPython leaves the file out
    const type = new.target === OSError ? OF_ERRNO.get(this.errno) : undefined;
    if (type !== undefined) Object.setPrototypeOf(this, type.prototype);
  }

  override [TEXT](args: readonly unknown[]): string {
    if (args.length < 2 || args.length > 5) return super[TEXT](args);
    const [errno, strerror, filename] = args;
    return `[Errno ${errno}] ${strerror}${filename === undefined || filename === null ? "" : `: '${filename}'`}`;
  }
}
/** The operation would block (EAGAIN). */
export class BlockingIOError extends OSError {}
export class ChildProcessError extends OSError {}
export class ConnectionError extends OSError {}
/** The other end of a pipe is closed (EPIPE). */
export class BrokenPipeError extends ConnectionError {}
export class ConnectionAbortedError extends ConnectionError {}
export class ConnectionRefusedError extends ConnectionError {}
export class ConnectionResetError extends ConnectionError {}
/** The file exists already (EEXIST). */
export class FileExistsError extends OSError {}
/** There is no such file or folder (ENOENT). */
export class FileNotFoundError extends OSError {}
/** A signal interrupted the system call (EINTR). */
export class InterruptedError extends OSError {}
/** A file was expected, and the path is a folder (EISDIR). */
export class IsADirectoryError extends OSError {}
/** A folder was expected, and the path is none (ENOTDIR). */
export class NotADirectoryError extends OSError {}
/** The system does not permit the operation (EACCES, EPERM). */
export class PermissionError extends OSError {}
export class ProcessLookupError extends OSError {}
/** The system call took too long (ETIMEDOUT). */
export class TimeoutError extends OSError {}

/** Linux's numbers. */
const OF_ERRNO: ReadonlyMap<unknown, typeof OSError> = new Map([
  [1, PermissionError],
  [2, FileNotFoundError],
  [3, ProcessLookupError],
  [4, InterruptedError],
  [10, ChildProcessError],
  [11, BlockingIOError],
  [13, PermissionError],
  [17, FileExistsError],
  [20, NotADirectoryError],
  [21, IsADirectoryError],
  [32, BrokenPipeError],
  [103, ConnectionAbortedError],
  [104, ConnectionResetError],
  [108, BrokenPipeError],
  [110, TimeoutError],
  [111, ConnectionRefusedError],
  [114, BlockingIOError],
  [115, BlockingIOError],
]);

/** The class of the error that a number of the system means. */
export function type_of_errno(errno: number): typeof OSError {
  return OF_ERRNO.get(errno) ?? OSError;
}

/** Gives the errors of a class their `name`: Python's name of the class. The name of the JavaScript class may be shortened by a bundler. */
export function named(cls: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(cls.prototype, "name", { value: name, writable: true, configurable: true });
}

/** The classes of the library by Python's names. */
// biome-ignore format: table
export const LIBRARY_EXCEPTIONS = {
  BaseException, Exception, ArithmeticError, OverflowError, ZeroDivisionError, AssertionError, AttributeError, BufferError, EOFError,
  ImportError, ModuleNotFoundError, LookupError, IndexError, KeyError, RuntimeError, NotImplementedError, RecursionError, TypeError: TypeError_,
  ValueError, UnicodeError, UnicodeDecodeError, OSError, BlockingIOError, ChildProcessError, ConnectionError, BrokenPipeError, ConnectionAbortedError,
  ConnectionRefusedError, ConnectionResetError, FileExistsError, FileNotFoundError, InterruptedError, IsADirectoryError, NotADirectoryError, PermissionError, ProcessLookupError,
  TimeoutError, MemoryError,
} as const;
for (const [name, cls] of Object.entries(LIBRARY_EXCEPTIONS)) named(cls, name);
