/**
 * @file The playground as a reader uses it: writes, runs, waits, reads what came of it.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";

export const status = (page: Page) => page.locator(".pg-result .pg-status");
export const printed = (page: Page) => page.locator(".pg-console");

export async function ran(page: Page): Promise<void> {
  await expect
    .poll(() => status(page).textContent(), { timeout: 60_000 })
    .toMatch(/^(Ran|Ended|Stopped|This program cannot)/);
}

/** Waits for the end of the run that `begin` starts, not of one before it. */
export async function run(
  page: Page,
  begin = () => page.getByRole("button", { name: "Run", exact: true }).click(),
): Promise<void> {
  await begin();
  await page.waitForTimeout(50);
  await ran(page);
}

export async function ready(page: Page): Promise<Page> {
  await expect.poll(() => status(page).textContent(), { timeout: 60_000 }).toContain("Ready");
  return page;
}

/** Puts a text in the place of all that stands in the editor, as a reader who pastes. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Opens a file of the library. */
export async function openFile(page: Page, path: string): Promise<void> {
  await page.getByRole("button", { name: /Open a file of the library/ }).click();
  await page.getByRole("searchbox").fill(path);
  await page.locator("dialog li button").first().click();
  await expect.poll(() => page.locator(".pg-of-file .pg-path").textContent()).toBe(path);
}

/** Changes a file by the editor's own search and replace. */
export async function replaceAll(page: Page, from: string, to: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+f");
  await page.locator(".cm-search input[name=search]").fill(from);
  await page.locator(".cm-search input[name=replace]").fill(to);
  await page.locator(".cm-search button[name=replaceAll]").click();
  await page.keyboard.press("Escape");
}
