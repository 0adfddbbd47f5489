/**
 * @file Exercises as a learner does them: opened, written, checked, read.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";

export const bar = (page: Page) => page.locator(".school-bench .pg-status");
export const verdict = (page: Page) => page.locator("[data-verdict]");

/** Waits until the exercise has come. */
export async function opened(page: Page): Promise<Page> {
  await page.locator(".school-answer :is(.cm-content, fieldset)").first().waitFor({ timeout: 60_000 });
  return page;
}

/** Presses Check and waits for its end; the check that fails, or `good`. */
export async function check(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect.poll(() => bar(page).textContent(), { timeout: 90_000 }).toMatch(/checks pass$|^Passed$/);
  return (await verdict(page).getAttribute("data-verdict")) as string;
}

/** Brings files as a file of progress brings them. */
export async function bring(
  page: Page,
  edits: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<void> {
  const buffer = Buffer.from(JSON.stringify({ passed: [], edits }));
  await page
    .locator(".school-file input")
    .setInputFiles({ name: "progress.json", mimeType: "application/json", buffer });
  await expect.poll(() => page.locator(".school-file [role=status]").textContent()).toContain("none of them has run");
}
