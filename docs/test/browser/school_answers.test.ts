/**
 * @file Each exercise's stub, solution and known mistakes in the page: the same check fails as in a terminal, and the same hint is given.
 *
 * Of the mistakes, the first that fails each kind of check that the exercise has mistakes for; all of them with `SCHOOL_ANSWERS=all`, which
 * takes three times as long. For what judges an answer is one text: test/engine/school.test.ts has it judge every answer, in Node, by the
 * page's own host, and `verify` (test/exercises) by the terminal's. What a browser can do otherwise, it does to a kind of check: read the page,
 * compile, call the library, run codegen, compare, find the hint.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Exercise, Mistake } from "../../../tools/learn/exercise.ts";
import { exerciseIds, type Files, Folder } from "../../../tools/learn/node/folder.ts";
import { bring, check, opened } from "./support/school.ts";
import { site, test } from "./support/site.ts";

const s = site();

/** Brings an answer to the exercise's page, and checks it there. */
async function judged(page: Page, { exercise }: Folder, files: Files): Promise<string> {
  await bring(page, { [exercise.id]: Object.fromEntries(files) });
  await page.locator(`main a[href$="/learn/${exercise.id}/"]`).first().click();
  await opened(page);
  return check(page);
}

async function back(page: Page): Promise<void> {
  await page.getByRole("link", { name: "All exercises" }).click();
  await page.locator(".school-file").waitFor();
}

function tried({ checks, mistakes }: Exercise): readonly Mistake[] {
  if (process.env["SCHOOL_ANSWERS"] === "all") return mistakes;
  const kindOf = ({ check }: Mistake) => checks.find(({ id }) => id === check)?.kind;
  return mistakes.filter((mistake, i) => mistakes.findIndex((other) => kindOf(other) === kindOf(mistake)) === i);
}

for (const folder of exerciseIds().map((id) => new Folder(id))) {
  const { exercise } = folder;
  if (!exercise.browser) continue;
  const first = exercise.checks[0]?.id as string;
  const mistakes = tried(exercise);
  test(`${exercise.id}: stub, ${mistakes.length} of ${exercise.mistakes.length} mistakes, solution`, async () => {
    const page = await s.open("learn/");
    expect(await judged(page, folder, folder.stub)).toBe(first);
    for (const { patch, check, seen } of mistakes) {
      await back(page);
      expect(await judged(page, folder, folder.mistaken(patch)), patch).toBe(check);
      await page.getByRole("button", { name: "Hint", exact: true }).click();
      const { hints } = exercise.checks.find(({ id }) => id === check) as (typeof exercise.checks)[number];
      const [where] = hints.find((hint) => hint.seen === seen)?.texts ?? [];
      expect(await page.getByRole("list", { name: "Hints" }).textContent(), patch).toContain(where);
    }
    await back(page);
    expect(await judged(page, folder, folder.solution)).toBe("good");
    expect(await page.locator(".school-checks .good").count()).toBe(exercise.checks.length);
  }, 300_000);
}
