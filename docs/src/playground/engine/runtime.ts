/**
 * @file One run of a program: loads the library, runs the text, tells console lines, recordings, false claims and errors as they come.
 * Lives in a worker that the page throws away after the run; tests use it in Node.
 * @original
 */
import { builtinModules } from "./builtins.ts";
import { format, formatAll } from "./format.ts";
import { type Exports, Loader } from "./loader.ts";
import type { Failure, FromRunner, RunRequest } from "./protocol.ts";
import { lineIn, placesOf } from "./stack.ts";
import { type Module, SyntaxProblem, transpile } from "./transpile.ts";

/** Lines a run may print; what comes after is counted. */
const MAX_LINES = 5000;
const LEVELS = ["log", "info", "warn", "error", "debug"] as const;

export class Runtime {
  private readonly post: (message: FromRunner) => void;
  private readonly files = new Map<string, string>();
  private readonly loader = new Loader(builtinModules(this.files));
  private printed = 0;
  /** Path of the program, for the lines of what it prints. */
  private program = "";
  private recordings = 0;
  private loadError: { readonly error: unknown } | null = null;

  constructor(post: (message: FromRunner) => void) {
    this.post = post;
  }

  add(modules: readonly Module[]): void {
    this.loader.add(modules);
  }

  /** Loads the library before a program asks for it. */
  preload(): void {
    const start = performance.now();
    Error.stackTraceLimit = 100;
    try {
      this.loader.require("src/index.ts");
      this.loader.require("src/trace/index.ts");
    } catch (error) {
      this.loadError = { error }; // an edit of the library: told when a program runs
    }
    this.post({ type: "ready", ms: performance.now() - start });
  }

  /** A module's exports; for tests and for what the page asks the library. */
  require(path: string): Exports {
    return this.loader.require(path);
  }

  async run({ program, options, files }: RunRequest): Promise<void> {
    const start = performance.now();
    // The library is deep: an error's stack must reach down to the program's line.
    Error.stackTraceLimit = 100;
    this.program = program.path;
    for (const [path, text] of files) this.files.set(path, text);
    let held = 0;
    try {
      if (this.loadError !== null) throw this.loadError.error;
      const { js } = transpile(program.path, program.text, true);
      const trace = this.loader.require("src/trace/index.ts");
      trace["readSourcesFrom"](() => this.files); // with the reader's edits: positions are of the text that runs
      const scope = { console: this.console, __at: this.watch() };
      const record = (fn: () => unknown, more: object = {}) => {
        const made = trace["record"](fn, { ...options, ...more });
        const tell = (done: { toJSON(): never }) => {
          this.recordings++;
          const name = this.recordings === 1 ? "recording" : `recording ${this.recordings}`;
          this.tellRecording(name, `record(…) in line ${line}`, "", false, done);
          return done;
        };
        const line = lineIn(program.path);
        return made instanceof Promise ? made.then(tell) : tell(made);
      };
      const own = { "glasstorch/trace": Object.create(trace, { record: { value: record } }) };
      const main = () => this.loader.run(program.path, js, scope, own);
      if (usesWalkthrough(program.text)) {
        const claims = this.loader.require("walkthroughs/support/claims.ts");
        this.listen(claims, options);
        try {
          await main();
        } finally {
          held = claims["claims"]();
        }
      } else if (recordsItself(program.text)) await main();
      else await this.recordWhole(trace, options, main);
    } catch (error) {
      this.fail(error);
    }
    this.post({ type: "done", claims: held, ms: performance.now() - start });
  }

  /** A program that records nothing is recorded whole, up to its error if it has one. */
  private async recordWhole(trace: Exports, options: object, main: () => Promise<void>): Promise<void> {
    let failure: { error: unknown } | null = null;
    const made = await trace["record"](async () => {
      try {
        await main();
      } catch (error) {
        failure = { error };
      }
    }, options);
    this.tellRecording("program", "The way of the whole program", "", false, made);
    if (failure !== null) throw (failure as { error: unknown }).error;
  }

  private listen(claims: Exports, options: object): void {
    Object.assign(claims["host"], {
      options,
      onRecording: (r: { name: string; title: string; note: string; quiet: boolean; trace: { toJSON(): never } }) =>
        this.tellRecording(r.name, r.title, r.note, r.quiet, r.trace),
      // A reader who changes a program wants to see all that is no longer so, not the first of it.
      onFalseClaim: (claim: { claim: string | undefined; expected: unknown; actual: unknown }) =>
        this.post({
          type: "claim",
          line: lineIn(this.program),
          claim: claim.claim ?? null,
          expected: this.silently(() => format(claim.expected)),
          actual: this.silently(() => format(claim.actual)),
        }),
    });
  }

  private tellRecording(name: string, title: string, note: string, quiet: boolean, trace: { toJSON(): never }): void {
    this.post({ type: "recorded", recording: { name, title, note, quiet, trace: trace.toJSON() } });
  }

  /** Tells an error; also for those that nobody caught. */
  fail(error: unknown): void {
    this.post({ type: "failure", failure: failureOf(error) });
  }

  /** Takes the place of the page's own console, for the program and for the library's warnings. */
  readonly console = Object.fromEntries(
    LEVELS.map((level) => [level, (...values: unknown[]) => this.print(level, values)]),
  ) as Record<(typeof LEVELS)[number], (...values: unknown[]) => void>;

  private print(level: (typeof LEVELS)[number], values: readonly unknown[]): void {
    this.printed++;
    if (this.printed > MAX_LINES + 1) return;
    const text =
      this.printed > MAX_LINES
        ? `More than ${MAX_LINES} lines; the rest is left out.`
        : this.silently(() => formatAll(values));
    this.post({ type: "console", level, text, line: lineIn(this.program) });
  }

  /** Printing a value is no part of the way that is being recorded. */
  private silently(make: () => string): string {
    const hook = this.loader.require("src/c10/util/Trace.ts");
    const { tracer } = hook;
    hook["setTracer"](null);
    try {
      return make();
    } finally {
      hook["setTracer"](tracer);
    }
  }

  /** Called at each turn of each loop of the program: now and then it tells the line. */
  private watch(): (line: number) => void {
    let calls = 0;
    let told = performance.now();
    return (line) => {
      if ((++calls & 1023) !== 0) return;
      const now = performance.now();
      if (now - told < 250) return;
      told = now;
      this.post({ type: "at", line });
    };
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof SyntaxProblem) {
    const { file, line, column, message } = error.problem;
    return { name: "SyntaxError", message, stack: [{ name: "<module>", file, line, column }] };
  }
  if (error instanceof Error) {
    const trail = "stack" in error ? placesOf(error.stack) : [];
    return { name: error.name, message: error.message, stack: trail };
  }
  return { name: "Error", message: format(error), stack: [] };
}

/** A walkthrough keeps its recordings itself. */
export function usesWalkthrough(text: string): boolean {
  return /\bfrom\s*["'][./]*(?:support\/)?walkthrough\.ts["']/.test(text);
}

/** A program that imports `record` says itself what is recorded. */
export function recordsItself(text: string): boolean {
  return /import\s*\{[^}]*\brecord\b[^}]*\}\s*from\s*["']glasstorch\/trace["']/.test(text);
}
