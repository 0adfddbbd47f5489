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
import { loadedModules, reachable } from "./loaded_modules.ts";
import { OF_VECTORS, runForm } from "./run_form.ts";
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
const OF_PYTHON = /^src\/python\/.*\.ts$/;
const PYTHON_ENTRY = "src/python.ts";

/** Entries of the systems that capture programs. */
const GRAPH_ENTRIES = ["src/fx.ts", "src/func.ts", "src/export.ts", "src/jit.ts"];
/** Entries that stand on those, and that few pages use: they come together. */
const COMPILE_ENTRIES = ["src/compile.ts", "src/lazy.ts", "src/cpp.ts"];

export interface LibraryTexts {
  /** The texts that a page has from the beginning. */
  readonly core: ReadonlyMap<string, string>;
  /** Texts of parts that come with the first program that uses them. */
  readonly apart: Readonly<Record<"python" | "graphs" | "compile", ReadonlyMap<string, string>>>;
}

/** The texts that a page can have; also for tests, which need no packing. */
export function libraryTexts(root: string): LibraryTexts {
  const core = new Map<string, string>();
  for (const [folder, wanted] of CONTENTS)
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      const path = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (wanted.test(path)) core.set(path, readFileSync(join(root, path), "utf8"));
    }
  const loaded = loadedModules(core);
  const ofPython = reachable(core, [PYTHON_ENTRY]);
  const ofGraphs = reachable(core, GRAPH_ENTRIES);
  const ofCompile = reachable(core, COMPILE_ENTRIES);
  const apart = {
    python: new Map<string, string>(),
    graphs: new Map<string, string>(),
    compile: new Map<string, string>(),
  };
  const partOf = (path: string): Map<string, string> | null => {
    if (OF_PYTHON.test(path) || ofPython.has(path)) return apart.python;
    if (ofGraphs.has(path)) return apart.graphs;
    return ofCompile.has(path) ? apart.compile : null;
  };
  for (const [path, text] of core) {
    if (loaded.has(path)) continue;
    partOf(path)?.set(path, text);
  }
  // Codegen reads the sources of vector loops, too, so they stay.
  for (const part of Object.values(apart))
    for (const path of part.keys()) if (!OF_VECTORS.test(path)) core.delete(path);
  return { core, apart };
}

export async function libraryArchive(context: Context): Promise<string> {
  const { core: texts, apart } = libraryTexts(context.root);
  const packed = gzipSync(joinTexts(texts), { level: 9 });
  context.write(join(context.out, ARCHIVE), packed);
  const runner = await runnerScript();
  context.write(join(context.out, "runner.js"), runner.script);
  // Part of their addresses: browsers may keep the files as long as these do not change.
  const hash = createHash("sha256").update(packed).digest("hex").slice(0, 12);
  const { words, ...packs } = await runForm(context, texts, exerciseTasks(context), apart);
  context.write(
    join(context.generated, "library.json"),
    JSON.stringify({ hash, integrity: { runner: runner.integrity, ...packs } }),
  );
  return `${texts.size} files, ${Math.round(packed.length / 1024)} KB packed; to run: ${words}`;
}
