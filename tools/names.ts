/**
 * @file `npm run names`: finds which names in our sources are PyTorch's, with their full form, from recorded data
 * (tools/pytorch). It writes the two tables for the symbol index, or with `--check` says whether they are up to date.
 * @original
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { in_namespace } from "#trace/symbol_entry";
import { entries_of, is_indexed, PYTORCH_NAMES } from "#trace/symbol_index";
import { ROOT, read_tree } from "./codegen/file_system.ts";
import { CODEGEN_NAMES, codegen_sources } from "./explain/codegen_symbols.ts";
import { nameOf } from "./pytorch/operators.ts";
import { OurSymbols } from "./pytorch/our_symbols.ts";
import { pytorchNames, pytorchOperators } from "./pytorch/read.ts";

type Table = Record<string, Record<string, string>>;

/** The texts of both tables, by path. */
export function nameTables(): Map<string, string> {
  const symbols = new OurSymbols(pytorchNames(), pytorchOperators().operators.map(nameOf));
  const table = (sources: ReadonlyMap<string, string>, wanted: (path: string) => boolean): string => {
    const found: Table = {};
    for (const [path, text] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const names = wanted(path) && !path.includes("/generated/") ? namesOf(path, text, symbols) : {};
      if (Object.keys(names).length > 0) found[path] = names;
    }
    return printed(found);
  };
  return new Map([
    [PYTORCH_NAMES, table(read_tree(ROOT), is_indexed)],
    [CODEGEN_NAMES, table(codegen_sources(), (path) => path.endsWith(".ts"))],
  ]);
}

/** Names by prefix: a name that PyTorch spells the same is listed as it is, any other as `ours=theirs`. */
function namesOf(path: string, text: string, symbols: OurSymbols): Record<string, string> {
  const found: Record<string, string[]> = {};
  for (const entry of entries_of(path, text, {})) {
    // A constructor is PyTorch's if its class is; the index handles that.
    const symbol = entry.name.endsWith(".constructor") ? null : symbols.symbolOf(entry);
    if (symbol === null) continue;
    const same = tailOf(symbol, entry.name);
    const prefix = symbol.slice(0, symbol.length - (same ?? lastPart(symbol)).length);
    found[prefix] ??= [];
    found[prefix].push(same === null ? `${entry.name}=${lastPart(symbol)}` : entry.name);
  }
  return Object.fromEntries(Object.entries(found).map(([prefix, names]) => [prefix, shortened(names)]));
}

/** `A A.b A.c` -> `A .b .c`. */
function shortened(names: readonly string[]): string {
  let last = "";
  return names
    .map((name) => {
      const owner = /^(\w+)\./.exec(name)?.[1] ?? name;
      const short = owner === last && name !== owner ? name.slice(owner.length) : name;
      last = owner;
      return short;
    })
    .join(" ");
}

/** The suffix of PyTorch's symbol that equals our name, if there is one: `A.b` in `c10::A::b`. */
function tailOf(symbol: string, name: string): string | null {
  const prefixes = [
    symbol.slice(0, symbol.length - name.length),
    symbol.slice(0, symbol.length - in_namespace("", name).length),
  ];
  for (const prefix of prefixes)
    if (/^$|::$|\.$/.test(prefix) && in_namespace(prefix, name) === symbol) return symbol.slice(prefix.length);
  return null;
}

function lastPart(symbol: string): string {
  return symbol.slice(Math.max(symbol.lastIndexOf("::") + 2, symbol.lastIndexOf(".") + 1, 0));
}

/** One line per namespace of a file, so that a change is visible in a diff. */
function printed(table: Table): string {
  return `${JSON.stringify(table, null, 2)}\n`;
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1]) {
  let stale = 0;
  for (const [path, text] of nameTables()) {
    const file = join(ROOT, path);
    if (!process.argv.includes("--check")) writeFileSync(file, text);
    else if (readFileSync(file, "utf8") !== text) {
      console.error(`${path} is stale: run \`npm run names\``);
      stale++;
    }
  }
  process.exit(stale === 0 ? 0 : 1);
}
