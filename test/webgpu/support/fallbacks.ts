/**
 * @file Which operators fell back to the CPU. The list begins empty for each file of tests, also if files share a process.
 * @original
 */
const fallbacks: string[] = [];

/** Keeps the warning of a fallback; others are dropped. */
export function note_fallback(warning: string): void {
  if (warning.includes("will fall back to run on the CPU")) fallbacks.push(warning);
}

/** The warnings since this was last asked. */
export function fallen_back(): string[] {
  return fallbacks.splice(0);
}
