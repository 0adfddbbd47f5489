/**
 * @file The library in the playground's engine: it loads as it does elsewhere, and its files can be edited.
 * @original
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../tools/codegen/generate.ts";
import { problemOf, readsOf, regenerate } from "../../src/playground/engine/codegen.ts";
import { Library } from "../../src/playground/engine/library.ts";
import { movedRows } from "../../src/playground/engine/moved_rows.ts";
import { SyntaxProblem, transpile } from "../../src/playground/engine/transpile.ts";
import { edit, library, root, run } from "./tree.ts";

const program = `
import torch from "glasstorch";
const x = torch.tensor([-2, -1, 3.5]);
console.log(torch.prelu(x, torch.tensor([0.5])));`;

const registrations = `
let kernels = 0;
for (const op of torch._C._dispatch_get_all_op_names()) kernels += torch._C._dispatch_dump(op).split("\\n").length;
console.log(torch._C._dispatch_get_all_op_names().length, kernels);`;

test("as many operators and kernels are registered as under Node", async () => {
  const { output } = await run(await library(), `import torch from "glasstorch";${registrations}`);
  const node = execFileSync(
    process.execPath,
    [
      join(root, "node_modules/tsx/dist/cli.mjs"),
      "-e",
      `import("./src/index.ts").then(({ default: torch }) => {${registrations}})`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(output).toBe(node.trim());
  expect(Number(output.split(" ")[1])).toBeGreaterThan(2000);
});

test("a change of a scalar function changes the result", async () => {
  const lib = await library();
  expect((await run(lib, program)).output).toBe("tensor([-1.0000, -0.5000,  3.5000])");
  edit(
    lib,
    "src/aten/native/cpu/Activation/index.ts",
    "return input > 0 ? input : weight * input;",
    "return input > 0 ? input : 10 * input;",
  );
  expect((await run(lib, program)).output).toBe("tensor([-20.0000, -10.0000,   3.5000])");
  expect(lib.regenerated()).toContain("src/aten/native/cpu/generated/Activation/index.ts");
  lib.edit("src/aten/native/cpu/Activation/index.ts", null);
  expect((await run(lib, program)).output).toBe("tensor([-1.0000, -0.5000,  3.5000])");
  expect(lib.regenerated()).toEqual([]);
});

test("a change of a scalar function is in the loops of every machine", async () => {
  const lib = await library();
  edit(
    lib,
    "src/aten/native/cpu/Activation/index.ts",
    "return input > 0 ? input : weight * input;",
    "return input > 0 ? input : weight * input - 1;",
  );
  const long = `import torch from "glasstorch";
const x = torch.arange(-10, 10, { dtype: torch.float32 });
console.log(torch.prelu(x, torch.tensor([0.5])).sum().item());
`;
  for (const [capability, loop] of [
    ["default", "DEFAULT"],
    ["simd128", "SIMD128"],
  ] as const) {
    const { output, recorded } = await run(lib, long, { capability });
    delete process.env["ATEN_CPU_CAPABILITY"];
    expect(output).toBe(String(45 - 55 / 2 - 11)); // zero is not above zero
    const loops = recorded[0].recording.trace.events.filter((e) => e.name === "at::native::prelu" && e.kind === "loop");
    expect(loops.map((e) => e["capability"])).toEqual([loop]);
  }
});

test("a new function shows in full detail at its line", async () => {
  const lib = await library();
  const path = "src/aten/native/Activation/index.ts";
  edit(
    lib,
    path,
    "export function prelu(",
    "function seen(x: Tensor): Tensor {\n  return x.mul_Scalar(Scalar.ONE);\n}\n\nexport function prelu(",
  );
  edit(lib, path, "return at._prelu_kernel(self, weight);", "return at._prelu_kernel(seen(self), weight);");
  const { recorded, failure } = await run(lib, program, { detail: "full" });
  expect(failure).toEqual([]);
  const events = recorded[0]?.recording.trace.events ?? [];
  const mine = events.find((e) => e.kind === "function" && e.name === "seen");
  const lines = lib.text(path)?.split("\n") ?? [];
  expect(lines[(mine?.source?.line ?? 0) - 1]).toContain("return x.mul_Scalar(Scalar.ONE);");
  // What stood below it has moved; the index knows.
  const kernel = events.find((e) => e.name === "at::native::_prelu_kernel");
  expect(lines[(kernel?.source?.line ?? 0) - 1]).toContain("function _prelu_kernel(");
});

test("a line added to a kernel file: exactly what codegen would make", async () => {
  const lib = await library();
  for (const path of ["src/aten/native/cpu/Activation/index.ts", "src/aten/native/Blas.ts"])
    lib.edit(path, `// One more line.\n${lib.text(path)?.replace("weight * input;", "2 * weight * input;")}`);
  await lib.modules();
  const { outputs } = generate(
    new Map(
      lib.paths().map((p) => [p, lib.edited().includes(p) ? (lib.text(p) as string) : (lib.pristine.get(p) as string)]),
    ),
  );
  expect(lib.regenerated()).toEqual([
    "src/aten/native/cpu/generated/Activation/index.ts",
    "src/aten/native/cpu/generated/Activation/index.SIMD128.ts",
    "src/aten/native/webgpu/generated/Activation/index.wgsl.ts",
  ]);
  for (const path of lib.regenerated()) expect(lib.text(path)).toBe(outputs.get(path));
});

/** A library that has nothing, and the paths that it has read. */
async function empty(): Promise<{ lib: Library; read: string[]; readText: (path: string) => Promise<string> }> {
  const all = await library();
  const lib = new Library(
    async (batch) => batch.map(([path, text]) => transpile(path, text)),
    async (tree, pristine, edited, whole) => {
      const reads = whole ? [] : readsOf(tree, pristine, edited);
      return reads === null || reads.some((path) => !pristine.has(path))
        ? { reads }
        : regenerate(tree, pristine, edited);
    },
  );
  const read: string[] = [];
  const readText = async (path: string): Promise<string> => {
    read.push(path);
    const text = all.pristine.get(path);
    if (text === undefined) throw new Error(`${path} is not there`);
    return text;
  };
  return { lib, read, readText };
}

test("an edit of one file reads that file; a kernel's, what codegen reads for it; a schema's, everything", async () => {
  const plain = await empty();
  const activation = "src/aten/native/Activation/index.ts";
  await plain.lib.read(activation, plain.readText);
  edit(plain.lib, activation, "export function prelu(", "// An edit.\nexport function prelu(");
  const modules = await plain.lib.changedModules(plain.readText);
  expect(modules?.map(({ path }) => path)).toEqual([activation]);
  expect(plain.read).toEqual([activation]);

  const kernel = await empty();
  const path = "src/aten/native/cpu/Activation/index.ts";
  await kernel.lib.read(path, kernel.readText);
  edit(kernel.lib, path, "return input > 0 ? input : weight * input;", "return input > 0 ? input : 10 * input;");
  const made = await kernel.lib.changedModules(kernel.readText);
  const whole = await library();
  edit(whole, path, "return input > 0 ? input : weight * input;", "return input > 0 ? input : 10 * input;");
  await whole.modules();
  expect(made?.map(({ path }) => path).sort()).toEqual([path, ...whole.regenerated()].sort());
  for (const each of whole.regenerated()) expect(kernel.lib.text(each)).toBe(whole.text(each));
  expect(kernel.read.length).toBeLessThan(40);

  const schema = await empty();
  const yaml = "src/aten/native/native_functions.yaml";
  await schema.lib.read(yaml, schema.readText);
  edit(schema.lib, yaml, "    CPU: dot\n", "    CPU: dott\n");
  expect(await schema.lib.changedModules(schema.readText)).toBeNull();
  schema.lib.take(whole);
  expect(problemOf(await schema.lib.modules().catch((error) => error))?.message).toContain("dott");
});

test("the rows of an edited file: each function at its new line, a new one as ours", () => {
  const before = {
    mirrors: "aten/a.cpp",
    prefix: "at::native::",
    symbols: [
      ["f", 1],
      ["g", 4],
    ] as const,
  };
  const text = "\nfunction added() {\n}\nexport function f() {\n}\n// moved\nexport function g() {\n}\n";
  expect(movedRows(before, "src/a.ts", text).symbols).toEqual([
    ["added", 2, "", "~"],
    ["f", 4],
    ["g", 7],
  ]);
});

test("a YAML line: all of codegen runs", async () => {
  const lib = await library();
  const rename = (path: string) => {
    const text = lib.text(path) as string;
    // The entries of `dot` and `dot.out`, up to the next empty line each.
    lib.edit(
      path,
      text.replace(/^- (?:func|name): dot[.(][\s\S]*?\n\n/gm, (entry) =>
        entry.replace(/\btensor(?=\b|_[pt]\b)/g, "other"),
      ),
    );
  };
  rename("src/aten/native/native_functions.yaml");
  rename("tools/codegen/autograd/derivatives.yaml");
  const { output, failure } = await run(
    lib,
    `import torch from "glasstorch"; console.log(String(torch._C._get_schema("aten::dot", "")));`,
  );
  expect(failure).toEqual([]);
  expect(output).toBe("aten::dot(Tensor self, Tensor other) -> Tensor");
  expect(lib.regenerated().length).toBeGreaterThan(5);
});

test("an error of codegen says where, what and the way out", async () => {
  const lib = await library();
  edit(lib, "src/aten/native/native_functions.yaml", "    CPU: dot\n", "    CPU: dott\n");
  const problem = problemOf(await lib.modules().catch((error) => error));
  expect(problem?.file).toBe("src/aten/native/native_functions.yaml");
  expect(lib.text(problem?.file as string)?.split("\n")[(problem?.line as number) - 1]).toMatch(/dot/);
  expect(problem?.message).toContain("dott");
  expect(problem?.wayOut).not.toBe("");
  // The edit is still there, and taking it back is enough.
  lib.edit("src/aten/native/native_functions.yaml", null);
  expect((await run(lib, program)).failure).toEqual([]);
});

test("two errors of codegen are told together", async () => {
  const lib = await library();
  edit(lib, "src/aten/native/native_functions.yaml", "    CPU: dot\n", "    CPU: dott\n");
  edit(
    lib,
    "tools/codegen/autograd/derivatives.yaml",
    "  self: grad * result.conj()\n",
    "  self: grad * conj(resutl)\n",
  );
  const problem = problemOf(await lib.modules().catch((error) => error));
  expect(problem?.file).toBe("src/aten/native/native_functions.yaml");
  // The formula is wrong for the gradient, and for the tangents that are made of it.
  expect(problem?.others?.length).toBeGreaterThan(0);
  for (const other of problem?.others ?? []) expect(other).toContain("unknown name 'resutl'");
});

test("a syntax error in a file of the library is told at its place", async () => {
  const lib = await library();
  edit(lib, "src/aten/native/Activation/index.ts", "export function prelu(", "export functoin prelu(");
  const error = await lib.modules().catch((e) => e);
  expect(error).toBeInstanceOf(SyntaxProblem);
  const { file, line } = (error as SyntaxProblem).problem;
  expect([file, lib.text(file)?.split("\n")[line - 1]?.startsWith("export functoin")]).toEqual([
    "src/aten/native/Activation/index.ts",
    true,
  ]);
});

test("what is saved is loaded: the page knows the library's packages", async () => {
  const { output } = await run(
    await library(),
    `import torch from "glasstorch";
const net = new torch.nn.Linear(2, 1);
const loaded = torch.load(torch.save({ net: net.state_dict(), step: 3 }));
console.log(String(net.load_state_dict(loaded.net)), loaded.step);
console.log(torch.safetensors.load(torch.safetensors.save({ a: torch.ones([2]) })).a.tolist());`,
  );
  expect(output).toBe("<All keys matched successfully> 3\n[1, 1]");
});
