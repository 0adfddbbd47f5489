/**
 * @file The table that the dispatcher computed for an operator, rows with one kernel together, each with the function behind it.
 * @original
 */
import type { FunctionPlace, Places } from "./places.ts";
import type { Registration } from "./registrations.ts";

/** Rows of a computed table that hold one kernel. */
export interface TableRow {
  readonly keys: readonly string[];
  /** The words of `_dispatch_dump_table`: `kernel`, `math kernel`, ... */
  readonly origin: string;
  readonly fallthrough: boolean;
  readonly file: string;
  /** Of the registration; 0 where the table names the file alone. */
  readonly line: number;
  readonly kernel: FunctionPlace | null;
}

export interface DispatchTable {
  readonly rows: readonly TableRow[];
  /** Keys that have only the fallback of their key, the same for every operator. */
  readonly fallbackKeys: number;
}

/** `CPU: fallthrough registered at src/...:12 [math kernel]` */
const ROW =
  /^(?<key>\w+): (?<through>fallthrough )?registered at (?<file>\S+?)(?::(?<line>\d+))? \[(?<origin>[^\]]+)\]$/;

/** `dump` is what `torch._C._dispatch_dump_table` prints; `registered`, what the sources register for that operator. */
export function tableOf(dump: string, registered: readonly Registration[], places: Places): DispatchTable {
  const rows = new Map<string, { keys: string[] } & Omit<TableRow, "keys">>();
  let fallbackKeys = 0;
  for (const text of dump.split("\n")) {
    const row = ROW.exec(text)?.groups;
    if (row === undefined) continue;
    const { key, through, file, line, origin } = row;
    if (origin === "backend fallback") {
      fallbackKeys++;
      continue;
    }
    const id = `${file}:${line}${through ?? ""}[${origin}]`;
    const known = rows.get(id);
    if (known !== undefined) {
      known.keys.push(key);
      continue;
    }
    const here = registered.filter((r) => r.file === file);
    const found = here.find((r) => r.key === key) ?? here.find((r) => isAliasOf(r.key, key));
    const kernel = through !== undefined || found === undefined ? null : places.named(file, found.fn);
    rows.set(id, { keys: [key], origin, fallthrough: through !== undefined, file, line: Number(line ?? 0), kernel });
  }
  return { rows: [...rows.values()], fallbackKeys };
}

/** `Autograd` stands for every Autograd key, a Composite key for all that the table gave it. */
function isAliasOf(alias: string, key: string): boolean {
  return alias === "Autograd" ? key.startsWith("Autograd") : alias.startsWith("Composite");
}
