/**
 * @file The stub, cut from the solution, so that only the solution is hand-written.
 *
 *     // ex:begin(06.own)
 *     the lines of the answer
 *     // ex:stub
 *     // return null; // these lines, without their marks, are in the stub
 *     // ex:end
 *
 * In YAML files the marks begin with `#`.
 * @original
 */
import { ExerciseError } from "./exercise.ts";

export interface Region {
  /** The check that the region answers. */
  readonly check: string;
  readonly lines: readonly string[];
}

const MARK = /^\s*(?:\/\/|#) ex:(begin|stub|end)(?:\((.+)\))?\s*$/;

interface Cut {
  readonly stub: string;
  readonly solution: string;
  readonly regions: readonly Region[];
}

/**
 * Separates a solution with its marks into solution and stub.
 * @throws {ExerciseError} if a region does not end
 */
export function cut(path: string, text: string): Cut {
  const stub: string[] = [];
  const solution: string[] = [];
  const regions: { check: string; lines: string[] }[] = [];
  let where: "outside" | "begin" | "stub" = "outside";
  for (const line of text.split("\n")) {
    const mark = MARK.exec(line);
    if (mark !== null) {
      const [, what, check] = mark;
      if ((what === "begin") !== (where === "outside")) throw new ExerciseError(`${path}: ex:${what} out of its place`);
      if (what === "begin") regions.push({ check: check ?? "", lines: [] });
      where = what === "end" ? "outside" : (what as "begin" | "stub");
    } else if (where === "begin") {
      solution.push(line);
      regions.at(-1)?.lines.push(line);
    } else if (where === "stub") stub.push(line.replace(/(\/\/|#) ?/, ""));
    else {
      stub.push(line);
      solution.push(line);
    }
  }
  if (where !== "outside") throw new ExerciseError(`${path}: a region does not end`);
  return { stub: stub.join("\n"), solution: solution.join("\n"), regions };
}
