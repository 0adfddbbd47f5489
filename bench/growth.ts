/**
 * @file `npm run bench:growth -- [--schemas 1450,2500] [--against GIT_REF]`: what more operators cost at the start. Makes operators up in a copy of the
 * tree (unary, structured, with in-place and out variants, a loop per floating dtype and a derivative each), generates, builds, and
 * times codegen, the import of the built package, a first PReLU forward and backward, and the first walkthrough; beside the same
 * figures of another commit in the same run. Never fails on a time.
 * @original
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));
const PER_FILE = 30;
const TURNS = 9;

/** Made-up operator `i`. */
const nameOf = (i: number): string => `made_up_${String(i).padStart(4, "0")}`;

/** The entry that `pattern` finds in `file`, once per name, as `exp` stands there. */
function repeated(file: string, pattern: RegExp, names: readonly string[]): string {
  const model = pattern.exec(readFileSync(file, "utf8"))?.[0];
  if (model === undefined) throw new Error(`${file} has nothing like ${pattern}`);
  return names.map((name) => `${model.replace(/\bexp(?=[_.(:])/g, name).trimEnd()}\n`).join("\n");
}

/** Writes `count` operators into the tree at `folder`, in the files where a contributor would. */
function makeUp(folder: string, count: number): void {
  const names = Array.from({ length: count }, (_, i) => nameOf(i));
  const yaml = join(folder, "src/aten/native/native_functions.yaml");
  appendFileSync(yaml, `\n${repeated(yaml, /^- func: exp\([\s\S]*?(?=^- func: expand)/m, names)}`);
  const derivatives = join(folder, "tools/codegen/autograd/derivatives.yaml");
  appendFileSync(derivatives, `\n${repeated(derivatives, /^- name: exp\([\s\S]*?(?=^- name)/m, names)}`);
  const docs = join(folder, "src/torch/_torch_docs.ts");
  const entries = names.map((name) => `  /** Made up. */\n  ${name}: Documented;\n`).join("");
  writeFileSync(docs, readFileSync(docs, "utf8").replace(/\}\s*$/, `${entries}}\n`));
  for (let k = 0; k * PER_FILE < count; k++) {
    const part = names.slice(k * PER_FILE, (k + 1) * PER_FILE);
    writeFileSync(join(folder, `src/aten/native/MadeUpOps${k}.ts`), operators(part));
    writeFileSync(join(folder, `src/aten/native/cpu/MadeUpOpsKernel${k}.ts`), kernels(part, k));
    appendFileSync(join(folder, "src/aten/native/cpu/RegisterKernels.ts"), `import "./MadeUpOpsKernel${k}.ts";\n`);
  }
}

function operators(names: readonly string[]): string {
  const each = names.map(
    (name) => `
export const ${name}_stub = DEFINE_DISPATCH<(iter: TensorIteratorBase) => void>("${name}_stub");
export abstract class structured_${name} extends TensorIteratorBase {
  meta(self: Tensor): void {
    this.build_borrowing_unary_float_op(this.maybe_get_output(0), self);
  }
}
export abstract class structured_${name}_out extends structured_${name} {
  impl(_self: Tensor, _out: Tensor): void {
    ${name}_stub.call(this.device_type(), this);
  }
}`,
  );
  return `/** @file Made up. @original */
import type { Tensor } from "../generated/core/TensorBody.ts";
import { TensorIteratorBase } from "../TensorIterator.ts";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
${each.join("\n")}
`;
}

function kernels(names: readonly string[], k: number): string {
  const each = names.map(
    (name, i) => `
/** @loop ${name}_cpu: floating types, Half, BFloat16 */
export function ${name}_of(a: scalar_t): scalar_t {
  return ${1 + i} / (1 + exp(-a));
}
function ${name}_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, ${name}_of_loops);
}
REGISTER_DISPATCH(${name}_stub, ${name}_kernel, "${name}_kernel");`,
  );
  return `/** @file Made up. @original */
import { exp } from "../../../c10/util/math.ts";
import type { scalar_t } from "../../Dispatch.ts";
import type { TensorIteratorBase } from "../../TensorIterator.ts";
import { REGISTER_DISPATCH } from "../DispatchStub.ts";
import { ${names.map((n) => `${n}_stub`).join(", ")} } from "../MadeUpOps${k}.ts";
import { ${names.map((n) => `${n}_of_loops`).join(", ")} } from "./generated/MadeUpOpsKernel${k}.ts";
import { cpu_kernel } from "./Loops.ts";
${each.join("\n")}
`;
}

interface Times {
  codegen: number;
  import: number;
  "import + PReLU": number;
  walkthrough: number;
}

const PROBE = `
const t0 = performance.now();
const { default: torch } = await import(process.argv[2]);
const t1 = performance.now();
new torch.nn.PReLU()(torch.randn([3, 4], { requires_grad: true })).sum().backward();
console.log(JSON.stringify([t1 - t0, performance.now() - t0]));`;

function run(folder: string, ...args: string[]): string {
  const made = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  if (made.status !== 0) throw new Error(`${args.join(" ")} in ${folder}:\n${made.stdout}${made.stderr}`);
  return made.stdout;
}

const seconds = (text: string): number => Number(/([\d.]+) s$/m.exec(text)?.[1]) * 1000;

/** A tree ready to be timed: generated and built. Returns ms of the second codegen run, and schemas. */
function prepare(folder: string): void {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  run(folder, "--import", "tsx", "tools/codegen/gen.ts");
  run(folder, "--import", "tsx", "tools/build.ts");
  run(folder, "--import", "tsx", "walkthroughs/prelu.ts", "--plain"); // the compiler's cache is warm
}

/** Least times over turns in which all trees take part one after the other: what else the machine does only adds. */
function measure(trees: ReadonlyMap<string, string>, probe: string): Map<string, Times> {
  const best = new Map<string, Times>();
  for (let turn = 0; turn < TURNS; turn++) {
    process.stderr.write(`turn ${turn + 1} of ${TURNS}\r`);
    for (const [label, folder] of trees) {
      const [imported, both] = JSON.parse(run(folder, probe, join(folder, "dist/index.js"))) as [number, number];
      const times: Times = { codegen: Infinity, import: imported, "import + PReLU": both, walkthrough: Infinity };
      if (turn < 3) {
        times.codegen = seconds(run(folder, "--import", "tsx", "tools/codegen/gen.ts"));
        const start = performance.now();
        run(folder, "--import", "tsx", "walkthroughs/prelu.ts", "--plain");
        times.walkthrough = performance.now() - start;
      }
      const known = best.get(label) ?? times;
      for (const key of Object.keys(times) as (keyof Times)[]) known[key] = Math.min(known[key], times[key]);
      best.set(label, known);
    }
  }
  return best;
}

const { values } = parseArgs({
  options: { schemas: { type: "string", default: "1450,2500" }, against: { type: "string" } },
});
const scratch = mkdtempSync(join(tmpdir(), "glasstorch-growth-"));
try {
  const trees = new Map<string, string>();
  const git = (...args: string[]): Buffer => execFileSync("git", args, { cwd: root, maxBuffer: 1 << 30 });
  if (values.against !== undefined) {
    const folder = join(scratch, "against");
    execFileSync("mkdir", [folder]);
    execFileSync("tar", ["-x", "-C", folder], { input: git("archive", values.against) });
    trees.set(values.against, folder);
  }
  const tracked = git("ls-files", "-z").toString().split("\0").filter(Boolean);
  const here = Number(/codegen: (\d+) operators/.exec(run(root, "--import", "tsx", "tools/codegen/gen.ts"))?.[1]);
  for (const schemas of [here, ...values.schemas.split(",").map(Number)]) {
    const folder = join(scratch, String(schemas));
    for (const file of tracked) cpSync(join(root, file), join(folder, file));
    if (schemas > here) makeUp(folder, Math.round((schemas - here) / 3));
    trees.set(`${schemas} schemas`, folder);
  }
  for (const [label, folder] of trees) {
    process.stderr.write(`preparing ${label}\n`);
    prepare(folder);
  }
  const probe = join(scratch, "probe.mjs");
  writeFileSync(probe, PROBE);
  const times = measure(trees, probe);
  const [first] = times.values();
  const columns = ["codegen", "import", "import + PReLU", "walkthrough"] as const;
  console.log(`ms, least of ${TURNS} turns (codegen and walkthrough: of 3); in brackets: to the first line`);
  console.log(`${"".padEnd(16)}${columns.map((c) => c.padStart(22)).join("")}`);
  for (const [label, t] of times) {
    const cells = columns.map((c) => `${t[c].toFixed(0)} (${(t[c] / (first as Times)[c]).toFixed(2)})`.padStart(22));
    console.log(`${label.slice(0, 15).padEnd(16)}${cells.join("")}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
