/**
 * @file An exercise whose files stand in the tree: what codegen makes of them, beside them, so that the tree itself stays as it is.
 * @original
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, read_tree } from "../../codegen/file_system.ts";
import type { Generated } from "../checks/host.ts";
import { type Exercise, isOfTheTree } from "../exercise.ts";
import { writeFiles } from "./workspace.ts";

/** Whether the library itself is another with the learner's files. */
export function changesTheTree({ edits }: Exercise): boolean {
  return edits.some(({ file }) => isOfTheTree(file));
}

/** A tree with the learner's files over it. */
export interface Laid {
  /** Folders to lay over the tree, the uppermost first. */
  readonly overlays: readonly string[];
  readonly generated: Generated;
  /** All texts as they are with the overlay. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Runs codegen on the tree with `files` in it, and writes what came of it to `built`.
 * @param learners the folder of the learner's files
 */
export async function layTree(
  exercise: Exercise,
  files: readonly string[],
  learners: string,
  built: string,
): Promise<Laid> {
  const { generate } = await import("../../codegen/generate.ts");
  const { CodegenError } = await import("../../codegen/errors.ts");
  const texts = read_tree(ROOT);
  const merged = new Map<string, string>();
  const linesBefore = new Map<string, number>();
  for (const file of files) {
    const text = readFileSync(join(learners, file), "utf8").replaceAll("\r\n", "\n");
    const appended = [...exercise.edits, ...exercise.given].some((edit) => edit.file === file && edit.appended);
    if (appended) {
      const before = texts.get(file) ?? readFileSync(join(ROOT, file), "utf8");
      linesBefore.set(file, before.split("\n").length - 1);
      merged.set(file, `${before}${text}`);
    }
    texts.set(file, merged.get(file) ?? text);
  }
  if (existsSync(built)) rmSync(built, { recursive: true });
  try {
    const { outputs } = generate(texts);
    const generated = new Map([...outputs].filter(([path, text]) => texts.get(path) !== text));
    for (const [path, text] of generated) texts.set(path, text);
    writeFiles(built, new Map([...merged, ...generated]), false);
    return { overlays: [built, learners], generated: { files: generated, error: null }, texts };
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    const told = error.message.replace(/(\S+):(\d+)/g, (place, file, line) => {
      const before = linesBefore.get(file) ?? 0;
      return before > 0 && Number(line) > before ? `${file}, your line ${Number(line) - before}` : place;
    });
    return { overlays: [learners], generated: { files: new Map(), error: told }, texts };
  }
}
