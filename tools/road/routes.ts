/**
 * @file The counts in hand-written texts: the reading routes of CONTRIBUTING.md and a sentence of README.md. A person
 * chooses the files and the words; the numbers are filled in here. A part begins with `<!-- road: NAME -->` and ends
 * with `<!-- /road -->`.
 * @original
 */
import { functions_of } from "./functions.ts";
import { lines_of_code, measured, totals } from "./measure.ts";
import { count, plural, share } from "./page.ts";
import type { Recording } from "./record.ts";

/** Files that contain such parts. */
export const TEXTS = ["README.md", "CONTRIBUTING.md"];

/** A file's counts. */
interface Counts {
  readonly lines: number;
  /** Number of lines in the file, with comments and blank lines. */
  readonly all: number;
}

/** `](PATH) (12 lines)`, `](PATH) 12` or, with the lines that run in the first program, `](PATH) (12 lines, 3 run)`. */
const COUNTED = /\]\(((?:src|tools)\/[^)]+\.ts)\) (\(?)\d[\d,]*(?: lines)?(, \d[\d,]* run)?(\)?)/g;
const LINKED = /\]\(((?:src|tools)\/[^)]+\.ts)\)/g;

/**
 * The text with up-to-date counts.
 * @param read text of a file, by its path from the root
 */
export function with_counts(text: string, recording: Recording, read: (path: string) => string): string {
  const [prelu] = recording.roads;
  const road = measured(recording, prelu).files;
  const counts_of = (path: string): Counts => {
    const source = recording.files.get(path) ?? functions_of(read(path));
    return { lines: lines_of_code(source), all: source.is_code.length - 2 };
  };
  return text.replace(/(<!-- road: (\w+) -->)([\s\S]*?)(<!-- \/road -->)/g, (_, begin, name, body: string, end) => {
    if (name === "step") return `${begin}${step_sentence()}${end}`;
    return `${begin}${body
      .split("\n")
      .map(with_line_counts)
      .join("\n")
      .replace(/\*\*\d+ files.*/, total(body))}${end}`;
  });

  function step_sentence(): string {
    const sum = totals(road);
    return `One warm PReLU step, forward and backward, runs **${plural(sum.functions, "function")} in ${plural(sum.files, "file")}: ${plural(sum.lines, "line")} of code**, ${share(sum.lines, recording)} of the hand-written library.`;
  }

  function with_line_counts(line: string): string {
    const counted = line.replace(COUNTED, (_, path: string, open: string, run: string | undefined, close: string) => {
      const { lines } = counts_of(path);
      const ran = road.find(({ file }) => file === path)?.lines_run ?? 0;
      const noun = open === "" ? "" : " lines";
      return `](${path}) ${open}${count(lines)}${noun}${run === undefined ? "" : `, ${count(ran)} run`}${close}`;
    });
    const paths = linked(line);
    const sum = paths.reduce((n, path) => n + counts_of(path).lines, 0);
    return counted.replace(/\(\d+ files, [\d,]+ lines\)/, `(${paths.length} files, ${count(sum)} lines)`);
  }

  function total(body: string): string {
    const all = [...new Set(linked(body))].map(counts_of);
    const lines = all.reduce((n, file) => n + file.lines, 0);
    const with_comments = Number(all.reduce((n, file) => n + file.all, 0).toPrecision(2));
    return `**${all.length} files, ${count(lines)} lines of code**, about ${count(with_comments)} lines with their comments.`;
  }
}

const linked = (text: string): string[] => [...text.matchAll(LINKED)].map(([, path]) => path);
