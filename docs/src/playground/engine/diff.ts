/**
 * @file The difference of two texts by lines.
 * @original
 */
import { align } from "../../../../tools/trace-viewer/src/model/compare.ts";

/** At line `at` (from 0), `removed` lines stand no longer; `added` stand instead. */
export interface LineEdit {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function lineEdits(before: string, after: string): LineEdit[] {
  const a = before.split("\n");
  const b = after.split("\n");
  const edits: { at: number; removed: string[]; added: string[] }[] = [];
  let open: (typeof edits)[number] | null = null;
  let at = 0;
  for (const [x, y] of align(a, b)) {
    // In lockstep, where the texts have nothing in common, a pair may differ.
    if (x !== null && y !== null && a[x] === b[y]) {
      open = null;
      at = x + 1;
      continue;
    }
    if (open === null) edits.push((open = { at, removed: [], added: [] }));
    if (x !== null) {
      open.removed.push(a[x]);
      at = x + 1;
    }
    if (y !== null) open.added.push(b[y]);
  }
  return edits;
}

/** Null if the lines that an edit removes are not there. */
export function applyEdits(before: string, edits: readonly LineEdit[]): string | null {
  const lines = before.split("\n");
  for (const { at, removed, added } of [...edits].reverse()) {
    if (removed.some((line, i) => lines[at + i] !== line)) return null;
    lines.splice(at, removed.length, ...added);
  }
  return lines.join("\n");
}

/** One line of a diff as shown: kept, taken away, put there. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  /** Line number from 1, in the text it belongs to. */
  readonly line: number;
}

/** The changed places of a text with some lines around; `null` stands for a gap. */
export function diffLines(before: string, after: string, around = 3): (DiffLine | null)[] {
  const old = before.split("\n");
  const shown: (DiffLine | null)[] = [];
  let from = 0; // first old line not yet shown or passed over
  let shift = 0;
  const same = (start: number, end: number): void => {
    for (let i = start; i < end; i++) shown.push({ kind: "same", text: old[i], line: i + 1 + shift });
  };
  const edits = lineEdits(before, after);
  edits.forEach((edit, k) => {
    const start = Math.max(from, edit.at - around);
    if (start > from) shown.push(null);
    same(start, edit.at);
    edit.removed.forEach((text, i) => {
      shown.push({ kind: "removed", text, line: edit.at + i + 1 });
    });
    edit.added.forEach((text, i) => {
      shown.push({ kind: "added", text, line: edit.at + shift + i + 1 });
    });
    shift += edit.added.length - edit.removed.length;
    from = edit.at + edit.removed.length;
    const end = Math.min(old.length, from + around, edits[k + 1]?.at ?? old.length);
    same(from, end);
    from = end;
  });
  return shown;
}
