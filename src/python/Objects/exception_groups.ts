/**
 * @file `ExceptionGroup` and `BaseExceptionGroup`: how they are made, and how they are divided into what matches and the rest.
 * @mirrors Objects/exceptions.c (CPython 3.11): BaseExceptionGroup_new, BaseExceptionGroup_split, exceptiongroup_split_recursive
 */
import { bad_argument } from "../Python/getargs.ts";
import { vectorcall } from "./call.ts";
import { define_attributes } from "./descrobject.ts";
import { PyDict } from "./dictobject.ts";
import { exception_types, make_exception } from "./exception_types.ts";
import {
  AttributeError,
  BaseException,
  BaseExceptionGroup,
  TypeError_,
  text_of_group,
  ValueError,
} from "./exceptions.ts";
import { is_function } from "./funcobject.ts";
import { generic_alias } from "./genericaliasobject.ts";
import { list_from } from "./iterobject.ts";
import { define_class_methods, define_methods, define_static_methods } from "./methodobject.ts";
import { call_method, str, truth } from "./object.ts";
import { PyTuple, tuple } from "./tupleobject.ts";
import { INFO, info_of, is_instance, type PyClass, plain_value, type_of } from "./typeobject.ts";

const { BaseExceptionGroup: base_type, ExceptionGroup: group_type, Exception: exception_type } = exception_types;

/** Whether `except type` catches the exception: classes with two bases descend from one of them only in JavaScript. */
const matches_class = (error: BaseException, type: unknown): boolean => {
  const info = info_of(type);
  return info !== undefined && is_instance(error, info);
};

// ---- Making

function checked_exceptions(value: unknown): BaseException[] {
  if (value instanceof PyDict || type_of(value).lookup("__getitem__") === undefined)
    throw new TypeError_("second argument (exceptions) must be a sequence");
  const exceptions = list_from(value);
  if (exceptions.length === 0) throw new ValueError("second argument (exceptions) must be a non-empty sequence");
  exceptions.forEach((each, i) => {
    if (!(each instanceof BaseException))
      throw new ValueError(`Item ${i} of second argument (exceptions) is not an exception`);
  });
  return exceptions as BaseException[];
}

/** The class of the group that is made: a group without exceptions that end the program is an `ExceptionGroup`. */
function class_for(cls: PyClass, exceptions: readonly BaseException[]): PyClass {
  const all_plain = exceptions.every((each) => is_instance(each, exception_type));
  if (cls === base_type.cls) return all_plain ? group_type.cls : cls;
  if (!all_plain && cls[INFO].is_subtype(exception_type)) {
    const name = cls === group_type.cls ? "an ExceptionGroup" : `'${cls[INFO].name}'`;
    throw new TypeError_(`Cannot nest BaseExceptions in ${name}`);
  }
  return cls;
}

define_static_methods(base_type, {
  "__new__(cls, /, *args, **kwargs)": (cls: PyClass, args: unknown[]) => {
    const where = "BaseExceptionGroup.__new__";
    if (args.length !== 2) throw new TypeError_(`${where}() takes exactly 2 arguments (${args.length} given)`);
    if (typeof plain_value(args[0]) !== "string") throw bad_argument(where, "1", "str", args[0]);
    const exceptions = checked_exceptions(args[1]);
    const made = make_exception(class_for(cls, exceptions), args) as BaseExceptionGroup;
    made.exceptions = tuple(exceptions);
    return made;
  },
});

/** A group as `BaseExceptionGroup(message, exceptions)` makes it. */
export function make_group(message: string, exceptions: readonly BaseException[]): BaseExceptionGroup {
  const cls = class_for(base_type.cls, exceptions);
  return make_exception(cls, [message, exceptions]) as BaseExceptionGroup;
}

// ---- Dividing

/** The two parts of an exception that is divided: `match` has what was asked for, `rest` all else. Null: there is nothing of the kind. */
export interface Parts {
  readonly match: BaseException | null;
  readonly rest: BaseException | null;
}

/** A group like `group` with some of its exceptions; null without any. */
function like(group: BaseExceptionGroup, exceptions: readonly BaseException[]): BaseExceptionGroup | null {
  if (exceptions.length === 0) return null;
  const made = call_method(group, "derive", [...exceptions]);
  if (!(made instanceof BaseExceptionGroup))
    throw new TypeError_("derive must return an instance of BaseExceptionGroup");
  made.__traceback__ = group.__traceback__;
  made.__context__ = group.__context__;
  made.__cause__ = group.__cause__;
  made.__suppress_context__ = true; // as of any exception whose cause was set, even to None
  if (group.__notes__ !== null) made.__notes__ = [...group.__notes__];
  return made;
}

/**
 * Divides an exception. A group that matches as a whole stays one; otherwise both parts keep its tree, without the branches that are empty.
 * @param matches asks for groups and for single exceptions
 */
export function split(error: BaseException, matches: (each: BaseException) => boolean): Parts {
  if (matches(error)) return { match: error, rest: null };
  if (!(error instanceof BaseExceptionGroup)) return { match: null, rest: error };
  const found: BaseException[] = [];
  const others: BaseException[] = [];
  for (const each of error.exceptions as Iterable<BaseException>) {
    const { match, rest } = split(each, matches);
    if (match !== null) found.push(match);
    if (rest !== null) others.push(rest);
  }
  return { match: like(error, found), rest: like(error, others) };
}

/** The single exceptions of a group, however deep. */
function* leaves(error: BaseException): Generator<BaseException> {
  if (!(error instanceof BaseExceptionGroup)) yield error;
  else for (const each of error.exceptions as Iterable<BaseException>) yield* leaves(each);
}

/** The part of `group` whose single exceptions are those of `kept`. */
export function projection(group: BaseExceptionGroup, kept: readonly BaseException[]): BaseException | null {
  const wanted = new Set(kept.flatMap((each) => [...leaves(each)]));
  return split(group, (each) => !(each instanceof BaseExceptionGroup) && wanted.has(each)).match;
}

/** The question that `split` and `subgroup` ask: of a function, of a class, or of any of several classes. */
function matcher(condition: unknown): (each: BaseException) => boolean {
  if (is_function(condition)) return (each) => truth(vectorcall(condition, [each], null));
  const is_class = (type: unknown): boolean => info_of(type)?.is_subtype(exception_types.BaseException) === true;
  if (is_class(condition)) return (each) => matches_class(each, condition);
  if (condition instanceof PyTuple && condition.every(is_class))
    return (each) => condition.some((type) => matches_class(each, type));
  throw new TypeError_("expected a function, exception type or tuple of exception types");
}

define_methods(base_type, {
  "derive(self, excs, /)": (self: BaseExceptionGroup, exceptions: unknown) =>
    vectorcall(base_type.cls, [self.msg, exceptions], null),
  "split(self, condition, /)": (self: BaseExceptionGroup, condition: unknown) => {
    const { match, rest } = split(self, matcher(condition));
    return tuple([match, rest]);
  },
  "subgroup(self, condition, /)": (self: BaseExceptionGroup, condition: unknown) =>
    split(self, matcher(condition)).match,
  "__str__(self, /)": (self: BaseExceptionGroup) => text_of_group(str(self.msg), self.exceptions.length),
});
define_class_methods(base_type, {
  "__class_getitem__(cls, item, /)": (cls: PyClass, item: unknown) => generic_alias(cls, item),
});

const readonly = (): never => {
  throw new AttributeError("readonly attribute");
};
define_attributes(base_type, {
  message: [(self: BaseExceptionGroup) => self.msg, readonly],
  exceptions: [(self: BaseExceptionGroup) => self.exceptions, readonly],
});
