/**
 * @file The page of the CPU's half: its drawings answer, and it measures in the browser that shows it, with threads and without.
 * @original
 */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { printed, ready, run, write } from "./support/playground.ts";
import { type Site, site, test } from "./support/site.ts";

const PAGE = "walkthroughs/simd/";
const isolated = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** What the table has: its columns, and how many times. */
async function measured(page: Page): Promise<{ columns: string[]; times: number }> {
  await page.getByRole("button", { name: "Measure in this browser" }).click();
  await page.getByRole("button", { name: "Measure again" }).waitFor({ timeout: 120_000 });
  const table = page.getByRole("table").filter({ hasText: "one call" });
  const columns = await table.locator("thead th").allTextContents();
  const times = (await table.locator("tbody td").allTextContents()).filter((text) => /\d (µs|ms)/.test(text)).length;
  return { columns: columns.slice(1), times };
}

describe("on a host that isolates nothing, in a browser without service workers", () => {
  const s = site();

  test("everything is measured on one thread", async () => {
    const page = await s.open(PAGE);
    const { columns, times } = await measured(page);
    expect(columns.slice(0, 2)).toEqual(["JavaScript", "SIMD128"]);
    expect(columns.join()).not.toContain("threads");
    expect(times).toBe(4 * columns.length);
    expect(await page.getByText("This page is not cross-origin isolated").count()).toBe(1);
  }, 150_000);

  test("a function on every machine", async () => {
    const page = await s.open(PAGE);
    const text = page.getByRole("region", { name: /^(prelu|exp_of): / });
    expect(await text.textContent()).toContain("input > 0 ? input : weight * input");
    await page.getByRole("button", { name: "SIMD128", exact: true }).click();
    expect(await text.textContent()).toContain("v128.load");
    await page.getByRole("button", { name: "RELAXED_SIMD", exact: true }).click();
    expect(await text.textContent()).not.toContain("relaxed_madd");
    await page.getByRole("button", { name: "exp_of", exact: true }).click();
    expect(await text.textContent()).toContain("f32x4.relaxed_madd");
  });

  test("a row's turns, and a range's parts", async () => {
    const page = await s.open(PAGE);
    await page.getByRole("slider", { name: "elements" }).first().fill("15");
    expect(await page.getByText("iteration 1 of 15").count()).toBe(1);
    await page.getByRole("slider", { name: "elements" }).first().fill("39");
    for (let turn = 1; turn < 4; turn++) await page.getByRole("button", { name: "Next iteration" }).click();
    expect(await page.getByText("Elements 36 to 38: a whole vector of four is computed").count()).toBe(1);
    await page.getByRole("slider", { name: "threads" }).fill("8");
    await page.getByRole("slider", { name: "grain" }).fill("17");
    expect(await page.getByText("2 parts of at most 131,072 elements").count()).toBe(1);
    await page.getByRole("slider", { name: "grain" }).fill("18");
    expect(await page.getByText("One part: no more elements than one grain").count()).toBe(1);
  });

  test("the playground computes on the kernels that are chosen", async () => {
    const page = await ready(await s.open("playground/"));
    await write(page, `import torch from "glasstorch";\nconsole.log(torch.backends.cpu.get_cpu_capability());\n`);
    await run(page);
    expect(await printed(page).textContent()).toMatch(/SIMD/);
    await page.getByLabel("kernels").selectOption("default");
    await run(page);
    expect(await printed(page).textContent()).toContain("DEFAULT");
  });
});

describe("on a host that isolates the site", () => {
  const s = site({ headers: isolated });

  test("threads are measured, too", async () => {
    const page = await s.open(PAGE);
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    const { columns } = await measured(page);
    if (cores > 1) {
      expect(columns.at(-1)).toMatch(new RegExp(`, ${cores} threads$`));
      expect(await page.getByText("One call of exp on a million elements").count()).toBe(1);
    }
  }, 150_000);

  test("a program's kernels run on threads that the page has started", async () => {
    const page = await ready(await s.open("playground/"));
    await write(
      page,
      `import torch from "glasstorch";
import { record } from "glasstorch/trace";
torch.set_num_threads(2);
const a = torch.randn([400, 400]);
const alone = (torch.set_num_threads(1), torch.mm(a, a));
torch.set_num_threads(2);
const threads = new Set();
for (let turn = 0; turn < 400 && threads.size < 2; turn++) {
  const b = torch.mm(a, a);
  if (!torch.equal(alone, b)) console.log("another result");
  const loop = record(() => torch.mm(a, a)).events.find((e) => e.kind === "loop");
  for (const { thread } of loop?.["chunks"] ?? []) threads.add(thread);
}
console.log("threads:", [...threads].sort().join(" "));
`,
    );
    await run(page);
    expect(await printed(page).textContent()).toContain("threads: 0 1");
  }, 90_000);
});

describe("on a host that isolates nothing", () => {
  const s: Site = site({ serviceWorkers: true });
  const loads = async (page: Page): Promise<number> =>
    page.evaluate(() => Number(sessionStorage.getItem("glasstorch.isolation") === "once") + 1);

  test("a page with a playground is isolated by a service worker, and loads twice for it", async () => {
    const page = await s.open(PAGE);
    await page.waitForFunction(() => crossOriginIsolated, null, { timeout: 20_000 });
    expect(await loads(page)).toBe(2);
    await page.reload();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  });

  test("other pages do not ask", async () => {
    const page = await s.open("house/");
    await s.quiet();
    expect(await loads(page)).toBe(1);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  });

  test("a reader who has begun keeps what is there", async () => {
    const page = await s.open("playground/", { serviceWorkers: "allow" });
    await page.keyboard.press("Shift");
    await s.quiet();
    // Either it had been loaded anew before the key, or it never is.
    const before = await loads(page);
    await page.waitForTimeout(1500);
    expect(await loads(page)).toBe(before);
  });
});
