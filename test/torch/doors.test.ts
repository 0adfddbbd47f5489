/** Parts of `torch` that are loaded at their first use. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { door, doors } from "../../src/torch/_doors.ts";
import { imports_of, read_sources } from "../../tools/imports_of.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "glasstorch-doors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LIBRARY = ["--import", "tsx", "--import", "./tools/module_loader/register.ts"];
function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

test("the core loads neither fx nor Python's machine", () => {
  const files = read_sources(root, ["src"]);
  const reached = new Set(["src/index.ts"]);
  for (const path of reached)
    for (const { to, type_only } of imports_of(path, files.get(path) as string))
      if (!type_only && files.has(to)) reached.add(to);
  expect(reached.size).toBeGreaterThan(800);
  const loaded = [...reached].filter((path) =>
    /^src\/(?:fx|jit|export|python|python_modules)\.ts$|^src\/torch\/(?:fx|export|_export|_dynamo|_higher_order_ops|_bodies|_dispatch|_subclasses)\/|^src\/aten\/Functional(?:Storage|Tensor)/.test(
      path,
    ),
  );
  expect(loaded).toEqual([]);
  // Values that the library and Python share, without the machine.
  const shared = [...reached].filter((path) => path.startsWith("src/python/")).map((path) => path.slice(11, -3));
  expect(shared.sort()).toEqual([
    ...["allocated", "bytesobject", "floatobject", "library_exceptions", "not_implemented", "slice_values"].map(
      (name) => `Objects/${name}`,
    ),
    ...["Objects/tupleobject", "bridge/positional_dicts"],
  ]);
});

test("a program that uses torch.fx loads it at once, with the library that runs", () => {
  const file = join(folder, "program.mts");
  writeFileSync(
    file,
    `import torch from "${join(root, "src/index.ts")}";
import { library_name } from "${join(root, "src/torch/fx/qualified_names.ts")}";
const before = Object.keys(torch.fx).length;
console.log(before, typeof torch.fx.symbolic_trace, "symbolic_trace" in torch.fx, library_name(torch.relu));
console.log((torch.fx as any).no_such_name, (torch.fx as any).then, Object.keys(torch.fx).includes("symbolic_trace"));
`,
  );
  expect(run([...LIBRARY, file])).toBe("0 function true torch.relu\nundefined undefined true\n");
});

test("a Python program imports it, and its parts, by every kind of import", () => {
  const file = join(folder, "program.py");
  writeFileSync(
    file,
    `import torch
print(callable(torch.fx.symbolic_trace), torch.fx.__name__)
import torch.fx as fx
from torch.fx import symbolic_trace
print(fx is torch.fx, symbolic_trace is fx.symbolic_trace)
try:
    fx.no_such_name
except AttributeError as e:
    print(e)
try:
    from torch.fx import no_such_name
except ImportError as e:
    print(e)
`,
  );
  expect(run([...LIBRARY, "tools/python.ts", file])).toBe(`True torch.fx
True True
module 'torch.fx' has no attribute 'no_such_name'
cannot import name 'no_such_name' from 'torch.fx' (unknown location)
`);
});

test("where nothing can be loaded, the error names the import", () => {
  const { require } = doors;
  const asked: string[] = [];
  try {
    doors.require = null;
    const other = door<{ f?: () => void }>("torch.fx", {}, "no_such_entry");
    expect(() => other.f).toThrow(
      'torch.fx is a part of its own, which cannot be loaded from here: write import "glasstorch/no_such_entry" before its first use',
    );
    expect(Object.keys(other)).toEqual([]);
    doors.require = (entry) => {
      asked.push(entry);
      doors.open(entry, { f: () => 1 });
    };
    expect(other.f).toBeTypeOf("function");
    expect((other as { g?: unknown }).g).toBe(undefined);
    expect("g" in other).toBe(false);
    expect(asked).toEqual(["no_such_entry"]);
    other.f = undefined as never;
    expect(other.f).toBe(undefined);
  } finally {
    doors.require = require;
  }
});
