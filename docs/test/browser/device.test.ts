/**
 * @file The playground in a browser that has WebGPU: a program's tensors lie on the device, which the page keeps from run to run; what is changed
 * in the library, scalar function or kernel, is changed there, too.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openFile, printed, ready, replaceAll, run, status, write } from "./support/playground.ts";
import { shoot, site, test } from "./support/site.ts";

const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const flags = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];
const s = site({ headers, flags });
const notIsolated = site({ flags });
const withoutDevice = site({ headers, expected: /Failed to create WebGPU Context Provider/ });

async function ran(page: Page, program: string): Promise<string> {
  await write(page, program);
  await run(page);
  return (await printed(page).textContent()) ?? "";
}

const head = 'import torch from "glasstorch/webgpu";\n';

test("a program waits for the values of its device; the next one finds the device as it was", async () => {
  const page = await ready(await s.open("playground/"));
  const program = `${head}const x = torch.arange(6, { device: "webgpu", dtype: torch.float32 }).view([2, 3]);
console.log(x.mm(x.t()), x.sum().item(), torch.webgpu.memory_allocated() < 4096);
`;
  expect(await ran(page, program)).toMatch(/\[14\., 50\.\]\], device='webgpu:0'\) 15 true/);
  expect(await ran(page, program)).toMatch(/\[14\., 50\.\]\], device='webgpu:0'\) 15 true/);
  expect(await page.locator(".pg-recordings .gtv-floor").allTextContents()).toContain("device");
  await shoot(page, "playground-device", false);
});

test("an error of the device ends the run that made it, and no other", async () => {
  const page = await ready(await s.open("playground/"));
  const bad = `${head}const x = torch.ones([3], { device: "webgpu" });
x.index_select(0, torch.tensor([7]).to("webgpu")).sum().item();
`;
  expect(await ran(page, bad)).toContain("index");
  expect(await status(page).textContent()).toContain("Ended by an error");
  expect(await ran(page, `${head}console.log(torch.ones([3], { device: "webgpu" }).sum().item());`)).toContain("3");
});

test("a program that launches for ever is stopped; the next one has a device", async () => {
  const page = await ready(await s.open("playground/"));
  await write(page, `${head}let x = torch.ones([1000], { device: "webgpu" });\nwhile (true) x = x.add(1);\n`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  // Not a click, for which the page would have to be drawn: a GPU of software draws nothing while it computes.
  await page.getByRole("button", { name: "Stop", exact: true }).dispatchEvent("click");
  // On a busy machine the page may hear of the click after it has given up on the program.
  await expect.poll(() => status(page).textContent()).toMatch(/^Stopped/);
  expect(await ran(page, `${head}console.log(torch.ones([3], { device: "webgpu" }).sum().item());`)).toContain("3");
});

test("a scalar function that was changed runs changed on both machines", async () => {
  const page = await s.open("walkthroughs/webgpu/");
  const section = page.getByRole("region", { name: "A scalar function, changed for two machines" });
  await section.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => section.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 }).toMatch(/^Ran/);
  const text = await section.locator(".pg-console").textContent();
  expect(text?.match(/tensor\(\[-20\.0000, -10\.0000, {3}3\.5000\]/g)?.length).toBe(2);
  expect(text).toContain("device='webgpu:0'");
  expect(await section.locator(".pg-note").allTextContents()).toEqual([
    expect.stringContaining("Activation/index.wgsl.ts"),
  ]);
  await section.scrollIntoViewIfNeeded();
  await shoot(page, "playground-device-edited", false);
});

test("a kernel of the library that no longer compiles is told with its line; taken back, it runs", async () => {
  const page = await ready(await s.open("playground/"));
  await write(page, `${head}console.log(torch.ones([3, 3], { device: "webgpu" }).tril().sum().item());\n`);
  await openFile(page, "src/aten/native/webgpu/TriangularOps.ts");
  await replaceAll(page, "i32(i0) - i32(i1) <= p.k", "i32(i0) - i32(i9) <= p.k");
  await run(page);
  expect(await printed(page).textContent()).toMatch(
    /unresolved value 'i9'\s+if \(i32\(i0\) - i32\(i9\) <= p\.k\) \{\s+in kernel webgpu::tril/,
  );
  await shoot(page, "playground-device-bad-kernel", false);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  await run(page);
  expect(await printed(page).textContent()).toContain("6");
});

test("the walkthrough runs on the reader's device", async () => {
  const page = await s.open("walkthroughs/webgpu/");
  const section = page.getByRole("region", { name: "Playground: walkthroughs/webgpu.ts" });
  await section.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => section.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 }).toMatch(/^Ran/);
  expect(await section.locator(".pg-result .pg-status").textContent()).toMatch(/ \d+ claims hold\.$/);
  await section.scrollIntoViewIfNeeded();
  await shoot(page, "playground-device-walkthrough", false);
});

test("a page that is not isolated cannot wait, and says what to write instead", async () => {
  const page = await ready(await notIsolated.open("playground/"));
  const program = `${head}await torch.webgpu.init();
const x = torch.ones([3], { device: "webgpu" }).add(1);
`;
  expect(await ran(page, `${program}console.log(await torch.webgpu.fetch(x));\n`)).toContain("tensor([2., 2., 2.])");
  expect(await ran(page, `${program}x.sum().item();\n`)).toContain("`await torch.webgpu.fetch(x)`");
});

test("a browser without a device: one sentence, and the walkthrough goes on with what was recorded", async () => {
  const page = await ready(await withoutDevice.open("playground/"));
  const program = `${head}console.log(torch.webgpu.is_available());\ntorch.ones([3], { device: "webgpu" });\n`;
  const words = await ran(page, program);
  expect(words).toContain("false");
  expect(words).toContain("no WebGPU here");
  const other = await withoutDevice.open("walkthroughs/webgpu/");
  const section = other.getByRole("region", { name: "Playground: walkthroughs/webgpu.ts" });
  await section.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => section.locator(".pg-result .pg-status").textContent(), { timeout: 90_000 }).toMatch(/^Ran/);
  expect(await section.locator(".pg-result .pg-status").textContent()).toMatch(/ \d+ claims hold\.$/);
});
