/**
 * @file The commands of `npm run ex`. Each returns whether all is well; with `--json` it prints exactly one object.
 * @original
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../../codegen/file_system.ts";
import { callToShow } from "../call_to_show.ts";
import { type Exercise, ExerciseError } from "../exercise.ts";
import { allRows, checkOf, feedback, hintOf, labelled, number, ranOn } from "../feedback.ts";
import { reading } from "../reading.ts";
import type { Failure, Report } from "../report.ts";
import { Checker, LONG_PATIENCE } from "./checking.ts";
import { checkContribution } from "./contribution.ts";
import { EXERCISES, exerciseIds, Folder, findExercise } from "./folder.ts";
import { pytorchLine } from "./pytorch_reads.ts";
import { columns, hasColor, heading, hear, readme, say, styles } from "./screen.ts";
import { type Verdict, verify } from "./verify.ts";
import * as workspace from "./workspace.ts";

export interface Options {
  readonly json: boolean;
  /** `verify`: write the READMEs' outputs again. */
  readonly write: boolean;
  /** `check 22`: a question that cannot be asked here counts as a failure. */
  readonly ci: boolean;
  /** `check 22`: the branch into which the work will be merged. */
  readonly base?: string;
}

type Command = (args: readonly string[], options: Options) => boolean | Promise<boolean>;

function tell(options: Options, object: unknown, lines: readonly string[]): void {
  if (options.json) say(JSON.stringify(object));
  else say(...lines);
}

/** The requested exercise, or the first that is not done. */
export function chosen(asked: string | undefined): Folder {
  return asked === undefined ? current() : findExercise(asked);
}

/** The first exercise that is not done; the last if all are. */
export function current(): Folder {
  const folders = exerciseIds().map((id) => new Folder(id));
  return folders.find((folder) => workspace.statusOf(folder) !== "passed") ?? (folders.at(-1) as Folder);
}

/** After a run: stores the note if all checks passed. */
export function note(folder: Folder, report: Report): void {
  if (report.failure === null) workspace.notePassed(folder);
}

function mine(folder: Folder): string {
  const { id } = folder.exercise;
  workspace.start(folder); // otherwise a missing file would be reported as an error of the learner's
  return workspace.folderOf(id);
}

async function reportOf(folder: Folder): Promise<Report> {
  const place = mine(folder);
  const checker = Checker.of(folder, hear);
  const {
    reports: [report],
  } = await checker.check(folder, [place], folder.stub);
  checker.end();
  if (report.passed.length === 0 && report.failure === null) throw new ExerciseError("no check ran");
  note(folder, report);
  return report;
}

function filesToEdit({ id, edits }: Exercise): string[] {
  return edits.map(({ file }) => workspace.shownPath(id, file));
}

/** The last exercise is done in the tree itself: it has no stub, and its checks take an operator's name. */
const CONTRIBUTE = "22-contribute";

function isContribute(asked: string | undefined): boolean {
  return (
    asked !== undefined && (asked === "22" || CONTRIBUTE.startsWith(asked) || CONTRIBUTE.slice(3).startsWith(asked))
  );
}

const start: Command = ([asked], options) => {
  if (isContribute(asked)) {
    const text = readFileSync(join(EXERCISES, CONTRIBUTE, "README.md"), "utf8").trimEnd();
    tell(options, { id: CONTRIBUTE, text }, reading(text, columns()));
    return true;
  }
  const folder = chosen(asked);
  const { exercise } = folder;
  const written = workspace.start(folder);
  tell(options, { id: exercise.id, written, edit: filesToEdit(exercise) }, [
    ...heading(`${exercise.id}   about ${exercise.minutes} minutes`),
    ...readme(folder),
    "",
    ...filesToEdit(exercise).map((file) => styles.strong(`edit    ${file}`)),
    `check   npm run ex -- check ${number(exercise)}     (or npm run learn, which watches)`,
  ]);
  return true;
};

export function reportLines({ exercise }: Folder, report: Report): string[] {
  return [...feedback(exercise, report, columns(), styles), ...ranOn(report, columns()).map(styles.dim)];
}

const check: Command = async ([asked, ...operators], options) => {
  if (isContribute(asked)) {
    const { object, lines, whole } = await checkContribution(operators, options);
    tell(options, object, lines);
    return whole;
  }
  const folder = chosen(asked);
  const report = await reportOf(folder);
  tell(options, report, reportLines(folder, report));
  return report.failure === null;
};

/** Hints up to the requested one; by default the first. */
export function hintLines(folder: Folder, failure: Failure, upTo: number): string[] {
  const { texts } = hintOf(checkOf(folder.exercise, failure), failure);
  const last = Math.min(Math.max(upTo, 1), texts.length);
  const lines = texts.slice(0, last).flatMap((text, i) => labelled(`hint ${i + 1}/3`, text, columns()));
  const more =
    last < texts.length ? [styles.dim(`  more      npm run ex -- hint ${number(folder.exercise)} ${last + 1}`)] : [];
  return [styles.strong(`${failure.check}  ${failure.headline}`), ...lines, ...more];
}

const hint: Command = async ([asked, upTo], options) => {
  const folder = chosen(asked);
  const { failure } = await reportOf(folder);
  if (failure === null) {
    tell(options, { hints: [] }, ["no hint is needed: all checks pass"]);
    return true;
  }
  const { texts } = hintOf(checkOf(folder.exercise, failure), failure);
  const n = Number(upTo ?? 1);
  tell(options, { check: failure.check, hints: texts.slice(0, n) }, hintLines(folder, failure, n));
  return true;
};

/** @param take provides a process to record in */
export async function traceLines(
  folder: Folder,
  report: Report,
  take: () => Checker = () => Checker.of(folder, hear),
): Promise<string[]> {
  const found = callToShow(folder.exercise, report);
  if ("why" in found) return [found.why];
  const form = { call: found.call, width: columns(), color: hasColor };
  const place = mine(folder);
  const checker = take();
  const text = await checker.trace(folder, place, folder.stub, form);
  checker.end();
  return [styles.strong(`The path of ${found.call}`), text];
}

const trace: Command = async ([asked], options) => {
  const folder = chosen(asked);
  const lines = await traceLines(folder, await reportOf(folder));
  tell(options, { trace: lines }, lines);
  return true;
};

const diff: Command = async ([asked], options) => {
  const folder = chosen(asked);
  const { failure } = await reportOf(folder);
  tell(options, failure, failure === null ? ["no difference: all checks pass"] : allRows(failure, columns(), styles));
  return failure === null;
};

const reset: Command = ([asked], options) => {
  if (asked === undefined) throw new ExerciseError("reset: which exercise?");
  const folder = findExercise(asked);
  const backup = workspace.reset(folder);
  tell(options, { id: folder.exercise.id, backup }, [
    `${folder.exercise.id} is reset; your files are kept in "${backup}"`,
  ]);
  return true;
};

export function solutionLines({ exercise, solution }: Folder): string[] {
  return exercise.edits.flatMap(({ file }) => [
    ...heading(`the solution of ${exercise.id}: ${file}`),
    solution.get(file) as string,
  ]);
}

const solution: Command = ([asked], options) => {
  const folder = chosen(asked);
  if (workspace.statusOf(folder) === "open") {
    tell(options, { error: "not passed" }, [
      "The solution is shown once the exercise has passed. The third hint is nearly the solution.",
    ]);
    return false;
  }
  tell(options, Object.fromEntries(folder.solution), solutionLines(folder));
  return true;
};

export function listLines(): string[] {
  const marks = { passed: styles.good("✓"), reopened: "↻", open: "·" };
  return exerciseIds().map((id) => {
    const folder = new Folder(id);
    const { title, minutes, room } = folder.exercise;
    const text = `${id.padEnd(24)}${title.padEnd(34).slice(0, 34)} ${room.padEnd(11)}${String(minutes).padStart(3)} min`;
    return ` ${marks[workspace.statusOf(folder)]} ${text}`;
  });
}

const list: Command = (_, options) => {
  const all = exerciseIds().map((id) => new Folder(id));
  tell(
    options,
    all.map((folder) => ({ ...folder.exercise, status: workspace.statusOf(folder) })),
    [...listLines(), "", `   ${CONTRIBUTE.padEnd(24)}your own operator, in the library itself: npm run ex -- start 22`],
  );
  return true;
};

/** Runs the exercises noted as passed again: the note alone is not trusted. */
const status: Command = async (_, options) => {
  const rows: { id: string; status: string }[] = [];
  for (const id of exerciseIds()) {
    const folder = new Folder(id);
    const noted = workspace.statusOf(folder);
    const report = noted === "passed" ? await reportOf(folder) : null;
    rows.push({ id, status: report?.failure != null ? `fails ${report.failure.check}` : noted });
  }
  const done = rows.filter((row) => row.status === "passed").length;
  tell(options, rows, [...rows.map((row) => ` ${row.id.padEnd(26)}${row.status}`), `${done} of ${rows.length} done`]);
  return true;
};

const doctor: Command = async (_, options) => {
  const installed = existsSync(join(ROOT, "node_modules"));
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const rows: [what: string, found: string, good: boolean][] = [
    ["Node", `${process.versions.node} (needs ${engines.node})`, atLeast(process.versions.node, engines.node)],
    ["packages", installed ? "installed" : "missing: npm ci", installed],
    ["tsx", installed ? createRequire(import.meta.url)("tsx/package.json").version : "missing", installed],
    ["terminal", `${columns()} columns, ${hasColor ? "with" : "without"} colour`, true],
    ["graphics", installed ? await graphics() : "unknown", true],
    ["PyTorch", pytorchLine(), true],
    ["exercises", String(exerciseIds().length), exerciseIds().length > 0],
  ];
  const well = rows.every(([, , good]) => good);
  tell(options, Object.fromEntries(rows.map(([what, found]) => [what, found])), [
    ...rows.map(([what, found, good]) => ` ${good ? "✓" : "✗"} ${what.padEnd(12)}${found}`),
    well ? "Everything is ready: npm run learn" : "Something is missing.",
  ]);
  return well;
};

/** The device on which the exercises' kernels will run; determined in a separate process, like the kernels. */
async function graphics(): Promise<string> {
  const checker = new Checker(false);
  try {
    return await checker.device();
  } finally {
    checker.end();
  }
}

function atLeast(version: string, needs: string): boolean {
  const parts = (text: string): number[] => text.replace(/^\D*/, "").split(".").map(Number);
  const [have, want] = [parts(version), parts(needs)];
  const first = want.findIndex((part, i) => part !== have[i]);
  return first === -1 || have[first] > want[first];
}

const verifyAll: Command = async (asked, options) => {
  const folders = asked.length > 0 ? asked.map(findExercise) : exerciseIds().map((id) => new Folder(id));
  const checker = new Checker(true, hear, LONG_PATIENCE);
  const verdicts: Verdict[] = [];
  try {
    for (const folder of folders) verdicts.push(await verify(folder, checker, options.write));
  } finally {
    checker.end(); // a caller that waits for it would wait for ever
  }
  const ran = verdicts.reduce((n, verdict) => n + verdict.ran, 0);
  tell(options, verdicts, [
    ...verdicts.flatMap(({ exercise, ran, complaints }) => [
      `${complaints.length === 0 ? styles.good("✓") : styles.bad("✗")} ${exercise.padEnd(26)}${ran} checks run`,
      ...complaints.map((complaint) => `    ${complaint}`),
    ]),
  ]);
  return ran > 0 && verdicts.every(({ complaints }) => complaints.length === 0);
};

export const commands: Readonly<Record<string, Command>> = {
  start,
  check,
  hint,
  trace,
  diff,
  reset,
  solution,
  list,
  status,
  doctor,
  verify: verifyAll,
};
