/**
 * @file `print` and `input`, and the streams to which they go.
 * @mirrors Python/bltinmodule.c (CPython 3.11)
 */
import { EOFError, TypeError_ } from "../Objects/exceptions.ts";
import type { Implementation } from "../Objects/methodobject.ts";
import { call_method, str, truth } from "../Objects/object.ts";
import { plain_value, type_of } from "../Objects/typeobject.ts";

/** Where texts go if a program names no file; the machine and `sys` exchange them. */
export const streams: {
  stdout: { write: (text: string) => void };
  /** A line with its line break; an empty text at the end. */
  stdin: { readline: () => string };
  /** The object that a program put in place of `sys.stdout`; undefined if it put none there. */
  replaced: () => unknown;
} = {
  stdout: { write: () => {} },
  stdin: { readline: () => "" },
  replaced: () => undefined,
};

function separator(given: unknown, name: string, missing: string): string {
  const value = plain_value(given);
  if (value === null) return missing;
  if (typeof value === "string") return value;
  throw new TypeError_(`${name} must be None or a string, not ${type_of(value).tp_name}`);
}

function print(values: unknown[], sep_: unknown, end_: unknown, to: unknown, flush: unknown): void {
  const sep = separator(sep_, "sep", " ");
  const end = separator(end_, "end", "\n");
  const file = to ?? streams.replaced() ?? null;
  if (file === null) {
    streams.stdout.write(values.map(str).join(sep) + end);
    return;
  }
  values.forEach((value, i) => {
    if (i > 0) call_method(file, "write", sep);
    call_method(file, "write", str(value));
  });
  call_method(file, "write", end);
  if (truth(flush)) call_method(file, "flush");
}

function input(prompt: unknown): string {
  if (prompt !== undefined) streams.stdout.write(str(prompt));
  const line = streams.stdin.readline();
  if (line === "") throw new EOFError("EOF when reading a line");
  return line.replace(/\r?\n$/, "");
}

export const printing: Readonly<Record<string, Implementation>> = {
  "print(*args, sep=' ', end='\\n', file=None, flush=False)": print,
  "input(prompt=<unset>, /)": input,
};
