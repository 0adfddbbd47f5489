/**
 * @file `npm run bench:peers -- --webgpu`: glasstorch's WebGPU device beside the WebGPU backends of TensorFlow.js and jax-js, in one Chromium, each
 * row of each library in a page and a worker of its own, in turns. The browser is that of `test/webgpu`.
 * @original
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium_options } from "../../../tools/unpack_chromium.ts";
import { ROOT } from "../../program.ts";
import { LINKS, name_of, ROWS, type Row } from "./rows.ts";
import type { Timed } from "./serve.ts";

const FOLDER = join(ROOT, "bench/peers");
const BROWSER = join(ROOT, "test/webgpu/node_modules/");
const LIBRARIES = ["glasstorch", "tfjs", "jax-js"] as const;
type Library = (typeof LIBRARIES)[number];

/** How far a sum of a peer's digest may be from ours: a part of ours, or of 1 where ours is less. */
const TOLERANCE = 1e-3;

type Answer = Timed | { readonly failed: string };

/** The part of playwright that is used: its types are in a package of `test/webgpu`. */
interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(text: string): Promise<unknown>;
  close(): Promise<void>;
}
interface Browser {
  newPage(): Promise<Page>;
  version(): string;
  close(): Promise<void>;
}
interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}

/** A sentence about the packages that must be installed first; null if all are. */
export function lacking(): string | null {
  if (!existsSync(join(FOLDER, "node_modules/@tensorflow/tfjs-backend-webgpu")))
    return "The other libraries are not installed: npm ci --prefix bench/peers";
  return existsSync(join(BROWSER, "playwright-core")) ? null : "There is no browser: npm ci --prefix test/webgpu";
}

async function script_of(library: Library): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, `webgpu/${library}.ts`)],
    bundle: true,
    minify: true, // our server is sent to its worker as text: no name of it may be another's
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/** A page for each library, isolated: our worker waits on shared memory. */
async function served(): Promise<{ origin: string; close: () => void }> {
  const scripts = new Map<string, string>();
  for (const library of LIBRARIES) scripts.set(`/${library}.js`, await script_of(library));
  const server = createServer(({ url = "/" }, response) => {
    const script = scripts.get(url);
    response.writeHead(200, {
      "content-type": script === undefined ? "text/html" : "text/javascript",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    response.end(script ?? `<!doctype html><meta charset="utf-8">`);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Flags for a software GPU on Linux, as in the tests; `WEBGPU_ADAPTER=system` uses the system's GPU. */
function flags(): string[] {
  const software = process.platform === "linux" && process.env["WEBGPU_ADAPTER"] !== "system";
  return ["--enable-unsafe-webgpu", ...(software ? ["--use-webgpu-adapter=swiftshader"] : [])];
}

interface Adapter {
  readonly name: string;
  readonly software: boolean;
}

async function adapter_of(page: Page): Promise<Adapter | null> {
  const asked = `(async () => {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) return null;
    const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
    const name = [vendor, architecture, description].filter(Boolean).join(" ");
    return { name, software: isFallbackAdapter === true || /swiftshader|llvmpipe/i.test(name) };
  })()`;
  return (await page.evaluate(asked)) as Adapter | null;
}

async function alone(browser: Browser, origin: string, library: Library, row: Row): Promise<Answer> {
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    const asked = `new Promise((resolve) => {
      const worker = new Worker("/${library}.js", { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => resolve({ failed: message ?? "the script does not load" });
      worker.postMessage(${JSON.stringify(row)});
    })`;
    return (await page.evaluate(asked)) as Answer;
  } finally {
    await page.close();
  }
}

/** Says where a library's digest is not ours; null where it is. */
function disagreement(ours: readonly number[], theirs: readonly number[]): string | null {
  if (ours[0] !== theirs[0]) return `${theirs[0]} numbers, not ${ours[0]}`;
  const at = ours.findIndex((sum, i) => !(Math.abs(sum - theirs[i]) <= TOLERANCE * Math.max(1, Math.abs(sum))));
  return at === -1 ? null : `sum ${at} of its digest is ${theirs[at]}, ours ${ours[at]}`;
}

const line = (name: string, cells: readonly string[]): string =>
  name.padEnd(38) + cells.map((cell) => cell.padStart(13)).join("");

function versions(): string {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return `tfjs-backend-webgpu ${dependencies["@tensorflow/tfjs-backend-webgpu"]}, jax-js ${dependencies["@jax-js/jax"]}`;
}

/** The least of all turns for a row, and what is wrong with the answers. */
async function in_turns(
  turns: number,
  row: Row,
  ask: (library: Library) => Promise<Answer>,
): Promise<{ ms: Map<Library, number>; remarks: string[] }> {
  const ms = new Map<Library, number>();
  const remarks = new Set<string>();
  let ours: readonly number[] | null = null;
  for (let turn = 0; turn < turns; turn++)
    for (const library of LIBRARIES) {
      const answer = await ask(library);
      if ("failed" in answer) {
        remarks.add(`${library}, ${name_of(row)}: FAILED, ${answer.failed.split("\n").slice(0, 3).join(" ")}`);
        continue;
      }
      if (library === "glasstorch") ours = answer.digest;
      const wrong = ours === null ? null : disagreement(ours, answer.digest);
      if (wrong !== null) remarks.add(`${library}, ${name_of(row)}: DISAGREES, ${wrong}`);
      ms.set(library, Math.min(ms.get(library) ?? Number.POSITIVE_INFINITY, answer.ms));
    }
  return { ms, remarks: [...remarks] };
}

export async function webgpu_rows(turns: number, only: RegExp): Promise<void> {
  const { chromium } = createRequire(BROWSER)("playwright-core") as Playwright;
  const { origin, close } = await served();
  const browser = await chromium.launch(await chromium_options(BROWSER, flags()));
  const remarks: string[] = [];
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const adapter = await adapter_of(page);
    if (adapter === null) throw new Error("this browser offers no WebGPU adapter");
    console.log(`Chromium ${browser.version()}, WebGPU on ${adapter.name}; ${versions()}; the least of ${turns} turns`);
    if (adapter.software) console.log("A GPU of software: not measured on a GPU. Its ratios say little of one.");
    console.log(`\n${line("ms until one element is read", [...LIBRARIES, "tfjs / ours", "jax-js / ours"])}`);
    for (const row of ROWS.filter((row) => only.test(name_of(row)))) {
      const told = await in_turns(turns, row, (library) => alone(browser, origin, library, row));
      remarks.push(...told.remarks);
      const [ours, ...theirs] = LIBRARIES.map((library) => told.ms.get(library));
      const show = (ms: number | undefined): string => (ms === undefined ? "-" : ms.toFixed(ms < 10 ? 2 : 1));
      const ratio = (ms: number | undefined): string =>
        ms === undefined || ours === undefined ? "-" : (ms / ours).toFixed(2);
      console.log(line(name_of(row), [show(ours), ...theirs.map(show), ...theirs.map(ratio)]));
    }
    console.log(`\nAbove 1 we are faster. tfjs computes the ${LINKS} adds on the CPU: it forwards small tensors.`);
    console.log(remarks.length === 0 ? `all digests agree within ${TOLERANCE}` : remarks.join("\n"));
  } finally {
    await browser.close();
    close();
  }
}
