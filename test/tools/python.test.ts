/** `npm run python`: programs, their arguments, modules beside them, exit statuses and tracebacks. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { TraceFile } from "#trace/Trace";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "glasstorch-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--import", "./tools/module_loader/register.ts", "tools/python.ts", ...args],
    { cwd: root, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

test("a program gets its arguments and finds modules beside it; sys.exit sets the status", () => {
  writeFileSync(join(folder, "beside.py"), "def twice(x):\n    return 2 * x\n");
  const main = join(folder, "main.py");
  writeFileSync(
    main,
    "import sys, torch\nfrom beside import twice\nprint(sys.argv[1:], twice(torch.ones(2)))\nsys.exit(3)\n",
  );
  expect(run(main, "a", "--b")).toEqual({ status: 3, stdout: "['a', '--b'] tensor([2., 2.])\n", stderr: "" });
});

test("an exception ends the program with its traceback", () => {
  const file = join(folder, "fails.py");
  writeFileSync(file, "import torch\ntorch.ones(2) + torch.ones(3)\n");
  const { status, stderr } = run(file);
  expect(status).toBe(1);
  expect(stderr).toBe(
    `Traceback (most recent call last):\n  File "${file}", line 2, in <module>\n    torch.ones(2) + torch.ones(3)\n` +
      "    ~~~~~~~~~~~~~~^~~~~~~~~~~~~~~\n" +
      "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0\n",
  );
});

test("--trace writes the recording of a program, also of one that fails", () => {
  const file = join(folder, "traced.py");
  const text = "import torch, sys\nx = torch.ones(2)\nprint(x + 1, sys.argv[1:])\nx + torch.ones(3)\n";
  writeFileSync(file, text);
  const out = join(folder, "traced.json");
  const { status, stdout, stderr } = run("--trace", out, file, "a");
  expect([status, stdout]).toEqual([1, "tensor([2., 2.]) ['a']\n"]);
  expect(stderr).toBe(run(file, "a").stderr);
  const trace = JSON.parse(readFileSync(out, "utf8")) as TraceFile;
  expect(trace.sources).toEqual({ [file]: text });
  const lines = trace.events.filter((event) => event.kind === "line");
  expect(lines.map((event) => [event.name, event.source?.line])).toEqual([
    ["x = torch.ones(2)", 2],
    ["print(x + 1, sys.argv[1:])", 3],
    ["x + torch.ones(3)", 4],
  ]);
  expect(lines.at(-1)?.error).toContain("must match the size of tensor b (3)");

  const tree = run(
    "--trace",
    join(folder, "tree.txt"),
    "--format=text",
    "--detail",
    "full",
    "-c",
    "import torch; torch.ones(1)",
  );
  expect(tree).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(folder, "tree.txt"), "utf8")).toMatch(/^ python +.*└ CALL +offset \d+$/m);
  expect(run("--format", "html", file).stderr).toMatch(/^usage: python /);
  const nowhere = run("--trace", join(folder, "none/out.json"), "-c", "print(1)");
  expect([nowhere.status, nowhere.stdout]).toEqual([1, "1\n"]);
  expect(nowhere.stderr).toContain("can't write the recording");
}, 300_000);

test("a text, instructions, and a file that is not there", () => {
  expect(run("-c", "import sys; print(sys.argv)", "x").stdout).toBe("['-c', 'x']\n");
  expect(run("--dis", "-c", "x = 1").stdout).toContain("STORE_NAME");
  const missing = run(join(folder, "none.py"));
  expect(missing.status).toBe(2);
  expect(missing.stderr).toContain("[Errno 2] No such file or directory");
});
