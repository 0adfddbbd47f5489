/**
 * @file A PyTorch process that answers questions: serve.py as a child, one line per question, one line per answer.
 * @original
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Any } from "./library.ts";

/** Time limit in ms; a program takes some ten, but a busy machine needs a minute to import torch. */
const PATIENCE = 120_000;

/**
 * Environment with which PyTorch gives equal answers to equal questions: one order of Python's sets of strings, one
 * thread, and no small blocks that glibc hands out without filling them (it fills none from its per-thread cache).
 */
const DETERMINISTIC = { PYTHONHASHSEED: "0", OMP_NUM_THREADS: "1", GLIBC_TUNABLES: "glibc.malloc.tcache_count=0" };

export class Python {
  #child: ChildProcess | null = null;
  #lines: Interface | null = null;
  readonly #executable: string;
  readonly #fill: number;
  readonly #inventory: Any;
  calls: readonly string[] = [];

  /** @param fill the byte with which glibc's allocator fills new memory; two different fills show uninitialized memory */
  constructor(executable: string, inventory: Any, fill: number) {
    this.#executable = executable;
    this.#inventory = inventory;
    this.#fill = fill;
  }

  async #start(): Promise<void> {
    const script = fileURLToPath(new URL("serve.py", import.meta.url));
    this.#child = spawn(this.#executable, [script], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, ...DETERMINISTIC, MALLOC_PERTURB_: String(this.#fill) },
    });
    this.#child.stdin?.on("error", () => {}); // the process died; the question's answer says so
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    this.calls = (await this.#ask({ inventory: this.#inventory }))?.calls ?? [];
    if (this.calls.length === 0) throw new Error(`${this.#executable} does not run ${script} with PyTorch 2.13.0`);
  }

  #ask(question: Any): Promise<Any> {
    const [child, lines] = [this.#child as ChildProcess, this.#lines as Interface];
    return new Promise((resolve) => {
      const done = (line: string | null): void => {
        clearTimeout(timer);
        lines.removeListener("line", done);
        lines.removeListener("close", died);
        resolve(line === null ? null : JSON.parse(line));
      };
      const died = (): void => done(null);
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      lines.once("line", done);
      lines.once("close", died);
      child.stdin?.write(`${JSON.stringify(question)}\n`);
    });
  }

  /** The answer; null if PyTorch itself crashed or did not return. The next question then starts another process. */
  async ask(question: Any): Promise<Any> {
    if (this.#child === null) await this.#start();
    const answer = await this.#ask(question);
    if (answer === null) this.stop();
    return answer;
  }

  stop(): void {
    this.#lines?.close();
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }
}
