/**
 * @file With the keyboard alone: through the first page, a walkthrough and the playground; the focus can be seen and never gets stuck.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { shoot, site, tabTo, test } from "./support/site.ts";

const s = site();
const aloud = (page: Page) => page.locator(".trace-aloud").first().textContent();

/** Whether what has the focus looks different for it. */
function focusShows(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const element = document.activeElement as HTMLElement;
    const look = (): string => {
      const parts: string[] = [];
      for (let at: Element | null = element, k = 0; at !== null && k < 3; at = at.parentElement, k++) {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
          getComputedStyle(at);
        parts.push(
          outlineStyle === "none" ? "" : `${outlineWidth} ${outlineColor}`,
          boxShadow,
          borderColor,
          backgroundColor,
        );
      }
      return parts.join();
    };
    const frame = () => new Promise((ready) => setTimeout(ready, 250));
    await frame();
    const focused = look();
    element.blur();
    await frame();
    const without = look();
    element.focus({ focusVisible: true } as FocusOptions);
    return focused === without ? `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}` : "";
  });
}

test("the first page: skip link, figure, switch, doors", async () => {
  const page = await s.open("");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip to main content/i);
  await page.keyboard.press("Enter");
  await tabTo(page, ".home-switch button:last-child");
  expect(await focusShows(page)).toBe("");
  await page.keyboard.press("Enter");
  expect(await page.locator(".home-switch button:last-child").getAttribute("aria-pressed")).toBe("true");
  await tabTo(page, '.trace-bar button[aria-label="Step forward"]');
  expect(await focusShows(page)).toBe("");
  const before = await aloud(page);
  await page.keyboard.press("Enter");
  expect(await aloud(page)).not.toBe(before);
  await page.keyboard.press("ArrowLeft");
  expect(await aloud(page)).toBe(before);
  await tabTo(page, ".step-ours");
  expect(await focusShows(page)).toBe("");
  await tabTo(page, ".home-lost input");
  await tabTo(page, '.home-doors a[href$="/walkthroughs/prelu/"]');
  expect(await focusShows(page)).toBe("");
  await page.keyboard.press("Enter");
  await page.waitForURL(/walkthroughs\/prelu/);
});

test("a walkthrough: the figure, the whole recording and back", async () => {
  const page = await s.open("walkthroughs/prelu/");
  await tabTo(page, ".trace-actions .trace-button", 160);
  await page.keyboard.press("ArrowRight");
  expect(await aloud(page)).toContain("Step 2 of");
  await page.keyboard.press("End");
  expect(await aloud(page)).toMatch(/Step (\d+) of \1/);
  await page.keyboard.press("Enter");
  await page.locator(".gtv").waitFor();
  await tabTo(page, ".gtv .gtv-button", 20);
  expect(await focusShows(page)).toBe("");
  await page.keyboard.press("Home");
  const spoken = page.locator(".gtv-aloud").first();
  await expect.poll(() => spoken.textContent()).toContain("Step 1 of");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => spoken.textContent()).toContain("Step 2 of");
  await shoot(page, "keyboard-viewer", false);
});

test("the search does not take the focus from a reader who has gone on", async () => {
  const page = await s.open("");
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/search-index/, async (route) => {
    await arrived;
    await route.continue();
  });
  const index = page.waitForResponse(/search-index/); // it is asked for as soon as the box has the focus
  await tabTo(page, ".navbar__search-input");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const focused = await page.evaluateHandle(() => document.activeElement);
  arrive();
  await index;
  await page.waitForFunction(() => document.querySelector(".navbar__search-input[role=combobox]") !== null);
  await page.waitForTimeout(500);
  expect(await focused.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  expect(await focused.evaluate((element) => element === document.activeElement), "Tab goes on from there").toBe(true);
  await page.keyboard.press("Control+k");
  expect(await page.evaluate(() => document.activeElement?.matches(".navbar__search-input"))).toBe(true);
});

test("no element keeps the focus: from the first link of a walkthrough to its last", async () => {
  const page = await s.open("walkthroughs/prelu/");
  let same = 0;
  let unseen: string[] = [];
  for (let k = 0; k < 400; k++) {
    const before = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press("Tab");
    const at = await page.evaluate((was) => {
      const now = document.activeElement;
      const box = now?.getBoundingClientRect();
      return {
        same: now === was,
        end: now?.closest("footer") !== null || now === document.body,
        unseen: box === undefined || box.width * box.height === 0 ? (now?.outerHTML.slice(0, 120) ?? "") : "",
      };
    }, before);
    same += Number(at.same);
    if (at.unseen !== "" && !at.end) unseen = [...unseen, at.unseen];
    if (at.end && k > 20) break;
  }
  expect(same).toBe(0);
  expect(unseen).toEqual([]);
});

test("the playground: edit, run, open a file, leave the editor", async () => {
  const page = await s.open("playground/");
  await expect.poll(() => page.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 }).toContain("Ready");
  await tabTo(page, ".pg-run");
  expect(await focusShows(page)).toBe("");
  await tabTo(page, ".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText('import torch from "glasstorch";\nconsole.log(torch.ones([2]));\n');
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => page.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 }).toMatch(/^Ran/);
  expect(await page.locator(".pg-console").textContent()).toContain("tensor([1., 1.])");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest(".cm-editor") === null)).toBe(true);
  await page.locator(".pg-recordings .gtv").waitFor();
  await tabTo(page, ".pg-recordings [role=tab], .pg-recordings .gtv button");
  for (
    let k = 0;
    k < 200 &&
    !(await page.evaluate(
      () =>
        /Open a file/.test(document.activeElement?.textContent ?? "") && document.activeElement?.tagName === "BUTTON",
    ));
    k++
  )
    await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor();
  await page.keyboard.type("cpu/Activation/index");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".pg-of-file .pg-path").textContent()).toContain("cpu/Activation/index.ts");
});
