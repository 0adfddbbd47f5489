/**
 * @file Errors and warnings of the whole engine: the error classes that Python sees, the checks that throw them, the
 * warning handler.
 * @mirrors c10/util/Exception.h
 * @differs A failed check has the JavaScript stack; C++ macros print the condition's text and the source position.
 * @differs A message that complains about int64 has a hint behind PyTorch's text; see whole_numbers.ts.
 */
import {
  BufferError,
  IndexError,
  making,
  NotImplementedError,
  named,
  RuntimeError,
  TypeError_,
  ValueError,
} from "#python/Objects/library_exceptions";
import { raise_stack_limit, restore_stack_limit } from "./Backtrace.ts";
import { forget_shown, show_warning } from "./warnings.ts";
import { with_hint, without_hint } from "./whole_numbers.ts";

// PyTorch's C++ throws its own classes, and its binding makes Python's of them. Here they are Python's from the start.
export {
  ArithmeticError,
  AssertionError,
  AttributeError,
  EOFError,
  Exception,
  ImportError,
  KeyError,
  LIBRARY_EXCEPTIONS,
  ModuleNotFoundError,
  OverflowError,
  RecursionError,
  UnicodeDecodeError,
  ZeroDivisionError,
} from "#python/Objects/library_exceptions";
export { BufferError, IndexError, NotImplementedError, named, RuntimeError, TypeError_, ValueError };

// Note [The user's line]
// ~~~~~~~~~~~~~~~~~~~~~~
// A JavaScript engine keeps the innermost frames of an error, V8 ten of them. A call passes more frames of this library than that before a
// check fails, so none of the ten would be the user's, and nobody could tell which layer of a model is wrong. Therefore the limit is higher
// while an error of the library is made. An error that is caught costs little more, because V8 writes the text of a stack when it is read.

making.raise_stack_limit = raise_stack_limit;
making.restore_stack_limit = restore_stack_limit;
making.with_hint = with_hint;
making.without_hint = without_hint;

/**
 * C++'s `std::length_error`, for a list that is too long: a `RuntimeError` in Python, but a `ValueError` if pybind11
 * translates it (`torch.ops`).
 */
export class length_error extends RuntimeError {}

/** `torch.linalg.LinAlgError` */
export class LinAlgError extends RuntimeError {}
named(LinAlgError, "_LinAlgError");

/** `torch.OutOfMemoryError` */
export class OutOfMemoryError extends RuntimeError {}
named(OutOfMemoryError, "OutOfMemoryError");

/** `torch.AcceleratorError`: an error that an accelerator reports, often later than the call that caused it. */
export class AcceleratorError extends RuntimeError {
  /** The accelerator's own error number. */
  readonly error_code: number;

  constructor(error_code: number, message: string) {
    super(message);
    this.error_code = error_code;
  }
}
named(AcceleratorError, "AcceleratorError");

/** Whether the JavaScript engine ran out of stack: an error of V8 and JavaScriptCore, or of SpiderMonkey. */
export function is_stack_overflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "InternalError" || (error.name === "RangeError" && error.message.includes("call stack"));
}

const INT64_MAX = (1n << 63n) - 1n;

/**
 * One part of a message as `operator<<` prints it: a list as `[1, 2]`, everything else through `String`. An int64 that
 * a number cannot hold has been rounded (INT64_MAX to 2**63); all its digits are printed.
 */
function printed(part: unknown): string {
  if (typeof part === "number" && Number.isInteger(part) && Math.abs(part) > Number.MAX_SAFE_INTEGER) {
    if (Math.abs(part) <= 2 ** 63) return String(part === 2 ** 63 ? INT64_MAX : BigInt(part));
  }
  return Array.isArray(part) ? `[${part.map(printed).join(", ")}]` : String(part);
}

/** `c10::str`: the parts of a message, joined. */
export function str(...parts: unknown[]): string {
  let message = "";
  for (const part of parts) message += printed(part);
  return message;
}

/** The message of a check without a message of its own; `condition` as it is spelled in PyTorch. */
export function unmet(condition: string): string {
  return `Expected ${condition} to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)`;
}

function message(parts: unknown[]): string {
  return parts.length === 0 ? unmet("condition") : str(...parts);
}

export function TORCH_CHECK(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new RuntimeError(message(parts));
}

export function TORCH_CHECK_INDEX(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new IndexError(message(parts));
}

export function TORCH_CHECK_VALUE(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new ValueError(message(parts));
}

export function TORCH_CHECK_TYPE(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new TypeError_(message(parts));
}

export function TORCH_CHECK_NOT_IMPLEMENTED(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new NotImplementedError(message(parts));
}

export function TORCH_CHECK_BUFFER(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new BufferError(message(parts));
}

export function TORCH_CHECK_LINALG(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new LinAlgError(message(parts));
}

/** Checks a condition that no caller can break: if it fails, the engine itself is wrong. */
export function TORCH_INTERNAL_ASSERT(cond: unknown, ...parts: unknown[]): asserts cond {
  if (!cond) throw new RuntimeError(`INTERNAL ASSERT FAILED, please report a bug to glasstorch. ${str(...parts)}`);
}

export type WarningCategory =
  | "UserWarning"
  | "DeprecationWarning"
  | "FutureWarning"
  | "RuntimeWarning"
  | "TracerWarning";

export interface Warning {
  readonly type: WarningCategory;
  readonly msg: string;
  /** True if the message must be shown as it is, without a prefix. */
  readonly verbatim: boolean;
}

export type WarningHandler = (warning: Warning) => void;

/** The handler of Python's binding: what Python's default filter lets through is printed. */
function printWarning({ type, msg, verbatim }: Warning): void {
  show_warning(type, msg, verbatim);
}

let handler: WarningHandler = printWarning;
let warn_always = false;
const warned = new Set<string>();

/** Replaces the handler and returns the previous one; `null` restores the default, which prints. */
export function setWarningHandler(next: WarningHandler | null): WarningHandler {
  const previous = handler;
  handler = next ?? printWarning;
  return previous;
}

/** `torch.set_warn_always`: whether `TORCH_WARN_ONCE` warns every time. */
export function set_warnAlways(setting: boolean): void {
  warn_always = setting;
}

/** Whether `TORCH_WARN_ONCE` warns every time. */
export function get_warnAlways(): boolean {
  return warn_always;
}

export function warn(type: WarningCategory, msg: string, verbatim = false): void {
  handler({ type, msg, verbatim });
}

export function TORCH_WARN(...parts: unknown[]): void {
  warn("UserWarning", str(...parts));
}

export function TORCH_WARN_DEPRECATION(...parts: unknown[]): void {
  warn("DeprecationWarning", str(...parts));
}

/**
 * Warns only the first time.
 * @differs "once" is counted per text; PyTorch counts per place in its source.
 */
export function TORCH_WARN_ONCE(...parts: unknown[]): void {
  const msg = str(...parts);
  if (!warn_always && warned.has(msg)) return;
  if (!warn_always) warned.add(msg);
  warn("UserWarning", msg);
}

/** Forgets which warnings were given; for tests. */
export function resetWarnOnce(): void {
  warned.clear();
  forget_shown();
}
