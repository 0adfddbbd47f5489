/**
 * @file Rows of the two-dimensional table, read from the text that `_dispatch_dump_table` prints; they come in an optional side file.
 * @mirrors aten/src/ATen/core/dispatch/OperatorEntry.h
 */
import { DispatchKey, toBackendComponent, toFunctionalityKey } from "../../../../src/c10/core/DispatchKey.ts";

/** The side file: operator (`aten::add.Tensor`) -> text of its computed table. */
export interface DispatchTables {
  readonly format: "glasstorch-tables";
  readonly version: 1;
  readonly tables: { readonly [operator: string]: string };
}

/** One cell: what a call enters when this key wins. */
export interface Cell {
  readonly key: string;
  /** Where the kernel was registered. */
  readonly registered: string;
  readonly origin: string;
  /** The key is removed from every call's key set before the highest is chosen. */
  readonly fallthrough: boolean;
}

export function tablesOf(value: object): DispatchTables {
  const file = value as Partial<DispatchTables>;
  const texts: readonly unknown[] = Object.values(file.tables ?? {});
  if (file.version !== 1 || typeof file.tables !== "object" || !texts.every((text) => typeof text === "string"))
    throw new Error("This file of dispatch tables is not of version 1.");
  return file as DispatchTables;
}

/** `CPU: registered at FILE [kernel]` or `Tracer: fallthrough registered at FILE [backend fallback]`, one line a cell, low key to high. */
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

/** Highest first, without repetition: the order in which columns stand. */
export function highToLow(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) => priority(b) - priority(a));
}
