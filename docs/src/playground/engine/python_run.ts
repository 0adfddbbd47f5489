/**
 * @file One run of a Python program in the worker of a page: its output, its files in memory, its limits, its traceback, its steps.
 * @original
 *
 * Python in a page reaches no more than TypeScript does: the worker has no network and no storage (`cell.ts`, `confine.ts`). In addition
 * every file is in the memory of this run, and the environment is empty.
 */
import type { Frame } from "../../../../src/python/vm/frame.ts";
import { cut, LONGEST } from "./allowance.ts";
import type { Exports, Loader } from "./loader.ts";
import { type Failure, type FromRunner, fileNameOf, type Place, type Program } from "./protocol.ts";
import { StepRecorder } from "./step_recorder.ts";

/** The entry of Python. */
export const PYTHON_ENTRY = "src/python.ts";

/** How much one run may do: an endless loop ends after a few seconds, also while it is recorded, and the heap stays in what a tab may have. */
export const INSTRUCTIONS = 10_000_000;
const MEMORY = 1_000_000_000;

/** Milliseconds between two messages that tell the line. */
const BEAT = 250;

type Tell = (message: FromRunner) => void;
type Level = Extract<FromRunner, { type: "console" }>["level"];

export class PythonRun {
  private readonly loader: Loader;
  private readonly program: Program;
  private readonly filename: string;
  private readonly tell: Tell;
  private readonly entry: Exports;
  private readonly steps: StepRecorder | null;
  private printed = 0;
  /** Texts without their line's end, by level. */
  private readonly open = new Map<Level, string>();

  /** @param from the line at which steps begin to be kept, 0 for the first; null: none are kept */
  constructor(loader: Loader, program: Program, from: number | null, tell: Tell) {
    this.loader = loader;
    this.program = program;
    this.filename = fileNameOf(program.path);
    this.tell = tell;
    this.entry = loader.require(PYTHON_ENTRY);
    this.steps = from === null ? null : new StepRecorder(loader, this.filename, from, () => this.printed);
    this.furnish();
  }

  /** Gives the program the surroundings of a page. */
  private furnish(): void {
    const { host, memory_files } = this.loader.require("src/python/Modules/host.ts");
    Object.assign(host, {
      files: memory_files(),
      stderr: (text: string) => this.print("error", text),
      cwd: () => "/",
      environment: () => ({}),
    });
    this.entry["program"].prepare([this.filename], "/");
  }

  /** Runs the program. Its error is told, and does not leave this function. */
  run(): void {
    const { python } = this.entry;
    const { hooks } = python;
    const before = hooks.instruction as ((frame: Frame, pc: number) => void) | null;
    const { steps } = this;
    if (steps !== null)
      hooks.instruction = (frame: Frame, pc: number) => {
        before?.(frame, pc);
        steps.see(frame, pc);
      };
    try {
      python(this.program.text, {
        filename: this.filename,
        stdout: (text: string) => this.print("log", text),
        limit: { instructions: INSTRUCTIONS, memory: MEMORY, look: this.look() },
      });
    } catch (error) {
      this.fail(error);
    } finally {
      hooks.instruction = before;
      for (const [level, text] of this.open) if (text !== "") this.line(level, text);
    }
  }

  /** Tells the recorded steps, once the program has ended. */
  tellSteps(): void {
    if (this.steps !== null) this.tell({ type: "stepped", steps: this.steps.result });
  }

  private print(level: Level, text: string): void {
    const lines = `${this.open.get(level) ?? ""}${text}`.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) this.line(level, line);
    // What is longer than a line may be shown is cut anyway.
    this.open.set(level, last.slice(0, 2 * LONGEST));
  }

  private line(level: Level, text: string): void {
    this.printed++;
    this.tell({ type: "console", level, text: cut(text), line: this.here() });
  }

  /** The line of the program that runs now. */
  private here(): number {
    for (let frame = this.entry["python"].frame() as Frame | null; frame !== null; frame = frame.back)
      if (frame.prepared.code.co_filename === this.filename) return frame.f_lineno;
    return 0;
  }

  private look(): () => void {
    let told = performance.now();
    return () => {
      const now = performance.now();
      if (now - told < BEAT) return;
      told = now;
      this.tell({ type: "at", line: this.here() });
    };
  }

  private fail(error: unknown): void {
    const { SystemExit, format_exception, program } = this.entry;
    if (error instanceof SystemExit) {
      const status = program.exit_status(error) as number;
      if (status !== 0) this.print("warn", `The program ended with exit status ${status}.\n`);
      return;
    }
    this.tell({ type: "failure", failure: this.failureOf(error, format_exception(error) as string) });
  }

  private failureOf(raised: unknown, traceback: string): Failure {
    const { as_python_exception } = this.loader.require("src/python/vm/errors.ts");
    const { type_of } = this.loader.require("src/python/Objects/typeobject.ts");
    const { SyntaxError_ } = this.loader.require("src/python/Parser/errors.ts");
    const error = as_python_exception(raised);
    const stack: Place[] = [];
    if (error instanceof SyntaxError_ && error.filename === this.filename)
      stack.push(this.place("<module>", error.lineno, Math.max(0, error.offset)));
    else
      for (let tb = error.__traceback__; tb !== null && tb !== undefined; tb = tb.tb_next) {
        const { code } = (tb.tb_frame as Frame).prepared;
        if (code.co_filename !== this.filename || stack.length === MOST_PLACES) continue;
        const column = code.co_positions()[tb.tb_lasti]?.col_offset;
        stack.unshift(this.place(code.co_name, tb.tb_lineno, (column ?? -1) + 1));
      }
    const lines = traceback.trimEnd().split("\n");
    const text = lines.findLast((line) => /^\S/.test(line)) ?? "";
    const name = type_of(error).name as string;
    const message = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    return { name, message: cut(message), stack, wayOut: null, traceback: cut(traceback.trimEnd()) };
  }

  private place(name: string, line: number, column: number): Place {
    return { name, file: this.program.path, line: Math.max(0, line), column };
  }
}

/** Frames told of one traceback. */
const MOST_PLACES = 200;
