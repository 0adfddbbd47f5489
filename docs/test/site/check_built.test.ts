/**
 * @file The check of the built pages finds what it is for: each fault is put into a page that has none.
 * @original
 */
import { expect, test } from "vitest";
import { type BuiltSite, complaints, visibleText } from "../../site/check_built.ts";
import { makeContext } from "../../site/context.ts";
import { copySources } from "../../site/copy_sources.ts";

const page = (body: string): BuiltSite => ({
  pages: new Map([["a/", `<html><main class="x">${body}</main></html>`]]),
  lines: (file) => (file === "src/a.ts" ? 10 : null),
  folder: (path) => path === "src/",
});

test("a page without faults has none", () => {
  const links = '<a href="/s/source/?file=src/a.ts#L10">a</a> <a href=/source/?file=src/>b</a>';
  expect(complaints(page(`<p>An undefined tensor.</p><code>undefined</code>${links}`))).toEqual([]);
});

test.each([
  ["<p>✓ undefined claims of this page</p>", "says: …✓ undefined claims"],
  ["<b>[object Object]</b>", "[object Object]"],
  ['<a href="/source/?file=test/b.test.ts">b</a>', "test/b.test.ts, which is not served"],
  ["<a href=/source/?file=src/a.ts#L11>b</a>", "src/a.ts#L11, but the file has 10 lines"],
  ["<a href=/source/?file=lib/>b</a>", "the folder lib/"],
])("%s is found", (body, words) => {
  expect(complaints(page(body)).join()).toContain(words);
});

test("a page without a main part is found", () => {
  expect(complaints({ ...page(""), pages: new Map([["b/", "<html><p>b</p></html>"]]) })).toEqual(["/b/ has no <main>"]);
});

test("scripts and code are no prose", () => {
  expect(visibleText("<script>let a = undefined</script><p>one<br>two</p><pre>undefined</pre>").trim()).toBe("onetwo");
});

test("the sources that pages link to are served: tests and tools too", async () => {
  const written = new Set<string>();
  const context = makeContext();
  await copySources({
    ...context,
    out: "/nowhere/",
    write: (path) => void written.add(path.replace(/^.*source\//, "")),
  });
  for (const file of [
    "test/opinfo/opinfo.test.ts",
    "tools/trace-viewer/test/chrome.test.ts",
    "src/c10/core/TensorImpl/index.ts",
    "tools/check_marks.ts",
  ])
    expect(written).toContain(`${file}.txt`);
  expect([...written].filter((file) => file.includes("node_modules"))).toEqual([]);
});
