/**
 * @file The stack of an error as places in files that the reader can open, whichever browser wrote it.
 * @original
 */
import { ROOT } from "./loader.ts";
import type { Place } from "./protocol.ts";

/** `at name (file:///glasstorch/src/x.ts:1:2)` in Chromium; `name@file:///glasstorch/src/x.ts:1:2` in Firefox and Safari. */
const entry = /^\s*(?:at )?(?:async )?(.*?)(?: \(|@)?(file:\/\/\/glasstorch\/[^:()]+):(\d+):(\d+)\)?$/;

/** Frames told of one stack, and letters of a function's name: more is no help to a reader. */
const MOST_PLACES = 200;
const MOST_LETTERS = 200;

/** @param stack what an error has as its stack: a program may have made it something else than a text */
export function placesOf(stack: unknown): Place[] {
  const places: Place[] = [];
  for (const line of (typeof stack === "string" ? stack : "").split("\n")) {
    const found = entry.exec(line);
    if (found === null) continue;
    if (places.length === MOST_PLACES) break;
    const [, name = "", url = "", row = "0", column = "0"] = found;
    const plain = name.replace(/ \[as .*\]$/, "").replace(/^(new|Function|Object|Module)[. ]/, "");
    places.push({
      name: plain === "" || plain === "eval" ? "<module>" : plain.slice(0, MOST_LETTERS),
      file: url.slice(ROOT.length),
      line: Number(row),
      column: Number(column),
    });
  }
  return places;
}

/** The line of `file` from which the current call was made, 0 if it is not on the stack. */
export function lineIn(file: string): number {
  const limit = Error.stackTraceLimit;
  // A program may write stacks in a form of its own.
  const { prepareStackTrace } = Error;
  Error.stackTraceLimit = 100;
  Reflect.deleteProperty(Error, "prepareStackTrace");
  const { stack } = new Error();
  if (prepareStackTrace !== undefined) Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = limit;
  return placesOf(stack).find((place) => place.file === file)?.line ?? 0;
}
