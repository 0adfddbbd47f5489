/**
 * @file Applies a unified diff to texts: known wrong answers are made from the solution in this way.
 * @original
 */
import { ExerciseError } from "./exercise.ts";

interface Hunk {
  readonly before: string[];
  readonly after: string[];
}

/**
 * @param texts by path
 * @returns the patched ones
 * @throws {ExerciseError} if the context of a hunk occurs nowhere, or more than once
 */
export function applyPatch(name: string, patch: string, texts: ReadonlyMap<string, string>): Map<string, string> {
  const patched = new Map<string, string>();
  let path = "";
  let hunk: Hunk = { before: [], after: [] };
  const flush = (): void => {
    if (hunk.before.length + hunk.after.length > 0)
      patched.set(path, applyHunk(name, hunk, patched.get(path) ?? texts.get(path) ?? "", path));
    hunk = { before: [], after: [] };
  };
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("--- ") || line.startsWith("@@")) flush();
    else if (line.startsWith("+++ ")) path = line.slice("+++ ".length).replace(/^b\//, "").trim();
    else if (line.startsWith("-")) hunk.before.push(line.slice(1));
    else if (line.startsWith("+")) hunk.after.push(line.slice(1));
    else {
      hunk.before.push(line.slice(1));
      hunk.after.push(line.slice(1));
    }
  }
  flush();
  return patched;
}

function applyHunk(name: string, { before, after }: Hunk, text: string, path: string): string {
  const lines = text.split("\n");
  const places = lines.flatMap((_, i) => (before.every((line, j) => lines[i + j] === line) ? [i] : []));
  const [place, another] = places;
  if (place === undefined || another !== undefined)
    throw new ExerciseError(
      `${name}: its lines stand ${places.length} times in ${path}; they begin: ${before[0]?.trim()}`,
    );
  return [...lines.slice(0, place), ...after, ...lines.slice(place + before.length)].join("\n");
}
