/**
 * @file `npm run ex -- verify`: checks an exercise. The stub must fail its first check; the solution must pass every
 * check; each known mistake must fail its own check and get its own hint. Only the last hint may give the solution
 * away. Statements about PyTorch must be true of PyTorch, recalled exercises must be among the needed ones, and the
 * README must show the actual output.
 * @original
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../../codegen/file_system.ts";
import { nameOf } from "../../pytorch/operators.ts";
import { pytorchNames, pytorchOperators, theirIndex } from "../../pytorch/read.ts";
import { changesTheTree, type Exercise, type Path, type Predict } from "../exercise.ts";
import { checkOf, feedback, hintOf, plain } from "../feedback.ts";
import { picture } from "../picture.ts";
import type { Report } from "../report.ts";
import { Checker, LONG_PATIENCE } from "./checking.ts";
import { exerciseIds, type Files, Folder } from "./folder.ts";
import { builtFor, layTree } from "./tree.ts";
import { WORKSPACE, writeFiles } from "./workspace.ts";

export interface Verdict {
  readonly exercise: string;
  /** Number of checks that ran, for the stub, the solution and the mistakes. */
  readonly ran: number;
  readonly complaints: readonly string[];
}

/**
 * @param checker for all answers that do not change the library; it may be used for one exercise after the other
 * @param write whether a README that shows something else is written again
 */
export async function verify(folder: Folder, checker: Checker, write = false): Promise<Verdict> {
  const { exercise } = folder;
  const complaints = [
    ...saidOfPyTorch(folder),
    ...givenAway(folder),
    ...needsOf(folder),
    ...unexplained(exercise, textsUpTo(folder)),
    ...notOffered(folder),
  ];
  const answers = new Map<string, Files>([
    ["stub", folder.stub],
    ["solution", folder.solution],
  ]);
  for (const { patch } of exercise.mistakes) answers.set(patch, folder.mistaken(patch));
  if (exercise.mistakes.length < 3) complaints.push(`${exercise.mistakes.length} known mistakes; three at least`);
  const { reports, pictures } = await reportsOf(folder, checker, answers, picturesIn(folder.read("README.md")));

  const named = (name: string): Report => reports.get(name) as Report;
  const ran = [...reports.values()].reduce(
    (n, { passed, failure }) => n + passed.length + (failure === null ? 0 : 1),
    0,
  );
  const unsolved = named("stub");
  if (unsolved.failure?.check !== exercise.checks[0].id)
    complaints.push(`the stub should fail ${exercise.checks[0].id}; it ${outcome(unsolved)}`);
  const solved = named("solution");
  if (solved.failure !== null) complaints.push(`the solution ${outcome(solved)}\n${shown(folder, solved)}`);
  if (solved.failure === null && solved.passed.length !== exercise.checks.length)
    complaints.push(`the solution was held against ${solved.passed.length} of ${exercise.checks.length} checks`);
  for (const mistake of exercise.mistakes) {
    const report = named(mistake.patch);
    const { failure } = report;
    if (failure === null || failure.check !== mistake.check) {
      complaints.push(`${mistake.patch} should fail ${mistake.check}; it ${outcome(report)}\n${shown(folder, report)}`);
      continue;
    }
    const { seen } = hintOf(checkOf(exercise, failure), failure);
    if (seen !== mistake.seen)
      complaints.push(
        `${mistake.patch} is given the hints for "${seen ?? "any failure"}"; it showed "${failure.seen}"`,
      );
  }
  const printed = feedback(exercise, unsolved, 80, plain).join("\n");
  complaints.push(...readmeShows(folder, printed, pictures, write));
  if (ran === 0) complaints.push("no check ran");
  return { exercise: exercise.id, ran, complaints };
}

/** Columns of a picture in a README. */
const WIDTH = 100;

function outcome({ failure }: Report): string {
  return failure === null ? "passes" : `fails ${failure.check}`;
}

function shown({ exercise }: Folder, report: Report): string {
  return feedback(exercise, report, 100, plain)
    .map((line) => `      ${line}`)
    .join("\n");
}

/** Reports from the shared process; if each answer changes the library, each from a process of its own. */
async function reportsOf(
  folder: Folder,
  shared: Checker,
  answers: ReadonlyMap<string, Files>,
  drawn: readonly Picture[],
): Promise<{ reports: Map<string, Report>; pictures: readonly string[] }> {
  mkdirSync(WORKSPACE, { recursive: true });
  const place = mkdtempSync(join(WORKSPACE, "verify-"));
  try {
    const folders = [...answers].map(([name, files]) => {
      const path = join(place, name.replace(/\W/g, "-"));
      writeFiles(path, files, false);
      return path;
    });
    const names = [...answers.keys()];
    const reports = new Map<string, Report>();
    const pictures: string[] = [];
    const inTree = changesTheTree(folder.exercise);
    const inOne = inTree ? 1 : folders.length;
    for (let i = 0; i < folders.length; i += inOne) {
      const checker = inTree ? Checker.of(folder, undefined, LONG_PATIENCE) : shared;
      const files = answers.get(names[i]) as Files;
      const places = folders.slice(i, i + inOne);
      // Laid here, because codegen that has run before has cached most of its output.
      const laid = inTree
        ? await layTree(folder.exercise, [...files.keys()], places[0], builtFor(places[0]))
        : undefined;
      const drawings = drawn.map(({ call, answer }) => ({ call, folder: folders[names.indexOf(answer)] }));
      const checked = await checker.check(
        folder,
        places,
        files,
        drawings.filter((d) => places.includes(d.folder)),
        laid,
      );
      for (const [j, report] of checked.reports.entries()) reports.set(names[i + j], report);
      pictures.push(...checked.ways.map((rows) => picture(rows, WIDTH)));
      if (inTree) checker.end();
    }
    return { reports, pictures };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Checks that every named file and symbol exists, here or in PyTorch 2.13.0. */
function saidOfPyTorch({ exercise }: Folder): string[] {
  const paths = new Set(theirIndex().paths.split("\n"));
  const names = pytorchNames();
  const operators = pytorchOperators().operators.map(nameOf);
  const lookedAt = exercise.checks.flatMap(({ id, look_at: { ours, pytorch } }) => {
    const [file, name] = ours.split("#");
    const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : null;
    return [
      ...(paths.has(pytorch) ? [] : [`${id}: PyTorch has no ${pytorch}`]),
      ...(text?.includes(name ?? "") === true ? [] : [`${id}: there is no ${ours}`]),
    ];
  });
  const named = exercise.pytorch.flatMap(({ file, symbol }) => {
    const found = file.endsWith("native_functions.yaml")
      ? operators.includes(symbol)
      : names.named(symbol).some(({ path }) => path === "" || sameStem(path, file));
    return [
      ...(paths.has(file) ? [] : [`PyTorch has no ${file}`]),
      ...(found ? [] : [`PyTorch's ${file} has no ${symbol}`]),
    ];
  });
  return [...named, ...lookedAt];
}

/** Whether two files have the same stem: `X.h` and `X.cpp` count as one. */
function sameStem(a: string, b: string): boolean {
  const stem = (path: string): string => path.replace(/\.\w+$/, "");
  return stem(a) === stem(b);
}

/** Shorter lines occur everywhere and give nothing away. */
const TELLING = 12;

/** Checks that the first two hints contain no line of the solution. */
function givenAway({ exercise, regions }: Folder): string[] {
  const lines = regions.flatMap((region) => region.lines.map((line) => line.trim())).filter((l) => l.length >= TELLING);
  return exercise.checks.flatMap(({ id, hints }) =>
    hints.flatMap(({ texts: [where, what] }) =>
      lines.filter((line) => `${where}\n${what}`.includes(line)).map((line) => `a hint of ${id} gives away: ${line}`),
    ),
  );
}

/** Checks that the choices of a page include the right one. */
function notOffered({ exercise, solution }: Folder): string[] {
  return exercise.checks.flatMap(({ id, kind, spec }) => {
    if (kind !== "predict") return [];
    const { file = exercise.edits[0].file, answer, choices } = spec as Predict;
    const right = [parse(solution.get(file) as string)[answer]].flat().map(String);
    const missing = right.filter((each) => choices?.includes(each) === false);
    return missing.map((each) => `${id}: its choices lack ${each}`);
  });
}

/** Checks that needed exercises come before this one, and that exercises recalled in its texts are among the needed ones. */
function needsOf(folder: Folder): string[] {
  const { exercise } = folder;
  const ids = exerciseIds();
  const wrong = exercise.needs.flatMap((need) =>
    !ids.includes(need)
      ? [`needs ${need}, which does not exist`]
      : need >= exercise.id
        ? [`needs ${need}, which comes later`]
        : [],
  );
  if (wrong.length > 0) return wrong;
  const done = allNeeds(exercise.needs);
  const texts = [folder.read("README.md"), folder.read("exercise.yaml"), ...folder.stub.values()].join("\n");
  const numbers = new Set((texts.match(RECALLED) ?? []).flatMap((recall) => recall.match(NUMBER) ?? []));
  return ids
    .filter((id) => id < exercise.id && numbers.has(id.split("-")[0]) && !done.has(id))
    .map((id) => `its texts recall ${id}, which it does not need`);
}

/** The texts of an exercise and of all that it needs, which learners have read before its checks. */
function textsUpTo({ exercise: { id, needs } }: Folder): string {
  const folders = [id, ...allNeeds(needs)].map((each) => new Folder(each));
  return folders.flatMap((folder) => [folder.read("README.md"), ...folder.stub.values()]).join("\n");
}

/** Keys and origins of kernels in a check's expected path that no text explains, here or in a needed exercise. */
export function unexplained({ checks }: Pick<Exercise, "checks">, texts: string): string[] {
  return checks.flatMap(({ id, kind, spec }) => {
    if (kind !== "path") return [];
    const words = (spec as Path).hops.flatMap((hop) => HOP.exec(hop)?.slice(1) ?? []);
    const missing = [...new Set(words)].filter((word) => !texts.includes(word));
    return missing.map((word) => `${id} speaks of ${word}, and no text up to there does`);
  });
}

/** `... call AutogradCPU [math kernel]` */
const HOP = /(\S+) \[(.+)\]$/;

/** `exercise 06`, `exercises 12 and 14`. */
const RECALLED = /[Ee]xercises?\s+\d\d[a-z]?\b(?:(?:,|,? and)\s+\d\d[a-z]?\b)*/g;
const NUMBER = /\d\d[a-z]?/g;

/** The needed exercises and those that they need, transitively. */
function allNeeds(needs: readonly string[]): Set<string> {
  return new Set(needs.flatMap((need) => [need, ...allNeeds(new Folder(need).exercise.needs)]));
}

const UNSOLVED = /(?<=```text\n)✗ [^`]*(?=\n```)/g;
const PICTURE = /(?<=```text( solved)?\n)The path of (.+)\n[^`]*(?=\n```)/g;

/** The path of a call in a text: as the reader finds it, or, in a block `text solved`, as the solution makes it. */
interface Picture {
  readonly call: string;
  readonly answer: "stub" | "solution";
}

/** The pictures, those of the stub first, in the order in which they are drawn. */
function picturesIn(readme: string): Picture[] {
  const found = [...readme.matchAll(PICTURE)].map(
    ([, solved, call]): Picture => ({ call, answer: solved === undefined ? "stub" : "solution" }),
  );
  return [...found.filter((p) => p.answer === "stub"), ...found.filter((p) => p.answer === "solution")];
}

/** Checks that the README shows the output of the unsolved exercise, and the actual paths of calls. */
function readmeShows(folder: Folder, unsolved: string, pictures: readonly string[], write: boolean): string[] {
  const readme = folder.read("README.md");
  const drawn = picturesIn(readme);
  if (!readme.includes("```text\n✗"))
    return ["README.md should show what the unsolved exercise prints, in a block of text"];
  const truth = readme
    .replace(UNSOLVED, () => unsolved)
    .replace(PICTURE, (_, solved: string | undefined, call: string) => {
      const answer = solved === undefined ? "stub" : "solution";
      return `The path of ${call}\n\n${pictures[drawn.findIndex((p) => p.call === call && p.answer === answer)]}`;
    });
  if (truth === readme) return [];
  if (!write) return ["README.md shows something else than what happens; verify --write writes it"];
  writeFileSync(join(folder.path, "README.md"), truth);
  return [];
}
