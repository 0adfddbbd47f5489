/**
 * @file The first page: its figure steps, its switch changes the way, and the way to the line that computes is short.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { alive, shoot, site, test } from "./support/site.ts";

const s = site();

const count = (page: Page) => page.locator(".trace-count").textContent();
const step = async (page: Page): Promise<number> => Number((await count(page))?.split("/")[0]);
const steps = async (page: Page): Promise<number> => Number((await count(page))?.split("/")[1]);
const aloud = (page: Page) => page.locator(".trace-aloud").textContent();

test("the first figure answers, and how soon", async () => {
  const page = await s.open("lookup/");
  await page.addInitScript(() => {
    // Asks the figure to step until it does: the first answer is when it became interactive.
    const timer = setInterval(() => {
      const next = document.querySelector<HTMLButtonElement>('.trace-bar button[aria-label="Step forward"]');
      const text = () => document.querySelector(".trace-count")?.textContent ?? "";
      if (next === null) return;
      const before = text();
      next.click();
      requestAnimationFrame(() => {
        if (text() === before || text() === "") return;
        clearInterval(timer);
        (window as unknown as { interactive: number }).interactive ??= performance.now();
      });
    }, 20);
  });
  await page.goto(s.served.url, { waitUntil: "commit" });
  const interactive = await page.waitForFunction(() => (window as unknown as { interactive?: number }).interactive);
  console.log(
    `the first figure is interactive after ${((await interactive.jsonValue()) as number).toFixed(0)} ms (asked for: under 3000)`,
  );
  await alive(page);
});

test("forward and back, by button", async () => {
  const page = await s.open("");
  const begin = await step(page);
  expect(begin).toBe(1);
  expect(await page.locator(".trace-hint").textContent()).toContain("Press → to follow the call");
  await page.getByRole("button", { name: "Step forward" }).click();
  expect(await step(page)).toBe(begin + 1);
  await page.getByRole("button", { name: "Step back" }).click();
  expect(await step(page)).toBe(begin);
  await page.getByRole("button", { name: "the top" }).click();
  expect(await step(page)).toBe(1);
  expect(await page.getByRole("button", { name: "Step back" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "the arithmetic" }).click();
  expect(await step(page)).toBe(await steps(page));
  expect(await page.getByRole("button", { name: "Step forward" }).isDisabled()).toBe(true);
});

test("forward and back, by keyboard; every step is told", async () => {
  const page = await s.open("");
  await page.getByRole("button", { name: "Step forward" }).focus();
  await page.keyboard.press("Home");
  expect(await step(page)).toBe(1);
  const all = await steps(page);
  const heard = new Set([await aloud(page)]);
  for (let k = 1; k < all; k++) {
    await page.keyboard.press("ArrowRight");
    heard.add(await aloud(page));
  }
  expect(await step(page)).toBe(all);
  expect(heard.size).toBe(all);
  await page.keyboard.press("ArrowLeft");
  expect(await step(page)).toBe(all - 1);
  await page.keyboard.press("Home");
  await page.keyboard.press("d");
  expect(await aloud(page)).toContain("dispatcher");
  await page.keyboard.press("ArrowUp");
  expect(await aloud(page)).not.toContain("dispatcher");
});

test("requires_grad changes the way, and the first difference is marked", async () => {
  const page = await s.open("");
  const on = await steps(page);
  await page.getByRole("button", { name: "off", exact: true }).click();
  const off = await steps(page);
  expect(off).toBeLessThan(on);
  expect(await page.locator(".steps .marked").count()).toBe(1);
  expect(await page.locator(".steps .marked.now").count()).toBe(1);
  expect(await page.locator(".step-note").textContent()).toContain("The two paths differ here");
  await shoot(page, "home-without-gradients", false);
  await page.getByRole("button", { name: "on", exact: true }).click();
  expect(await steps(page)).toBe(on);
  expect(await page.locator(".steps .marked.now .steps-name").textContent()).toContain("Backward0");
  expect(await page.locator(".step-note").textContent()).toContain("Only with requires_grad");
});

test("from the first page to the line that computes, and to PyTorch's file, by the figure", async () => {
  const page = await s.open("");
  let clicks = 0;
  const click = async (name: string | RegExp, role: "button" | "link" = "button"): Promise<void> => {
    await page
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click();
    clicks++;
  };
  await click("the arithmetic");
  const line = page.locator(".step-line.now");
  for (let back = 0; back < 3 && !/> 0 \? \w+ : \w+ \* \w+/.test((await line.textContent()) ?? ""); back++)
    await click("Step back");
  expect(await line.textContent()).toMatch(/> 0 \? \w+ : \w+ \* \w+/);
  const address = await openedElsewhere(page, () => click(/^PyTorch: /, "link"));
  expect(address).toMatch(
    /^https:\/\/github\.com\/pytorch\/pytorch\/blob\/v2\.13\.0\/aten\/src\/ATen\/native\/cpu\/Activation\.cpp/,
  );
  await page.locator(".step-ours").click();
  clicks++;
  await page.locator("main.source").waitFor();
  await page
    .getByText(/> 0 \? \w+ : \w+ \* \w+/)
    .first()
    .waitFor();
  console.log(`by the figure: ${clicks} clicks to our line, PyTorch's file and our source file`);
  expect(clicks).toBeLessThanOrEqual(5);
});

test("from the first page to the line that computes, and to PyTorch's file, by the walkthrough", async () => {
  const page = await s.open("");
  let clicks = 0;
  await page.locator(".home-doors").getByRole("link", { name: "prelu", exact: true }).click();
  clicks++;
  await page
    .getByText(/return input > 0 \? input : weight \* input/)
    .first()
    .waitFor();
  const address = await openedElsewhere(page, async () => {
    await page.locator('a[href*="ATen/native/cpu/Activation.cpp"]').first().click();
    clicks++;
  });
  expect(address).toContain("/v2.13.0/");
  console.log(`by the walkthrough: ${clicks} clicks`);
  expect(clicks).toBeLessThanOrEqual(5);
});

test("the box for a lost name leads to its answer", async () => {
  const page = await s.open("");
  await page.locator(".home-lost input").fill("at::_ops::add_Tensor::redispatch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/lookup\//);
  await expect.poll(() => page.locator("main textarea").inputValue()).toBe("at::_ops::add_Tensor::redispatch");
  await page.locator('main a[href*="src/aten/generated/Operators_"]').first().waitFor();
});

/** Follows a link to another host as far as its address; nothing is asked there. */
async function openedElsewhere(page: Page, click: () => Promise<void>): Promise<string> {
  const context = page.context();
  await context.route(/^https:/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>elsewhere</title>" }),
  );
  const popup = context.waitForEvent("page", { timeout: 5000 }).catch(() => null);
  await click();
  const opened = await popup;
  if (opened === null) {
    const address = page.url();
    await page.goBack();
    return address;
  }
  await opened.waitForURL(/^https:/);
  const address = opened.url();
  await opened.close();
  return address;
}

test("the other parts of the site are announced above the figure and reached below it", async () => {
  const page = await s.open("");
  expect(await page.getByRole("link", { name: "Start: PReLU, forward" }).getAttribute("href")).toMatch(
    /walkthroughs\/prelu\/$/,
  );
  for (const name of ["Viewer", "Operators", "Playground", "Names decoded", "From an older article?"])
    expect(await page.locator(".home-doors").getByRole("link", { name, exact: true }).count()).toBe(1);
  await page.getByRole("link", { name: "more on this site" }).click();
  await expect
    .poll(() => page.locator(".home-doors").evaluate((e) => e.getBoundingClientRect().top < innerHeight))
    .toBe(true);
});
