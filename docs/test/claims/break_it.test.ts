/**
 * @file Every "break it" of the house pages: the program prints what the page says before the change, and what it says after it.
 * @original
 */
import { expect, test } from "vitest";
import { hints } from "../../src/components/BreakIt/hints.ts";
import { edited, run } from "./library.ts";

const last = ({ printed, failed }: { printed: readonly string[]; failed: string | null }): string =>
  failed ?? printed.at(-1) ?? "";

for (const hint of hints) {
  test(`${hint.page}: ${hint.change}`, { timeout: 60_000 }, async () => {
    expect(last(await run(hint.program))).toBe(hint.before);
    expect(last(await run(hint.program, edited(hint.file, hint.find, hint.replace)))).toBe(hint.after);
  });
}
