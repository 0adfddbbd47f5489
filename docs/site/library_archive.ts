/**
 * @file The library in one packed file for the playground: every source that runs, and what codegen reads.
 * @original
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { imports_of } from "../../tools/imports_of.ts";
import { joinTexts } from "../src/playground/engine/archive.ts";
import type { Context } from "./context.ts";
import { exerciseTasks } from "./exercise_tasks.ts";
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

/** Entries of a program in a page. Files that only the Python machine needs are not reached from them, and a page does not have them. */
const ENTRIES = /^src\/(?:index\.ts|webgpu\.ts|trace\/.*\.ts)$/;
const OF_PYTHON = /^src\/(?:python\/.*|python|torch\/_python)\.ts$/;

function leave_out_python(texts: Map<string, string>): void {
  const needed = new Set([...texts.keys()].filter((path) => ENTRIES.test(path)));
  for (const path of needed)
    for (const { to, type_only } of imports_of(path, texts.get(path) ?? "")) if (!type_only) needed.add(to);
  for (const path of [...texts.keys()]) if (OF_PYTHON.test(path) && !needed.has(path)) texts.delete(path);
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
