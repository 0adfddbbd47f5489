/**
 * @file The import lines of a generated file, found from the names its text uses.
 * @original C++ includes whole headers; TypeScript wants each name.
 */
import { TYPE_SOURCES } from "./api/cpp.ts";

/** The relative import specifier of `to` seen from the file `from`; both from the repository root. */
export function relative_import(from: string, to: string): string {
  const here = from.split("/").slice(0, -1);
  const there = to.split("/");
  let common = 0;
  while (common < here.length && here[common] === there[common]) common++;
  const up = here.length - common;
  return `${up === 0 ? "./" : "../".repeat(up)}${there.slice(common).join("/")}`;
}

/** Names of `TYPE_SOURCES` that `text` uses: as a value (`Scalar.ONE`, `new Tensor`, `extends X`) or only as a type. */
export function import_lines(path: string, text: string, extra: Readonly<Record<string, string>> = {}): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const words = new Set(code.match(/[A-Za-z_]\w*/g));
  const by_file = new Map<string, { values: string[]; types: string[] }>();
  for (const [name, file] of Object.entries({ ...TYPE_SOURCES, ...extra })) {
    if (!words.has(name) || file === path) continue;
    const is_value = new RegExp(`\\b${name}\\.|\\b(?:new|extends) ${name}\\b|(?<![\\w.])${name}\\(|[(,=] ?${name}[,;)]`).test(code) || name in extra;
    const entry = by_file.get(file) ?? { values: [], types: [] };
    by_file.set(file, entry);
    (is_value ? entry.values : entry.types).push(name);
  }
  return [...by_file].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, { values, types }]) => {
    const from = `from "${relative_import(path, file)}";`;
    if (values.length === 0) return `import type { ${types.sort().join(", ")} } ${from}`;
    return `import { ${[...values.sort(), ...types.sort().map((t) => `type ${t}`)].join(", ")} } ${from}`;
  });
}
