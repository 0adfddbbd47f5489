/**
 * @file A line of a program's text.
 * @mirrors Lib/linecache.py (CPython 3.11)
 */
import { sources } from "#python/vm/traceback";

/** The line of this number without blanks at its ends; empty if the text is not known. */
export function source_line(filename: string, lineno: number): string {
  return (sources.get(filename)?.split("\n")[lineno - 1] ?? "").trim();
}
