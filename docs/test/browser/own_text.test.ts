/**
 * @file What the playground promises of a reader's text and of an address: the text is kept, the address's edit is part of the first run, a run
 * fetches no more than it needs.
 * @original
 */
import { expect } from "vitest";
import { type Shared, toHash } from "../../src/playground/engine/share.ts";
import { printed, ran, ready, run, status, write } from "./support/playground.ts";
import { site, test } from "./support/site.ts";

const s = site({ expected: /http:\/\/127\.0\.0\.1:9\/x/ });
const kernel = "src/aten/native/cpu/Activation/index.ts";
const program = `import torch from "glasstorch";
console.log(torch.prelu(torch.tensor([-2, -1, 3.5]), torch.tensor([0.5])));
`;
const edit: Shared = {
  code: program,
  changes: [
    {
      file: kernel,
      find: "return input > 0 ? input : weight * input;",
      replace: "return input > 0 ? input : 1000 * input;",
    },
  ],
};
const sent = (name: string): string[] => s.served.sent.map(({ path }) => path).filter((path) => path.includes(name));

test("Run, pressed before an address's edit has come, runs with the edit; that edit fetches its file, not the library", async () => {
  s.served.sent.length = 0;
  const page = await s.open("");
  await page.route(/Activation\/index\.ts\.txt/, async (route) => {
    await new Promise((come) => setTimeout(come, 3000));
    await route.continue();
  });
  await page.goto(`${s.served.url}playground/${await toHash(edit)}`);
  await page.locator(".pg-live").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForTimeout(50);
  await ran(page);
  expect(await status(page).textContent()).toMatch(/^Ran/);
  expect(await printed(page).textContent()).toContain("-1000.0000");
  expect(sent(`source/${kernel}`).length).toBe(1);
  expect(sent("library.gz")).toEqual([]);
});

test("an edit that the library no longer has is told, also by the run without it", async () => {
  const page = await s.open(
    `playground/${await toHash({ code: program, changes: [{ file: kernel, find: "no such line", replace: "x" }] })}`,
  );
  await expect.poll(() => status(page).textContent()).toContain("no longer has the text");
  await run(page);
  expect(await printed(page).textContent()).toContain("This run is without the change");
  expect(await printed(page).textContent()).toContain("-1.0000");
});

test("a first run fetches no rest of the library: the page's own program, and lines as one types them first", async () => {
  s.served.sent.length = 0;
  const page = await ready(await s.open("playground/"));
  await run(page);
  expect(await status(page).textContent()).toMatch(/^Ran/);
  for (const line of [
    "console.log(torch.ones([2]).add(1));",
    "console.log(torch.arange(6).view([2, 3]).sum());",
    "const x = torch.tensor([1.5], { requires_grad: true });\nx.mul(2).sum().backward();\nconsole.log(x.grad);",
  ]) {
    await write(page, `import torch from "glasstorch";\n${line}\n`);
    await run(page);
    expect(await status(page).textContent()).toMatch(/^Ran/);
  }
  expect(sent("rest.pack")).toEqual([]);
  expect(sent("library.gz")).toEqual([]);
});

test("a program that asks for a part that has not come gets its family, and goes on", async () => {
  s.served.sent.length = 0;
  const page = await ready(await s.open("playground/"));
  await write(page, `import torch from "glasstorch";\nconsole.log(torch["soft" + "max"](torch.ones([2]), 0));\n`);
  await run(page);
  expect(await printed(page).textContent()).toContain("tensor([0.5000, 0.5000])");
  expect(sent("where.pack").length).toBe(1);
  expect(sent("rest.pack")).toEqual([]);
});

test("the reader's text is there after a reload and after a way back, and does not run by itself; Reset all takes it away", async () => {
  const page = await ready(await s.open("playground/"));
  await write(page, `${program}// mine\n`);
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  expect(await page.locator(".cm-content").textContent()).toContain("// mine");
  expect(await status(page).textContent()).toContain("Your text of last time is back");
  await page.getByRole("link", { name: "Start here" }).first().click();
  await page.waitForURL(/\/start\//);
  await page.goBack();
  await ready(page);
  expect(await page.locator(".cm-content").textContent()).toContain("// mine");
  await page.getByRole("button", { name: "Reset all" }).click();
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  expect(await page.locator(".cm-content").textContent()).toContain("torch.randn");
});

test("in a full store the playground says that the text is not kept", async () => {
  const page = await ready(await s.open("playground/"));
  await page.evaluate(() => {
    const chunk = "x".repeat(200_000);
    for (let i = 0; ; i++)
      try {
        localStorage.setItem(`other ${i}`, chunk);
      } catch {
        break;
      }
    for (let i = 0, text = chunk; text.length > 8; text = text.slice(0, text.length / 2))
      try {
        localStorage.setItem(`rest ${i++}`, text);
      } catch {
        // Shorter ones may fit.
      }
  });
  await write(page, `${program}// mine\n`);
  await page.getByText("This browser keeps no more text for this site").waitFor();
  await run(page);
  expect(await printed(page).textContent()).toContain("-1.0000");
});

test("an address opens in one playground of a page", async () => {
  const page = await s.open(`house/dispatcher/${await toHash({ code: "console.log(12345);\n" })}`);
  await page.locator(".pg .cm-content").first().waitFor();
  await page.waitForTimeout(1000);
  expect(await page.locator(".pg").count()).toBeGreaterThan(1);
  expect(await page.locator(".pg-live").count()).toBe(1);
});

test("a program that writes stacks in its own form ends as any other", async () => {
  const page = await ready(await s.open("playground/"));
  await write(page, `Error.prepareStackTrace = () => 5;\nconsole.log("before");\nthrow new Error("mine");\n`);
  await run(page);
  expect(await printed(page).textContent()).toContain("Error: mine");
  expect(await printed(page).textContent()).not.toContain("split is not a function");
});

test("a page asks no other host, whatever runs in it", async () => {
  const page = await s.open("playground/");
  expect(await page.locator("meta[http-equiv='Content-Security-Policy']").count()).toBe(1);
  const refused = await page.evaluate(() => {
    const heard = new Promise<string>((tell) =>
      document.addEventListener("securitypolicyviolation", (event) => tell(event.effectiveDirective)),
    );
    void fetch("http://127.0.0.1:9/x").catch(() => {});
    return heard;
  });
  expect(refused).toBe("connect-src");
});
