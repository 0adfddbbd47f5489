/**
 * @file Looking things up: real stack traces of PyTorch, names, and the search, which asks no other host.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { root } from "./support/paths.ts";
import { seriousFindings, shoot, site, test, themes } from "./support/site.ts";

const s = site();

/** What PyTorch 2.13.0 printed with TORCH_SHOW_CPP_STACKTRACES=1. */
const { traces } = JSON.parse(
  gunzipSync(readFileSync(join(root, "test/fixtures/stacks/traces.json.gz"))).toString(),
) as {
  traces: Readonly<Record<string, string>>;
};

test.each(Object.keys(traces))("a whole stack trace of PyTorch (%s): every line gets an answer", async (name) => {
  const text = traces[name].trim();
  const page = await s.open("lookup/");
  await page.locator("main textarea").fill(text);
  const rows = page.locator("main ol li");
  await rows.first().waitFor();
  const answers = await rows.evaluateAll((items) =>
    items.map((item) => ({
      text: item.querySelector("code")?.textContent ?? "",
      answer: [...item.querySelectorAll("p")].map((p) => p.textContent).join(" "),
    })),
  );
  const frames = text.split("\n").filter((line) => /^#\d+ |^\s*File "/.test(line));
  expect(answers.length).toBeGreaterThanOrEqual(frames.length);
  expect(answers.filter(({ answer }) => answer.trim() === "")).toEqual([]);
});

test("a name is suggested while it is typed, and chosen by keyboard", async () => {
  const page = await s.open("lookup/");
  await page.locator("main textarea").click();
  await page.keyboard.type("prel");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page
    .locator("main")
    .getByText(/Activation\/index\.ts/)
    .first()
    .waitFor();
});

test("an answer leads to our line", async () => {
  const page = await s.open("lookup/#q=wrapper_CPU__view");
  await page.locator('main a[href*="/source/?file=src/aten/generated/RegisterCPU_"]').first().click();
  await page.locator("main.source").getByText("wrapper_CPU__view").first().waitFor();
});

test("what is not there is said, with names near it", async () => {
  const page = await s.open("lookup/");
  await page.locator("main textarea").fill("preluu_kernle");
  await page.getByText(/Nothing here or in PyTorch is called/).waitFor();
});

for (const colorScheme of themes)
  test(`no serious finding with an answer shown (${colorScheme})`, async () => {
    const page = await s.open("lookup/", { colorScheme });
    await page.locator("main textarea").fill(Object.values(traces)[0].trim());
    await page.locator("main ol li").first().waitFor();
    await shoot(page, `lookup-trace-${colorScheme}`);
    expect(await seriousFindings(page)).toEqual([]);
  });

test.each([
  ["", 0],
  [", whose index arrives late", 1500],
])("the search finds a page by a word of it, on this host alone%s", async (_how, late) => {
  const page = await s.open("");
  await page.route(/search-index/, async (route) => {
    await new Promise((ready) => setTimeout(ready, late));
    await route.continue();
  });
  const box = page
    .locator("input.navbar__search-input, .navbar input[type=search], input[placeholder*=Search]")
    .first();
  await box.click();
  await box.pressSequentially("redispatch", { delay: 20 });
  await page.getByRole("option").first().waitFor();
  await shoot(page, "search-suggestions", false);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).not.toBe(s.served.url);
  await expect.poll(async () => (await page.locator("main").innerText()).toLowerCase()).toContain("redispatch");
});

test("a name is taken out of a sentence, and the address of a trace stays short", async () => {
  const page = await s.open("lookup/");
  await page.locator("main textarea").fill("where is layer_norm's kernel");
  await page.getByText("from your question").waitFor();
  expect(await page.locator("main h2").first().textContent()).toContain("layer_norm");
  await page.locator("main textarea").fill(Object.values(traces)[0].trim());
  await page.locator("main ol li").first().waitFor();
  expect(page.url().length).toBeLessThan(200);
  expect(await page.getByText("it happened here").count()).toBe(1);
});

// What a reader types first, and the page that should be among the first answers.
test.each([
  ["norm", /walkthroughs\/norm/],
  ["save model", /walkthroughs\/save-load/],
  ["autocast", /house\/dispatcher|api\/amp/],
  ["prelu", /walkthroughs\/prelu|operators\/prelu/],
])("the search finds a page for %s among its first four", async (words, page_of) => {
  const page = await s.open(`search/?q=${encodeURIComponent(words)}`);
  await page.locator("article h2 a").first().waitFor();
  const hrefs = await page
    .locator("article h2 a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(hrefs.slice(0, 4).join(" ")).toMatch(page_of);
});

test("the page of the search finds", async () => {
  const page = await s.open("search/?q=version%20counter");
  await page.locator("article h2 a").first().waitFor();
  expect(await page.locator("article h2 a").count()).toBeGreaterThan(3);
  await shoot(page, "search-results");
});
