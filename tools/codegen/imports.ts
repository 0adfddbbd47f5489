/**
 * @file The import lines of a generated file, found from the names its text uses.
 * @original C++ includes whole headers; TypeScript wants each name.
 */
import { TYPE_SOURCES } from "./api/cpp.ts";
import { specifier_of } from "./module_path.ts";

/** Names of `TYPE_SOURCES` that `text` uses: as a value (`Scalar.ONE`, `new Tensor`, `extends X`) or only as a type. */
export function import_lines(path: string, text: string, extra: Readonly<Record<string, string>> = {}): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const words = new Set(code.match(/[A-Za-z_]\w*/g));
  const sources = Object.entries({ ...TYPE_SOURCES, ...extra }).filter(
    ([name, file]) => words.has(name) && file !== path,
  );
  const any = sources.map(([name]) => name).join("|");
  const values = new Set(Object.keys(extra));
  if (any !== "")
    for (const m of code.matchAll(
      new RegExp(`\\b(?:new|extends) (${any})\\b|(?<![\\w.])(${any})[.(]|[(,=] ?(${any})[,;)]`, "g"),
    ))
      values.add(m[1] ?? m[2] ?? m[3]);
  const by_file = new Map<string, { values: string[]; types: string[] }>();
  for (const [name, file] of sources) {
    const entry = by_file.get(file) ?? { values: [], types: [] };
    by_file.set(file, entry);
    (values.has(name) ? entry.values : entry.types).push(name);
  }
  return [...by_file]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { values, types }]) => {
      const from = `from "${specifier_of(path, file)}";`;
      if (values.length === 0) return `import type { ${types.sort().join(", ")} } ${from}`;
      return `import { ${[...values.sort(), ...types.sort().map((t) => `type ${t}`)].join(", ")} } ${from}`;
    });
}
