/**
 * @file The generator's own functions as symbols, so that a reader who looks up torchgen's finds ours. The library's
 * index has none of them, because they occur in no recording.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SymbolFile } from "#trace/symbol_entry";
import { symbol_index } from "#trace/symbol_index";
import { ROOT } from "../codegen/file_system.ts";

const FOLDER = "tools/codegen";

/** PyTorch's names in the generator's sources. Made by tools/names.ts. */
export const CODEGEN_NAMES = `${FOLDER}/pytorch_names.json`;

/** The generator's sources, and the table of their names. */
export function codegen_sources(): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: "utf8" })) {
    const path = `${FOLDER}/${entry.replaceAll("\\", "/")}`;
    if (path.endsWith(".ts") || path === CODEGEN_NAMES) files.set(path, readFileSync(join(ROOT, path), "utf8"));
  }
  return files;
}

export function codegen_symbols(): SymbolFile {
  return symbol_index(codegen_sources(), (path) => path.endsWith(".ts"));
}
