/** `npm run python`: programs, their arguments, modules beside them, exit statuses and tracebacks. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

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

test("a text, instructions, and a file that is not there", () => {
  expect(run("-c", "import sys; print(sys.argv)", "x").stdout).toBe("['-c', 'x']\n");
  expect(run("--dis", "-c", "x = 1").stdout).toContain("STORE_NAME");
  const missing = run(join(folder, "none.py"));
  expect(missing.status).toBe(2);
  expect(missing.stderr).toContain("[Errno 2] No such file or directory");
});
