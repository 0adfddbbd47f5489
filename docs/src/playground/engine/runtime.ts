/**
 * @file One run of a program: loads the library, runs the text, tells console lines, recordings, false claims and errors as they come, as
 * many as a run may tell. Lives in a worker that the page throws away after the run; tests use it in Node.
 * @original
 */
import { Allowance, cut, leftOut } from "./allowance.ts";
import { builtinModules } from "./builtins.ts";
import { type CheckRequest, check } from "./checking.ts";
import { format, formatAll } from "./format.ts";
import { type Exports, Loader } from "./loader.ts";
import { allow } from "./machine.ts";
import { asWritten, importsTorch, recordsItself, turnsDeviceOn, usesWalkthrough } from "./program_text.ts";
import {
  type Capability,
  type Failure,
  type FromRunner,
  type Language,
  languageOf,
  type MissingPart,
  type Preload,
  type Program,
  type Recorded,
  type RunRequest,
} from "./protocol.ts";
import { PYTHON_ENTRY, PythonRun } from "./python_run.ts";
import { wayOutOf } from "./python_words.ts";
import { lineIn, placesOf } from "./stack.ts";
import { explainHabits } from "./tensor_habits.ts";
import { type Module, SyntaxProblem } from "./transpile.ts";

/** This module is told how an entry of the package is loaded. */
const DOORS = "src/torch/_doors.ts";
const LEVELS = ["log", "info", "warn", "error", "debug"] as const;
/** As the browser has it; a program may put something else in its place. */
const { setTimeout } = globalThis;

export class Runtime {
  private readonly post: (message: FromRunner) => void;
  private readonly files = new Map<string, string>();
  /** Requests a part that has not been sent, and ends the run: the next run will have it. */
  private readonly missing = (part: MissingPart): Error => {
    this.post({ type: "missing", part });
    return new Error("a part of the library has not been sent");
  };
  private readonly noFile = (path: string): Error =>
    this.complete ? new Error(`ENOENT: no such file, open '${path}'`) : this.missing(null);
  private readonly loader = new Loader(builtinModules(this.files, this.noFile), this.missing);
  /** Whether every file of the repository is here. */
  private complete = false;
  private readonly allowance = new Allowance(0);
  /** Kinds of output that were left out; the reader has been told. */
  private readonly leftOut = new Set<string>();
  private program: Program | null = null;
  private recordings = 0;
  private loadError: { readonly error: unknown } | null = null;

  constructor(post: (message: FromRunner) => void) {
    this.post = post;
  }

  /** Takes modules; with `preload` it runs those of the library that a program of this language needs, before it asks for them. */
  load(modules: readonly Module[], preload: Preload, capability?: Capability): void {
    const start = performance.now();
    allow(capability);
    this.loader.add(modules);
    if (modules.some(({ path }) => path === DOORS))
      this.loader.require(DOORS)["doors"].require = (entry: string) => this.loader.require(`src/${entry}.ts`);
    if (preload !== null) this.preload(preload);
    this.post({ type: "ready", ms: performance.now() - start });
  }

  private preload(language: Language): void {
    Error.stackTraceLimit = 100;
    try {
      this.loader.require("src/index.ts");
      this.loader.require("src/trace/index.ts");
      if (language === "python") this.loader.require(PYTHON_ENTRY);
    } catch (error) {
      this.loadError = { error }; // told when a program runs
    }
  }

  /** A module's exports; for tests and for what the page asks the library. */
  require(path: string): Exports {
    return this.loader.require(path);
  }

  async run({ program, options, files, complete, symbols, stepsFrom = null }: RunRequest): Promise<void> {
    const start = performance.now();
    // The library is deep: an error's stack must reach down to the program's line.
    Error.stackTraceLimit = 100;
    this.program = program;
    this.complete = complete;
    for (const [path, text] of files) this.files.set(path, text);
    let held = 0;
    try {
      if (this.loadError !== null) throw this.loadError.error;
      const trace = this.loader.require("src/trace/index.ts");
      // With the reader's edits, positions are of the text that runs.
      if (symbols === null) trace["readSourcesFrom"](() => this.files);
      else this.loader.require("src/trace/sources.ts")["symbolFile"] = () => symbols;
      if (languageOf(program.path) === "python") {
        await this.runPython(trace, program, options, stepsFrom);
        return await this.end(start, 0);
      }
      if (importsTorch(program.text)) explainHabits(this.loader.require("src/index.ts")["default"].Tensor, program);
      if (turnsDeviceOn(program.text)) this.loader.require("src/webgpu.ts"); // thousands of registrations: no part of the program's way
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
      const main = () => this.loader.run(program.path, program.js, scope, own);
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
    await this.end(start, held);
  }

  /** Ends the run. A promise that nobody awaits may still settle before; timers are not waited for. */
  private async end(start: number, claims: number): Promise<void> {
    await new Promise<void>((turn) => setTimeout(turn, 0));
    this.post({ type: "done", claims, ms: performance.now() - start });
  }

  /** A Python program is recorded whole. */
  private async runPython(trace: Exports, program: Program, options: object, from: number | null): Promise<void> {
    const run = new PythonRun(this.loader, program, from, (message) => this.tell(message));
    const made = trace["record"](() => run.run(), options);
    this.tellRecording("program", "The path of the whole program", "", false, made);
    run.tellSteps();
  }

  /** The checks of an exercise. */
  async check(request: CheckRequest): Promise<void> {
    const start = performance.now();
    Error.stackTraceLimit = 100;
    try {
      this.tell({ type: "checked", checked: await check(this.loader, request) });
    } catch (error) {
      this.fail(error);
    }
    this.post({ type: "done", claims: 0, ms: performance.now() - start });
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
    this.tellRecording("program", "The path of the whole program", "", false, made);
    if (failure !== null) throw (failure as { error: unknown }).error;
  }

  private listen(claims: Exports, options: object): void {
    Object.assign(claims["host"], {
      options,
      onRecording: (r: { name: string; title: string; note: string; quiet: boolean; trace: { toJSON(): never } }) =>
        this.tellRecording(r.name, r.title, r.note, r.quiet, r.trace),
      // A reader who changes a program wants to see all that is no longer so, not the first of it.
      onFalseClaim: (claim: { claim: string | undefined; expected: unknown; actual: unknown }) =>
        this.tell({
          type: "claim",
          line: this.line(),
          claim: claim.claim ?? null,
          expected: cut(this.silently(() => format(claim.expected))),
          actual: cut(this.silently(() => format(claim.actual))),
        }),
    });
  }

  private tellRecording(name: string, title: string, note: string, quiet: boolean, trace: { toJSON(): never }): void {
    const recording: Recorded = { name, title, note, quiet, trace: trace.toJSON() };
    this.tell({ type: "recorded", recording });
  }

  /** Tells an error; also for those that nobody caught. */
  fail(error: unknown): void {
    const { program } = this;
    const failure = failureOf(error);
    const told =
      program === null
        ? failure
        : { ...failure, message: asWritten(failure.message, program), wayOut: wayOutOf(failure, program) };
    this.tell({ type: "failure", failure: told });
  }

  /** The program's line from which the current call was made. */
  private line(): number {
    return this.program === null ? 0 : lineIn(this.program.path);
  }

  /** Takes the place of the page's own console, for the program and for the library's warnings. */
  readonly console = Object.fromEntries(
    LEVELS.map((level) => [level, (...values: unknown[]) => this.print(level, values)]),
  ) as Record<(typeof LEVELS)[number], (...values: unknown[]) => void>;

  private print(level: (typeof LEVELS)[number], values: readonly unknown[]): void {
    if (this.leftOut.has("lines")) return; // and nothing is formatted for nobody
    this.tell({
      type: "console",
      level,
      text: cut(this.silently(() => formatAll(values))),
      line: this.line(),
    });
  }

  /** Past what a run may tell, it says so, once. */
  private tell(message: FromRunner): void {
    const beyond = this.allowance.beyond(message);
    if (beyond === null) this.post(message);
    else if (!this.leftOut.has(beyond)) {
      this.leftOut.add(beyond);
      this.post({ type: "console", level: "warn", text: leftOut[beyond], line: 0 });
    }
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

/** A program may throw anything, also what cannot be asked for its name. */
export function failureOf(error: unknown): Failure {
  if (error instanceof SyntaxProblem) {
    const { file, line, column, message } = error.problem;
    return { name: "SyntaxError", message, stack: [{ name: "<module>", file, line, column }], wayOut: null };
  }
  try {
    if (error instanceof Error) {
      const { name, message, stack } = error as { name: unknown; message: unknown; stack?: unknown };
      return { name: cut(String(name)), message: cut(String(message)), stack: placesOf(stack), wayOut: null };
    }
    return { name: "Error", message: cut(format(error)), stack: [], wayOut: null };
  } catch {
    return { name: "Error", message: "something was thrown that has no text", stack: [], wayOut: null };
  }
}
