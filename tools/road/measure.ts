/**
 * @file Measurement of a recorded road: for each file the functions that ran, by name, and the number of their lines.
 *
 * A line counts if it is neither blank nor only a comment. A function's lines go from its signature to its end. They
 * all count, including branches that were not taken, but without the inner lines of a function inside it that did not
 * run.
 * @original
 */
import type { SourceFunctions } from "./functions.ts";
import type { Recording } from "./record.ts";

export interface MeasuredFile {
  readonly file: string;
  /** In the order of first calls. */
  readonly functions: readonly string[];
  /** By line, from 1: whether it belongs to a function that ran. */
  readonly runs: readonly boolean[];
  readonly lines_run: number;
  readonly lines: number;
}

export interface Measured {
  /** Hand-written files, in the order of first calls. */
  readonly files: readonly MeasuredFile[];
  readonly generated: readonly MeasuredFile[];
}

export interface Totals {
  readonly files: number;
  readonly functions: number;
  readonly lines: number;
  /** Number of lines in the whole files. */
  readonly of: number;
}

export function lines_of_code({ is_code }: SourceFunctions): number {
  return is_code.filter(Boolean).length;
}

export function is_generated(file: string): boolean {
  return file.includes("/generated/");
}

/** @param ran numbers of functions of the file, in the order of first calls. */
export function measured_file(file: string, source: SourceFunctions, ran: readonly number[]): MeasuredFile {
  const { places, is_code } = source;
  const entered = new Set(ran);
  const runs = is_code.map(() => false);
  // A function stands before those inside it, which may take lines away from it, or add lines to it.
  places.forEach(({ from, to }, i) => {
    if (entered.has(i)) runs.fill(true, from, to + 1);
    else runs.fill(false, from + 1, Math.max(from + 1, to));
  });
  const lines_run = runs.filter((run, line) => run && is_code[line]).length;
  const functions = [...new Set(ran.map((i) => places[i].name))];
  return { file, functions, runs, lines_run, lines: lines_of_code(source) };
}

export function measured({ files }: Recording, road: ReadonlyMap<string, readonly number[]>): Measured {
  const all = [...road].map(([file, ran]) => measured_file(file, files.get(file) as SourceFunctions, ran));
  return {
    files: all.filter(({ file }) => !is_generated(file)),
    generated: all.filter(({ file }) => is_generated(file)),
  };
}

/** The roads of several programs as one. */
export function united(roads: Recording["roads"]): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (const road of roads)
    for (const [file, ran] of road) all.set(file, [...new Set([...(all.get(file) ?? []), ...ran])]);
  return all;
}

export function totals(files: readonly MeasuredFile[]): Totals {
  const sum = (of: (file: MeasuredFile) => number): number => files.reduce((n, file) => n + of(file), 0);
  return {
    files: files.length,
    functions: sum((f) => f.functions.length),
    lines: sum((f) => f.lines_run),
    of: sum((f) => f.lines),
  };
}
