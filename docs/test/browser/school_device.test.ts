/**
 * @file The exercises with kernels in a browser that has WebGPU: they run there, and say so; a line that its compiler refuses is shown.
 * @original
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Files, Folder } from "../../../tools/learn/node/folder.ts";
import { bring, check, opened } from "./support/school.ts";
import { site, test } from "./support/site.ts";

const s = site({ flags: ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"] });

async function judged({ exercise: { id } }: Folder, files: Files): Promise<[page: Page, verdict: string]> {
  const page = await s.open("learn/");
  await bring(page, { [id]: Object.fromEntries(files) });
  await page.locator(`main a[href$="/learn/${id}/"]`).first().click();
  await opened(page);
  return [page, await check(page)];
}

test.each(["15-wgsl-kernel", "16-workgroup"])("%s: the solution runs on the device", async (id) => {
  const folder = new Folder(id);
  const [page, verdict] = await judged(folder, folder.solution);
  expect(verdict).toBe("good");
  expect(await page.locator(".school-ran").textContent()).toMatch(/^ran on .*swiftshader.* by WebGPU,/i);
});

test("a line that the device's compiler refuses is shown", async () => {
  const folder = new Folder("15-wgsl-kernel");
  const right = folder.solution.get("leaky_relu.wgsl") as string;
  const files = new Map([...folder.solution, ["leaky_relu.wgsl", right.replace("let i = id.x", "let i = ix.x")]]);
  const [page, verdict] = await judged(folder, files);
  expect(verdict).toBe("15.value");
  const line = right.split("\n").findIndex((text) => text.includes("let i = id.x")) + 1;
  expect(await page.locator(".school-bad").textContent()).toContain(`leaky_relu.wgsl, line ${line}`);
  expect(await page.locator(".school-why").textContent()).toContain("unresolved value 'ix'");
});
