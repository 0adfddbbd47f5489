/**
 * @file `npm run bench:growth -- [--schemas 1450,2500] [--against GIT_REF] [--turns 9]`: what more operators cost at the start. Makes
 * operators up in copies of the tree, generates, builds, and measures codegen, the import of the built package, a first PReLU forward and
 * backward, and the first command (first_command.ts); beside the same figures of another commit. Takes minutes; never fails on a time.
 * @original
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, read_tree } from "../tools/codegen/file_system.ts";
import { parse_native_yaml } from "../tools/codegen/parse_native_yaml.ts";
import { first_command } from "./first_command.ts";
import { made_up, SCHEMAS_EACH } from "./made_up.ts";

const { values } = parseArgs({
  options: {
    schemas: { type: "string", default: "1450,2500" },
    against: { type: "string" },
    turns: { type: "string", default: "9" },
  },
});
const TURNS = Number(values.turns);
/** Turns in which what takes seconds is timed, too. */
const SLOW_TURNS = Math.min(3, TURNS);

/** Milliseconds; of the first command, milliseconds of CPU. */
interface Times {
  codegen: number;
  import: number;
  "import + PReLU": number;
  "first, fresh": number;
  "first, warm": number;
}
const COLUMNS = ["codegen", "import", "import + PReLU", "first, fresh", "first, warm"] as const;

/** Run in a process of its own, with the address of the built package: what a program waits for. */
const PROBE = `
const start = performance.now();
const { default: torch } = await import(process.argv[2]);
const imported = performance.now() - start;
new torch.nn.PReLU()(torch.randn([3, 4], { requires_grad: true })).sum().backward();
console.log(JSON.stringify([imported, performance.now() - start]));
`;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function output_of(folder: string, command: string, ...args: string[]): string {
  const made = spawnSync(command, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  if (made.status !== 0) throw new Error(`${command} ${args.join(" ")} in ${folder}:\n${made.stdout}${made.stderr}`);
  return made.stdout;
}

function node(folder: string, ...args: string[]): string {
  return output_of(folder, process.execPath, ...args);
}

const codegen = (folder: string): string => node(folder, "--import", "tsx", "tools/codegen/gen.ts");

/** The time that the generator prints, without the loader: `codegen: 623 operators, ..., 1.07 s`. */
function codegen_time(folder: string): number {
  const said = codegen(folder);
  const seconds = /([\d.]+) s$/m.exec(said)?.[1];
  if (seconds === undefined) throw new Error(`no time in: ${said}`);
  return Number(seconds) * 1000;
}

/** Operators of the YAML and those that `autogen` adds. */
function schemas_here(): number {
  const files = read_tree(ROOT);
  const file = (path: string) => ({ path, text: files.get(path) ?? "" });
  return parse_native_yaml({
    native_functions: file("src/aten/native/native_functions.yaml"),
    tags: file("src/aten/native/tags.yaml"),
  }).native_functions.length;
}

/** The working tree's tracked files, and `more` made-up operators. */
function grown_copy(folder: string, more: number): void {
  for (const path of output_of(ROOT, "git", "ls-files", "-z").split("\0"))
    if (path !== "" && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(folder, path));
  for (const [path, text] of made_up(read_tree(folder), more)) writeFileSync(join(folder, path), text);
}

/** The files of a commit, or a line that says why not. */
function commit_copy(folder: string, ref: string): boolean {
  const known = spawnSync("git", ["cat-file", "-e", `${ref}^{commit}`], { cwd: ROOT });
  if (known.status !== 0) {
    say(`${ref} is not in this checkout: left out`);
    return false;
  }
  mkdirSync(folder);
  const archive = join(folder, "archive.tar");
  output_of(ROOT, "git", "archive", "-o", archive, ref);
  output_of(folder, "tar", "-xf", archive);
  rmSync(archive);
  return true;
}

/** Generated and built. Its folder of packages is its own, since the cache of modules is in it. */
function prepare(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== ".cache")
      symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "junction");
  codegen(folder);
  node(folder, "--import", "tsx", "tools/build.ts");
}

function time(folder: string, probe: string, slow: boolean): Times {
  const [imported, both] = JSON.parse(node(folder, probe, join(folder, "dist/index.js"))) as [number, number];
  const fast = { import: imported, "import + PReLU": both };
  if (!slow) return { ...fast, codegen: Infinity, "first, fresh": Infinity, "first, warm": Infinity };
  const { fresh, warm } = first_command(folder, 1);
  return { ...fast, codegen: codegen_time(folder), "first, fresh": 1000 * fresh, "first, warm": 1000 * warm };
}

/** The least of all turns. Trees take turns, since what else the machine does comes and goes, and only adds. */
function measure(trees: ReadonlyMap<string, string>, probe: string): Map<string, Times> {
  const best = new Map<string, Times>();
  for (let turn = 0; turn < TURNS; turn++) {
    say(`turn ${turn + 1} of ${TURNS}`);
    for (const [label, folder] of trees) {
      const times = time(folder, probe, turn < SLOW_TURNS);
      const known = best.get(label);
      if (known !== undefined) for (const c of COLUMNS) times[c] = Math.min(times[c], known[c]);
      best.set(label, times);
    }
  }
  return best;
}

function print(rows: ReadonlyMap<string, Times>): void {
  const [first] = rows.values();
  console.log(
    `ms, least of ${TURNS} turns (codegen and the first command, which is CPU time: of ${SLOW_TURNS}); in brackets: to the first line`,
  );
  console.log("".padEnd(16) + COLUMNS.map((c) => c.padStart(20)).join(""));
  for (const [label, times] of rows) {
    const cells = COLUMNS.map((c) => `${times[c].toFixed(0)} (${(times[c] / first[c]).toFixed(2)})`.padStart(20));
    console.log(label.slice(0, 15).padEnd(16) + cells.join(""));
  }
}

const scratch = mkdtempSync(join(tmpdir(), "glasstorch-growth-"));
try {
  const trees = new Map<string, string>();
  const against = join(scratch, "against");
  if (values.against !== undefined && commit_copy(against, values.against)) trees.set(values.against, against);
  const here = schemas_here();
  const wanted = values.schemas.split(",").map(Number);
  for (const schemas of [here, ...wanted.filter((n) => n > here)]) {
    const folder = join(scratch, String(schemas));
    grown_copy(folder, Math.round((schemas - here) / SCHEMAS_EACH));
    trees.set(`${schemas} schemas`, folder);
  }
  for (const [label, folder] of trees) {
    say(`preparing ${label}`);
    prepare(folder);
  }
  const probe = join(scratch, "probe.mjs");
  writeFileSync(probe, PROBE);
  print(measure(trees, probe));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
