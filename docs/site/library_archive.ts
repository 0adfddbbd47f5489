/**
 * @file The library in one packed file for the playground: every source that runs, and what codegen reads.
 * @original
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { joinTexts } from "../src/playground/engine/archive.ts";
import type { Context } from "./context.ts";

/** Folder -> which of its files. */
const CONTENTS: readonly (readonly [folder: string, wanted: RegExp])[] = [
  ["src", /\.(ts|json|yaml|tmpl)$/],
  ["tools/codegen", /\.(yaml|tmpl)$/],
  ["walkthroughs/support", /claims\.ts$/],
];

export const ARCHIVE = "library.gz";

/** The texts that a page has; also for tests, which need no packing. */
export function libraryTexts(root: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [folder, wanted] of CONTENTS)
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      const path = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (wanted.test(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    }
  return texts;
}

export async function libraryArchive(context: Context): Promise<string> {
  const texts = libraryTexts(context.root);
  const packed = gzipSync(joinTexts(texts), { level: 9 });
  context.write(join(context.out, ARCHIVE), packed);
  // Part of its address: browsers may keep the file, and what the playground made of it, as long as neither changes.
  const transpiler = readFileSync(join(context.docs, "src/playground/engine/transpile.ts"));
  const hash = createHash("sha256").update(packed).update(transpiler).digest("hex").slice(0, 12);
  context.write(join(context.generated, "library.json"), JSON.stringify({ hash }));
  return `${texts.size} files, ${Math.round(packed.length / 1024)} KB packed`;
}
