/**
 * @file The terminal: its width, its colours, and the display of Markdown texts.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import colors from "picocolors";
import { clip, plain, type Styles } from "../feedback.ts";
import { reading } from "../reading.ts";
import type { Folder } from "./folder.ts";

/** Wider lines are hard to read. */
const WIDEST = 120;

export const hasColor: boolean = colors.isColorSupported && process.stdout.isTTY === true;

export const styles: Styles = hasColor
  ? { good: colors.green, bad: colors.red, dim: colors.dim, strong: colors.bold }
  : plain;

export function columns(): number {
  return Math.min(process.stdout.columns || 80, WIDEST); // 0 if the terminal does not know its width
}

export function say(...lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

/** Prints a learner's file's output. */
export function hear(text: Buffer): void {
  process.stderr.write(text);
}

/** A title and a line under it. */
export function heading(text: string): string[] {
  const width = columns();
  return ["", styles.strong(clip(text, width)), styles.dim("─".repeat(Math.min(width, 78)))];
}

/** The exercise's README, without the parts that only a page can use. */
export function readme({ path }: Folder): string[] {
  return reading(readFileSync(join(path, "README.md"), "utf8"), columns());
}
