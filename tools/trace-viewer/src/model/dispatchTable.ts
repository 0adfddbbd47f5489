/**
 * @file Rows of the dispatch table, parsed from the output of `_dispatch_dump_table`; they come in an optional side file.
 * @mirrors aten/src/ATen/core/dispatch/OperatorEntry.h
 */
import { DispatchKey, toBackendComponent, toFunctionalityKey } from "../../../../src/c10/core/DispatchKey.ts";

/** The side file: the text of the computed table of each operator (`aten::add.Tensor`). */
export interface DispatchTables {
  readonly format: "glasstorch-tables";
  readonly version: 1;
  readonly tables: { readonly [operator: string]: string };
}

/** One cell: the kernel that a call enters if this key wins. */
export interface Cell {
  readonly key: string;
  /** The place where the kernel was registered. */
  readonly registered: string;
  readonly origin: string;
  /** Whether the key is removed from every call's key set before the highest is chosen. */
  readonly fallthrough: boolean;
}

export function tablesOf(value: object): DispatchTables {
  const file = value as Partial<DispatchTables>;
  const texts: readonly unknown[] = Object.values(file.tables ?? {});
  if (file.version !== 1 || typeof file.tables !== "object" || !texts.every((text) => typeof text === "string"))
    throw new Error("This file of dispatch tables is not of version 1.");
  return file as DispatchTables;
}

/**
 * Parses `CPU: registered at FILE [kernel]` or `Tracer: fallthrough registered at FILE [backend fallback]`, one line
 * per cell, low key to high.
 */
export function readTable(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const line of text.split("\n")) {
    const found = /^(\w+)(?: \([a-z]+\))?: (fallthrough )?(?:registered at )?(.*) \[([a-z ]+)\]\s*$/.exec(line);
    if (found === null) continue;
    cells.push({
      key: found[1] as string,
      fallthrough: found[2] !== undefined,
      registered: found[3] as string,
      origin: found[4] as string,
    });
  }
  return cells;
}

const keys = DispatchKey as { readonly [name: string]: DispatchKey };

/** Position in the order of priority: functionality first, then backend. Names unknown here rank lowest. */
export function priority(name: string): number {
  const key = keys[name];
  return key === undefined ? -1 : toFunctionalityKey(key) * 32 + toBackendComponent(key);
}

/** The names, highest first, without repetition: the order of the columns. */
export function highToLow(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) => priority(b) - priority(a));
}
