/**
 * @file The built page in a real browser: opened, stepped by keyboard, given PyTorch's trace and 50,000 events, checked
 * by axe. Screenshots go to `screenshots/`. A complete run of all checks takes a fifth of these tests, and the next fifth
 * for each commit.
 * @original
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test as test_in_turn } from "vitest";
import { turn_of_tests } from "../../../ci/turn.ts";
import { launch } from "../support/chromium.ts";
import { fixturePath, longTrace } from "../support/fixtures.ts";
import { type Served, serve } from "../support/server.ts";

const folder = (name: string): string => fileURLToPath(new URL(`../../${name}/`, import.meta.url));
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser: Browser;
let site: Served;
let complaints: string[] = [];

beforeAll(async () => {
  if (!existsSync(`${folder("dist")}index.html`)) throw new Error("build first: npm run build");
  mkdirSync(folder("screenshots"), { recursive: true });
  [browser, site] = await Promise.all([launch(), serve(folder("dist"))]);
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  const seen = complaints;
  complaints = [];
  expect(seen).toEqual([]);
});

async function open(hash = "", options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1320, height: 1000 }, ...options });
  const page = await context.newPage();
  page.on(
    "console",
    (message) => void (["error", "warning"].includes(message.type()) && complaints.push(message.text())),
  );
  page.on("pageerror", (error) => void complaints.push(error.message));
  await page.goto(site.url + hash);
  return page;
}

async function openFile(page: Page, ...names: string[]): Promise<void> {
  await page.getByTestId("file").setInputFiles(names.map(fixturePath));
  await page.locator(".gtv").waitFor();
}

/** Id of the first event in a sample whose name ends so: samples are recorded again, and their numbers may change. */
function stepIn(sample: string, name: string): number {
  const { events } = JSON.parse(readFileSync(`${folder("public")}samples/${sample}`, "utf8")) as {
    events: { id: number; name: string }[];
  };
  return events.find((event) => event.name.endsWith(name))?.id ?? -1;
}

const shoot = (page: Page, name: string) =>
  page.screenshot({ path: `${folder("screenshots")}${name}.png`, fullPage: true });
const spoken = (page: Page) => page.locator(".gtv-aloud").textContent();

async function seriousFindings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    return (await axe.run()).violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.slice(0, 4).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  );
}

const turn = turn_of_tests(5);
if (turn !== null) console.log("turn: a fifth of the tests of the viewer's page run (TURN=all runs all of them)");
let tests = 0;

function test(name: string, run: () => Promise<void>): void {
  const number = tests++;
  test_in_turn.skipIf(turn !== null && number % 5 !== turn)(name, run);
}

test("a Python program: its lines stand above the library, with the program's own text beside them", async () => {
  const page = await open();
  await openFile(page, "python.json");
  expect(await spoken(page)).toContain("python: <module>");
  let said = await spoken(page);
  for (let i = 0; i < 200 && !said?.includes("return F.prelu"); i++) {
    await page.keyboard.press("ArrowRight");
    said = await spoken(page);
  }
  expect(said).toContain("python: return F.prelu(x, self.weight)");
  const source = page.getByRole("region", { name: "Source", exact: true });
  await expect.poll(() => source.locator(".gtv-now").textContent()).toContain("return F.prelu(x, self.weight)");
  expect(await source.locator("h3").textContent()).toContain("program.py:14");
  // Coloured as Python: `return` is a keyword.
  await expect.poll(() => source.locator(".gtv-now span[style*=keyword]").count()).toBeGreaterThan(0);
  await shoot(page, "python");
  expect(await seriousFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await shoot(page, "python-dark");
  expect(await seriousFindings(page)).toEqual([]);
});

test("a prelu trace is stepped through by keyboard", async () => {
  const page = await open();
  await openFile(page, "prelu.json");
  expect(await spoken(page)).toBe("Step 1 of 35, front end: Module._call_impl");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return spoken(page);
  };
  expect(await press("ArrowDown", "ArrowDown", "ArrowDown")).toBe(
    "Step 4 of 35, dispatcher: prelu · call → AutogradCPU",
  );
  expect(await press("d")).toBe("Step 7 of 35, dispatcher: reshape · call → AutogradCPU");
  expect(await press("Shift+ArrowRight")).toBe("Step 18 of 35, dispatcher: _prelu_kernel · call → AutogradCPU");
  expect(await press("Shift+ArrowLeft")).toContain("reshape");
  expect(await press("ArrowUp")).toBe("Step 6 of 35, native: prelu");
  expect(await press("End")).toContain("Step 35 of 35, loop");
  expect(await press("Home", "ArrowRight", "ArrowLeft")).toContain("Step 1 of 35");
  const seen = new Set<string | null>();
  for (let k = 0; k < 34; k++) seen.add(await press("ArrowRight"));
  expect(seen.size).toBe(34);
  expect(page.url()).toContain("#step=34");
});

test("the sample shows why the key won, its row of the table, and the sources on both sides", async () => {
  const page = await open(`#trace=samples/prelu.json&step=${stepIn("prelu.json", "_prelu_kernel::call")}`);
  await page.locator(".gtv-table").waitFor();
  expect(await page.locator(".gtv-keys thead .gtv-win").textContent()).toBe("AutogradCPU");
  expect(await page.locator(".gtv-answer").textContent()).toContain("VariableType::_prelu_kernel");
  expect(await page.locator(".gtv-grid-row.gtv-own .gtv-chosen").count()).toBe(1);
  await page.locator(".gtv-line.gtv-now").waitFor();
  expect(await page.locator(".gtv-line.gtv-now").textContent()).toContain("call(self: Tensor, weight: Tensor)");
  await page.locator(".gtv-line span[style*=keyword]").first().waitFor();
  expect(await page.locator(".gtv-upstream a").getAttribute("href")).toMatch(
    /^https:\/\/github\.com\/pytorch\/pytorch\/blob\/v2\.13\.0\//,
  );
  await page.waitForTimeout(400);
  await shoot(page, "elevator");
});

test("a link leads to its step, and back and forth", async () => {
  const page = await open(
    `#trace=samples/prelu.json&step=${stepIn("prelu.json", "at::native::view")}&view=tree&hide=memory`,
  );
  await page.locator(".gtv").waitFor();
  expect(await spoken(page)).toMatch(/^Step \d+ of \d+, native: view$/);
  expect(await page.getByRole("tab", { name: "Tree" }).getAttribute("aria-selected")).toBe("true");
  await page.evaluate(
    (step) => {
      location.hash = `#trace=samples/prelu-backward.json&step=${step}&view=graph`;
    },
    stepIn("prelu-backward.json", "AccumulateGrad::apply"),
  );
  await page.locator(".gtv-node").first().waitFor();
  expect(await spoken(page)).toContain("AccumulateGrad::apply");
  await page.goBack();
  await page.getByRole("tree").waitFor();
  expect(await spoken(page)).toMatch(/^Step \d+ of \d+, native: view$/);
});

test("the tree answers to every key of a tree", async () => {
  const page = await open();
  await openFile(page, "prelu.json");
  await page.getByRole("tab", { name: "Tree" }).click();
  await page.getByRole("tree").focus();
  const active = () => page.locator("[role=treeitem][aria-selected=true]");
  await page.keyboard.press("ArrowDown");
  expect(await active().getAttribute("aria-level")).toBe("2");
  await page.keyboard.press("ArrowLeft");
  expect(await active().getAttribute("aria-expanded")).toBe("false");
  expect(await page.getByRole("treeitem").count()).toBe(2);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await active().getAttribute("aria-level")).toBe("3");
  await page.keyboard.press("End");
  expect(await spoken(page)).toContain("Step 35 of 35");
  await page.keyboard.press("Home");
  await page.keyboard.type("pre");
  expect(await spoken(page)).toContain("PReLU.forward");
  await page.keyboard.press("PageDown");
  expect(await spoken(page)).toContain("Step 14 of 35");
  await page.waitForTimeout(300);
  await shoot(page, "tree");
});

test("layers can be hidden and shown", async () => {
  const page = await open();
  await openFile(page, "prelu.json");
  const layers = page.getByRole("group", { name: "Layers shown" });
  await layers.getByRole("button", { name: "dispatcher" }).click();
  expect(await page.locator(".gtv-floor").allTextContents()).not.toContain("dispatcher");
  for (const name of ["front end", "binding", "autograd", "native", "loop", "memory"])
    await layers.getByRole("button", { name }).click();
  expect(await page.locator(".gtv-empty").first().textContent()).toContain("Every layer is hidden");
  await layers.getByRole("button", { name: "dispatcher" }).click();
  expect(await spoken(page)).toContain("Step 1 of 10");
});

test("a Chrome trace that PyTorch wrote opens, in every view", async () => {
  const page = await open();
  await openFile(page, "prelu_profiler_trace.json");
  expect(await page.locator(".gtv-what").textContent()).toContain("recorded by PyTorch");
  await expect.poll(() => spoken(page)).toContain("dispatcher: prelu"); // it begins at the first call of an operator
  for (const name of ["Tree", "Timeline", "Graph", "Elevator"]) {
    await page.getByRole("tab", { name }).click();
    await page.waitForTimeout(250);
    await shoot(page, `torch-${name.toLowerCase()}`);
  }
});

test("two traces side by side, with the first difference marked", async () => {
  const page = await open();
  await openFile(page, "prelu-backward.json", "prelu_profiler_trace.json");
  await page.locator(".gtv-first").waitFor();
  expect(await page.locator(".gtv-first p").textContent()).toContain("first difference");
  await page.waitForTimeout(200);
  await shoot(page, "compare");
  expect(await seriousFindings(page)).toEqual([]);
});

test("50,000 events open and scroll, few of them drawn; how soon is printed, what was dropped is told", async () => {
  const page = await open();
  const text = JSON.stringify(longTrace(50_000));
  await page.evaluate((json) => {
    const data = new DataTransfer();
    data.items.add(new File([json], "training.json"));
    (window as unknown as { data: DataTransfer }).data = data;
  }, text);
  // The speed of this machine at parsing and drawing: the viewer's time is measured relative to it.
  const yardstick = await page.evaluate(async (json) => {
    const start = performance.now();
    JSON.parse(json);
    const parsed = performance.now();
    for (let k = 0; k < 20; k++) await new Promise(requestAnimationFrame);
    return { parse: parsed - start, frame: (performance.now() - parsed) / 20 };
  }, text);
  const opened = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector(".page")?.dispatchEvent(
      new DragEvent("drop", {
        dataTransfer: (window as unknown as { data: DataTransfer }).data,
        bubbles: true,
        cancelable: true,
      }),
    );
    while (document.querySelector(".gtv-call") === null) await new Promise(requestAnimationFrame);
    return performance.now() - start;
  });
  const frames = (selector: string, across: boolean) =>
    page.evaluate(
      async ([css, sideways]) => {
        const element = document.querySelector(css as string) as HTMLElement;
        const times: number[] = [];
        let last = performance.now();
        for (let k = 0; k < 60; k++) {
          if (sideways) element.scrollLeft += 240;
          else element.scrollTop += 240;
          await new Promise(requestAnimationFrame);
          times.push(performance.now() - last);
          last = performance.now();
        }
        return times.sort((a, b) => a - b)[45] as number;
      },
      [selector, across] as const,
    );
  const elevator = await frames(".gtv-shaft", true);
  expect(await page.locator(".gtv-call").count()).toBeLessThan(250);
  await shoot(page, "long");
  await page.getByRole("tab", { name: "Tree" }).click();
  await page.getByRole("tree").focus();
  await page.keyboard.press("*");
  const tree = await frames(".gtv-tree", false);
  await page.keyboard.press("End");
  expect(await spoken(page)).toMatch(/^Step 49983 of 50016/);
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.waitForTimeout(300);
  await shoot(page, "long-timeline");
  const ms = (n: number) => `${n.toFixed(0)} ms`;
  console.log(
    `50,000 events, ${(text.length / 1e6).toFixed(0)} MB: parsed in ${ms(yardstick.parse)}, open in ${ms(opened)}; three of four frames under ${ms(elevator)} (elevator), ${ms(tree)} (tree), ${ms(yardstick.frame)} when idle (asked for: open within 1000 ms)`,
  );
  expect(await page.locator(".gtv-dropped").textContent()).toContain("1,234 later ones were dropped");
});

test("a phone's width is enough, and nothing runs over it", async () => {
  const page = await open("#trace=samples/prelu.json&step=17", {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await page.locator(".gtv-table").waitFor();
  await page.waitForTimeout(400);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "over" }).tap();
  await shoot(page, "phone");
  expect(await seriousFindings(page)).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious: ${scheme}`, async () => {
    const page = await open("", { colorScheme: scheme });
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, `welcome-${scheme}`);
    for (const view of ["elevator", "tree", "timeline", "graph", "compare"]) {
      await page.evaluate((name) => {
        location.hash = `#trace=samples/prelu-backward.json&step=3&view=${name}`;
      }, view);
      await page.locator(`[role=tab][data-name=${view}][aria-selected=true]`).waitFor();
      await page.locator(".gtv-line span[style*=keyword]").first().waitFor();
      await page.waitForTimeout(450);
      expect(await seriousFindings(page)).toEqual([]);
      await shoot(page, `${view}-${scheme}`);
    }
  });
}

test("a file that is no trace says so, and the page goes on", async () => {
  const page = await open();
  await page
    .getByTestId("file")
    .setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from('{"a": 1}') });
  expect(await page.getByRole("alert").textContent()).toContain("notes.json: Found an object with the fields a");
  await openFile(page, "prelu.json");
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("a trace of another host is asked for only when the reader says so", async () => {
  const other = await serve(folder("dist"));
  const asked: string[] = [];
  const page = await open();
  page.on("request", (request) => void (request.url().startsWith(other.url) && asked.push(request.url())));
  await page.goto(`${site.url}#trace=${other.url}samples/prelu.json`);
  await page.reload();
  await page.getByRole("button", { name: "Load it from there" }).waitFor();
  expect(await page.locator(".page-foreign").textContent()).toContain(new URL(other.url).host);
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Load it from there" }).click();
  await expect.poll(() => asked.length).toBe(1);
  await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2);
  await page.close();
  other.close();
  complaints = complaints.filter((words) => !/CORS|ERR_FAILED/.test(words)); // the host does not share it: the browser's words
});
