/**
 * @file The playground's Python tab: programs run, are stepped through and fail at their line; an endless loop ends; nothing outside the worker
 * is reachable; TypeScript pays nothing for it.
 * @original
 */
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { phone, seriousFindings, shoot, site, test, themes } from "./support/site.ts";

const s = site();
const wide: BrowserContextOptions = { viewport: { width: 1480, height: 1000 } };

const panel = (page: Page): Locator => page.locator("#playground-panel-python");
const status = (page: Page): Locator => panel(page).locator(".pg-result > .pg-status");
const printed = (page: Page): Locator => panel(page).locator(".pg-console");
const button = (page: Page, name: string): Locator => panel(page).getByRole("button", { name, exact: true });

async function ready(page: Page): Promise<Page> {
  await expect.poll(() => status(page).textContent(), { timeout: 90_000 }).toContain("Ready");
  await panel(page).locator(".cm-content").waitFor();
  return page;
}

/** The page of the playground with the Python tab open. */
async function open(options: BrowserContextOptions = wide): Promise<Page> {
  const page = await s.open("playground/", options);
  await page.getByRole("tab", { name: "Python" }).click();
  return ready(page);
}

async function write(page: Page, text: string): Promise<void> {
  await panel(page).locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function run(page: Page, name = "Run"): Promise<void> {
  await button(page, name).click();
  await page.waitForTimeout(50);
  await expect.poll(() => status(page).textContent(), { timeout: 90_000 }).toMatch(/^(Ran|Ended|Stopped)/);
}

test("a program runs, prints and is recorded; below each line stands the way of its calls", async () => {
  const page = await open();
  await run(page);
  expect(await printed(page).textContent()).toMatch(/tensor\(\d\.\d+, grad_fn=<MeanBackward0>\)/);
  await panel(page).locator(".pg-recordings .gtv").waitFor();
  const way = panel(page).locator(".cm-way", { hasText: "prelu" });
  expect(await way.textContent()).toMatch(/^↳ prelu · \d+ steps$/);
  await way.click();
  await expect
    .poll(() => panel(page).locator(".pg-recordings .gtv-aloud").textContent())
    .toContain("y = F.prelu(values, weight)");
  await shoot(page, "python-run", false);
  // An edited line is another line.
  await write(page, "print(1)\n");
  expect(await panel(page).locator(".cm-way").count()).toBe(0);
});

test("the systems that capture programs come with the first program that uses them", async () => {
  const page = await open();
  const graphs = (): number => s.served.sent.filter(({ path }) => path.includes("/graphs.pack")).length;
  expect(graphs()).toBe(0);
  const program = `import torch
def f(x):
    return torch.relu(x) + 1
print(torch.fx.symbolic_trace(f).code)
scripted = torch.jit.script(f)
print(scripted.code, scripted(torch.ones(2)))
`;
  await write(page, program);
  await run(page);
  const said = await printed(page).textContent();
  expect(await status(page).textContent()).toMatch(/^Ran/);
  expect(said).toContain("relu = torch.relu(x);  x = None");
  expect(said).toContain("def f(x: Tensor) -> Tensor:");
  expect(said).toContain("tensor([2., 2.])");
  expect(graphs()).toBe(1);
  await shoot(page, "python-graphs", false);
});

test("a program is stepped through by line and by instruction, forth and back", async () => {
  const page = await open();
  await write(page, "def add(a, b):\n    c = a + b\n    return c\n\nx = add(1, 2)\nprint(x)\n");
  await run(page, "Step");
  const steps = panel(page).locator(".pg-steps");
  const line = steps.locator(".pg-steps-line");
  expect(await line.textContent()).toBe("line 1 def add(a, b):");
  await button(page, "Next line").click();
  expect(await line.textContent()).toBe("line 5 x = add(1, 2)");
  expect(await panel(page).locator(".cm-step").textContent()).toBe("x = add(1, 2)");
  await button(page, "Next line").click();
  await button(page, "Next line").click();
  expect(await line.textContent()).toBe("line 2 in add c = a + b");
  expect(await steps.locator(".pg-frames li").allTextContents()).toEqual(["add line 2", "<module> line 5"]);
  expect(await steps.locator(".pg-variables div").allTextContents()).toEqual(["a1", "b2"]);
  await button(page, "Next instruction").click();
  await button(page, "Next instruction").click();
  expect(await steps.locator(".pg-values li").allTextContents()).toEqual(["2", "1"]);
  expect(await steps.locator("[aria-current] th").textContent()).toBe("BINARY_OP");
  await button(page, "Instruction before").click();
  expect(await steps.locator(".pg-values li").allTextContents()).toEqual(["1"]);
  await steps.getByRole("button", { name: /<module>/ }).click();
  expect(await steps.locator(".pg-variables div").allTextContents()).toEqual(["add<function add>"]);
  await button(page, "Out of this function").click();
  expect(await line.textContent()).toBe("line 5 x = add(1, 2)");
  await steps.getByRole("slider").press("End");
  expect(await line.textContent()).toBe("line 6 print(x)");
  expect(await printed(page).textContent()).toContain("3");
});

test("an error is CPython's traceback, and the editor goes to its line", async () => {
  const page = await open();
  await write(page, `import torch\n\ndef f(x):\n    return x.view(5)\n${"\n".repeat(60)}f(torch.ones(2, 3))\n`);
  await run(page);
  expect(await status(page).textContent()).toContain("Ended by an error");
  expect(await printed(page).locator("pre").textContent()).toBe(
    `Traceback (most recent call last):
  File "program.py", line 65, in <module>
    f(torch.ones(2, 3))
  File "program.py", line 4, in f
    return x.view(5)
           ^^^^^^^^^
RuntimeError: shape '[5]' is invalid for input of size 6`,
  );
  await expect.poll(() => panel(page).locator(".cm-activeLine").textContent()).toBe("    return x.view(5)");
  expect(await panel(page).locator(".cm-lint-marker-error").count()).toBe(1);
  await shoot(page, "python-error", false);
  await write(page, "x = = 1\n");
  await run(page);
  expect(await printed(page).textContent()).toContain("SyntaxError: invalid syntax");
});

test("an endless loop ends by the machine's limit, and the page lives", async () => {
  const page = await open();
  await write(page, "n = 0\nwhile True:\n    n += 1\n");
  await run(page);
  expect(await printed(page).textContent()).toContain("RuntimeError: the program reached its limit of instructions");
  await write(page, "while True:\n    try:\n        while True: pass\n    except RuntimeError: pass\n");
  await run(page);
  expect(await status(page).textContent()).toMatch(/^Stopped: the program did not answer for 5 seconds/);
  await write(page, "kept = []\nwhile True:\n    kept.append('x' * 10_000_000 + str(len(kept)))\n");
  await run(page);
  expect(await status(page).textContent()).toMatch(/^(Ended by an error|Stopped)/);
  await write(page, "print(1 + 1)\n");
  await run(page);
  expect(await printed(page).textContent()).toContain("2");
});

test("neither the network nor storage nor a file of the host is reachable", async () => {
  const page = await open();
  await page.evaluate(() => localStorage.setItem("secret", "of the page"));
  const before = s.served.sent.length;
  await write(
    page,
    `import os, sys, torch
print(os.listdir("/"), dict(os.environ), sys.argv)
for name in ["socket", "urllib.request", "http.client", "subprocess", "ctypes", "js", "pyodide"]:
    try:
        __import__(name)
        print("there is", name)
    except ImportError as error:
        print(error)
for make in [lambda: torch.hub.load_state_dict_from_url("${s.served.url}hit"),
             lambda: torch.hub.download_url_to_file("${s.served.url}hit", "x"),
             lambda: open("/etc/hostname"), lambda: torch.load("/etc/hostname")]:
    try:
        make()
        print("made")
    except Exception as error:
        print(type(error).__name__)
for owner in [torch, torch.nn, torch.ones, torch.Tensor, print, (lambda: 0), [], {}]:
    for name in ["constructor", "__proto__", "globalThis", "fetch", "localStorage", "indexedDB", "caches"]:
        try:
            found = getattr(owner, name)
            print("found", name, found)
        except (AttributeError, NotImplementedError):
            pass
`,
  );
  await run(page);
  const output = (await printed(page).textContent()) ?? "";
  expect(output).toContain("['tmp'] {} ['program.py']");
  expect(output).not.toMatch(/there is|made|found|secret/);
  expect(s.served.sent.slice(before).filter(({ path }) => path.includes("hit"))).toEqual([]);
});

test("an address brings a Python program to its tab, and nothing of it runs before a click", async () => {
  const page = await open();
  await write(page, 'print("from the address")\n');
  await button(page, "Share").click();
  await expect.poll(() => page.url()).toContain("#try=");
  const address = page.url();
  await page.context().close();
  const other = await s.open(address.slice(s.served.url.length), wide);
  await ready(other);
  expect(await other.getByRole("tab", { name: "Python" }).getAttribute("aria-selected")).toBe("true");
  expect(await status(other).textContent()).toContain("it runs only when you press Run");
  expect(await panel(other).locator(".cm-content").textContent()).toContain("from the address");
  expect(await printed(other).count()).toBe(0);
  await run(other);
  expect(await printed(other).textContent()).toContain("from the address");
});

test("Run it below a program of a page brings it to the Python tab", async () => {
  const page = await s.open("python-here/", wide);
  await page.getByRole("button", { name: "Run it" }).first().click();
  await ready(page);
  expect(await panel(page).locator(".cm-content").textContent()).toContain("class Net(nn.Module)");
  await run(page);
  expect(await printed(page).textContent()).toMatch(/loss after 40 steps: 0\.\d+/);
});

test("a block that cannot run says why", async () => {
  const page = await s.open("walkthroughs/simd/");
  expect(await page.locator(".code-why").textContent()).toBe(
    "This does not run here. It asks PyTorch how its binaries were built.",
  );
});

const kilobytes = (): number => s.served.sent.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
const ofPython = (): string[] =>
  s.served.sent.map(({ path }) => path).filter((path) => /\/(?:for-)?python\.pack$/.test(path));

test("the Python machine comes with the first Python program, and not with TypeScript", async () => {
  s.served.sent.length = 0;
  const page = await s.open("playground/", wide);
  await expect
    .poll(() => page.locator(".pg-result > .pg-status").textContent(), { timeout: 90_000 })
    .toContain("Ready");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => page.locator(".pg-result > .pg-status").textContent(), { timeout: 90_000 }).toMatch(/^Ran/);
  await s.quiet();
  console.log(`playground after a TypeScript run: ${kilobytes().toFixed(0)} KB`);
  expect(ofPython()).toEqual([]);
  await page.getByRole("tab", { name: "Python" }).click();
  await ready(page);
  await run(page);
  await s.quiet();
  console.log(`playground after a Python run, too: ${kilobytes().toFixed(0)} KB`);
  expect(ofPython().length).toBe(2);
  expect(s.served.sent.filter(({ path }) => path.endsWith("/rest.pack"))).toEqual([]);
  expect(kilobytes()).toBeLessThan(2000);
});

test.each(themes)("the Python tab is accessible and looks right: %s", async (colorScheme) => {
  const page = await open({ ...wide, colorScheme });
  await run(page, "Step");
  await button(page, "Next line").click();
  await panel(page).locator(".pg-recordings .gtv").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await shoot(page, `python-steps-${colorScheme}`);
});

test("on a phone nothing is wider than the page", async () => {
  const page = await open(phone);
  await run(page, "Step");
  await button(page, "Next line").click();
  await panel(page).locator(".pg-recordings .gtv").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await shoot(page, "python-steps-phone");
});
