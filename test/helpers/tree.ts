/**
 * @file A copy of the source tree to change: for tests that add an operator, edit a kernel or put a helper between two functions, and
 * then generate and run.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export class Tree {
  readonly root = mkdtempSync(join(tmpdir(), "glasstorch-tree-"));

  constructor() {
    for (const entry of ["src", "tools", "package.json", "tsconfig.json"])
      cpSync(join(root, entry), join(this.root, entry), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(this.root, "node_modules"), "junction");
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  append(path: string, text: string): void {
    this.write(path, this.read(path) + text);
  }

  /** Replaces the one occurrence of `from`. */
  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    const at = text.indexOf(from);
    if (at === -1 || text.indexOf(from, at + 1) !== -1)
      throw new Error(`${path}: "${from}" does not stand there exactly once`);
    this.write(path, text.slice(0, at) + to + text.slice(at + from.length));
  }

  /** The generator of the repository, run on this tree. */
  codegen(): { status: number; output: string } {
    return this.node(
      [join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "tools/codegen/gen.ts"), "--root", this.root],
      root,
    );
  }

  /** The output of `npm run explain -- QUERY` in this tree. */
  explain(query: string): { status: number; output: string } {
    return this.node(
      [join(root, "node_modules/tsx/dist/cli.mjs"), join(this.root, "tools/explain.ts"), query],
      this.root,
    );
  }

  /** Runs a program below this tree's root; what it prints last, as JSON. */
  run(program: string): unknown {
    const file = join(this.root, "program.ts");
    writeFileSync(file, program);
    const made = this.node([join(root, "node_modules/tsx/dist/cli.mjs"), file], this.root);
    if (made.status !== 0) throw new Error(made.output);
    return JSON.parse(made.output.trim().split("\n").at(-1) as string);
  }

  private node(args: string[], cwd: string): { status: number; output: string } {
    const made = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
    return { status: made.status ?? 1, output: `${made.stdout}${made.stderr}` };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
