/** @file The page of the GPU kernel: its drawings answer, and a kernel that a reader writes runs, or is told what is wrong at its line. */
import { expect } from "vitest";
import { site, test } from "./support/site.ts";

const PAGE = "walkthroughs/webgpu/";
/** Without a driver the browser offers a device and gives none. */
const s = site({ expected: /Failed to create WebGPU Context Provider/ });

test("an invocation, its elements, and the guard", async () => {
  const page = await s.open(PAGE);
  const invocation = page.getByRole("slider", { name: "invocation" });
  await invocation.fill("17");
  expect(await page.getByText("i = 17. It takes elements 68 to 71 of all three tensors").count()).toBe(1);
  await invocation.fill("80");
  expect(await page.getByText("4 i = 320 is not below 300, so it returns at once").count()).toBe(1);
  await page.getByRole("button", { name: "x.t().add(y), strided" }).click();
  expect(
    await page
      .getByText(
        "It adds element 17 of x's memory and element 41 of y's memory, and stores element 17 of the result's memory",
      )
      .count(),
  ).toBe(1);
});

test("a sum from barrier to barrier, and the tile of a workgroup", async () => {
  const page = await s.open(PAGE);
  for (let barrier = 0; barrier < 4; barrier++) await page.getByRole("button", { name: "To the next barrier" }).click();
  expect(await page.getByText("This is the whole sum, and it is stored").count()).toBe(1);
  expect(await page.getByText("44850", { exact: false }).count()).toBeGreaterThan(0);
  await page.getByRole("slider", { name: "workgroup" }).fill("17");
  expect(await page.getByText("makes rows 64 to 127 and columns 64 to 127").count()).toBe(1);
});

test("a kernel of the reader's", async () => {
  const page = await s.open(PAGE);
  const text = page.getByRole("textbox", { name: "The kernel, in WGSL" });
  const run = page.getByRole("button", { name: "Run", exact: true }).first();
  const ran = page.getByText(/ran it/);
  await text.fill((await text.inputValue()).replace("x[i] + y[i]", "x[i] * 2.0 + y[i]"));
  await run.click();
  await ran.waitFor();
  expect(await page.getByText("122", { exact: false }).count()).toBeGreaterThan(0); // 2 * 11 + 100
  await text.fill((await text.inputValue()).replace("let i = id.x;", "let i = nobody;"));
  await run.click();
  await page.getByText(/^line 7, column \d+: /).waitFor();
});
