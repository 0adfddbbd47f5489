/**
 * @file Binding the arguments of a call to a function's parameters: the first thing in a new frame.
 * @mirrors Python/ceval.c#initialize_locals (CPython 3.11)
 */
import { CO } from "../compiler/code.ts";
import { FUNCTION } from "../Objects/call.ts";
import { PyDict } from "../Objects/dictobject.ts";
import { TypeError_ } from "../Objects/exceptions.ts";
import type { FunctionRecord, PyFunction } from "../Objects/funcobject.ts";
import { EMPTY_TUPLE, tuple } from "../Objects/tupleobject.ts";
import { Frame } from "./frame.ts";
import { prepared } from "./prepared_code.ts";

/** `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}

function missing(record: FunctionRecord, names: readonly string[], kind: string): TypeError_ {
  const what = `${kind} argument${names.length === 1 ? "" : "s"}`;
  return new TypeError_(`${record.qualname}() missing ${names.length} required ${what}: ${listed(names)}`);
}

function too_many(record: FunctionRecord, given: number, fast: readonly unknown[]): TypeError_ {
  const { co_argcount, co_kwonlyargcount } = record.code;
  const defaults = record.defaults?.length ?? 0;
  const takes = defaults > 0 ? `from ${co_argcount - defaults} to ${co_argcount}` : String(co_argcount);
  const plural = defaults > 0 ? true : co_argcount !== 1;
  let keyword_only = 0;
  for (let i = co_argcount; i < co_argcount + co_kwonlyargcount; i++) if (fast[i] !== undefined) keyword_only++;
  const also =
    keyword_only > 0
      ? ` positional argument${given === 1 ? "" : "s"} (and ${keyword_only} keyword-only argument${keyword_only === 1 ? "" : "s"})`
      : "";
  return new TypeError_(
    `${record.qualname}() takes ${takes} positional argument${plural ? "s" : ""} but ${given}${also} ${given === 1 && also === "" ? "was" : "were"} given`,
  );
}

/** A keyword that names no parameter goes to `**kwargs`, or is an error. */
function unknown_keyword(record: FunctionRecord, name: string, kwnames: readonly string[]): TypeError_ {
  const positional_only = record.code.co_varnames.slice(0, record.code.co_posonlyargcount);
  const passed = positional_only.filter((it) => kwnames.includes(it));
  if (passed.length > 0) {
    const names = passed.join(", ");
    return new TypeError_(
      `${record.qualname}() got some positional-only arguments passed as keyword arguments: '${names}'`,
    );
  }
  return new TypeError_(`${record.qualname}() got an unexpected keyword argument '${name}'`);
}

/** A frame that is ready to run: `args` are positional, the last of them the values of `kwnames`. */
export function frame_of_call(fn: PyFunction, args: readonly unknown[], kwnames: readonly string[] | null): Frame {
  const record = fn[FUNCTION];
  const { code } = record;
  const frame = new Frame(prepared(code), fn, record.globals, record.builtins, null);
  bind_arguments(record, frame.fast, args, kwnames);
  return frame;
}

function bind_arguments(
  record: FunctionRecord,
  fast: unknown[],
  args: readonly unknown[],
  kwnames: readonly string[] | null,
): void {
  const { code } = record;
  const { co_argcount: argcount, co_kwonlyargcount, co_flags, co_varnames } = code;
  const total = argcount + co_kwonlyargcount;
  const given = args.length - (kwnames?.length ?? 0);
  for (let i = 0; i < Math.min(given, argcount); i++) fast[i] = args[i];
  if ((co_flags & CO.VARARGS) !== 0) fast[total] = given > argcount ? tuple(args.slice(argcount, given)) : EMPTY_TUPLE;
  if (kwnames !== null || (co_flags & CO.VARKEYWORDS) !== 0) {
    const rest = (co_flags & CO.VARKEYWORDS) === 0 ? null : new PyDict();
    if (rest !== null) fast[total + ((co_flags & CO.VARARGS) === 0 ? 0 : 1)] = rest;
    for (let k = 0; kwnames !== null && k < kwnames.length; k++) {
      const name = kwnames[k] as string;
      const i = co_varnames.indexOf(name, code.co_posonlyargcount);
      if (i < 0 || i >= total) {
        if (rest === null) throw unknown_keyword(record, name, kwnames);
        rest.set(name, args[given + k]);
      } else {
        if (fast[i] !== undefined)
          throw new TypeError_(`${record.qualname}() got multiple values for argument '${name}'`);
        fast[i] = args[given + k];
      }
    }
  }
  if (given > argcount && (co_flags & CO.VARARGS) === 0) throw too_many(record, given, fast);
  if (given < argcount) {
    const first_default = argcount - (record.defaults?.length ?? 0);
    const absent: string[] = [];
    for (let i = given; i < argcount; i++) {
      if (fast[i] !== undefined) continue;
      if (i >= first_default) fast[i] = record.defaults?.[i - first_default];
      else absent.push(co_varnames[i] as string);
    }
    if (absent.length > 0) throw missing(record, absent, "positional");
  }
  if (co_kwonlyargcount > 0) {
    const absent: string[] = [];
    for (let i = argcount; i < total; i++) {
      if (fast[i] !== undefined) continue;
      const value = record.kwdefaults?.get(co_varnames[i]);
      if (value !== undefined) fast[i] = value;
      else absent.push(co_varnames[i] as string);
    }
    if (absent.length > 0) throw missing(record, absent, "keyword-only");
  }
}
