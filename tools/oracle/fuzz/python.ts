/**
 * @file A PyTorch that answers questions: serve.py as a child, one line there, one line back.
 * @original
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Any } from "./library.ts";

/** In ms; a program takes some ten, but a busy machine needs a minute to import torch. */
const PATIENCE = 120_000;

export class Python {
  #child: ChildProcess | null = null;
  #lines: Interface | null = null;
  readonly #executable: string;
  readonly #fill: number;
  readonly #inventory: Any;
  calls: readonly string[] = [];

  /** @param fill the byte that glibc's allocator fills new memory with; two fills tell what nobody wrote. */
  constructor(executable: string, inventory: Any, fill: number) {
    this.#executable = executable;
    this.#inventory = inventory;
    this.#fill = fill;
  }

  async #start(): Promise<void> {
    const script = fileURLToPath(new URL("serve.py", import.meta.url));
    this.#child = spawn(this.#executable, [script], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, MALLOC_PERTURB_: String(this.#fill), OMP_NUM_THREADS: "1" },
    });
    this.#child.stdin?.on("error", () => {}); // it died: the question's answer says so
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

  /** Null where PyTorch itself crashed, or did not come back; the next question starts another one. */
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
