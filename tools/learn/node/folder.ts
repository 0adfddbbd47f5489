/**
 * @file The exercises on disk: each is a folder; its stub and solution are cut from one text; its known mistakes are patches.
 * @original
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../codegen/file_system.ts";
import { type Exercise, ExerciseError, readExercise } from "../exercise.ts";
import { applyPatch } from "../patch.ts";
import { cut, type Region } from "../regions.ts";

export const EXERCISES = join(ROOT, "exercises");

/** The files of one answer, by their paths in the overlay. */
export type Files = ReadonlyMap<string, string>;

/** Reads a file; texts from elsewhere may have either kind of line end. */
function read(path: string): string {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
}

export class Folder {
  readonly exercise: Exercise;
  readonly path: string;
  readonly stub: Files;
  readonly solution: Files;
  readonly regions: readonly Region[];
  /** A hash of everything that a learner's success depends on: if it changes, the exercise is open again. */
  readonly hash: string;

  constructor(id: string) {
    this.path = join(EXERCISES, id);
    this.exercise = readExercise(id, parse(this.read("exercise.yaml")));
    const stub = new Map<string, string>();
    const solution = new Map<string, string>();
    const regions: Region[] = [];
    for (const file of this.filesIn("solution")) {
      const made = cut(`exercises/${id}/solution/${file}`, this.read(`solution/${file}`));
      stub.set(file, made.stub);
      solution.set(file, made.solution);
      regions.push(...made.regions);
    }
    for (const { file } of this.exercise.edits)
      if (!solution.has(file)) throw new ExerciseError(`exercises/${id}: solution/${file} is missing`);
    this.stub = stub;
    this.solution = solution;
    this.regions = regions;
    const hashed = ["exercise.yaml", "calls.ts", ...this.filesIn("golden").map((file) => `golden/${file}`)];
    const hash = createHash("sha256");
    for (const file of hashed) hash.update(this.read(file));
    for (const text of stub.values()) hash.update(text);
    this.hash = hash.digest("hex").slice(0, 16);
  }

  read(file: string): string {
    return read(join(this.path, file));
  }

  /** Relative paths of all files in a folder of the exercise. */
  filesIn(folder: string): string[] {
    const path = join(this.path, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(path.length + 1)
          .replaceAll("\\", "/"),
      )
      .sort();
  }

  /** The solution with a known mistake in it. */
  mistaken(patch: string): Files {
    return new Map([...this.solution, ...applyPatch(patch, this.read(`mistakes/${patch}`), this.solution)]);
  }
}

export function exerciseIds(): string[] {
  return readdirSync(EXERCISES, { withFileTypes: true })
    .filter((entry) => /^\d\d[a-z]?-/.test(entry.name) && existsSync(join(EXERCISES, entry.name, "exercise.yaml")))
    .map((entry) => entry.name)
    .sort();
}

/** Finds an exercise by id, number or the beginning of its name: `06`, `6`, `dispatch-table`. */
export function findExercise(asked: string): Folder {
  const ids = exerciseIds();
  const id = ids.find(
    (each) =>
      each === asked || each.startsWith(`${asked.padStart(2, "0")}-`) || each.replace(/^\w+-/, "").startsWith(asked),
  );
  if (id === undefined) throw new ExerciseError(`no exercise "${asked}"; there are ${ids.join(", ")}`);
  return new Folder(id);
}
