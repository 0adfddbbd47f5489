/**
 * @file Python first, TypeScript behind a tab, and the choice is remembered; filters of long pages; what the search leads to.
 * @original
 */
import { expect } from "vitest";
import { alive, phone, site, test, wider } from "./support/site.ts";

const s = site();

test.each(["", "start/", "walkthroughs/prelu/", "walkthroughs/backward/", "operators/add/", "eager/"])(
  "/%s shows its programs in Python first",
  async (path) => {
    const page = await s.open(path);
    const tabs = page.locator(".two-ways:visible");
    const count = await tabs.count();
    expect(count).toBeGreaterThan(0);
    for (let k = 0; k < count; k++) {
      expect(await tabs.nth(k).getByRole("tab", { name: "Python" }).getAttribute("aria-selected")).toBe("true");
      expect(await tabs.nth(k).locator("pre").textContent()).not.toMatch(/\bconst |=>|new /);
    }
  },
);

test("who chooses TypeScript sees it everywhere, and the next time", async () => {
  const page = await s.open("walkthroughs/prelu/");
  await page.getByRole("tab", { name: "TypeScript" }).nth(1).click();
  for (const text of await page.locator(".two-ways pre").allTextContents()) expect(text).toMatch(/;/);
  await page.goto(`${s.served.url}start/`);
  await alive(page);
  await expect.poll(() => page.locator(".two-ways pre").first().textContent()).toContain("const a");
  await page.getByRole("tab", { name: "TypeScript" }).first().focus();
  await page.keyboard.press("ArrowLeft");
  expect(await page.locator(".two-ways pre").first().textContent()).toContain("a = torch");
});

test.each([
  ["api/tensor/", "view_as"],
  ["glossary/", "redispatch"],
])("/%s is filtered by name", async (path, word) => {
  const page = await s.open(path);
  const all = await page.locator(".markdown h3:visible").count();
  await page.getByRole("searchbox", { name: "Filter" }).fill(word);
  const shown = await page.locator(".markdown h3:visible").allTextContents();
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(all / 4);
  for (const heading of shown) expect(heading).toContain(word);
  await page.getByRole("searchbox", { name: "Filter" }).fill("");
  expect(await page.locator(".markdown h3:visible").count()).toBe(all);
});

/** What is asked, and the page that answers among the first results. */
test.each([
  ["conv2d", "conv"],
  ["torch.save", "save-load"],
  ["WebGPU", "house/webgpu"],
  ["vmap", "not-built"],
  ["jit", /not-built|eager/],
  ["dynamic graph", "eager"],
  ["Parameter", "parameter"],
  ["how to add an operator", "contribute"],
  ["dispatcher", "house/dispatcher"],
  ["prelu", "prelu"],
])("a search for %s leads to a page about it", async (asked, answer) => {
  const page = await s.open(`search/?q=${encodeURIComponent(asked)}`);
  await page.locator("main article h2 a").first().waitFor();
  const results = await page
    .locator("main article h2 a")
    .evaluateAll((links) => links.slice(0, 4).map((link) => link.getAttribute("href") ?? ""));
  expect(results.some((address) => (answer instanceof RegExp ? answer.test(address) : address.includes(answer)))).toBe(
    true,
  );
  expect(await page.locator("main").count()).toBe(1);
});

test("no description fills the search", async () => {
  const page = await s.open("search/?q=dispatcher");
  await page.locator("main article h2 a").first().waitFor();
  const said = await page.locator("main article").evaluateAll((articles) => articles.map((a) => a.textContent ?? ""));
  const texts = said.map((text) => text.replace(/^.*?›/, ""));
  expect(new Set(texts).size).toBeGreaterThan(texts.length * 0.8);
});

test("new figures fit a phone", async () => {
  for (const path of [
    "house/",
    "walkthroughs/dot/",
    "walkthroughs/tensor/",
    "start/",
    "not-built/",
    "parameter/",
    "viewer/",
  ])
    expect(await wider(await s.open(path, phone))).toEqual([]);
});
