/**
 * @file The text that a learner reads after a run: the first failing check in at most twelve lines, or that all passed.
 * It is complete without colour.
 * @original
 */
import type { Check, Exercise, Hint } from "./exercise.ts";
import type { Compared, Failure, Report } from "./report.ts";

type Style = (text: string) => string;

/** Styles of texts; plain text if there is no colour. */
export interface Styles {
  readonly good: Style;
  readonly bad: Style;
  readonly dim: Style;
  readonly strong: Style;
}

const same: Style = (text) => text;
export const plain: Styles = { good: same, bad: same, dim: same, strong: same };

/** Rows shown around the first difference. */
const ROWS = 4;
const LINES = 12;
/** Column of the texts after `expected`, `because`, `look at`. */
const INDENT = 12;

export function feedback(exercise: Exercise, report: Report, width: number, styles: Styles): string[] {
  const { failure } = report;
  if (failure === null) {
    const n = report.passed.length;
    return [
      styles.good(`✓ ${exercise.id}: ${n === 1 ? "its check passes" : `all ${n} checks pass`}`),
      ...(report.notes ?? []).flatMap((text) => labelled("lacking", text, width)).map(styles.dim),
    ];
  }
  const check = checkOf(exercise, failure);
  const head = clip(`✗ ${failure.check}  ${failure.headline}`, width);
  const rows = table(failure, width, styles);
  const foot = [
    ...place("look at", check.look_at.ours, width),
    ...place("PyTorch", check.look_at.pytorch, width),
    ...labelled("hint", `h, or: npm run ex -- hint ${number(exercise)}`, width),
  ].map(styles.dim);
  const room = LINES - 1 - rows.length - foot.length;
  const because = labelled("because", failure.because, width).slice(0, room);
  return [styles.bad(head), ...rows, ...because, ...foot];
}

/** One line that says where kernels ran, if there were any. */
export function ranOn({ ran }: Report, width: number): string[] {
  return ran === undefined ? [] : [clip(`${"  ran on".padEnd(INDENT)}${ran}`, width)];
}

export function checkOf(exercise: Exercise, failure: Failure): Check {
  return exercise.checks.find((check) => check.id === failure.check) as Check;
}

/** The hint, chosen by the check and by the text seen: a hint names the beginning of a word in it. */
export function hintOf(check: Check, failure: Failure): Hint {
  return check.hints.find(({ seen }) => seen === undefined || ` ${failure.seen}`.includes(` ${seen}`)) as Hint;
}

/** `06` of `06-dispatch-table`. */
export function number(exercise: Exercise): string {
  return exercise.id.slice(0, exercise.id.indexOf("-"));
}

/** Expected and found, side by side, around the first difference. */
function table({ rows, first }: Failure, width: number, { bad, dim }: Styles): string[] {
  if (rows.length === 1) {
    const [{ expected, yours }] = rows;
    return [...labelled("expected", expected, width).slice(0, 1), bad(labelled("yours", yours, width)[0])];
  }
  const from = Math.max(0, Math.min(first - 1, rows.length - ROWS));
  const column = Math.floor((width - 6) / 2);
  const lines = [dim(`    ${"expected".padEnd(column)}${"yours"}`)];
  return lines.concat(rows.slice(from, from + ROWS).map((row, i) => rowText(row, from + i, first, column, bad)));
}

function rowText({ expected, yours }: Compared, i: number, first: number, column: number, bad: Style): string {
  const mark = i === first ? ">" : " ";
  const shared = i === first ? hidden(expected, yours, column - 1) : 0;
  const shown = (text: string): string => (shared === 0 ? text : `…${text.slice(shared)}`);
  const text = `${mark}${String(i + 1).padStart(2)} ${clip(shown(expected), column - 1).padEnd(column)}${clip(shown(yours), column)}`;
  return i === first ? bad(text) : text;
}

/**
 * Number of characters to omit at the beginning of two texts, so that a column shows the difference: whole words that both have.
 */
function hidden(expected: string, yours: string, column: number): number {
  let same = 0;
  while (same < expected.length && expected[same] === yours[same]) same++;
  return same < column - 1 ? 0 : expected.lastIndexOf(" ", same - 1) + 1;
}

/** All rows, for a learner who wants to see the whole path. */
export function allRows(failure: Failure, width: number, { bad }: Styles): string[] {
  const column = Math.floor((width - 6) / 2);
  return [
    `    ${"expected".padEnd(column)}yours`,
    ...failure.rows.map((row, i) => rowText(row, i, failure.first, column, bad)),
  ];
}

/** `  because   text`, wrapped between words under its beginning. */
export function labelled(label: string, text: string, width: number): string[] {
  return wrap(text, width - INDENT).map((line, i) =>
    clip(`${(i === 0 ? `  ${label}` : "").padEnd(INDENT)}${line}`, width),
  );
}

/**
 * A file and the text to look for in it, on a line of its own if necessary. A path is never broken, because it will be copied.
 */
function place(label: string, at: string, width: number): string[] {
  const hash = at.indexOf("#");
  const [path, symbol] = hash === -1 ? [at, ""] : [at.slice(0, hash), at.slice(hash + 1)];
  const line = `  ${label}`.padEnd(INDENT) + path;
  if (symbol === "") return [line];
  const both = `${line}   ${symbol}`;
  return both.length <= width ? [both] : [line, `${"".padEnd(INDENT)}${symbol}`];
}

/** Lines of at most `room` characters, broken between words. */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) as string;
    if (last !== "" && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

export function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
