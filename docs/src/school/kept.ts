/**
 * @file The learner's data in this browser: exercises that passed, their files, files that were put aside. Nothing of it is sent anywhere.
 * @original
 */
import { type Passed, type Progress, readProgressFile, withPassed } from "../../../tools/learn/progress.ts";

export type Files = Readonly<Record<string, string>>;

interface Backup {
  readonly id: string;
  readonly at: string;
  readonly files: Files;
}

export interface Kept {
  readonly passed: readonly Passed[];
  /** By exercise: files that are not as they began. */
  readonly edits: Readonly<Record<string, Files>>;
  readonly backups: readonly Backup[];
  /** Solutions are shown without a pass: for who teaches. */
  readonly teaches: boolean;
  /** Whether the browser has refused to keep what was written last: it is here as long as the page is open. */
  readonly unsaved: boolean;
}

const PLACE = "glasstorch.exercises";
const MOST_BACKUPS = 20;
const EMPTY: Kept = { passed: [], edits: {}, backups: [], teaches: false, unsaved: false };
/** Characters of a file of progress, and of one text in it: far more than a person writes. */
const LONGEST = 2_000_000;
const LONGEST_TEXT = 100_000;

let known: { readonly text: string | null; readonly kept: Kept } = { text: null, kept: EMPTY };
const listeners = new Set<() => void>();

/** The text that the browser has refused to keep. */
let refused: string | null = null;

/** A browser may refuse to keep anything: then it is kept as long as the page is open. */
function stored(): string | null {
  if (refused !== null) return refused;
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return known.text;
  }
}

export function kept(): Kept {
  const text = stored();
  if (text !== known.text) known = { text, kept: parsed(text) };
  return known.kept;
}

/** The empty data of a page that is being built. */
export const nothingKept = (): Kept => EMPTY;

function parsed(text: string | null): Kept {
  try {
    const { backups = [], teaches = false } = JSON.parse(text ?? "") as Partial<Kept>;
    return { ...EMPTY, ...readProgressFile(text ?? ""), backups, teaches };
  } catch {
    return EMPTY;
  }
}

function keep(change: Partial<Kept>): void {
  const { unsaved: _, ...now } = { ...kept(), ...change };
  const text = JSON.stringify(now);
  refused = isStored(text) ? null : text;
  known = { text, kept: { ...now, unsaved: refused !== null } };
  for (const listener of listeners) listener();
}

function isStored(text: string): boolean {
  try {
    localStorage.setItem(PLACE, text);
    return true;
  } catch {
    return false; // full, or forbidden
  }
}

export function subscribe(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key === PLACE) listener();
  };
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

export function keepEdits(id: string, files: Files): void {
  const { [id]: _, ...others } = kept().edits;
  keep({ edits: Object.keys(files).length === 0 ? others : { ...others, [id]: files } });
}

export function notePassed(id: string, hash: string): void {
  keep({ passed: withPassed(kept().passed, id, hash) });
}

/** Puts an exercise's files aside. */
export function backUp(id: string): void {
  const files = kept().edits[id];
  if (files === undefined) return;
  keep({ backups: [{ id, at: new Date().toISOString(), files }, ...kept().backups].slice(0, MOST_BACKUPS) });
}

/** The newest that was put aside, taken out. */
export function takeBackup(id: string): Files | null {
  const { backups } = kept();
  const found = backups.find((backup) => backup.id === id);
  if (found === undefined) return null;
  keep({ backups: backups.filter((backup) => backup !== found) });
  return found.files;
}

export function setTeaches(teaches: boolean): void {
  keep({ teaches });
}

/** As `workspace/progress.json` has it in a clone. */
export function exported(): string {
  const { passed, edits } = kept();
  return `${JSON.stringify({ passed, edits } satisfies Progress, null, 1)}\n`;
}

/** The entries that a file of progress brought, counted. */
export interface Imported {
  readonly passed: number;
  readonly exercises: number;
  /** Parts that were left out: of exercises that are not here, or too long. */
  readonly leftOut: number;
}

/**
 * Takes over what a file holds; files of ours in its way are put aside. Nothing of it runs.
 * @param here the exercises of this site
 * @throws {Error} if it is no such file, or if the browser has no room for it: then everything is as it was
 */
export function imported(text: string, here: ReadonlySet<string>): Imported {
  if (text.length > LONGEST) throw new Error(`it has ${text.length} characters, and this page takes ${LONGEST}`);
  const file = readProgressFile(text);
  const passed = file.passed.filter(({ id, hash }) => here.has(id) && hash.length < 200);
  const all = Object.entries(file.edits ?? {});
  const edits = Object.fromEntries(
    all.filter(([id, files]) => here.has(id) && Object.values(files).every((each) => each.length <= LONGEST_TEXT)),
  );
  const before = kept();
  for (const id of Object.keys(edits)) backUp(id);
  const now = kept();
  const others = now.passed.filter(({ id }) => !passed.some((each) => each.id === id));
  keep({ passed: [...others, ...passed].sort((a, b) => (a.id < b.id ? -1 : 1)), edits: { ...now.edits, ...edits } });
  if (!before.unsaved && kept().unsaved) {
    keep(before);
    throw new Error("this browser has no room for it");
  }
  const exercises = Object.keys(edits).length;
  return {
    passed: passed.length,
    exercises,
    leftOut: file.passed.length - passed.length + all.length - exercises,
  };
}
