/**
 * @file Inserts a stub at the right place in a text.
 * @original
 */
import type { Stub } from "./plan.ts";

/** @param text null if the file is new */
export function insert(text: string | null, { file, text: added, spot, imports }: Stub): string {
  const before = text ?? newFile(file);
  const placed = put(before, added, spot);
  return withImports(placed, imports);
}

function newFile(file: string): string {
  const stem = /([^/]+)\.ts$/.exec(file)?.[1];
  const folder = file.includes("/cpu/") ? "cpu/" : "";
  return `/**\n * @file TODO: what stands here, in a sentence.\n * @mirrors aten/src/ATen/native/${folder}${stem}.cpp\n */\n`;
}

function put(text: string, added: string, spot: Stub["spot"]): string {
  if (spot === "end") return text + added;
  if ("behindEntry" in spot) {
    const begin = text.indexOf(`- func: ${spot.behindEntry}(`);
    const next = text.indexOf("\n- func: ", begin + 1);
    if (begin === -1 || next === -1) return text + added;
    return text.slice(0, next) + added + text.slice(next);
  }
  if ("byExport" in spot) {
    const later = [...text.matchAll(/^export const (\w+) =/gm)].find(([, name]) => (name as string) > spot.byExport);
    if (later === undefined) return text + added;
    const comment = text.lastIndexOf("\n/**", later.index);
    const at = text.slice(comment, later.index).includes("\nexport ") ? later.index : comment + 1;
    return text.slice(0, at) + added + text.slice(at);
  }
  const name = text.indexOf(`\n  ${spot.beforeDoc}: Documented;`);
  const at = name === -1 ? text.lastIndexOf("\n}") + 1 : text.lastIndexOf("\n  /**", name) + 1;
  return text.slice(0, at) + added + text.slice(at);
}

/** Adds missing imports, one line each, after the file's header. */
function withImports(text: string, imports: ReadonlyMap<string, string>): string {
  const imported = [...text.matchAll(/^import [^;]+;/gm)].join("\n");
  const lines = [...imports]
    .filter(([name]) => !new RegExp(`\\b${name}\\b`).test(imported))
    .map(
      ([name, module]) =>
        `import { ${/^[A-Z][a-z]/.test(name) && !/Base$/.test(name) ? "type " : ""}${name} } from "${module}";\n`,
    );
  const at = text.indexOf("*/\n") + "*/\n".length;
  return text.slice(0, at) + lines.join("") + text.slice(at);
}
