/**
 * @file `npm run build -- --try`: uses the package as its users do. One program makes tensors, computes a gradient,
 * records a call, saves and loads, opens a device and triggers errors. It runs in every way in which the library can be
 * loaded, and must print the same each time.
 * @original
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as bundle } from "esbuild";

const program = (dist: string): string => `
import torch from ${JSON.stringify(join(dist, "index.js"))};
import { record } from ${JSON.stringify(join(dist, "trace/index.js"))};
import ${JSON.stringify(join(dist, "webgpu.js"))};
import { python } from ${JSON.stringify(join(dist, "python.js"))};
torch.manual_seed(0);
const x = torch.randn([3, 4], { requires_grad: true });
new torch.nn.PReLU()(x).sum().backward();
console.log(String(x.grad));
for (const { kind, name } of record(() => torch.add(x, 1)).events) console.log(kind, name);
console.log(String(torch.load(torch.save({ x })).x));
try { torch.mm(x, x); } catch (error) { console.log(String(error)); }
try { x.to("webgpu"); } catch (error) { console.log(String(error)); }
python("import torch, math\\nprint(torch.ones(2) * math.pi, torch.ones(2).shape)", { stdout: (text) => console.log(text.trimEnd()) });
`;

/** Node loads the entries behind doors by itself, with the library that runs; a bundle holds what its program imports. */
const program_with_doors = (dist: string): string => `
import torch from ${JSON.stringify(join(dist, "index.js"))};
const { symbolic_trace } = torch.fx;
const { fx } = await import(${JSON.stringify(join(dist, "fx.js"))});
console.log(symbolic_trace === fx.symbolic_trace, "no_such_name" in torch.fx);
`;

const node = (file: string, ...options: string[]): string =>
  execFileSync(process.execPath, [...options, file], { encoding: "utf8" });

/** Whether the engine used the compilation in the package. */
function cache_taken(dist: string): boolean {
  const loader = JSON.stringify(pathToFileURL(join(dist, "node.js")).href);
  const script = `const { compile } = await import(${loader}); console.log(compile().cachedDataRejected);`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return said.trim() === "false";
}

/** A copy of the package elsewhere: its stack traces name the copy, and from the second import on its compilation is taken. */
function try_copy(dist: string, copy: string): void {
  cpSync(dist, copy, { recursive: true, preserveTimestamps: true });
  const entry = JSON.stringify(pathToFileURL(join(copy, "index.js")).href);
  const script = `import torch from ${entry}; try { torch.ones(2).view(3) } catch (e) { console.log(e.stack) }`;
  const text = pathToFileURL(join(copy, "torch.js")).href;
  for (const which of ["first", "second"]) {
    const stack = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    if (!stack.includes(text)) throw new Error(`the ${which} import of a copy names another file:\n${stack}`);
  }
  if (!cache_taken(copy)) throw new Error("Node does not take the compilation of a copy");
}

/** @throws {Error} if two ways differ, or one fails */
export async function try_package(dist: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "glasstorch-package-"));
  const file = join(scratch, "program.mjs");
  const cache = join(dist, "torch.cache");
  try {
    writeFileSync(file, program_with_doors(dist));
    if (node(file) !== "true false\n") throw new Error("torch.fx is not the entry that Node loads");
    writeFileSync(file, program(dist));
    if (!cache_taken(dist)) throw new Error("Node does not take the package's compilation");
    const said = new Map([["Node", node(file)]]);

    const { atime, mtime } = statSync(cache);
    utimesSync(cache, atime, 0);
    if (cache_taken(dist)) throw new Error("a compilation older than its text is taken");
    said.set("Node, with a compilation older than the text", node(file));
    utimesSync(cache, atime, mtime);

    for (const platform of ["browser", "node"] as const) {
      const outfile = join(scratch, `${platform}.mjs`);
      await bundle({ entryPoints: [file], outfile, bundle: true, format: "esm", platform, logLevel: "error" });
      said.set(`bundled for ${platform}`, node(outfile));
    }

    symlinkSync(join(dist, "../node_modules"), join(scratch, "node_modules")); // the package's one dependency
    try_copy(dist, join(scratch, "copy"));

    const [[first, expected], ...others] = said;
    for (const [road, text] of others)
      if (text !== expected) throw new Error(`${road} differs from ${first}:\n${expected}\n${text}`);
    console.log(`the package says the same on ${said.size} roads`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
