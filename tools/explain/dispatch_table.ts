/**
 * @file The dispatcher's computed table for an operator: rows with the same kernel are joined, each with the function
 * of the kernel.
 * @original
 */
import type { FunctionPlace, Places } from "./places.ts";
import type { Registration } from "./registrations.ts";

/** Rows of a computed table with the same kernel. */
export interface TableRow {
  readonly keys: readonly string[];
  /** The words of `_dispatch_dump_table`: `kernel`, `math kernel`, ... */
  readonly origin: string;
  readonly fallthrough: boolean;
  readonly file: string;
  /** Line of the registration; 0 if the table names only the file. */
  readonly line: number;
  readonly kernel: FunctionPlace | null;
}

export interface DispatchTable {
  readonly rows: readonly TableRow[];
  /** Number of keys that have only their key's fallback, which is the same for every operator. */
  readonly fallbackKeys: number;
}

/** `CPU: fallthrough registered at src/...:12 [math kernel]` */
const ROW =
  /^(?<key>\w+): (?<through>fallthrough )?registered at (?<file>\S+?)(?::(?<line>\d+))? \[(?<origin>[^\]]+)\]$/;

/** @param dump the output of `torch._C._dispatch_dump_table`; @param registered the operator's registrations in the sources */
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

/** Whether the alias includes the key: `Autograd` includes every Autograd key, a Composite key all keys whose cell it fills. */
function isAliasOf(alias: string, key: string): boolean {
  return alias === "Autograd" ? key.startsWith("Autograd") : alias.startsWith("Composite");
}
