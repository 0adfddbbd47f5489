/**
 * @file Whether a program imports single sources, such as `#torch/_C`. It must then share them with the library.
 * @original
 */
import { readFileSync } from "node:fs";

/** An import that names a source: `#torch/_C`, `../src/index.ts` */
export const NAMES_A_SOURCE = /\bfrom "(?:#|(?:\.\.?\/)+src\/)/;

export function names_a_source(program: string): boolean {
  return NAMES_A_SOURCE.test(readFileSync(program, "utf8"));
}
