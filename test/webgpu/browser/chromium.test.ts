/** @file The device in Chromium: in a worker of an isolated page, in the page itself, in a page that is not isolated, and in a playground. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromium_options } from "../../../tools/unpack_chromium.ts";
import { modules } from "../support/swiftshader.ts";

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>`;

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../support/page.ts", import.meta.url))],
    bundle: true,
    minify: true, // the server is sent as text: no name of it may be another's
    format: "esm",
    target: "es2022",
    write: false,
  });
  server = createServer(({ url = "/", headers }, response) => {
    const isolated = url.startsWith("/isolated") || headers.referer?.includes("/isolated") === true;
    const extra = isolated || url === "/page.js" ? ISOLATED : {};
    const script = url === "/page.js";
    response.writeHead(200, { "content-type": script ? "text/javascript" : "text/html", ...extra });
    response.end(script ? outputFiles[0].text : PAGE);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const flags = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];
  browser = await chromium.launch(await chromium_options(modules, flags));
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function page_at(path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(origin + path);
  await page.waitForFunction("globalThis.run !== undefined");
  return page;
}

const in_worker = async (page: Page, name: string): Promise<unknown> =>
  page.evaluate(`in_worker(${JSON.stringify(name)})`);

describe("a worker of an isolated page", () => {
  test("waits for values as Node does", async () => {
    const page = await page_at("/isolated");
    expect(await page.evaluate("crossOriginIsolated")).toBe(true);
    expect(await in_worker(page, "launches and reads")).toEqual([100, 200, 300, 400, 500]);
    expect(await in_worker(page, "addresses")).toEqual([512, 100]);
    await page.close();
  });

  test("pages out when the limit is reached", async () => {
    const page = await page_at("/isolated");
    expect(await in_worker(page, "temporaries under a limit")).toEqual([500, 4711, true, 64]);
    await page.close();
  });

  test("is told what went wrong, and goes on", async () => {
    const page = await page_at("/isolated");
    const [bad, memory, after] = (await in_worker(page, "errors")) as [string, string, number[]];
    expect(bad).toMatch(/^WebGPU error: .*1:\d+ /s);
    expect(bad).toContain("in kernel test::bad");
    expect(memory).toContain("WebGPU out of memory. Tried to allocate 2.00 GiB.");
    expect(after).toEqual([100, 200, 300, 400, 500]);
    await page.close();
  });

  test("how long a value takes (printed, not judged)", async () => {
    const page = await page_at("/isolated");
    const told = await in_worker(page, "latency");
    console.log(JSON.stringify(told));
    expect(told).toMatchObject({ enqueue_us: expect.any(Number) });
    await page.close();
  });
});

type Told = { readonly before: string; readonly item: string; readonly fetched: number[]; readonly can_wait: boolean };

test("the main thread of an isolated page says where to go, and fetches", async () => {
  const page = await page_at("/isolated");
  const told = (await page.evaluate("run('a place that may not wait')")) as Told;
  expect(told.before).toContain("`await torch.webgpu.init()` first");
  expect(told.item).toContain("in the main thread of a browser");
  expect(told.item).toContain("await torch.webgpu.fetch(x)");
  expect(told).toMatchObject({ fetched: [42, 42], can_wait: false });
  await page.close();
});

test.each(["the page", "its worker"])("a page that is not isolated: %s fetches", async (where) => {
  const page = await page_at("/plain");
  expect(await page.evaluate("crossOriginIsolated")).toBe(false);
  const name = "a place that may not wait";
  const told = (where === "the page" ? await page.evaluate(`run('${name}')`) : await in_worker(page, name)) as Told;
  expect(told.item).toContain("this page is not cross-origin isolated");
  expect(told.item).toContain("Cross-Origin-Opener-Policy: same-origin");
  expect(told).toMatchObject({ fetched: [42, 42], can_wait: false });
  await page.close();
});

test.each(["/isolated", "/plain"])("the main thread of %s fetches what the library computed", async (path) => {
  const page = await page_at(path);
  const [numbers, device, refused] = (await page.evaluate(
    "run('a place that may not wait fetches tensors')",
  )) as unknown[];
  expect([numbers, device]).toEqual([
    [
      [1.5, 3.5],
      [2.5, 4.5],
    ],
    "cpu",
  ]);
  expect(refused).toContain("await torch.webgpu.fetch(x)");
  await page.close();
});

test("a server of the page outlives its programs, also one that was stopped", async () => {
  const page = await page_at("/isolated");
  expect(await page.evaluate("one_server_many_programs()")).toEqual([
    [100, 200, 300, 400, 500],
    { name: "under way" },
    [500, 4711, true, 64],
  ]);
  await page.close();
});
