/**
 * @file The viewer inside the site: a recording opened whole, with its views, sources and comparison; the Chrome trace that PyTorch wrote;
 * the library loaded by the page has as many registrations as under Node.
 * @original
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { root } from "./support/paths.ts";
import { seriousFindings, shoot, site, test, themes } from "./support/site.ts";

const s = site();

for (const colorScheme of themes)
  test(`a recording opens whole, in every view (${colorScheme})`, async () => {
    const page = await s.open("walkthroughs/prelu/", { colorScheme });
    await page
      .getByRole("button", { name: /Open everything/ })
      .first()
      .click();
    const viewer = page.locator(".gtv").first();
    await viewer.waitFor();
    for (const name of ["Tree", "Timeline", "Graph", "Elevator"]) {
      await viewer.getByRole("tab", { name }).click();
      await page.waitForTimeout(300);
    }
    await viewer.getByRole("button", { name: "Link to this step" }).press("d");
    expect(await viewer.locator(".gtv-aloud").textContent()).toContain("dispatcher");
    await viewer.locator(".gtv-line.gtv-now").waitFor(); // our source, fetched from the site
    await viewer.scrollIntoViewIfNeeded();
    await shoot(page, `recording-${colorScheme}`, false);
    expect(await seriousFindings(page)).toEqual([]);
    await viewer.getByRole("button", { name: "Close", exact: true }).click();
    await page.locator("section.trace").first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Open everything");
  });

const step = { id: 0, parent: null, kind: "native", name: "n", start: 0, end: 1 };
const trace = (event: object) => ({ format: "glasstorch-trace", version: 1, events: [event] });
test.each<[string, unknown, RegExp | null]>([
  ["a path that is no text", trace({ ...step, mirrors: { path: {}, symbol: "x" } }), null],
  ["no events", { format: "glasstorch-trace", version: 1, events: [] }, /has no events/],
  ["an entry that is none", trace([]), /Entry 0/],
  ["a Chrome trace with null in it", { traceEvents: [null] }, /Entry 0 of traceEvents does not have the form/],
  ["numbers", 5, /Found number/],
])("a trace with %s is shown or refused in one sentence, and the page lives", async (_, value, told) => {
  const page = await s.open("viewer/");
  const file = { name: "bad.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(value)) };
  await page.locator("input[type=file]").setInputFiles(file);
  if (told === null) await page.locator(".gtv").waitFor();
  else await expect.poll(() => page.locator(".viewer-problem").textContent()).toMatch(told);
  expect(await page.getByText("This page crashed").count()).toBe(0);
  await page.locator("input[type=file]").setInputFiles(fixture("prelu-backward.json"));
  await page.locator(".gtv").waitFor();
});

const fixture = (name: string): string => join(root, "tools/trace-viewer/test/fixtures", name);

test("the Chrome trace that PyTorch wrote opens, alone and beside ours", async () => {
  const page = await s.open("viewer/");
  await page.locator("input[type=file]").setInputFiles(fixture("prelu_profiler_trace.json"));
  const viewer = page.locator(".gtv");
  await viewer.waitFor();
  expect(await viewer.locator(".gtv-what").textContent()).toContain("recorded by PyTorch");
  // At the first operator, not at the frames above it.
  expect(await viewer.locator(".gtv-aloud").textContent()).toContain("dispatcher: prelu");
  await page.keyboard.press("d");
  expect(await viewer.locator(".gtv-aloud").textContent()).toContain("dispatcher: reshape");
  for (const name of ["Tree", "Timeline", "Graph", "Elevator"]) {
    await viewer.getByRole("tab", { name }).click();
    await page.waitForTimeout(200);
  }
  await shoot(page, "viewer-of-pytorch");
  expect(await seriousFindings(page)).toEqual([]);
  await page
    .locator("input[type=file]")
    .setInputFiles([fixture("prelu-backward.json"), fixture("prelu_profiler_trace.json")]);
  await page.locator(".gtv-first").waitFor();
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("notes.json: Found");
});

const registrations = `let kernels = 0;
for (const op of torch._C._dispatch_get_all_op_names()) kernels += torch._C._dispatch_dump(op).split("\\n").length;
console.log(torch._C._dispatch_get_all_op_names().length, kernels);`;

test("as many operators and kernels are registered in the page as under Node", async () => {
  const node = execFileSync(
    process.execPath,
    [
      join(root, "docs/node_modules/tsx/dist/cli.mjs"),
      "-e",
      `import("./src/index.ts").then(({ default: torch }) => {${registrations}})`,
    ],
    { cwd: root, encoding: "utf8" },
  ).trim();
  const page = await s.open("playground/");
  await expect.poll(() => page.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 }).toContain("Ready");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(`import torch from "glasstorch";\n${registrations}\n`);
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(() => page.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 })
    .toMatch(/^(Ran|Ended)/);
  expect(await page.locator(".pg-console pre").first().textContent()).toBe(node);
});
