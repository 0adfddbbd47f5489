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
import { exerciseTasks } from "./exercise_tasks.ts";
import { loadedModules } from "./loaded_modules.ts";
import { runForm } from "./run_form.ts";
import { runnerScript } from "./runner_script.ts";

/** Folder -> which of its files. */
const CONTENTS: readonly (readonly [folder: string, wanted: RegExp])[] = [
  ["src", /\.(ts|json|yaml|tmpl)$/],
  ["tools/codegen", /\.(yaml|tmpl)$/],
  ["walkthroughs/support", /(?:claims|device)\.ts$/],
  ["walkthroughs/recorded", /\.json$/],
];

export const ARCHIVE = "library.gz";

/** Files of the Python machine. A TypeScript program loads few of them; the others come when a page runs Python. */
const OF_PYTHON = /^src\/(?:python\/.*|python|torch\/_python\w*)\.ts$/;

/** Takes the texts of the Python machine out that no TypeScript program loads. */
function partPython(texts: Map<string, string>): Map<string, string> {
  const loaded = loadedModules(texts);
  const python = new Map<string, string>();
  for (const [path, text] of texts) if (OF_PYTHON.test(path) && !loaded.has(path)) python.set(path, text);
  for (const path of python.keys()) texts.delete(path);
  return python;
}

/** The texts that a page has; also for tests, which need no packing. */
export const libraryTexts = (root: string): Map<string, string> => allTexts(root).texts;

/** The texts of the Python machine that `libraryTexts` does not have. */
export const pythonTexts = (root: string): Map<string, string> => allTexts(root).python;

function allTexts(root: string): { readonly texts: Map<string, string>; readonly python: Map<string, string> } {
  const texts = new Map<string, string>();
  for (const [folder, wanted] of CONTENTS)
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      const path = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (wanted.test(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    }
  return { python: partPython(texts), texts };
}

export async function libraryArchive(context: Context): Promise<string> {
  const texts = libraryTexts(context.root);
  const packed = gzipSync(joinTexts(texts), { level: 9 });
  context.write(join(context.out, ARCHIVE), packed);
  const runner = await runnerScript();
  context.write(join(context.out, "runner.js"), runner.script);
  // Part of their addresses: browsers may keep the files as long as these do not change.
  const hash = createHash("sha256").update(packed).digest("hex").slice(0, 12);
  const { words, ...packs } = await runForm(context, texts, exerciseTasks(context), pythonTexts(context.root));
  context.write(
    join(context.generated, "library.json"),
    JSON.stringify({ hash, integrity: { runner: runner.integrity, ...packs } }),
  );
  return `${texts.size} files, ${Math.round(packed.length / 1024)} KB packed; to run: ${words}`;
}
