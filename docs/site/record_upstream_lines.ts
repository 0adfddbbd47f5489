/**
 * @file Finds the lines of PyTorch 2.13.0 on which what we mirror is declared: Python, headers, YAML and templates are in its wheel.
 * `PYTHON=/path/to/python npx tsx site/record_upstream_lines.ts` (in docs/) writes site/upstream_lines.json; the site is built without the wheel.
 * @original
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { symbolFile } from "../../src/trace/sources.ts";
import { decode } from "../../src/trace/symbol_entry.ts";
import { docs, fileText, keyOf, upstreamPath } from "./repository.ts";

/** Where the wheel has a file of PyTorch's tree, or null. */
function inWheel(site: string, path: string): string | null {
  const places = [
    path,
    path.replace(/^aten\/src\/(?=ATen\/)/, "torch/include/"),
    `torch/include/${path}`,
    path.replace(/^tools\/autograd\//, "torchgen/packaged/autograd/"),
    path.replace(/^aten\/src\/ATen\//, "torchgen/packaged/ATen/"),
  ];
  return places.map((place) => join(site, place)).find((place) => existsSync(place)) ?? null;
}

/** Line of a name in the text of a file, or null. */
function lineOf(path: string, text: string, symbol: string): number | null {
  const parts = symbol.replace("(anonymous namespace)::", "").split(/::|\./);
  const name = (parts.at(-1) ?? "").replace(/[^\w~]/g, "");
  if (name === "") return null;
  const lines = text.split("\n");
  const find = (pattern: RegExp, from = 0): number | null => {
    const at = lines.findIndex((line, i) => i >= from && pattern.test(line));
    return at === -1 ? null : at + 1;
  };
  if (path.endsWith(".py")) {
    const owner = parts.at(-2) ?? "";
    const inside = find(new RegExp(`^class ${owner}\\b`));
    return (
      (inside === null ? null : find(new RegExp(`^\\s+(async )?def ${name}\\b`), inside)) ??
      find(new RegExp(`^\\s*(async )?(def|class) ${name}\\b`)) ??
      find(new RegExp(`^${name}\\s*[:=]`))
    );
  }
  if (path.endsWith(".yaml")) return null;
  const owner = parts.at(-2) ?? "";
  const opens = find(new RegExp(`^\\s*(?:class|struct)\\s+(?:[A-Z_]+\\s+)*${owner}\\b(?!.*;\\s*$)`));
  if (opens !== null && owner !== "") {
    // A member: another class of the file may have one of that name.
    const closes = find(/^};/, opens) ?? lines.length;
    const at = find(new RegExp(`^(?!\\s*(?://|\\*|return\\b)).*[\\w>&*~]?\\b${name}\\s*\\(`), opens);
    if (at !== null && at <= closes) return at;
  }
  return (
    find(new RegExp(`^\\s*(?:template\\b.*)?(?:class|struct|enum class)\\s+(?:[A-Z_]+\\s+)*${name}\\b(?!.*;\\s*$)`)) ??
    find(new RegExp(`^\\s*#define\\s+${name}\\b`)) ??
    find(new RegExp(`^(?!\\s*(?://|\\*|return\\b)).*\\b${name}\\s*\\(.*\\{\\s*$`)) ??
    find(new RegExp(`^(?!\\s*(?://|\\*|return\\b)).*[\\w>&*]\\s+(?:\\w+::)*${name}\\s*\\(`))
  );
}

/** The line of a template at which what is generated goes in: its first placeholder of a whole line. */
function placeholderLine(text: string): number | null {
  const at = text
    .split("\n")
    .findIndex((line) =>
      /^\s*\$\{\w*(methods|method_def|definitions|declarations|functions|registrations)\w*\}/.test(line),
    );
  return at === -1 ? null : at + 1;
}

/** Ends in a semicolon before any brace opens. */
function isDeclaration(lines: readonly string[], line: number): boolean {
  const text = lines.slice(line - 1, line + 9).join(" ");
  if (/^\s*(template\b.*)?(class|struct|enum|#define)\b/.test(text)) return false;
  const [brace, end] = [text.indexOf("{"), text.indexOf(";")];
  return end !== -1 && (brace === -1 || end < brace);
}

function record(): void {
  const python = process.env["PYTHON"] ?? "python";
  const [version, site] = execFileSync(
    python,
    ["-c", "import torch, os; print(torch.__version__); print(os.path.dirname(os.path.dirname(torch.__file__)))"],
    { encoding: "utf8" },
  )
    .trim()
    .split("\n") as [string, string];
  if (!version.startsWith("2.13.0")) throw new Error(`the reference is PyTorch 2.13.0; this is ${version}`);
  const found = new Map<string, Map<string, number | string>>();
  const texts = new Map<string, string | null>();
  const knownPaths = new Set((fileText("tools/pytorch-paths.tsv") ?? "").split("\n").map((row) => row.split("\t")[0]));
  const add = (path: string, name: string, line: number | string | null): void => {
    if (line === null) return;
    const of = found.get(path) ?? new Map<string, number | string>();
    found.set(path, of.set(name, line));
  };
  const read = (path: string): string | null => {
    if (!texts.has(path)) {
      const place = inWheel(site, path);
      texts.set(path, place === null ? null : readFileSync(place, "utf8"));
    }
    return texts.get(path) as string | null;
  };
  for (const { symbol, mirrors } of decode(symbolFile())) {
    const path = upstreamPath(mirrors);
    const text = path === "" ? null : read(path);
    if (text === null) continue;
    if (/\/templates\//.test(path)) add(path, "", placeholderLine(text));
    else {
      const line = lineOf(path, text, symbol);
      const body = path.replace(/\.h$/, ".cpp");
      // A header that only declares it: who looks for the function wants its body.
      const declared = line !== null && path.endsWith(".h") && isDeclaration(text.split("\n"), line);
      add(path, keyOf(symbol), declared && knownPaths.has(body) ? body : line);
    }
  }
  for (const [ours, theirs, entry] of [
    ["src/aten/native/native_functions.yaml", "aten/src/ATen/native/native_functions.yaml", /^- func: ([\w.]+)\(/],
    ["tools/codegen/autograd/derivatives.yaml", "tools/autograd/derivatives.yaml", /^- name: ([\w.]+)\(/],
  ] as const) {
    const wanted = new Set((fileText(ours) ?? "").split("\n").flatMap((line) => entry.exec(line)?.[1] ?? []));
    (read(theirs) ?? "").split("\n").forEach((line, i) => {
      const name = entry.exec(line)?.[1];
      if (name !== undefined && wanted.has(name)) add(theirs, name, i + 1);
    });
  }
  const sorted = Object.fromEntries(
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, of]) => [path, Object.fromEntries([...of].sort())]),
  );
  writeFileSync(
    join(docs, "site/upstream_lines.json"),
    `${JSON.stringify({ torch: version, files: sorted }, null, 1)}\n`,
  );
  console.log(`${[...found.values()].reduce((n, of) => n + of.size, 0)} lines of ${found.size} files`);
}

record();
