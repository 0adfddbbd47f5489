/**
 * @file The exercises by the page's host, in Node: each stub, solution and known mistake is judged as in a terminal. A complete run of all
 * checks takes a share of the exercises, and another share for each commit: `verify` (test/exercises) judges a larger share of the answers by
 * the terminal's host. The browser does the same with another share in test/browser/school_answers.test.ts.
 */
import { expect, test } from "vitest";
import { cases_in_turn, turn_of_tests } from "../../../tools/ci/turn.ts";
import { checkOf, hintOf } from "../../../tools/learn/feedback.ts";
import { exerciseIds, type Files, Folder } from "../../../tools/learn/node/folder.ts";
import type { Report } from "../../../tools/learn/report.ts";
import { checksModules, withImports } from "../../site/checks_modules.ts";
import { callsAt } from "../../src/playground/engine/checking.ts";
import { problemOf } from "../../src/playground/engine/codegen.ts";
import type { FromRunner } from "../../src/playground/engine/protocol.ts";
import { Runtime } from "../../src/playground/engine/runtime.ts";
import { transpile } from "../../src/playground/engine/transpile.ts";
import { CodegenProblem } from "../../src/playground/engine/workers.ts";
import { libraryOf, modulesOf } from "../../src/school/request.ts";
import { library, wholeModules } from "./tree.ts";

const lib = await library();
const fork = lib.fork.bind(lib);
/** Codegen's errors as the worker tells them. */
lib.fork = () => {
  const made = fork();
  const modules = made.modules.bind(made);
  made.modules = () =>
    modules().catch((error) => {
      const problem = problemOf(error);
      throw problem === null ? error : new CodegenProblem(problem);
    });
  return made;
};

async function reportOf(folder: Folder, files: Files): Promise<Report> {
  const { exercise } = folder;
  const own = await libraryOf({ exercise }, [...files], async () => lib);
  const told: FromRunner[] = [];
  const runtime = new Runtime((message) => told.push(message));
  const python = [...files.keys()].some((file) => file.endsWith(".py")) ? wholeModules() : [];
  runtime.load([...(own?.modules ?? lib.unchanged), ...python], null);
  await runtime.check({
    exercise,
    files: [...files],
    modules: [
      ...(await checksModules(exercise)),
      ...withImports([callsAt(exercise.id)]).modules,
      ...(await modulesOf(exercise, [...files], async ([[path, text]]) => [transpile(path, text)])),
    ],
    goldens: Object.fromEntries(
      folder.filesIn("golden").map((file) => [file, JSON.parse(folder.read(`golden/${file}`))]),
    ),
    generated: own?.generated ?? null,
    symbols: null,
    texts: own?.texts ?? [...lib.pristine],
  });
  const found = told.find((message) => message.type === "checked");
  if (found?.type !== "checked") throw new Error(JSON.stringify(told));
  return found.checked.report;
}

const all = exerciseIds()
  .map((id) => new Folder(id))
  .filter(({ exercise }) => exercise.browser);
/** How many commits in a row judge every exercise once. */
const TURNS = 16;
const turn = turn_of_tests(TURNS);
// The browser has another share.
const folders = cases_in_turn("exercises by the page's host", all, TURNS, turn === null ? null : (turn + 1) % TURNS);

for (const folder of folders) {
  const { exercise } = folder;
  test(`${exercise.id}: stub, solution, ${exercise.mistakes.length} mistakes`, async () => {
    expect((await reportOf(folder, folder.stub)).failure?.check).toBe(exercise.checks[0].id);
    const solved = await reportOf(folder, folder.solution);
    expect(solved.failure).toBeNull();
    expect(solved.passed).toEqual(exercise.checks.map(({ id }) => id));
    for (const { patch, check, seen } of exercise.mistakes) {
      const { failure } = await reportOf(folder, folder.mistaken(patch));
      expect(failure?.check, patch).toBe(check);
      if (failure !== null) expect(hintOf(checkOf(exercise, failure), failure).seen, patch).toBe(seen);
    }
  }, 300_000);
}
