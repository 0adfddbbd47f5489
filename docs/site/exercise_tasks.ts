/**
 * @file Tasks that measure which parts of the library the exercises use: the checks of each, on its stub and on its solution.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { symbolFile } from "../../src/trace/sources.ts";
import { changesTheTree } from "../../tools/learn/exercise.ts";
import { yoursAt } from "../src/playground/engine/checking.ts";
import { type Module, transpile } from "../src/playground/engine/transpile.ts";
import type { Catalog, ExerciseData, Texts } from "../src/school/data.ts";
import type { Context } from "./context.ts";
import type { Task } from "./run_form.ts";

/** Without those that make a library of their own. */
export function exerciseTasks(context: Context): Map<string, Task[]> {
  const read = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;
  const made = <T>(name: string): T => read(join(context.out, "learn", `${name}.json`));
  const tasks = new Map<string, Task[]>();
  for (const { id, browser } of read<Catalog>(join(context.generated, "exercises.json")).exercises) {
    const data = made<ExerciseData>(id);
    if (!browser || changesTheTree(data.exercise)) continue;
    const checks = made<Module[]>(`${id}.checks`);
    const answers = [data.stub, made<Texts>(`${id}.solution`)];
    tasks.set(
      id,
      answers.map((files) => checking(data, checks, files)),
    );
  }
  return tasks;
}

function checking({ exercise, calls, goldens }: ExerciseData, checks: readonly Module[], files: Texts): Task {
  const own = files
    .filter(([file]) => file.endsWith(".ts"))
    .map(([file, text]) => transpile(yoursAt(exercise.id, file), text));
  const modules = [...checks, ...calls, ...own];
  return (runtime) =>
    runtime.check({ exercise, files, modules, goldens, generated: null, symbols: symbolFile(), texts: [] });
}
