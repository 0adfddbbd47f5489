/**
 * @file `npm run learn` as a person has it before them, in a terminal: begin, read, ask with keys, answer wrongly, answer rightly, go on, quit.
 * In a workspace of its own, so that nobody's progress is touched; nothing else is written.
 * @see tools/learn/node/watch.ts
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../../../tools/codegen/file_system.ts";
import { Folder } from "../../../tools/learn/node/folder.ts";

/** util-linux's; that of macOS and the BSDs is called otherwise. */
const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;
if (!hasTerminal)
  console.log("npm run learn is not tried: a terminal is made with util-linux's `script`, and it is not here");

/** Far longer than any answer takes; who waits longer waits for ever. */
const PATIENCE = 120_000;

/** A person at a terminal of 80 columns: what stands on it, and what they type. */
class Person {
  private readonly child: ChildProcess;
  private shown = "";
  /** Number of characters that came before the last key and were read already. */
  private read = 0;
  readonly left: Promise<number | null>;

  constructor(workspace: string) {
    const command = "stty cols 80 rows 50; exec npm run --silent learn";
    this.child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd: ROOT,
      env: { ...process.env, LEARN_WORKSPACE: workspace, TERM: "xterm" },
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.shown += text;
    });
    this.left = new Promise((resolve) => this.child.once("exit", resolve));
  }

  type(key: string): void {
    this.read = this.shown.length;
    this.child.stdin?.write(key);
  }

  /** Saves a file in the editor beside. */
  save(path: string, text: string): void {
    this.read = this.shown.length;
    writeFileSync(path, text);
  }

  /** All that came since the last key, once `last` stands there. */
  async sees(last: string): Promise<string> {
    for (const until = Date.now() + PATIENCE; Date.now() < until; await new Promise((next) => setTimeout(next, 20))) {
      const text = stripVTControlCharacters(this.shown.slice(this.read)).replaceAll("\r", "");
      if (text.includes(last)) return text;
    }
    throw new Error(`"${last}" does not come; there is\n${this.shown.slice(this.read)}`);
  }

  leave(): void {
    this.child.kill();
  }
}

/** Path -> when it was written, of all that is not the test's own and not another process's. */
function written(): Map<string, number> {
  const found = new Map<string, number>();
  const add = (path: string): void => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) found.set(path, stat.mtimeMs);
    else if (stat?.isDirectory())
      for (const name of readdirSync(path)) if (!/^(?:verify|learn|site|device)-/.test(name)) add(join(path, name));
  };
  for (const folder of ["exercises", "src", "tools/learn", "tools/codegen", "workspace"]) add(join(ROOT, folder));
  return found;
}

let workspace = "";
let person: Person;

beforeEach(() => {
  mkdirSync(join(ROOT, "workspace"), { recursive: true });
  workspace = mkdtempSync(join(ROOT, "workspace", "learn-"));
});
afterEach(() => {
  person.leave();
  rmSync(workspace, { recursive: true, force: true });
});

test.skipIf(!hasTerminal)(
  "a person begins, asks, errs, passes, goes on and quits",
  async () => {
    const before = written();
    const place = `workspace/${basename(workspace)}`;
    const file = join(workspace, "01-read-a-trace", "answers.yaml");
    const { stub, solution } = new Folder("01-read-a-trace");
    const right = solution.get("answers.yaml") as string;
    person = new Person(place);

    // The text of the first exercise, then its first check.
    const begun = await person.sees("[q]uit");
    expect(begun).toMatch(/^01-read-a-trace {3}about 15 minutes$/m);
    expect(begun).toContain("# Read a trace\n");
    expect(begun).toContain("✗ 01.layers  layers: no answer yet");
    expect(begun).toContain(`edit ${place}/01-read-a-trace/answers.yaml\n01-read-a-trace [.......]`);
    expect(readFileSync(file, "utf8")).toBe(stub.get("answers.yaml"));
    for (const line of begun.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100); // code stands as it is

    // Keys that help, and keys that must wait.
    person.type("h");
    const hint = await person.sees("more      npm run ex -- hint 01 2");
    expect(hint).toContain("hint 1/3");
    expect(hint).not.toContain("hint 2/3");
    expect(hint.startsWith("h")).toBe(false); // a key is no text
    person.type("h");
    expect(await person.sees("more      npm run ex -- hint 01 3")).toContain("hint 2/3");
    person.type("d");
    expect(await person.sees("(one more at least)")).toContain("> 1 (something else)");
    person.type("t");
    await person.sees("Predict first: write your answer");
    person.type("n");
    await person.sees("This one is not done yet.");
    person.type("s");
    expect(await person.sees("once the exercise has passed")).not.toContain("layers: [");
    person.type("l");
    expect(await person.sees("18-a-fallback")).toContain(" · 01-read-a-trace ");

    // What is saved is checked.
    person.save(file, right.replace("native, autograd", "autograd, native"));
    const wrong = await person.sees("[q]uit");
    expect(wrong).toContain("✗ 01.layers  layers: not what happens");
    expect(wrong).toMatch(/^> 3 \(something else\) +autograd$/m);
    person.type("h");
    expect(await person.sees("hint 01 2")).toContain("In torch.mul autograd comes directly after the dispatcher.");
    person.type("t");
    expect(await person.sees("at::native::prelu\n")).toContain("The path of torch.prelu(x, w)");
    person.save(file, right);
    const green = await person.sees("[q]uit");
    expect(green).toContain("✓ 01-read-a-trace: all 7 checks pass");
    expect(green).toContain("01-read-a-trace [#######]   n: to the next one");
    person.type("s");
    expect(await person.sees("no_grad: [")).toContain("the solution of 01-read-a-trace: answers.yaml");
    person.type("l");
    expect(await person.sees("18-a-fallback")).toContain(" ✓ 01-read-a-trace ");

    // On to the next one, which is begun anew only if that is asked for twice.
    person.type("n");
    expect(await person.sees("[q]uit")).toContain("✗ 02.wrapper  exp_wrapper: no answer yet");
    const backups = join(workspace, "backups");
    for (const key of ["r", "l", "r"]) {
      person.type(key);
      await person.sees(key === "r" ? `are kept in ${place}/backups.` : "18-a-fallback");
      expect(existsSync(backups)).toBe(false);
    }
    person.type("r");
    expect(await person.sees("[q]uit")).toContain(`your files are kept in "${place}/backups/02-find-the-kernel `);
    expect(readdirSync(backups)).toHaveLength(1);

    person.type("q");
    expect(await person.left).toBe(0);
    expect(readdirSync(workspace).sort()).toEqual([
      "01-read-a-trace",
      "02-find-the-kernel",
      "backups",
      "progress.json",
    ]);
    const { passed } = JSON.parse(readFileSync(join(workspace, "progress.json"), "utf8"));
    expect(passed.map(({ id }: { id: string }) => id)).toEqual(["01-read-a-trace"]);
    expect(written()).toEqual(before);
  },
  5 * PATIENCE,
);
