/**
 * @file Calls that JavaScript makes of Python functions, methods, classes and callable instances.
 * @original
 */

import { CO } from "../compiler/code.ts";
import { PyBytes } from "../Objects/bytesobject.ts";
import { FUNCTION, vectorcall } from "../Objects/call.ts";
import { type PyFunction, running } from "../Objects/funcobject.ts";
import { constructing, INFO, type PyClass, type TypeObject } from "../Objects/typeobject.ts";
import { frame_of_call } from "./arguments.ts";
import { evaluate } from "./ceval.ts";

/** Functions whose last argument is a dict and never keywords: the library's protocols. */
const TAKES_DICT = new Set(["__torch_function__", "__torch_dispatch__", "set_extra_state", "load_state_dict"]);

function is_plain_object(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || (prototype === null && Object.getOwnPropertySymbols(value).length === 0);
}

/** Whether a function has a parameter for each of these keywords. */
function takes(fn: PyFunction, names: readonly string[]): boolean {
  const { code } = fn[FUNCTION];
  if (TAKES_DICT.has(code.co_name)) return false;
  if ((code.co_flags & CO.VARKEYWORDS) !== 0) return true;
  const parameters = code.co_varnames.slice(code.co_posonlyargcount, code.co_argcount + code.co_kwonlyargcount);
  return names.every((name) => parameters.includes(name));
}

/** Whether fewer than `count` positional arguments would be too few. */
function needs(fn: PyFunction, count: number): boolean {
  const { code, defaults } = fn[FUNCTION];
  return code.co_argcount - (defaults?.length ?? 0) >= count;
}

/** Bytes are a `Uint8Array` in JavaScript, and nothing is None. */
function from_javascript(value: unknown): unknown {
  if (value === undefined) return null;
  return value instanceof Uint8Array ? new PyBytes(value) : value;
}

/** The library leaves out what was not given, and keywords come as one plain object behind the arguments. */
function arguments_of_javascript(args: unknown[], fn: PyFunction | null): [unknown[], readonly string[] | null] {
  let count = args.length;
  while (count > 0 && args[count - 1] === undefined) count--;
  const positional = args.slice(0, count);
  const last = positional.at(-1);
  if (is_plain_object(last)) {
    const names = Object.keys(last).filter((name) => last[name] !== undefined);
    if (names.length > 0 && (fn === null || takes(fn, names))) {
      positional.pop();
      return [[...positional, ...names.map((name) => last[name])], names];
    }
    // Empty keywords, unless the function takes a dict or still needs an argument: a hook that gets `kwargs`.
    const keeps = fn !== null && (TAKES_DICT.has(fn[FUNCTION].code.co_name) || needs(fn, positional.length));
    if (names.length === 0 && fn !== null && !keeps) positional.pop();
  }
  return [positional.map(from_javascript), null];
}

running.arguments_of_javascript = arguments_of_javascript;
running.call = (fn, args, kwnames) => evaluate(frame_of_call(fn, args, kwnames));
running.from_js = (fn, args) => {
  const [positional, kwnames] = arguments_of_javascript(args, fn);
  const result = evaluate(frame_of_call(fn, positional, kwnames));
  return result instanceof PyBytes ? result.data : result;
};

/** `new Net(3)` and `Net(3)` from TypeScript. A class of TypeScript that extends a Python class gets an instance of its own prototype. */
constructing.from_js = (type: TypeObject, args: unknown[], new_target: unknown): unknown => {
  const [positional, kwnames] = arguments_of_javascript(args, null);
  const instance = vectorcall(type.cls, positional, kwnames);
  if (typeof new_target === "function" && new_target !== type.cls && !Object.hasOwn(new_target, INFO))
    Object.setPrototypeOf(instance, (new_target as unknown as PyClass).prototype);
  return instance;
};
