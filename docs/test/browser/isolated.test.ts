/**
 * @file Where a host isolates the site (two headers), the program's worker shares memory with workers that the page starts beside it.
 * @original
 */
import { expect } from "vitest";
import { printed, ready, run, write } from "./support/playground.ts";
import { site, test } from "./support/site.ts";

const s = site({
  headers: { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" },
});

test("a program has shared memory, and may wait", async () => {
  const page = await ready(await s.open("playground/"));
  await write(
    page,
    `const words = new Int32Array(new SharedArrayBuffer(8));
console.log(crossOriginIsolated, Atomics.wait(words, 0, 0, 10));
`,
  );
  await run(page);
  expect(await printed(page).textContent()).toContain("true timed-out");
});

test("what the page gives to two workers of the policy is one memory", async () => {
  const page = await ready(await s.open("playground/"));
  const seen = await page.evaluate(async () => {
    const frame = document.querySelector<HTMLIFrameElement>("iframe[srcdoc]")?.contentWindow as Window &
      typeof globalThis;
    const start = (script: string): Worker =>
      new frame.Worker(frame.URL.createObjectURL(new frame.Blob([script], { type: "text/javascript" })));
    const waits = start("onmessage = ({ data }) => { Atomics.wait(data, 0, 0, 5000); postMessage(data[0]); }");
    const tells = start("onmessage = ({ data }) => { Atomics.store(data, 0, 7); Atomics.notify(data, 0); }");
    const words = new Int32Array(new SharedArrayBuffer(4));
    const answer = new Promise<number>((resolve) => {
      waits.onmessage = ({ data }) => resolve(data);
    });
    waits.postMessage(words);
    tells.postMessage(words);
    return [await answer, words[0]];
  });
  expect(seen).toEqual([7, 7]);
});
