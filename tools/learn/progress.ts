/**
 * @file The note of passed exercises: one file, `progress.json`, for a clone and for a page.
 * @original
 */

export interface Passed {
  readonly id: string;
  /** Hash of the exercise when it was passed: if it changes, the exercise is open again. */
  readonly hash: string;
  readonly passed_at: string;
}

export interface Progress {
  readonly passed: readonly Passed[];
  /** Texts by exercise and file: a page has these instead of a folder. */
  readonly edits?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type Status = "open" | "passed" | "reopened";

/** `reopened`: the exercise has changed since it was passed. */
export function statusIn(passed: readonly Passed[], id: string, hash: string): Status {
  const entry = passed.find((each) => each.id === id);
  if (entry === undefined) return "open";
  return entry.hash === hash ? "passed" : "reopened";
}

export function withPassed(passed: readonly Passed[], id: string, hash: string): Passed[] {
  const others = passed.filter((each) => each.id !== id);
  return [...others, { id, hash, passed_at: new Date().toISOString() }].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The files with which a learner begins: the stub, with files replaced that they have written elsewhere. An edit cannot
 * add a file.
 */
export function beginning(
  stub: ReadonlyMap<string, string>,
  edits: Readonly<Record<string, string>> = {},
): Map<string, string> {
  return new Map([...stub].map(([file, text]) => [file, Object.hasOwn(edits, file) ? edits[file] : text]));
}

/** The files that differ from the initial ones. */
export function editsOf(stub: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...stub].flatMap(([file, text]) => {
      const now = files.get(file);
      return now === undefined || now === text ? [] : [[file, now]];
    }),
  );
}

/**
 * The file's text as progress; parts of another form are dropped.
 * @throws {Error} if it is no such file
 */
export function readProgressFile(text: string): Progress {
  const file = parsed(text) as { passed?: unknown; edits?: unknown } | null;
  if (!Array.isArray(file?.passed)) throw new Error("no list of what has passed");
  const passed = file.passed.filter(isPassed).map(({ id, hash, passed_at }) => ({ id, hash, passed_at }));
  const edits = Object.entries(isFields(file.edits) ? file.edits : {}).map(([id, files]) => [
    id,
    Object.fromEntries(Object.entries(isFields(files) ? files : {}).filter(([, text]) => typeof text === "string")),
  ]);
  return { passed, edits: Object.fromEntries(edits) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isPassed = (value: unknown): value is Passed =>
  isFields(value) && ["id", "hash", "passed_at"].every((field) => typeof value[field] === "string");
