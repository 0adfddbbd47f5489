/**
 * @file `except*`: which part of an exception a handler gets, and what is raised when all handlers have run.
 * @mirrors Python/ceval.c (CPython 3.11): exception_group_match; Objects/exceptions.c: _PyExc_PrepReraiseStar
 */
import { make_group, type Parts, projection } from "../Objects/exception_groups.ts";
import { type BaseException, BaseExceptionGroup, TypeError_ } from "../Objects/exceptions.ts";
import { call_method } from "../Objects/object.ts";
import { PyTuple, tuple } from "../Objects/tupleobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import { exception_matches } from "./errors.ts";

const names_group = (type: unknown): boolean =>
  typeof type === "function" && (type === BaseExceptionGroup || type.prototype instanceof BaseExceptionGroup);

/** `except* type`: what the handler gets of `error`, which is what the handlers before have left, and what is left now. */
export function exception_group_match(error: BaseException | null, type: unknown): Parts {
  const whole = exception_matches(error, type); // refuses what is no class of exceptions
  if (type instanceof PyTuple ? type.some(names_group) : names_group(type))
    throw new TypeError_("catching ExceptionGroup with except* is not allowed. Use except instead.");
  if (error === null) return { match: null, rest: null };
  if (whole) {
    // A handler always sees a group.
    return {
      match:
        error instanceof BaseExceptionGroup
          ? error
          : make_group("", tuple([error]) as unknown as readonly BaseException[]),
      rest: null,
    };
  }
  if (!(error instanceof BaseExceptionGroup)) return { match: null, rest: error };
  const parts = call_method(error, "split", type);
  if (!(parts instanceof PyTuple)) {
    const [of, got] = [type_of(error).tp_name, type_of(parts).tp_name];
    throw new TypeError_(`${of}.split must return a tuple, not ${got}`);
  }
  if (parts.length < 2) {
    throw new TypeError_(`${type_of(error).tp_name}.split must return a 2-tuple, got tuple of size ${parts.length}`);
  }
  const [match, rest] = parts as readonly (BaseException | null)[];
  return match === null ? { match: null, rest: error } : { match: match as BaseException, rest: rest ?? null };
}

/** Whether `error` is a part of `original` that a handler raised as it is: parts share what the original carries. */
function is_part(error: BaseException, original: BaseExceptionGroup): boolean {
  return (
    error instanceof BaseExceptionGroup &&
    error.__notes__ === original.__notes__ &&
    error.__traceback__ === original.__traceback__ &&
    error.__cause__ === original.__cause__ &&
    error.__context__ === original.__context__
  );
}

/** The exception that is raised at the end, or null. `left`: what each handler raised, or None, and the part that no handler took. */
export function prepare_reraise(original: BaseException, left: readonly unknown[]): BaseException | null {
  const errors = left.filter((each): each is BaseException => each !== null);
  // An exception that is no group has at most one handler, so at most one other exception.
  if (!(original instanceof BaseExceptionGroup)) return errors[0] ?? null;
  const raised = errors.filter((each) => !is_part(each, original));
  const rest = projection(
    original,
    errors.filter((each) => is_part(each, original)),
  );
  if (raised.length === 0) return rest;
  if (rest !== null) raised.push(rest);
  return raised.length === 1 ? (raised[0] as BaseException) : make_group("", raised);
}
