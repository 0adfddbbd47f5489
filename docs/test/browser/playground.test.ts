/**
 * @file The playground: programs run and are recorded, the library's files can be changed, what goes wrong is told at its line.
 * @original
 */
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { openFile, printed, ready, replaceAll, run, status, write } from "./support/playground.ts";
import { seriousFindings, shoot, site, test, themes } from "./support/site.ts";

const s = site();
const wide: BrowserContextOptions = { viewport: { width: 1480, height: 1000 } };

const kernel = "src/aten/native/cpu/Activation/index.ts";

const program = `import torch from "glasstorch";
const x = torch.tensor([-2, -1, 3.5]);
console.log(torch.prelu(x, torch.tensor([0.5])));
`;

test("on the page of prelu: it runs, its claims hold, every layer is on record", async () => {
  const page = await s.open("walkthroughs/prelu/", wide);
  await run(page, () => page.locator(".pg").getByRole("button", { name: "Run", exact: true }).click());
  expect(await status(page).textContent()).toMatch(/^Ran after .* claims hold\.$/);
  await page.locator(".pg-recordings .gtv").waitFor();
  const floors = await page.locator(".pg-recordings .gtv-floor").allTextContents();
  for (const layer of ["front end", "binding", "dispatcher", "autograd", "native", "loop"])
    expect(floors.join(" ")).toContain(layer);
  expect(await page.locator(".pg-recordings").textContent()).toContain("_prelu_kernel");
  await page.locator(".pg").scrollIntoViewIfNeeded();
  await shoot(page, "playground-prelu", false);
});

test("alone: a program of one's own runs, prints and is recorded", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, program);
  await run(page, () => page.keyboard.press("Control+Enter"));
  expect(await printed(page).textContent()).toContain("tensor([-1.0000, -0.5000,  3.5000])");
  await page.locator(".pg-recordings .gtv").waitFor();
  await page.locator(".gtv").getByRole("button", { name: "Link to this step" }).press("d");
  expect(await page.locator(".pg-recordings .gtv-aloud").textContent()).toContain("dispatcher");
});

test("the library can be changed: the result is another; the diff shows the change, reset takes it back", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, program);
  await openFile(page, kernel);
  await replaceAll(page, "return input > 0 ? input : weight * input;", "return input > 0 ? input : 10 * input;");
  await run(page);
  expect(await printed(page).textContent()).toContain("tensor([-20.0000, -10.0000,   3.5000])");
  expect(await page.locator(".pg-note").allTextContents()).toEqual([
    expect.stringContaining("src/aten/native/cpu/generated/Activation/index.ts"),
  ]);
  await page.getByRole("button", { name: "Diff" }).click();
  expect((await page.locator(".pg-diff .pg-removed").allTextContents()).join()).toContain("weight * input");
  expect((await page.locator(".pg-diff .pg-added").allTextContents()).join()).toContain("10 * input");
  await shoot(page, "playground-edited", false);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await run(page);
  expect(await printed(page).textContent()).toContain("tensor([-1.0000, -0.5000,  3.5000])");
  expect(await page.getByRole("button", { name: "Diff" }).isDisabled()).toBe(true);
});

test("a change of the library on the page of prelu: the claims that no longer hold are told", async () => {
  const page = await s.open("walkthroughs/prelu/", wide);
  await page.locator(".pg").getByRole("button", { name: "Edit", exact: true }).click();
  await ready(page);
  await openFile(page, kernel);
  await replaceAll(page, "return input > 0 ? input : weight * input;", "return input > 0 ? input : 10 * input;");
  await run(page);
  expect(await status(page).textContent()).toMatch(/claims hold, \d+ no longer/);
  expect(await printed(page).textContent()).toContain("A claim no longer holds");
});

test("an endless loop is stopped, by itself and by the reader; the next run works", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, `${program}let n = 0;\nwhile (true) {\n  n++;\n}\n`);
  await run(page);
  expect(await status(page).textContent()).toMatch(/^Stopped: the program did not answer for 5 seconds\. .*line 5/);
  expect(await page.locator(".cm-lint-marker-error").count()).toBe(1);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.poll(() => status(page).textContent()).toBe("Stopped.");
  await write(page, program);
  await run(page);
  expect(await printed(page).textContent()).toContain("tensor([-1.0000, -0.5000,  3.5000])");
});

/** The number beside which the editor shows a mark. */
async function markedLine(page: Page): Promise<number> {
  const top = (await page.locator(".cm-lint-marker-error").first().boundingBox())?.y ?? -1;
  const lines = page.locator(".cm-lineNumbers .cm-gutterElement");
  for (let k = 0; k < (await lines.count()); k++) {
    const box = await lines.nth(k).boundingBox();
    if (box !== null && box.height > 0 && top >= box.y - 1 && top < box.y + box.height)
      return Number(await lines.nth(k).textContent());
  }
  return -1;
}

test("a syntax error is shown at its line", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, `import torch from "glasstorch";\nconst x = torch.ones([2]);\nconst y = ;\n`);
  await run(page);
  expect(await markedLine(page)).toBe(3);
  expect(await page.locator(".pg-result .pg-error").first().textContent()).toMatch(/3/);
  await shoot(page, "playground-syntax-error", false);
});

test("a syntax error in a file of the library is shown at its line", async () => {
  const page = await ready(await s.open("playground/", wide));
  await openFile(page, kernel);
  await replaceAll(page, "return input > 0 ? input : weight * input;", "return input > 0 ? input : weight * ;");
  await run(page);
  await page.locator(".pg-result [role=alert]").waitFor();
  expect(await page.locator(".pg-result [role=alert]").textContent()).toMatch(/Activation\/index\.ts:\d+/);
  await page.locator(".pg-result [role=alert] button").click();
  await page.locator(".cm-lint-marker-error").waitFor();
  await expect.poll(() => page.locator(".cm-activeLine").textContent()).toContain("weight * ;"); // the cursor follows
});

test("an error is shown with the line of the program that made it", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(
    page,
    `import torch from "glasstorch";\nconst x = torch.ones([2, 3]);\nconsole.log("before");\nx.view(5);\n`,
  );
  await run(page);
  expect(await status(page).textContent()).toContain("Ended by an error");
  expect(await printed(page).textContent()).toContain("RuntimeError: shape '[5]' is invalid for input of size 6");
  expect(await page.locator(".pg-console .pg-error .pg-at").textContent()).toBe("line 4");
  expect(await markedLine(page)).toBe(4);
  await page.locator(".pg-recordings .gtv").waitFor(); // what led to the error is on record
  await shoot(page, "playground-error", false);
});

test("an operator that only PyTorch has is named as such, by the library and by the page", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, `import torch from "glasstorch";\ntorch.stft(torch.ones([2, 2]));\n`);
  await run(page);
  await expect.poll(() => printed(page).textContent()).toContain("torch.stft is not implemented: it is not built here");
  await write(page, `import torch from "glasstorch";\ntorch.nn.functional.stft(torch.ones([2, 2]));\n`);
  await run(page);
  await expect
    .poll(() => printed(page).textContent())
    .toContain("stft is an operator of PyTorch 2.13 that is not built here");
  await shoot(page, "playground-not-built", false);
});

test("what if: the first step that changes is marked", async () => {
  const page = await s.open("walkthroughs/prelu/", wide);
  await page.locator(".pg").getByRole("button", { name: "Edit", exact: true }).click();
  await ready(page);
  await run(page, () =>
    page.getByRole("group", { name: "called under" }).getByRole("button", { name: "no_grad" }).click(),
  );
  await page.locator(".pg-change").waitFor();
  expect(await page.locator(".pg-change").textContent()).toMatch(/First step that changed \(step \d+\)/);
  await page.locator(".pg-change").getByRole("button", { name: "Show it" }).click();
  const step = Number(/step (\d+)\)/.exec((await page.locator(".pg-change").textContent()) ?? "")?.[1]);
  expect(await page.locator(".pg-recordings .gtv-aloud").textContent()).toContain(`Step ${step} of`);
  await page.locator(".pg-change").getByRole("button", { name: "Compare" }).click();
  await page.locator(".pg-recordings .gtv-first").waitFor();
  await shoot(page, "playground-what-if", false);
});

test("what was said of an address is gone with the next run", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, program);
  await page.getByRole("button", { name: "Share" }).click();
  await expect.poll(() => status(page).textContent()).toContain("address");
  await run(page);
  expect(await status(page).textContent()).toMatch(/^Ran after/);
});

test("Reset all closes the diff", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, program);
  const diff = page.getByRole("button", { name: "Diff" });
  await diff.click();
  expect(await diff.getAttribute("aria-pressed")).toBe("true");
  await page.locator(".pg-diff").waitFor();
  await page.getByRole("button", { name: "Reset all" }).click();
  expect(await diff.getAttribute("aria-pressed")).toBe("false");
  expect(await diff.isDisabled()).toBe(true);
  expect(await page.locator(".pg-diff").count()).toBe(0);
});

test("the whole call is in view; the line between program and result moves by mouse and by keyboard", async () => {
  const page = await ready(await s.open("playground/", { viewport: { width: 1440, height: 900 } }));
  await run(page);
  const shaft = page.locator(".pg-recordings .gtv-shaft");
  await shaft.waitFor();
  const widths = () => shaft.evaluate((element) => [element.scrollWidth, element.clientWidth] as const);
  const [all, seen] = await widths();
  expect(all).toBeLessThanOrEqual(seen + 1);
  const divider = page.getByRole("separator", { name: "Width of the program" });
  const at = async () => Number(await divider.getAttribute("aria-valuenow"));
  const before = await at();
  const box = (await divider.boundingBox()) as NonNullable<Awaited<ReturnType<typeof divider.boundingBox>>>;
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x - 200, box.y + 200, { steps: 4 });
  await page.mouse.up();
  const dragged = await at();
  expect(dragged).toBeLessThan(before - 5);
  await divider.press("ArrowRight");
  expect(await at()).toBeGreaterThan(dragged);
  await expect.poll(async () => (await widths())[1]).toBeGreaterThan(seen);
});

test("after an error the viewer stands at the step that raised it", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, `import torch from "glasstorch";\nconst x = torch.ones([2, 3]);\nx.mul(2).view(5);\n`);
  await run(page);
  const told = page.locator(".pg-recordings .gtv-aloud");
  await expect.poll(() => told.textContent()).toMatch(/view/);
  expect(await told.textContent()).not.toContain("Step 1 of");
  await shoot(page, "playground-raised", false);
});

test("what if: what is printed is what was recorded", async () => {
  const page = await ready(await s.open("playground/", wide));
  await run(page);
  expect(await printed(page).textContent()).toContain("grad_fn=");
  await run(page, () =>
    page.getByRole("group", { name: "called under" }).getByRole("button", { name: "no_grad" }).click(),
  );
  expect(await printed(page).textContent()).not.toContain("grad_fn=");
});

test("who edits a kernel sees the first number that changed, and is not told that it is PyTorch's way", async () => {
  const page = await ready(await s.open("playground/", wide));
  await openFile(page, kernel);
  await replaceAll(page, "return input > 0 ? input : weight * input;", "return input > 0 ? input : 10 * input;");
  await run(page);
  await page.locator(".pg-change").waitFor();
  expect(await page.locator(".pg-change").textContent()).toMatch(
    /First step that changed.* returns -14\.70.*; it was -0\.367/,
  );
  const head = await page.locator(".pg-recordings .gtv").textContent();
  expect(head).toContain("on the library as you have changed it");
  expect(head).not.toMatch(/as PyTorch [\d.]+ takes it/);
  await shoot(page, "playground-kernel", false);
});

test("a file is found by an operator or a function in it", async () => {
  const page = await ready(await s.open("playground/", wide));
  await page.getByRole("button", { name: /Open a file of the library/ }).click();
  const found = page.locator("dialog li button");
  const told = async () => (await found.allTextContents()).join("\n");
  await page.getByRole("searchbox").fill("computeDispatchTableEntry"); // in no file's name
  await expect.poll(told).toContain("src/aten/core/dispatch/OperatorEntry.ts:");
  await page.getByRole("searchbox").fill("prelu");
  await expect.poll(told).toContain("aten::prelu");
  await shoot(page, "playground-picker", false);
  await found.filter({ hasText: "aten::_prelu_kernel operator" }).first().click();
  await expect.poll(() => page.locator(".pg-of-file .pg-path").textContent()).toBe(kernel);
});

test("a program of one's own is not compared with another, and nothing is said of it", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, program);
  await run(page);
  await page.locator(".pg-recordings .gtv").waitFor();
  expect(await page.locator(".pg-change").count()).toBe(0);
  expect(await page.locator(".pg-result > .pg-soft").allTextContents()).toEqual([]);
});

test("an address brings the program and the changes back", async () => {
  const page = await ready(await s.open("playground/", wide));
  await write(page, program.replace("0.5", "0.25"));
  await openFile(page, kernel);
  await replaceAll(page, "return input > 0 ? input : weight * input;", "return input > 0 ? input : 100 * input;");
  await page.getByRole("button", { name: "Share" }).click();
  await expect.poll(() => page.url()).toContain("#try=");
  const address = page.url().slice(s.served.url.length);
  const other = await ready(await s.open(address, wide));
  expect(await other.locator(".pg-files .pg-tabs button").allTextContents()).toContain("Activation/index.ts");
  await run(other);
  expect(await printed(other).textContent()).toContain("tensor([-200.0000, -100.0000,    3.5000])");
  await other.getByRole("button", { name: "program.ts" }).click();
  expect(await other.locator(".cm-content").textContent()).toContain("torch.tensor([0.25])");
  await other.getByRole("button", { name: "Reset all" }).click();
  await run(other);
  expect(await other.locator(".cm-content").textContent()).toContain("torch.randn");
});

for (const colorScheme of themes)
  test(`no serious finding after a run (${colorScheme})`, async () => {
    const page = await ready(await s.open("playground/", { ...wide, colorScheme }));
    await run(page);
    await page.locator(".pg-recordings .gtv").waitFor();
    await page.waitForTimeout(300);
    await shoot(page, `playground-run-${colorScheme}`);
    expect(await seriousFindings(page)).toEqual([]);
  });
