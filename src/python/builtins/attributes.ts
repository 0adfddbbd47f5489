/**
 * @file `getattr`, `setattr`, `delattr`, `hasattr`, `dir` and `vars`.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import { call_special } from "../Objects/call.ts";
import { RuntimeError, TypeError_ } from "../Objects/exceptions.ts";
import { list_from } from "../Objects/iterobject.ts";
import { sort } from "../Objects/listobject.ts";
import type { Implementation } from "../Objects/methodobject.ts";
import { getattr, getattr_or_undefined, setattr } from "../Objects/object.ts";
import { plain_value, type_of } from "../Objects/typeobject.ts";

/** The local variables of the function that calls; the machine sets it. */
export const calling_frame: { locals: () => Map<unknown, unknown> } = {
  locals: () => {
    throw new RuntimeError("no current frame");
  },
};

function checked(given: unknown): string {
  const name = plain_value(given);
  if (typeof name === "string") return name;
  throw new TypeError_(`attribute name must be string, not '${type_of(name).tp_name}'`);
}

function dir(value: unknown): unknown[] {
  let names: unknown;
  if (value === undefined) names = [...calling_frame.locals().keys()];
  else {
    names = call_special(value, "__dir__");
    if (names === undefined) throw new TypeError_("object does not provide __dir__");
  }
  const result = list_from(names);
  sort(result, null, false);
  return result;
}

function vars(value: unknown): unknown {
  if (value === undefined) return calling_frame.locals();
  const result = getattr_or_undefined(value, "__dict__");
  if (result === undefined) throw new TypeError_("vars() argument must have __dict__ attribute");
  return result;
}

export const attribute_functions: Readonly<Record<string, Implementation>> = {
  "getattr(object, name, default=<unset>, /)": (value: unknown, name: unknown, fallback: unknown) => {
    if (fallback === undefined) return getattr(value, checked(name));
    const found = getattr_or_undefined(value, checked(name));
    return found === undefined ? fallback : found;
  },
  "setattr(obj, name, value, /)": (target: unknown, name: unknown, value: unknown) => {
    setattr(target, checked(name), value);
  },
  "delattr(obj, name, /)": (target: unknown, name: unknown) => {
    setattr(target, checked(name), undefined);
  },
  "hasattr(obj, name, /)": (value: unknown, name: unknown) => getattr_or_undefined(value, checked(name)) !== undefined,
  "dir(object=<unset>, /)": dir,
  "vars(object=<unset>, /)": vars,
};
