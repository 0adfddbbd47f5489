/**
 * @file The language in which the reader wants to see programs: who has chosen one sees it everywhere, and finds it so the next time.
 * @original
 */

export type Language = "python" | "typescript";

const KEY = "glasstorch.language";
const listeners = new Set<() => void>();
/** The language that the reader has chosen; null: none; undefined: not yet read. */
let choice: Language | null | undefined;

/** The language that the reader has chosen, null if it was none. */
export function chosen(): Language | null {
  if (choice === undefined) {
    try {
      const kept = localStorage.getItem(KEY);
      choice = kept === "typescript" || kept === "python" ? kept : null;
    } catch {
      choice = null; // a browser that keeps nothing
    }
  }
  return choice;
}

/** The language of programs: Python, until the reader says otherwise. */
export const language = (): Language => chosen() ?? "python";

export function choose(wanted: Language): void {
  choice = wanted;
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // It holds for this visit.
  }
  for (const tell of listeners) tell();
}

export function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
