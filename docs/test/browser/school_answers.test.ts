/**
 * @file Each exercise's stub, solution and known mistakes in the page: the same check fails as in a terminal, and the same hint is given.
 *
 * A complete run of all checks takes a share of the exercises, and another share for each commit. The text that judges an
 * answer is the same everywhere: `verify` (test/exercises) runs it on every answer by the terminal's host, and test/engine/school.test.ts
 * on another share by the page's host in Node. A browser adds only how it reads the page, compiles, runs codegen and finds the hint.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
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

const all = exerciseIds()
  .map((id) => new Folder(id))
  .filter(({ exercise }) => exercise.browser);
const folders = cases_in_turn("exercises in a browser", all, 16);

for (const folder of folders) {
  const { exercise } = folder;
  const first = exercise.checks[0]?.id as string;
  test(`${exercise.id}: stub, ${exercise.mistakes.length} mistakes, solution`, async () => {
    const page = await s.open("learn/");
    expect(await judged(page, folder, folder.stub)).toBe(first);
    for (const { patch, check, seen } of exercise.mistakes) {
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
  }, 600_000);
}
