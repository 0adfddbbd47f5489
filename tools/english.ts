/**
 * @file Lint for the first words of doc comments: a reader must meet the thing that is described, not half a sentence about it.
 * `npx tsx tools/english.ts [FOLDER or FILE ...]` prints one line for each opening that it refuses; without arguments it reads all
 * hand-written TypeScript of the repository.
 *
 * It reads the text of each doc comment and the text after `@file`, `@param NAME`, `@returns`, `@differs` and `@original`. It uses regular
 * expressions, no parser, and takes about a second.
 * @original
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Folders that hold hand-written TypeScript. */
const FOLDERS = ["src", "tools", "docs/site", "docs/src", "walkthroughs", "exercises", "test", "bench", "gallery"];

/** Folder names that are skipped: packages, build results, and text that a program wrote. */
const SKIPPED = new Set(["node_modules", "dist", "dist-stripped", "generated", "fixtures", "recorded"]);

/** Refused opening -> reason. */
const REASONS: Readonly<Record<string, string>> = {
  Of: "the subject is missing: name the thing, or write `If ...` and a main clause",
  "The same": "the reader must first find the other text: name the thing itself",
  For: "the subject is missing: name the thing, then what it is for",
  Those: "a relative clause is used as a noun: name the things",
  "In any": "the subject is missing: write a main clause",
  What: "a relative clause is used as a noun: name the thing",
};

// The space between an opening mark and its text may contain line ends and the ` * ` of the next lines, but never the end of the comment.
const OPENING = new RegExp(
  `(?:/\\*\\*|(?:/\\*\\*|\\n[ \\t]*\\*|//)[ \\t]+@(?:file|returns|differs|original|param[ \\t]+\\S+(?:[ \\t]+-)?))(?:\\s|\\*(?!/))+(${Object.keys(REASONS).join("|")})\\b`,
  "g",
);

/** Complaints about one source text, as `path:line: reason`. */
export function complaints_about(path: string, text: string): string[] {
  return Array.from(text.matchAll(OPENING), (found) => {
    const [all, opening] = found;
    const at = found.index + all.length;
    const line = text.slice(0, at).split("\n").length;
    const end = text.indexOf("\n", at);
    const rest = text.slice(at, Math.min(end < 0 ? text.length : end, at + 50));
    return `${path}:${line}: "${opening}${rest}": ${REASONS[opening]}`;
  });
}

/** TypeScript files below `path`, or `path` itself if it is a file. */
function* sources(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) {
    if (/\.m?tsx?$/.test(path)) yield path;
    return;
  }
  for (const name of readdirSync(path).sort())
    if (!SKIPPED.has(name) && !name.startsWith(".")) yield* sources(join(path, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const paths = process.argv.length > 2 ? process.argv.slice(2) : FOLDERS.map((folder) => join(root, folder));
  const complaints: string[] = [];
  let files = 0;
  for (const path of paths) {
    if (!existsSync(path)) complaints.push(`${path}: there is no such file or folder`);
    else
      for (const file of sources(path)) {
        files++;
        complaints.push(...complaints_about(relative(root, file).replaceAll("\\", "/"), readFileSync(file, "utf8")));
      }
  }
  console.log(complaints.length === 0 ? `${files} files` : `${complaints.join("\n")}\n${complaints.length} openings`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
