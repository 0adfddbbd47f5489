/**
 * @file An exercise whose files stand in the tree: what codegen makes of them, beside them, so that the tree itself stays as it is.
 * @original
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, read_tree } from "../../codegen/file_system.ts";
import type { Generated } from "../checks/host.ts";
import type { Exercise } from "../exercise.ts";
import { lay, toldOf } from "../laying.ts";
import { writeFiles } from "./workspace.ts";

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
  const own = new Map(files.map((file) => [file, readFileSync(join(learners, file), "utf8").replaceAll("\r\n", "\n")]));
  const textOf = (file: string): string => texts.get(file) ?? readFileSync(join(ROOT, file), "utf8");
  const laid = lay(exercise, own, textOf);
  for (const [file, { text }] of laid) texts.set(file, text);
  if (existsSync(built)) rmSync(built, { recursive: true });
  try {
    const { outputs } = generate(texts);
    const generated = new Map([...outputs].filter(([path, text]) => texts.get(path) !== text));
    for (const [path, text] of generated) texts.set(path, text);
    const appended = [...laid].filter(([, { before }]) => before > 0).map(([file, { text }]) => [file, text] as const);
    writeFiles(built, new Map([...appended, ...generated]), false);
    return { overlays: [built, learners], generated: { files: generated, error: null }, texts };
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    return { overlays: [learners], generated: { files: new Map(), error: toldOf(error.message, laid) }, texts };
  }
}
