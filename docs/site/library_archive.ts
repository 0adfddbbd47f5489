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

/** Files of the Python machine. A program in a page does not load most of them, and a page does not have these. */
const OF_PYTHON = /^src\/(?:python\/.*|python|torch\/_python)\.ts$/;

function leave_out_python(texts: Map<string, string>): void {
  const loaded = loadedModules(texts);
  for (const path of [...texts.keys()]) if (OF_PYTHON.test(path) && !loaded.has(path)) texts.delete(path);
}

/** The texts that a page has; also for tests, which need no packing. */
export function libraryTexts(root: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [folder, wanted] of CONTENTS)
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      const path = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (wanted.test(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    }
  leave_out_python(texts);
  return texts;
}

export async function libraryArchive(context: Context): Promise<string> {
  const texts = libraryTexts(context.root);
  const packed = gzipSync(joinTexts(texts), { level: 9 });
  context.write(join(context.out, ARCHIVE), packed);
  const runner = await runnerScript();
  context.write(join(context.out, "runner.js"), runner.script);
  // Part of their addresses: browsers may keep the files as long as these do not change.
  const hash = createHash("sha256").update(packed).digest("hex").slice(0, 12);
  const { words, ...packs } = await runForm(context, texts, exerciseTasks(context));
  context.write(
    join(context.generated, "library.json"),
    JSON.stringify({ hash, integrity: { runner: runner.integrity, ...packs } }),
  );
  return `${texts.size} files, ${Math.round(packed.length / 1024)} KB packed; to run: ${words}`;
}
