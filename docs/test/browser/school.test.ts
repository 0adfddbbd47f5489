/**
 * @file Exercises in the page, as a person does them: reads, writes, checks, is told; on a phone; with progress that is kept and taken along.
 * @original
 */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { Folder } from "../../../tools/learn/node/folder.ts";
import { write } from "./support/playground.ts";
import { bring, check, opened, verdict } from "./support/school.ts";
import { phone, seriousFindings, shoot, site, test, themes } from "./support/site.ts";

const s = site();
/** From opening the page to a first check that passes, with a person's reading left out. */
const FIRST_SUCCESS = 60_000;

test("a hostile file of progress is refused in one sentence, and the reader's text is kept", async () => {
  const page = await opened(await s.open("learn/04-cpu-kernel/"));
  await write(page, "// mine");
  await page.goto(`${s.served.url}learn/`);
  const edits = { "99-unknown": { "x.ts": "x".repeat(4_900_000) } };
  const buffer = Buffer.from(JSON.stringify({ passed: [], edits }));
  const file = { name: "progress.json", mimeType: "application/json", buffer };
  await page.locator(".school-file input").setInputFiles(file);
  await expect
    .poll(() => page.locator(".school-file [role=status]").textContent())
    .toContain("was not taken over, and nothing has changed");
  await page.goto(`${s.served.url}learn/04-cpu-kernel/`);
  await opened(page);
  expect(await page.locator(".cm-content").textContent()).toContain("// mine");
});

test("a kernel is written: a wrong one is told what is wrong and given its hints, the right one passes", async () => {
  const folder = new Folder("04-cpu-kernel");
  const begin = performance.now();
  const page = await opened(await s.open("learn/04-cpu-kernel/"));
  expect(await page.getByRole("heading", { name: "What to do" }).count()).toBe(1);
  expect(await check(page)).toBe("04.value");
  expect(await verdict(page).textContent()).toContain("element 1: 1");
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.getByRole("button", { name: "Hint 2 of 3" }).click();
  const texts = folder.exercise.checks[0].hints.map(({ texts: [where, what] }) => `Hint 1 ${where}Hint 2 ${what}`);
  expect(texts).toContain(await page.getByRole("list", { name: "Hints" }).textContent());

  await write(page, folder.mistaken("contiguous-first.patch").get("heaviside.ts") as string);
  expect(await check(page)).toBe("04.way");
  // Expected and own way side by side; the first hop that differs is marked on both.
  expect(await page.locator(".school-two-ways h4").allTextContents()).toEqual(["expected", "yours"]);
  expect(await page.locator(".school-two-ways li.first").count()).toBe(2);
  await shoot(page, "school-wrong-way", false);

  await write(page, folder.solution.get("heaviside.ts") as string);
  expect(await check(page)).toBe("good");
  expect(performance.now() - begin).toBeLessThan(FIRST_SUCCESS);
  console.log(`first success after ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  expect(await page.getByText("The solution").count()).toBe(1);
  await page.getByRole("button", { name: "Step through it" }).click();
  await page.locator(".school-ways .gtv").waitFor();

  await page.getByRole("link", { name: "the house" }).click();
  await page.getByRole("link", { name: "04, A CPU kernel: passed" }).waitFor();
  await shoot(page, "school-house");
});

test("a text that is no TypeScript is told with its line, and an endless loop can be stopped", async () => {
  const page = await opened(await s.open("learn/04-cpu-kernel/"));
  await write(page, "export function heaviside( {\n");
  expect(await check(page)).toBe("04.value");
  expect(await verdict(page).textContent()).toContain("SyntaxError");
  await write(page, "export function heaviside() { for (;;) {} }\n");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.waitForTimeout(1500);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => page.locator(".school-problem").textContent()).toContain("Stopped");
});

test("questions on a phone: chosen with a finger, answered by a recording", async () => {
  const page = await opened(await s.open("learn/01-read-a-trace/", phone));
  const asked = (name: string) => page.locator(`fieldset[data-answer="${name}"]`);
  expect(await check(page)).toBe("01.layers");
  expect(await verdict(page).textContent()).toContain("Next: The five layers");
  for (const lane of ["binding", "dispatcher", "autograd", "native", "loop"])
    await asked("layers")
      .getByRole("button", { name: `Add ${lane}` })
      .tap();
  expect(await check(page)).toBe("01.layers");
  expect(await verdict(page).textContent()).toContain("autograd");
  await page.getByRole("button", { name: "Hint", exact: true }).tap();
  expect(await page.getByRole("list", { name: "Hints" }).textContent()).toContain("prelu is another kind of operator");
  await shoot(page, "school-phone-wrong", false);

  await asked("layers")
    .getByRole("button", { name: /^Remove autograd from/ })
    .tap();
  for (const lane of ["native", "loop"])
    await asked("layers")
      .getByRole("button", { name: new RegExp(`^Remove ${lane} from`) })
      .tap();
  for (const lane of ["native", "autograd", "loop"])
    await asked("layers")
      .getByRole("button", { name: `Add ${lane}` })
      .tap();
  await asked("binding").getByRole("textbox").fill("THPVariable_prelu");
  await asked("origin").getByRole("radio", { name: "math kernel" }).tap();
  for (const name of ["keys", "no_grad"])
    for (const key of ["AutogradCPU", "CPU"])
      await asked(name)
        .getByRole("button", { name: `Add ${key}` })
        .tap();
  await asked("node").getByRole("radio", { name: "PreluKernelBackward0" }).tap();
  await asked("arithmetic").getByRole("radio", { name: "src/aten/native/cpu/Activation/index.ts" }).tap();
  expect(await check(page)).toBe("good");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shoot(page, "school-phone");
});

test("answers outlive the page; a reset is undone; progress goes out and comes back as the clone's file, and runs nothing", async () => {
  const page = await opened(await s.open("learn/08-composite/"));
  await write(page, "// mine\n");
  await page.reload();
  await opened(page);
  expect(await page.locator(".cm-content").textContent()).toContain("// mine");
  await page.getByRole("button", { name: "Reset" }).click();
  expect(await page.locator(".cm-content").textContent()).not.toContain("// mine");
  await page.getByRole("button", { name: "Undo the reset" }).click();
  expect(await page.locator(".cm-content").textContent()).toContain("// mine");
  await write(page, new Folder("08-composite").solution.get("ldexp.ts") as string);
  expect(await check(page)).toBe("good");

  await page.getByRole("link", { name: "All exercises" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save progress.json" }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), "utf8"));
  expect(saved.passed).toMatchObject([{ id: "08-composite", hash: new Folder("08-composite").hash }]);
  expect(Object.keys(saved.edits["08-composite"])).toEqual(["ldexp.ts"]);

  const other = await s.open("learn/");
  await bring(other, { "08-composite": { "ldexp.ts": 'throw new Error("it ran");\n' } });
  await other.getByRole("link", { name: "A composite operator" }).first().click();
  await opened(other);
  expect(await other.locator(".cm-content").textContent()).toContain("it ran");
  await other.waitForTimeout(1500);
  expect(await verdict(other).count()).toBe(0);
  expect(await check(other)).toBe("08.path");
  expect(await verdict(other).textContent()).toContain("it ran");
});

test("pages lead to what practises them, and back", async () => {
  const page = await s.open("walkthroughs/prelu/");
  await page.getByRole("complementary", { name: "Exercises" }).getByRole("link", { name: "Read a trace" }).click();
  await opened(page);
  await page.locator(".school-facts").getByRole("link", { name: "prelu" }).click();
  await page.waitForURL(/walkthroughs\/prelu/);
});

test("a handout has the text, the questions and what is checked, and neither hints nor buttons", async () => {
  const page = await s.open("learn/01-read-a-trace/");
  await opened(page);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("fieldset").first().isVisible()).toBe(true);
  for (const hidden of [".pg-bar", ".navbar", ".school-result", ".school-neighbours"])
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
  await shoot(page, "school-handout");
});

test("solutions are behind a switch", async () => {
  const page = await s.open("learn/teach/");
  await page.getByRole("checkbox", { name: /Show the solution/ }).check();
  await page.getByRole("link", { name: "04 · A CPU kernel" }).click();
  await opened(page);
  await page.getByText("The solution").click();
  await page.getByText("operand.inner_stride()").first().waitFor();
});

for (const colorScheme of themes)
  test(`no serious finding (${colorScheme})`, async () => {
    const page = await opened(await s.open("learn/04-cpu-kernel/", { colorScheme }));
    await check(page);
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await shoot(page, `school-04-${colorScheme}`, false);
    expect(await seriousFindings(page)).toEqual([]);
    const questions = await opened(await s.open("learn/01-read-a-trace/", { colorScheme }));
    expect(await seriousFindings(questions)).toEqual([]);
    await shoot(questions, `school-01-${colorScheme}`, false);
    const house = await s.open("learn/", { colorScheme });
    expect(await seriousFindings(house)).toEqual([]);
  });
