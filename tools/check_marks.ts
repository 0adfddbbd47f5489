/**
 * @file Checks the machine-read marks of the sources and builds `docs/differences.md` from them.
 *
 * - every source file has `@file`, and either `@mirrors path[#name]` or, if PyTorch has no such thing, `@original`;
 * - a mirrored path exists in PyTorch 2.13.0 (`tools/pytorch-paths.tsv`); a `.cpp` that is known only from 1.13 needs
 *   its 2.13 header, or a line of evidence in `tools/mirrors.extra.tsv`; in src/python it is a file of CPython 3.11;
 * - a cited `Note [Title]` is written exactly once;
 * - a function with more than twelve parameters gives its reason (`@parameters why`): parameter_lists.ts;
 * - `docs/differences.md` equals the text built from the `@differs` lines (`--write` rewrites it).
 * @original
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { SymbolEntry } from "#trace/symbol_entry";
import { entries_of, type NameTable, PYTORCH_NAMES } from "#trace/symbol_index";
import { CODEGEN_NAMES } from "./explain/codegen_symbols.ts";
import { complaints_about_parameters } from "./parameter_lists.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!NO_SOURCES.has(entry.name)) yield* sourceFiles(path);
    } else if (entry.name.endsWith(".ts")) yield path;
  }
}

/** Tests are excluded, because they may quote marks. */
const NO_SOURCES = new Set(["node_modules", "dist", "test"]);

/** Whether each path in PyTorch's tree is in the 2.13.0 wheel. */
function readPaths(): Map<string, boolean> {
  const paths = new Map<string, boolean>();
  for (const line of readFileSync(join(root, "tools/pytorch-paths.tsv"), "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [path, seen] = line.split("\t") as [string, string];
    paths.set(path, seen.startsWith("2.13"));
  }
  return paths;
}

function readNames(path: string): NameTable {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as NameTable;
}

/** Paths in a table's first column. */
function readColumn(table: string): Set<string> {
  const file = join(root, table);
  if (!existsSync(file)) return new Set();
  const lines = readFileSync(file, "utf8").split("\n");
  return new Set(lines.filter((l) => l !== "" && !l.startsWith("#")).map((l) => l.split("\t")[0]));
}

export interface Difference {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The declaration of the mark, by PyTorch's name if it has one; "" for the whole file. */
  readonly subject: string;
}

/**
 * The declaration of a mark: the one under its comment, or the one whose body contains it. A mark above the imports
 * belongs to the file.
 */
function subjectOf(lines: readonly string[], i: number, entries: readonly SymbolEntry[]): string {
  let end = i;
  while (end < lines.length && /^\s*(?:\/?\*|\/\/)/.test(lines[end])) end++;
  const under = entries.find((entry) => entry.line === end + 1);
  const around = [...entries].reverse().find((entry) => entry.line <= i + 1);
  return (under ?? around)?.symbol.replace("(anonymous namespace)::", "") ?? "";
}

function checkPython(path: string, cpython: Set<string>): string | null {
  if (cpython.has(path)) return null;
  return `@mirrors ${path}: tools/cpython-paths.tsv does not list this file of CPython 3.11. Correct the path, or add it there`;
}

function checkMirror(path: string, paths: Map<string, boolean>, extra: Set<string>): string | null {
  if (extra.has(path)) return null;
  const known = paths.get(path);
  if (known === true) return null;
  if (known === undefined) {
    const asFolder = [...paths.keys()].some((p) => p.startsWith(path.endsWith("/") ? path : `${path}/`));
    if (asFolder) return null;
    return `@mirrors ${path}: no such file in PyTorch 2.13.0 (tools/pytorch-paths.tsv). Correct the path, or put it with its evidence into tools/mirrors.extra.tsv`;
  }
  const header = path.replace(/\.(cpp|cc)$/, ".h");
  if (header !== path && paths.get(header) === true) return null;
  return `@mirrors ${path}: only 1.13 shows this file. Name its 2.13 header, or put the path with its evidence into tools/mirrors.extra.tsv`;
}

export function checkMarks(): { errors: string[]; differences: string; list: readonly Difference[] } {
  const paths = readPaths();
  const extra = readColumn("tools/mirrors.extra.tsv");
  const cpython = readColumn("tools/cpython-paths.tsv");
  const errors: string[] = [];
  const differences: Difference[] = [];
  const table = { ...readNames(PYTORCH_NAMES), ...readNames(CODEGEN_NAMES) };
  const notes = new Map<string, string[]>();
  const citations: { title: string; where: string }[] = [];
  for (const file of [...sourceFiles(join(root, "src")), ...sourceFiles(join(root, "tools"))]) {
    const name = relative(root, file).split(sep).join("/");
    const text = readFileSync(file, "utf8");
    const generated = text.startsWith("// @generated");
    if (!generated && !/@file\b/.test(text))
      errors.push(`${name}: no @file line: say in a header comment what the file holds`);
    if (!generated && name.startsWith("src/") && !/@(mirrors|original)\b/.test(text))
      errors.push(`${name}: neither @mirrors nor @original: name PyTorch's file, or say that it has none`);
    if (!generated) errors.push(...complaints_about_parameters(name, text));
    const lines = text.split("\n");
    const entries = text.includes("@differs") && !generated ? entries_of(name, text, table) : [];
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (!generated) {
        const mirror =
          file === fileURLToPath(import.meta.url)
            ? null
            : /^\s*(?:\/?\*+|\/\/)\s.*?@mirrors\s+([\w./*{},+-]+)/.exec(line);
        if (mirror !== null) {
          const path = mirror[1].replace(/[.,;]$/, "");
          const complaint = name.startsWith("src/python/")
            ? checkPython(path, cpython)
            : checkMirror(path, paths, extra);
          if (complaint !== null) errors.push(`${name}:${i + 1}: ${complaint}`);
        }
        const differs = /@differs\s+(.*)$/.exec(line);
        if (differs !== null && /^\s*(\/?\*|\/\/)/.test(line)) {
          let sentence = differs[1].replace(/\s*\*\/\s*$/, "");
          for (
            let j = i + 1;
            j < lines.length && /^\s*(\*|\/\/)\s+[^@\s]/.test(lines[j]) && !/\*\//.test(lines[j - 1]);
            j++
          ) {
            if (/Note \[|~~~/.test(lines[j])) break;
            sentence += ` ${lines[j].replace(/^\s*(\*|\/\/)\s+/, "").replace(/\s*\*\/\s*$/, "")}`;
          }
          differences.push({ file: name, line: i + 1, text: sentence.trim(), subject: subjectOf(lines, i, entries) });
        }
      }
      const noteHead = /^\s*(?:\/\/|\*)\s*Note \[([^\]]+)\]\s*$/.exec(line);
      if (noteHead !== null) {
        const title = noteHead[1];
        notes.set(title, [...(notes.get(title) ?? []), `${name}:${i + 1}`]);
      } else
        for (const cited of line.matchAll(/(?:see|See)\s+Note \[([^\]]+)\]/g))
          citations.push({ title: cited[1], where: `${name}:${i + 1}` });
    }
  }
  for (const [title, places] of notes)
    if (places.length > 1) errors.push(`Note [${title}] is written ${places.length} times: ${places.join(", ")}`);
  for (const { title, where } of citations)
    if (!notes.has(title)) errors.push(`${where}: cites Note [${title}], which stands nowhere`);
  return { errors, differences: renderDifferences(differences), list: differences };
}

function renderDifferences(differences: readonly Difference[]): string {
  const byFile = new Map<string, Difference[]>();
  for (const d of differences) byFile.set(d.file, [...(byFile.get(d.file) ?? []), d]);
  let out =
    "# Where glasstorch differs from PyTorch\n\nBuilt from the `@differs` marks in the sources by `tools/check_marks.ts`. Do not edit.\n";
  for (const [file, list] of byFile) {
    out += `\n## [\`${file}\`](../${file})\n\n`;
    for (const d of list) out += d.subject === "" ? `- ${d.text}\n` : `- \`${d.subject}\`: ${d.text}\n`;
  }
  return out;
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1]) {
  const { errors, differences } = checkMarks();
  const target = join(root, "docs/differences.md");
  if (process.argv.includes("--write")) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, differences);
  } else if (!existsSync(target) || readFileSync(target, "utf8") !== differences) {
    errors.push("docs/differences.md is stale: run `npm run marks -- --write`");
  }
  for (const error of errors) console.error(error);
  console.log(errors.length === 0 ? "marks: all hold" : `marks: ${errors.length} do not hold`);
  process.exit(errors.length === 0 ? 0 : 1);
}
