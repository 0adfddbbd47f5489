/**
 * @file Raising: from a program's `raise`, from JavaScript's errors, with context and traceback.
 * @mirrors Python/errors.c, Python/traceback.c (CPython 3.11)
 */
import { vectorcall } from "../Objects/call.ts";
import {
  BaseException,
  MemoryError,
  missing,
  NameError,
  RecursionError,
  RuntimeError,
  SystemError,
  TypeError_,
  UnboundLocalError,
} from "../Objects/exceptions.ts";
import { exception_of } from "../Objects/genobject.ts";
import { PyTuple } from "../Objects/tupleobject.ts";
import { info_of, type_of } from "../Objects/typeobject.ts";
import { type Frame, handled_exception, line_at, thread } from "./frame.ts";
import type { PreparedCode } from "./prepared_code.ts";
import { Traceback } from "./traceback_object.ts";

/** The exception of `raise value from cause`; without a value no exception is being handled. */
export function raise(value: unknown, cause: unknown): BaseException {
  if (value === undefined) return new RuntimeError("No active exception to reraise");
  const error = exception_of(value);
  if (cause !== undefined) {
    error.__cause__ = cause === null ? null : cause_of(cause);
    error.__suppress_context__ = true;
  }
  const current = handled_exception();
  if (error.__traceback__ !== null && current !== null && current !== error) link(error, current);
  return error;
}

function cause_of(value: unknown): BaseException {
  if (value instanceof BaseException) return value;
  const info = info_of(value);
  if (info !== undefined) {
    const made = vectorcall(value, [], null);
    if (made instanceof BaseException) return made;
  }
  throw new TypeError_("exception causes must derive from BaseException");
}

/** Makes `current` the context of `error`, and breaks the circle that this could close. */
function link(error: BaseException, current: BaseException): void {
  for (let at: BaseException = current; at.__context__ !== null; at = at.__context__) {
    if (at.__context__ === error) {
      at.__context__ = null;
      break;
    }
  }
  error.__context__ = current;
}

/** A new exception remembers the one that is being handled. */
export function set_context(error: BaseException): void {
  if (error.__traceback__ !== null || error === thread.passed_on) return;
  const current = handled_exception();
  if (current !== null && current !== error) link(error, current);
}

/** Files of the library whose originals are written in C: an error leaves no frame of theirs in a traceback. */
const WITHOUT_FRAMES: ReadonlySet<string> = new Set(["Lib/io.py"]);

/** Each frame that an exception leaves is written down in front of those it left before. */
export function add_traceback(error: BaseException, frame: Frame): void {
  if (WITHOUT_FRAMES.has(frame.f_code.co_filename)) return;
  error.__traceback__ = new Traceback(
    frame,
    frame.prepared.offsets[frame.instruction] as number,
    line_at(frame.prepared, frame.instruction),
    error.__traceback__,
  );
}

/** JavaScript's messages for a text, array or bigint that is too large. */
const NO_MEMORY =
  /^(?:Invalid (?:string|array|typed array) length|Array buffer allocation failed|Maximum BigInt size exceeded|allocation size overflow|out of memory)/i;

/** Errors of JavaScript itself are none of the program's: the implementation has a fault, or JavaScript's stack is full. */
export function as_python_exception(raised: unknown): BaseException {
  if (raised instanceof BaseException) return raised;
  if (raised instanceof Error) {
    if (raised.name === "InternalError" || (raised instanceof RangeError && raised.message.includes("call stack")))
      return new RecursionError("maximum recursion depth exceeded");
    if (raised instanceof RangeError && NO_MEMORY.test(raised.message)) return new MemoryError();
    const wrapped = new SystemError(`internal error: ${raised.message}`);
    wrapped.cause = raised;
    return wrapped;
  }
  return new SystemError(`internal error: JavaScript threw ${String(raised)}`);
}

/** Whether `except type` catches the exception. */
export function exception_matches(error: unknown, type: unknown): boolean {
  if (type instanceof PyTuple) {
    for (const one of type) check_exception_class(one);
    return type.some((one) => exception_matches(error, one));
  }
  check_exception_class(type);
  if (error instanceof (type as unknown as new () => object)) return true;
  const info = info_of(type); // a class with two bases descends from one of them only in JavaScript
  return info !== undefined && type_of(error).is_subtype(info);
}

function check_exception_class(type: unknown): void {
  if (type === BaseException) return;
  if (typeof type === "function" && type.prototype instanceof BaseException) return;
  throw new TypeError_("catching classes that do not inherit from BaseException is not allowed");
}

export function not_defined(name: string): NameError {
  const error = new NameError(`name '${name}' is not defined`);
  missing.set(error, { name, obj: null });
  return error;
}

export function unbound_local(code: PreparedCode, i: number): NameError {
  return new UnboundLocalError(
    `cannot access local variable '${code.localsplus[i]}' where it is not associated with a value`,
  );
}

export function unbound_free(code: PreparedCode, i: number): NameError {
  const name = code.localsplus[i] as string;
  if (!code.code.co_freevars.includes(name)) return unbound_local(code, i);
  return new NameError(
    `cannot access free variable '${name}' where it is not associated with a value in enclosing scope`,
  );
}
