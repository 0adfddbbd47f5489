/**
 * @file What somebody who means harm may try with an address, a program, a recording or a file: nothing runs that the reader has not asked
 * for, nothing of a program leaves its worker or outlives its run, and the page and the reader's text stay.
 * @original
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { MAX_LENGTH, type Shared, toHash } from "../../src/playground/engine/share.ts";
import { printed, ready, run, status, write } from "./support/playground.ts";
import { site, test } from "./support/site.ts";

// What the policy refuses, and what a worker rejects as it ends, the browser tells the developer.
const s = site({ expected: /Content Security Policy|violates the following|^csp: |\/module\.js$|^x{1000}$/ });

/** Somebody else's host, which takes whatever comes. */
let evil: Server;
let hits: string[] = [];
beforeAll(async () => {
  evil = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/javascript" }).end("1");
  });
  evil.on("upgrade", (request, socket) => {
    hits.push(request.url ?? "");
    socket.destroy();
  });
  await new Promise<void>((listening) => evil.listen(0, "127.0.0.1", listening));
});
afterAll(() => void evil.close());
beforeEach(() => {
  hits = [];
  s.served.sent.length = 0;
});

const elsewhere = (): string => `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
const ownHits = (): string[] => s.served.sent.map(({ path }) => path).filter((path) => path.includes("/hit"));

/** Workers in which programs run: they are started from a blob, those of the page itself from its host. */
const runners = (page: Page): number => page.workers().filter((worker) => worker.url().startsWith("blob:")).length;

const open = async (shared?: Shared): Promise<Page> =>
  ready(await s.open(`playground/${shared === undefined ? "" : await toHash(shared)}`));

const torch = `import torch from "glasstorch";\n`;
const well = `${torch}console.log(torch.ones([2]).add(1));\n`;

/** The page lives, still holds the text, and runs another program. */
async function unharmed(page: Page, text: string): Promise<void> {
  expect(await page.getByText("This page crashed").count()).toBe(0);
  expect((await page.locator(".cm-content").textContent())?.replace(/\s/g, "")).toContain(
    text.trim().split("\n")[0]?.replace(/\s/g, ""),
  );
  await write(page, well);
  await run(page);
  expect(await status(page).textContent()).toMatch(/^Ran/);
  expect(await printed(page).textContent()).toContain("tensor([2., 2.])");
}

describe("S1: an address runs nothing", () => {
  const edit = {
    changes: [
      { file: "src/index.ts", find: "export default torch;", replace: 'export default torch; console.log("ran");' },
    ],
  };

  test("a changed library waits for Run", async () => {
    const page = await open(edit);
    await page.waitForTimeout(1000);
    expect(runners(page)).toBe(0);
    expect(await status(page).textContent()).toContain("it runs only when you press Run");
    await run(page);
    expect(await printed(page).textContent()).toContain("ran");
    await page.waitForTimeout(1000);
    expect(runners(page)).toBe(0); // nor is it loaded for a run to come
  });

  test("the library as the site has it is loaded before it is asked for", async () => {
    const page = await open();
    await expect.poll(() => runners(page)).toBe(1);
  });

  test.each([
    ["a list", [1]],
    ["other types", { code: 5, edits: { "src/index.ts": "x" }, switches: { a: "b" } }],
    ["edits that are none", { edits: { "src/index.ts": [{ at: -1, removed: 1, added: {} }] } }],
    ["nothing", null],
  ])("an address that holds %s is said to be damaged", async (_, value) => {
    const page = await s.open(`playground/${await toHash(value as unknown as Shared)}`);
    await expect.poll(() => status(page).textContent()).toContain("damaged");
    await write(page, well);
    await run(page);
    expect(await printed(page).textContent()).toContain("tensor([2., 2.])");
  });

  test("an address that unpacks to more than a page can hold", async () => {
    const hash = await toHash({ code: "x".repeat(60_000_000) });
    const page = await s.open(`playground/${hash}`);
    await expect.poll(() => status(page).textContent(), { timeout: 20_000 }).toContain("contains too much");
    expect(hash.length).toBeGreaterThan(MAX_LENGTH);
  });
});

/** Tries each way and prints what came of it. */
const attempts = (own: string, other: string): string => `
const own = ${JSON.stringify(own)}, other = ${JSON.stringify(other)};
const opened = (thing) => new Promise((good, bad) => { thing.onopen = good; thing.onerror = bad; });
const native = (address) => (0, eval)("import(" + JSON.stringify(address) + ")");
const inherited = (name) => {
  for (let at = self; at; at = Object.getPrototypeOf(at)) if (name in at) return at[name];
  throw new Error("gone");
};
const ways = {
  "fetch of the own host": () => fetch(own + "hit"),
  "fetch of another host": () => fetch(other + "fetch"),
  "fetch by the prototype": () => inherited("fetch").call(self, own + "hit"),
  XMLHttpRequest: () => { const x = new XMLHttpRequest(); x.open("GET", own + "hit", false); x.send(); },
  WebSocket: () => opened(new WebSocket(other.replace("http", "ws") + "socket")),
  WebSocketStream: () => new WebSocketStream(other.replace("http", "ws") + "stream").opened,
  WebTransport: () => new WebTransport("https://127.0.0.1:1/").ready,
  EventSource: () => opened(new EventSource(own + "hit")),
  importScripts: () => importScripts(own + "hit.js"),
  "import() as the program has it": () => import(own + "hit.js"),
  "import() as the engine has it": () => native(own + "hit.js"),
  "import() of another host": () => native(other + "module.js"),
  "import() of a text": () => native("data:text/javascript,export default 1"),
  "import() as JSON": () => (0, eval)("import(" + JSON.stringify(own + "hit.json") + ", { with: { type: 'json' } })"),
  Worker: () => new Worker(own + "hit.js"),
  "Worker of a text": () => new Worker("data:text/javascript,1"),
  "Worker of a blob": () => new Worker(URL.createObjectURL(new Blob(["1"]))),
  SharedWorker: () => new SharedWorker(own + "hit.js"),
  caches: () => caches.open("x"),
  "caches by the prototype": () => inherited("caches").open("x"),
  indexedDB: () => indexedDB.open("x"),
  BroadcastChannel: () => new BroadcastChannel("x").postMessage(1),
  sendBeacon: () => { if (!navigator.sendBeacon(own + "hit")) throw new Error("no"); },
  "files of the browser": () => navigator.storage.getDirectory(),
  "old file systems": () => webkitRequestFileSystemSync(0, 1),
  locks: () => navigator.locks.request("x", () => {}),
  "service worker": () => navigator.serviceWorker.register(own + "hit.js"),
  cookies: () => cookieStore.getAll(),
  "a font": () => new FontFace("x", "url(" + own + "hit.woff2)").load(),
  "a notification": () => new Notification("x"),
  "a message to the page": () => postMessage({ type: "done", claims: 1, ms: 0 }),
  "a channel": () => new MessageChannel(),
  "an end": () => close(),
};
for (const [name, way] of Object.entries(ways))
  try {
    await way();
    console.log("REACHED " + name);
  } catch (error) {
    console.log("refused " + name);
  }
console.log(typeof SharedArrayBuffer === "undefined" || new SharedArrayBuffer(8).byteLength, (0, eval)("1 + 1"),
  new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) instanceof WebAssembly.Module);
`;

describe("S1, S2, S5: a program reaches nothing", () => {
  test("every way out is refused; code may be compiled", async () => {
    const page = await open();
    await write(page, attempts(s.served.url, elsewhere()));
    await run(page);
    const text = (await printed(page).textContent()) ?? "";
    expect(text).not.toContain("REACHED");
    expect(text.match(/refused /g)?.length).toBe(33);
    expect(text).toMatch(/true 2 true/);
    await page.waitForTimeout(500);
    expect([...hits, ...ownHits()]).toEqual([]);
  });

  test("the policy alone holds, without what is taken out of the scope", async () => {
    const page = await open();
    const answers = await page.evaluate(
      async ({ own, other }) => {
        const frame = document.querySelector<HTMLIFrameElement>("iframe[srcdoc]")?.contentWindow as Window &
          typeof globalThis;
        const script = `onmessage = async ({ data: { own, other } }) => {
          const opened = (thing) => new Promise((good, bad) => { thing.onopen = good; thing.onerror = bad; });
          const ways = {
            fetch: () => fetch(own + "hit"), "fetch of another host": () => fetch(other), data: () => fetch("data:,x"),
            XMLHttpRequest: () => { const x = new XMLHttpRequest(); x.open("GET", own + "hit", false); x.send(); },
            WebSocket: () => opened(new WebSocket(other.replace("http", "ws"))),
            EventSource: () => opened(new EventSource(own + "hit")),
            importScripts: () => importScripts(own + "hit.js"),
            "importScripts of a blob": () => importScripts(URL.createObjectURL(new Blob(["1"]))),
            import: () => import(own + "hit.js"), "import of a text": () => import("data:text/javascript,1"),
            Worker: () => new Promise((good, bad) => { new Worker(own + "hit.js").onerror = bad; setTimeout(good, 1000); }),
            compile: () => { if ((0, eval)("1") === 1) throw new Error(); },
          };
          const reached = [];
          for (const name in ways) try { await ways[name](); reached.push(name); } catch {}
          postMessage(reached);
        };`;
        const worker = new frame.Worker(frame.URL.createObjectURL(new frame.Blob([script])));
        worker.postMessage({ own, other });
        return new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
        });
      },
      { own: s.served.url, other: elsewhere() },
    );
    expect(answers).toEqual([]);
    expect([...hits, ...ownHits()]).toEqual([]);
  });

  test("S2: nothing is kept between visits that a program could have written", async () => {
    const page = await open();
    await page.evaluate(async () => {
      const archive = performance
        .getEntriesByType("resource")
        .find(({ name }) => /library|library\.gz/.test(name))?.name;
      const cache = await caches.open("glasstorch-playground");
      for (const key of [archive, `${archive}&modules`])
        await cache.put(key as string, new Response(JSON.stringify([["src/index.ts", 'console.log("poisoned")']])));
    });
    await page.reload();
    await ready(page);
    await write(page, well);
    await run(page);
    expect(await printed(page).textContent()).toBe("tensor([2., 2.])line 2");
  });

  test("S5: with its last line a program is over, whatever it has left behind", async () => {
    const page = await open();
    await write(
      page,
      `${torch}let n = 0;
setInterval(() => console.log("still here", n++), 20);
const again = () => Promise.resolve().then(() => setTimeout(again, 0));
again();
console.log(torch.ones([1]));
`,
    );
    await run(page);
    expect(await status(page).textContent()).toMatch(/^Ran/);
    const before = await printed(page).textContent();
    await page.waitForTimeout(1500);
    expect(await printed(page).textContent()).toBe(before);
    expect(runners(page)).toBe(1); // the next run's, which holds no program
  });
});

describe("S3: programs that call nothing of the library", () => {
  test.each([
    ["one line", 'console.log("hello");\n', "hello"],
    ["with the import", `${torch}console.log("hello");\n`, "hello"],
    [
      "an empty recording",
      'import { record } from "glasstorch/trace";\nrecord(() => 1 + 1);\nconsole.log("after");\n',
      "after",
    ],
    ["thousands of lines", 'for (let i = 0; i < 6000; i++) console.log("hello", i);\n', "the rest is left out"],
  ])("%s", async (_, text, expected) => {
    const page = await open();
    await write(page, text);
    await run(page);
    expect(await status(page).textContent()).toMatch(/^Ran/);
    expect(await printed(page).textContent()).toContain(expected);
    expect(await page.locator(".pg-result").textContent()).toContain("no function of the library was called");
    await unharmed(page, text);
  });

  test("nothing at all", async () => {
    const page = await open();
    await write(page, "\n");
    await run(page);
    expect(await status(page).textContent()).toMatch(/^Ran/);
    await unharmed(page, "");
  });
});

describe("S4: a program that speaks for the playground", () => {
  const forged = [
    { type: "failure", failure: null },
    { type: "claim" },
    { type: "console", level: "log", text: { toString: 1 }, line: {} },
    { type: "recorded", recording: { name: "x", trace: { format: "glasstorch-trace", version: 1, events: [null] } } },
    { type: "done", claims: Number.NaN },
    null,
  ];

  test.each([
    [
      "messages of its own",
      `for (const message of ${JSON.stringify(forged)}) try { self.postMessage(message); } catch {}
try { (0, eval)("postMessage")({ type: "failure", failure: null }); } catch {}
`,
    ],
    [
      "messages by the browser's prototypes",
      `const seen = [];
for (const patched of [Function.prototype, Object.prototype, Array.prototype, EventTarget.prototype])
  for (const name of Object.getOwnPropertyNames(patched))
    if (name === "call" || name === "apply" || name === "bind")
      Object.defineProperty(patched, name, { value: function (...all) { seen.push(this, ...all); return Reflect.apply(this, all[0], all.slice(1)); } });
console.log("patched");
for (const one of seen) try { one({ type: "failure", failure: null }); one.postMessage({ type: "claim" }); } catch {}
`,
    ],
    [
      "a recording that is none",
      `import { record } from "glasstorch/trace";
const made = record(() => 1);
Object.getPrototypeOf(made).toJSON = () => ({ format: "glasstorch-trace", version: 1, events: [{ id: {}, name: [] }, null] });
record(() => 2);
Object.getPrototypeOf(made).toJSON = () => ({ format: "glasstorch-trace", version: 1, events: 5 });
record(() => 3);
`,
    ],
    [
      "a recording of hostile steps",
      `import { record } from "glasstorch/trace";
const made = record(() => 1);
const loop = []; loop.push(loop);
const step = { id: 0, parent: null, kind: "op", name: "x", start: 0, end: 1, inputs: loop, outputs: { dtype: {} }, op: {}, how: {},
  source: { file: "../../../secret", line: 1 }, mirrors: { path: "../../../evil", symbol: {} }, args: [null], keyset: [1], loop };
Object.getPrototypeOf(made).toJSON = () => ({ format: "glasstorch-trace", version: 1, events: [step] });
record(() => 2);
`,
    ],
    [
      "errors that have no text",
      `const bad = new Proxy({}, { get() { throw new Error("no"); }, getPrototypeOf() { throw new Error("no"); } });
Promise.reject(bad);
class Odd extends Error { get name() { return { toString: null }; } get message() { return Symbol("x"); } get stack() { return 5; } }
throw new Odd();
`,
    ],
    ["an error in a timer", 'setTimeout(() => { throw new Error("late"); }, 0);\n'],
  ])("%s", async (_, text) => {
    const page = await open();
    await write(page, text);
    await run(page);
    await page.waitForTimeout(300);
    await unharmed(page, text);
  });

  test.each([
    ["long lines", "for (;;) console.log('x'.repeat(100_000));\n"],
    ["rejections", "for (let i = 0; i < 100_000; i++) Promise.reject(new Error('x'.repeat(1000)));\n"],
    ["warnings", "for (;;) console.warn(new Array(5000).fill('flood'));\n"],
    [
      "recordings",
      `${torch}import { record } from "glasstorch/trace";\nconst x = torch.ones([2]);\nfor (;;) record(() => x.add(1).mul(2));\n`,
    ],
    ["promises without end", "const again = () => Promise.resolve().then(again);\nawait again();\n"],
  ])("a flood of %s ends, and harms nothing", async (_, text) => {
    const page = await open();
    await write(page, text);
    await run(page);
    expect(await status(page).textContent()).toMatch(/^(Stopped|Ran|Ended)/);
    await unharmed(page, text);
  });
});

describe("S6: a file with a recording that somebody else has written", () => {
  const step = {
    id: 0,
    parent: null,
    kind: "native",
    name: "at::native::prelu",
    start: 0,
    end: 1,
    source: { file: "../../../../hit", line: 1 },
    mirrors: { path: "../../../../evil/repository", symbol: "x" },
  };
  const file = (events: unknown[]) => ({
    name: "hostile.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ format: "glasstorch-trace", version: 1, events })),
  });

  test("no link leaves PyTorch's repository, no request the site's sources", async () => {
    const page = await s.open("viewer/");
    await page.locator("input[type=file]").setInputFiles(file([step]));
    await page.locator(".gtv").waitFor();
    await page.waitForTimeout(500);
    expect(await page.locator('.gtv a[href*=".."]').count()).toBe(0);
    expect(ownHits()).toEqual([]);
  });

  test.each([
    ["steps that are none", [null, 5]],
    ["a step without a name", [{ ...step, name: {} }]],
    ["a kind that is none", [{ ...step, kind: "constructor" }]],
  ])("%s are refused in words", async (_, events) => {
    const page = await s.open("viewer/");
    await page.locator("input[type=file]").setInputFiles(file(events as unknown[]));
    await expect.poll(() => page.locator(".viewer-problem").textContent()).toContain("is no step");
  });

  test("fields of the wrong type are left out", async () => {
    const page = await s.open("viewer/");
    const odd = {
      op: {},
      how: [],
      args: [null],
      keyset: {},
      inputs: { dtype: 1 },
      error: {},
      node: "x",
      edges: [5],
      tls: 1,
    };
    await page.locator("input[type=file]").setInputFiles(file([{ ...step, ...odd }]));
    await page.locator(".gtv").waitFor();
    for (const name of ["Tree", "Timeline", "Elevator"]) await page.getByRole("tab", { name }).click();
    expect(await page.getByText("This page crashed").count()).toBe(0);
  });

  test("a packed file that unpacks without end", async () => {
    const page = await s.open("viewer/");
    const buffer = gzipSync(Buffer.alloc(450_000_000, 32), { level: 1 });
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "bomb.json.gz", mimeType: "application/gzip", buffer });
    await expect
      .poll(() => page.locator(".viewer-problem").textContent(), { timeout: 60_000 })
      .toContain("larger than");
  });
});
