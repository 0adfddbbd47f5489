/**
 * @file The rows of the symbol index for an edited file: the archive's rows at the lines of the new text, and a row for each new function.
 * @original
 */
import { outline } from "../../../../src/trace/outline.ts";
import { OURS, type SymbolGroup, type SymbolRow } from "../../../../src/trace/symbol_entry.ts";

/** @param group the archive's rows of the file; null if the archive has none for it */
export function movedRows(group: SymbolGroup | null, path: string, text: string): SymbolGroup {
  const before = new Map<string, SymbolRow[]>();
  for (const row of group?.symbols ?? []) before.set(row[0], [...(before.get(row[0]) ?? []), row]);
  const symbols: SymbolRow[] = [];
  for (const { name, line, kind } of outline(text)) {
    const row = before.get(name)?.shift();
    if (row !== undefined) symbols.push(row.with(1, line) as unknown as SymbolRow);
    // Constants of generated files are tables, and have no rows.
    else if (kind !== "const" || !path.includes("/generated/")) symbols.push([name, line, "", OURS]);
  }
  return { mirrors: group?.mirrors ?? "", prefix: group?.prefix ?? "", symbols };
}
