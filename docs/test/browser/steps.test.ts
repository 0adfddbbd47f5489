/**
 * @file Links to a step: copied from a figure, from the whole recording, from the viewer's examples; opened, they lead there.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { phone, shoot, site, test } from "./support/site.ts";

const s = site();

/** Presses the button for a link, and gives the address that it made. */
async function linkFrom(page: Page, button: ReturnType<Page["locator"]>): Promise<string> {
  await button.click();
  await expect.poll(() => page.url()).toContain("#");
  return page.url().slice(s.served.url.length);
}

const inView = (page: Page, css: string): Promise<boolean> =>
  page
    .locator(css)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });

test.each(["", "start/", "walkthroughs/prelu/", "walkthroughs/import-torch/", "house/native/", "eager/"])(
  "/%s: a figure's link leads to its step",
  async (path) => {
    const page = await s.open(path);
    const figure = page.locator("section.trace").first();
    await figure.locator("ol.steps li button").nth(4).click();
    const name = await figure.locator(".step-name").textContent();
    const address = await linkFrom(page, figure.getByRole("button", { name: "Link to this step" }));
    const other = await s.open(address);
    await expect.poll(() => other.locator("section.trace").first().locator(".step-name").textContent()).toBe(name);
    await expect.poll(() => inView(other, "section.trace .trace-card")).toBe(true);
  },
);

test("the second figure of a page is the one that is opened", async () => {
  const page = await s.open("walkthroughs/anatomy-of-a-kernel/");
  const figure = page.locator("section.trace").nth(1);
  await figure.locator("ol.steps li button").nth(2).click();
  const address = await linkFrom(page, figure.getByRole("button", { name: "Link to this step" }));
  const other = await s.open(address);
  await expect.poll(() => other.locator("section.trace").nth(1).locator(".trace-count").textContent()).toMatch(/^3 /);
  expect(await other.locator("section.trace").first().locator(".trace-count").textContent()).toMatch(/^1 /);
  await expect.poll(() => inView(other, "section.trace:nth-of-type(1), section.trace")).toBeDefined();
});

test("a link from the whole recording opens it whole, in its view", async () => {
  const page = await s.open("walkthroughs/prelu/");
  await page.getByRole("button", { name: "Open everything" }).first().click();
  const viewer = page.locator(".gtv").first();
  await viewer.getByRole("tab", { name: "Tree" }).click();
  for (let k = 0; k < 6; k++) await viewer.getByRole("tab", { name: "Tree" }).press("d");
  const told = await viewer.locator(".gtv-aloud").textContent();
  const address = await linkFrom(page, viewer.getByRole("button", { name: "Link to this step" }));
  expect(address).toContain("view=tree");
  const other = await s.open(address);
  await expect.poll(() => other.locator(".gtv .gtv-aloud").first().textContent()).toBe(told);
  expect(await other.getByRole("tab", { name: "Tree" }).getAttribute("aria-selected")).toBe("true");
});

test("an address that is changed moves the figure", async () => {
  const page = await s.open("start/#trace=add/add&step=2");
  const count = page.locator("section.trace .trace-count").first();
  await expect.poll(() => count.textContent()).toMatch(/^3 /);
  await page.evaluate(() => {
    location.hash = "#trace=add/add&step=7";
  });
  await expect.poll(() => count.textContent()).toMatch(/^8 /);
});

test("the viewer's examples open at one click, and by their address at a step", async () => {
  const page = await s.open("viewer/");
  for (const name of [/recorded by PyTorch/, /recorded here/, /compared/]) {
    await page.getByRole("button", { name }).click();
    await page.locator(".gtv").waitFor();
  }
  await page.locator(".gtv-first").waitFor();
  await page.getByRole("button", { name: /recorded by PyTorch/ }).click();
  // At the first operator, which leads to our source and its page by name.
  await expect.poll(() => page.locator(".gtv-aloud").textContent()).toContain("dispatcher: prelu");
  await page.locator(".gtv-source .gtv-now").waitFor();
  expect(await page.locator(".gtv-source a", { hasText: "page of prelu" }).getAttribute("href")).toMatch(
    /operators\/prelu\/$/,
  );
  expect(await page.locator(".gtv-what").textContent()).toMatch(/without its own \d+ frames/);
  await page.keyboard.press("d");
  const told = await page.locator(".gtv-aloud").textContent();
  const address = await linkFrom(page, page.getByRole("button", { name: "Link to this step" }));
  const other = await s.open(address);
  await expect.poll(() => other.locator(".gtv-aloud").textContent()).toBe(told);
  await shoot(other, "viewer-example", false);
});

test("the current bar is named on a phone, and stays within the figure", async () => {
  const page = await s.open("", phone);
  const rows = page.locator("ol.steps li button");
  for (const row of [0, 10, 20, (await rows.count()) - 1]) {
    await rows.nth(row).click();
    const box = await page.locator(".stair.now > span").evaluate((element) => {
      const own = element.getBoundingClientRect();
      const card = element.closest(".trace-card")?.getBoundingClientRect() as DOMRect;
      return {
        shown: own.width > 10 && getComputedStyle(element).display !== "none",
        left: own.left - card.left,
        right: card.right - own.right,
      };
    });
    expect(box.shown).toBe(true);
    expect(box.left).toBeGreaterThan(-1);
    expect(box.right).toBeGreaterThan(-1);
  }
});

test("a link from the playground holds the program, and leads to the step once it has been run", async () => {
  const page = await s.open("playground/");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const viewer = page.locator(".gtv").first();
  await viewer.waitFor({ timeout: 60_000 });
  for (let k = 0; k < 3; k++) await viewer.getByRole("tab", { name: "Elevator" }).press("d");
  const told = await viewer.locator(".gtv-aloud").textContent();
  const address = await linkFrom(page, viewer.getByRole("button", { name: "Link to this step" }));
  expect(address).toContain("try=");
  const other = await s.open(address);
  expect(await other.locator(".gtv").count()).toBe(0); // nothing runs before a click
  await other.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => other.locator(".gtv .gtv-aloud").first().textContent(), { timeout: 60_000 }).toBe(told);
});
