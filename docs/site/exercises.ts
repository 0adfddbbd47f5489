/**
 * @file The exercises for the site: data, solution and page of each; the catalog; the runner of the checks.
 * @original
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changesTheTree, type Exercise } from "../../tools/learn/exercise.ts";
import { Checker } from "../../tools/learn/node/checking.ts";
import { exerciseIds, Folder } from "../../tools/learn/node/folder.ts";
import { WORKSPACE, writeFiles } from "../../tools/learn/node/workspace.ts";
import type { Row } from "../../tools/learn/picture.ts";
import { callsAt } from "../src/playground/engine/checking.ts";
import { type Catalog, type ExerciseData, type Listed, numberOf, type Places } from "../src/school/data.ts";
import { checksModules, withImports } from "./checks_modules.ts";
import type { Context } from "./context.ts";
import { exercisePage } from "./exercise_pages.ts";
import { fileText, sourceRoute, upstream } from "./repository.ts";

export async function exercises(context: Context): Promise<string> {
  for (const folder of [join(context.content, "learn/exercises"), join(context.out, "learn")])
    rmSync(folder, { recursive: true, force: true });
  const folders = exerciseIds().map((id) => new Folder(id));
  const version = createHash("sha256");
  const write = (name: string, made: unknown): void => {
    const text = JSON.stringify(made);
    version.update(text);
    context.write(join(context.out, "learn", `${name}.json`), text);
  };
  const shared = new Checker(true);
  try {
    for (const folder of folders) {
      const { id } = folder.exercise;
      write(id, dataOf(folder, await waysOf(folder, shared)));
      write(`${id}.checks`, await checksModules(folder.exercise));
      write(`${id}.solution`, inOrder(folder.exercise, folder.solution));
      context.write(join(context.content, "learn/exercises", `${id}.mdx`), exercisePage(folder, folders));
    }
  } finally {
    shared.end();
  }
  const catalog: Catalog = { exercises: folders.map(listed), version: version.digest("hex").slice(0, 12) };
  context.write(join(context.generated, "exercises.json"), JSON.stringify(catalog));
  return `${folders.length} exercises`;
}

function listed({ exercise, hash }: Folder): Listed {
  const { id, title, goal, minutes, room, needs, pages, browser, checks } = exercise;
  const asks = checks.every(({ kind }) => kind === "predict");
  return { id, number: numberOf(id), title, goal, minutes, room, needs, pages, hash, browser, asks };
}

function dataOf(folder: Folder, ways: Readonly<Record<string, readonly Row[]>>): ExerciseData {
  const { exercise, hash, stub } = folder;
  const goldens = folder
    .filesIn("golden")
    .map((file): [string, unknown] => [file, JSON.parse(folder.read(`golden/${file}`))]);
  return {
    // Known mistakes are for authors.
    exercise: { ...exercise, mistakes: [] },
    hash,
    stub: inOrder(exercise, stub),
    calls: withImports([callsAt(exercise.id)]).modules,
    goldens: Object.fromEntries(goldens),
    places: Object.fromEntries(exercise.checks.map((check) => [check.id, placesOf(check.look_at)])),
    ways,
  };
}

/** First the learner's files, as the exercise names them; then the given files. */
function inOrder({ edits, given }: Exercise, files: ReadonlyMap<string, string>): [string, string][] {
  const named = [...edits, ...given].map(({ file }) => file);
  return [...named, ...[...files.keys()].filter((file) => !named.includes(file))].map((file) => [
    file,
    files.get(file) as string,
  ]);
}

function placesOf({ ours, pytorch }: Exercise["checks"][number]["look_at"]): Places {
  const [file = "", name = ""] = ours.split("#");
  const before = fileText(file)?.split(name)[0] ?? "";
  const line = name === "" ? undefined : before.split("\n").length;
  const { path, url } = upstream(pytorch, name);
  return {
    ours: { text: name === "" ? file : `${file}   ${name}`, to: sourceRoute(file, line) },
    pytorch: { text: path, to: url },
  };
}

/** The paths that calls should take; the solution shows them. */
async function waysOf(folder: Folder, shared: Checker): Promise<Record<string, readonly Row[]>> {
  const { exercise, solution } = folder;
  const calls = [
    ...new Set(exercise.checks.flatMap(({ kind, spec }) => (kind === "path" && "call" in spec ? [spec.call] : []))),
  ];
  if (calls.length === 0) return {};
  mkdirSync(WORKSPACE, { recursive: true });
  const place = mkdtempSync(join(WORKSPACE, "site-"));
  const checker = changesTheTree(exercise) ? Checker.of(folder) : shared;
  try {
    writeFiles(place, solution, false);
    const ways = await checker.ways(folder, place, solution, calls);
    return Object.fromEntries(calls.map((call, i) => [call, ways[i] as readonly Row[]]));
  } finally {
    if (checker !== shared) checker.end();
    rmSync(place, { recursive: true, force: true });
    if (existsSync(`${place}.built`)) rmSync(`${place}.built`, { recursive: true });
  }
}
