/**
 * @file Import lines of a generated file, found from the names in its text. Each line imports one name, so that an
 * operator that needs another one adds a line and changes none: Note [An operator's text stays where it is] in
 * shards.ts.
 * @original C++ includes whole headers; TypeScript imports each name.
 */
import { TYPE_SOURCES } from "./api/cpp.ts";
import { specifier_of } from "./module_path.ts";

/** Types that are also values: a default value or a formula may use them. */
const VALUES: ReadonlySet<string> = new Set(["MemoryFormat", "Scalar", "ScalarType", "TensorOptions"]);

/** `import { name } from "..."`. */
export function import_line(path: string, file: string, name: string, type_only = false): string {
  return `import ${type_only ? "type " : ""}{ ${name} } from "${specifier_of(path, file)}";`;
}

/**
 * Imports of the names in `TYPE_SOURCES` and `extra` that `text` uses. Names in `extra`, and names used as values
 * (`new Tensor`, `extends X`), are imported as values; a name that may be either is always imported as a value.
 */
export function import_lines(path: string, text: string, extra: Readonly<Record<string, string>> = {}): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const words = new Set(code.match(/[A-Za-z_]\w*/g));
  const sources = Object.entries({ ...TYPE_SOURCES, ...extra }).filter(
    ([name, file]) => words.has(name) && file !== path,
  );
  const any = sources.map(([name]) => name).join("|");
  const values = new Set([...Object.keys(extra), ...VALUES]);
  if (any !== "")
    for (const m of code.matchAll(new RegExp(`\\b(?:new|extends) (${any})\\b|(?<![\\w.])(${any})[.(]`, "g")))
      values.add(m[1] ?? m[2]);
  return sources
    .sort(([a, from_a], [b, from_b]) => (from_a === from_b ? (a < b ? -1 : 1) : from_a < from_b ? -1 : 1))
    .map(([name, file]) => import_line(path, file, name, !values.has(name)));
}
