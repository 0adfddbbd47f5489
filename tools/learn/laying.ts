/**
 * @file The learner's files as texts of the tree: one that is appended stands behind the tree's own, and messages count its lines from 1.
 * @original
 */
import type { Exercise } from "./exercise.ts";

export interface LaidText {
  readonly text: string;
  /** Lines of the tree's file that stand before the learner's first. */
  readonly before: number;
}

/** @param textOf the tree's own text of a file */
export function lay(
  { edits, given }: Exercise,
  files: ReadonlyMap<string, string>,
  textOf: (file: string) => string,
): Map<string, LaidText> {
  const appended = new Set([...edits, ...given].filter((edit) => edit.appended).map(({ file }) => file));
  return new Map(
    [...files].map(([file, text]) => {
      const own = appended.has(file) ? textOf(file) : "";
      return [file, { text: own + text, before: own.split("\n").length - 1 }];
    }),
  );
}

/** What codegen said, with the lines of the learner's own files. */
export function toldOf(message: string, laid: ReadonlyMap<string, LaidText>): string {
  return message.replace(/(\S+):(\d+)/g, (place, file, line) => {
    const before = laid.get(file)?.before ?? 0;
    return before > 0 && Number(line) > before ? `${file}, your line ${Number(line) - before}` : place;
  });
}
