/**
 * @file The learner's own folder, `workspace/` or the one named by LEARN_WORKSPACE: their files, and a note of what has
 * passed. Only new files at the start of an exercise, that note, and backups are written to it.
 * @original
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../codegen/file_system.ts";
import { beginning, editsOf, type Progress, readProgressFile, type Status, statusIn, withPassed } from "../progress.ts";
import type { Files, Folder } from "./folder.ts";

/** Relative to the repository's root, and inside it, because learners' files import the library by its name. */
const NAME = process.env["LEARN_WORKSPACE"] ?? "workspace";
export const WORKSPACE = join(ROOT, NAME);
/** The name that is shown. */
export const BACKUPS = `${NAME}/backups`;
const PROGRESS = join(WORKSPACE, "progress.json");

export function folderOf(id: string): string {
  return join(WORKSPACE, id);
}

/** The path of an exercise's file for an editor, from the repository's root. */
export function shownPath(id: string, file: string): string {
  return `${NAME}/${id}/${file}`;
}

/**
 * Makes the missing files: with the text that the learner wrote in a page, if it was imported, else the stub. Returns
 * the paths of new files.
 */
export function start({ exercise: { id }, stub }: Folder): string[] {
  return writeFiles(folderOf(id), beginning(stub, progress().edits?.[id]), true);
}

/** Restores the stub; the previous files are in the returned folder. */
export function reset(folder: Folder): string {
  const { id } = folder.exercise;
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  const backup = join(BACKUPS, `${id} ${stamp}`);
  if (existsSync(folderOf(id))) cpSync(folderOf(id), join(ROOT, backup), { recursive: true });
  rmSync(folderOf(id), { recursive: true, force: true });
  writeFiles(folderOf(id), folder.stub, true);
  return backup;
}

export function writeFiles(folder: string, files: Files, onlyNew: boolean): string[] {
  const written: string[] = [];
  for (const [file, text] of files) {
    const path = join(folder, file);
    if (onlyNew && existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    written.push(file);
  }
  return written;
}

/** Time at which one of its files was last written; 0 if there is none. */
export function lastWritten({ exercise, stub }: Folder): number {
  const times = [...stub.keys()].map(
    (file) => statSync(join(folderOf(exercise.id), file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(0, ...times);
}

function progress(): Progress {
  return existsSync(PROGRESS) ? readProgressFile(readFileSync(PROGRESS, "utf8")) : { passed: [] };
}

/** The note contains the files that passed, so that a page can show them. */
export function notePassed({ exercise: { id }, stub, hash }: Folder): void {
  const { passed, edits } = progress();
  const files = new Map<string, string>();
  for (const file of stub.keys()) {
    const path = join(folderOf(id), file);
    if (existsSync(path)) files.set(file, readFileSync(path, "utf8"));
  }
  const noted: Progress = { passed: withPassed(passed, id, hash), edits: { ...edits, [id]: editsOf(stub, files) } };
  mkdirSync(WORKSPACE, { recursive: true });
  writeFileSync(PROGRESS, `${JSON.stringify(noted, null, 1)}\n`);
}

export function statusOf({ exercise, hash }: Folder): Status {
  return statusIn(progress().passed, exercise.id, hash);
}
