/**
 * @file The learner's files as texts of the tree. An appended file follows the tree's own text, and messages count its
 * lines from 1.
 * @original
 */
import type { Exercise } from "./exercise.ts";

export interface LaidText {
  readonly text: string;
  /** Number of the tree's lines before the learner's first. */
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

/** Codegen's message, with the line numbers of the learner's own files. */
export function toldOf(message: string, laid: ReadonlyMap<string, LaidText>): string {
  return message.replace(/(\S+):(\d+)/g, (place, file, line) => {
    const before = laid.get(file)?.before ?? 0;
    return before > 0 && Number(line) > before ? `${file}, your line ${Number(line) - before}` : place;
  });
}
