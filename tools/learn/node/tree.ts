/**
 * @file Exercises whose files belong to the tree: codegen's output for them is written beside them, so that the tree
 * itself stays unchanged.
 * @original
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, read_tree } from "../../codegen/file_system.ts";
import type { Exercise } from "../exercise.ts";
import { lay, toldOf } from "../laying.ts";
import { writeFiles } from "./workspace.ts";

/** A tree with the learner's files over it, as plain data that can be sent to another process. */
export interface Laid {
  /** Folders to lay over the tree, the uppermost first. */
  readonly overlays: readonly string[];
  /** Texts that differ from the tree's: the learner's, and codegen's output for them. */
  readonly own: readonly Text[];
  readonly made: readonly Text[];
  /** Codegen's error, if it failed. */
  readonly error: string | null;
}

/** The folder for codegen's output for the files in `learners`: beside them. */
export function builtFor(learners: string): string {
  return `${learners}.built`;
}

type Text = readonly [path: string, text: string];

/**
 * Runs codegen on the tree with `files` in it, and writes its output to `built`.
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
  const written = new Map(
    files.map((file) => [file, readFileSync(join(learners, file), "utf8").replaceAll("\r\n", "\n")]),
  );
  const textOf = (file: string): string => texts.get(file) ?? readFileSync(join(ROOT, file), "utf8");
  const laid = lay(exercise, written, textOf);
  const own = [...laid].map(([file, { text }]): Text => [file, text]);
  for (const [file, text] of own) texts.set(file, text);
  if (existsSync(built)) rmSync(built, { recursive: true });
  try {
    const { outputs } = generate(texts);
    const made = [...outputs].filter(([path, text]) => texts.get(path) !== text);
    const appended = own.filter(([file]) => (laid.get(file)?.before ?? 0) > 0);
    writeFiles(built, new Map([...appended, ...made]), false);
    return { overlays: [built, learners], own, made, error: null };
  } catch (error) {
    if (!(error instanceof CodegenError)) throw error;
    return { overlays: [learners], own, made: [], error: toldOf(error.message, laid) };
  }
}
