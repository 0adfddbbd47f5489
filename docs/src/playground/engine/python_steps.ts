/**
 * @file The steps of a Python program: every instruction with its frame, the values on its stack and the variables that changed. They are
 * recorded while the program runs, so a reader can go back as well as forth.
 * @original CPython has `sys.settrace` and `pdb`, which stop the program and cannot go back.
 *
 * The idea in miniature: before each instruction the machine calls `hooks.instruction(frame, pc)`. A step keeps the number of its frame, the
 * row of its code's `dis` table, and only what differs from the last step of the same frame. `StepReader` adds these up again.
 */
import type { Code } from "../../../../src/python/compiler/code.ts";
import type { Instruction } from "../../../../src/python/compiler/dis.ts";
import type { Frame } from "../../../../src/python/vm/frame.ts";
import type { Loader } from "./loader.ts";
import { type TextOf, valueTexts } from "./python_values.ts";

/** One instruction of a code object, as `dis` has it; `line` is that of the program. */
export interface DisRow {
  readonly offset: number;
  readonly opname: string;
  readonly argument: string;
  readonly line: number;
  readonly target: boolean;
}

export interface CodeView {
  readonly name: string;
  readonly rows: readonly DisRow[];
}

export interface FrameView {
  readonly code: number;
  /** The frame of the program that called it, directly or through the library; -1: none. */
  readonly caller: number;
}

/** A variable's name and its text; null: it is unbound now. */
export type Change = readonly [name: string, text: string | null];

export interface Step {
  readonly frame: number;
  /** The instruction that runs next, by its row. */
  readonly row: number;
  readonly changes: readonly Change[];
  /** Values of the stack that are as they were at the frame's last step, and those above them. */
  readonly kept: number;
  readonly pushed: readonly string[];
  /** Lines of output before it. */
  readonly printed: number;
}

export interface Steps {
  readonly codes: readonly CodeView[];
  readonly frames: readonly FrameView[];
  readonly steps: readonly Step[];
  /** Whether the program ran on after the last step. */
  readonly cut: boolean;
}

export const MOST_STEPS = 20_000;
/** Variables of a frame. */
const MOST_VARIABLES = 60;

/** These change no variable and no value: what was shown before them holds after them. */
const QUIET =
  /^(?:LOAD_|PUSH_NULL|PRECALL|KW_NAMES|NOP|RESUME|COPY|SWAP|POP_TOP|BUILD_|JUMP_|COMPARE_OP|IS_OP|MAKE_CELL)/;

interface CodeState {
  readonly number: number;
  readonly rows: readonly DisRow[];
  /** Row of each instruction that runs. */
  readonly rowOf: readonly number[];
}

interface FrameState {
  readonly number: number;
  readonly variables: Map<string, string>;
  stack: string[];
  /** Name of the instruction at the last step. */
  opname: string;
}

export class StepRecorder {
  private readonly codes: CodeView[] = [];
  private readonly frames: FrameView[] = [];
  private readonly steps: Step[] = [];
  private readonly codeStates = new Map<Code, CodeState>();
  private readonly frameStates = new WeakMap<Frame, FrameState>();
  private readonly textOf: TextOf;
  private readonly instructionsOf: (code: Code) => readonly Instruction[];
  private readonly filename: string;
  private readonly from: number;
  private readonly printed: () => number;
  private begun: boolean;
  private cut = false;

  /**
   * @param filename of the program; frames of other files have no steps
   * @param from the line at which the steps begin, 0 for the first
   * @param printed counts the lines of output
   */
  constructor(loader: Loader, filename: string, from: number, printed: () => number) {
    this.textOf = valueTexts(loader);
    this.instructionsOf = loader.require("src/python/compiler/dis.ts")["get_instructions"];
    this.filename = filename;
    this.from = from;
    this.begun = from === 0;
    this.printed = printed;
  }

  /** Is the machine's hook; `pc` is the instruction that runs next. */
  readonly see = (frame: Frame, pc: number): void => {
    if (this.cut || frame.prepared.code.co_filename !== this.filename) return;
    const code = this.codeState(frame);
    const row = code.rowOf[pc] as number;
    const { line, opname } = code.rows[row] as DisRow;
    this.begun ||= line === this.from;
    if (!this.begun) return;
    if (this.steps.length === MOST_STEPS) {
      this.cut = true;
      return;
    }
    const state = this.frameState(frame, code);
    const changes = state.opname === "" || !QUIET.test(state.opname) ? this.changes(frame, state.variables) : [];
    const stack = frame.stack.map(this.textOf);
    let kept = 0;
    while (kept < stack.length && stack[kept] === state.stack[kept]) kept++;
    this.steps.push({
      frame: state.number,
      row,
      changes,
      kept,
      pushed: stack.slice(kept),
      printed: this.printed(),
    });
    state.stack = stack;
    state.opname = opname;
  };

  private changes(frame: Frame, known: Map<string, string>): Change[] {
    const changes: Change[] = [];
    const seen = new Set<string>();
    for (const [name, value] of frame.f_locals) {
      if (typeof name !== "string" || /^__\w+__$/.test(name)) continue;
      if (seen.size === MOST_VARIABLES) break;
      seen.add(name);
      const text = this.textOf(value);
      if (known.get(name) === text) continue;
      known.set(name, text);
      changes.push([name, text]);
    }
    for (const name of known.keys())
      if (!seen.has(name)) {
        known.delete(name);
        changes.push([name, null]);
      }
    return changes;
  }

  private codeState({ prepared: { code, offsets } }: Frame): CodeState {
    let state = this.codeStates.get(code);
    if (state === undefined) {
      const instructions = this.instructionsOf(code);
      let line = code.co_firstlineno;
      const rows = instructions.map(({ offset, opname, argrepr, arg, positions, is_jump_target }): DisRow => {
        line = positions?.lineno || line; // the first instruction of a module stands in line 0
        const argument = argrepr !== "" ? argrepr : arg === null || NUMBERLESS.has(opname) ? "" : String(arg);
        return { offset, opname, argument, line, target: is_jump_target };
      });
      const rowAt = new Map(instructions.map(({ offset }, i) => [offset, i]));
      const rowOf = Array.from(offsets, (unit) => rowAt.get(2 * unit) ?? 0);
      state = { number: this.codes.push({ name: code.co_qualname, rows }) - 1, rows, rowOf };
      this.codeStates.set(code, state);
    }
    return state;
  }

  private frameState(frame: Frame, code: CodeState): FrameState {
    let state = this.frameStates.get(frame);
    if (state === undefined) {
      let caller: Frame | null = frame.back;
      while (caller !== null && !this.frameStates.has(caller)) caller = caller.back;
      const above = caller === null ? -1 : (this.frameStates.get(caller) as FrameState).number;
      state = {
        number: this.frames.push({ code: code.number, caller: above }) - 1,
        variables: new Map(),
        stack: [],
        opname: "",
      };
      this.frameStates.set(frame, state);
    }
    return state;
  }

  get result(): Steps {
    const { codes, frames, steps, cut } = this;
    return { codes, frames, steps, cut };
  }
}

/** Their argument is no help: it counts what the reader sees. */
const NUMBERLESS = new Set(["RESUME", "PRECALL"]);

/** A frame at a step. */
export interface FrameNow {
  readonly frame: number;
  readonly name: string;
  readonly line: number;
  readonly row: number;
  readonly rows: readonly DisRow[];
  readonly variables: readonly { readonly name: string; readonly text: string; readonly changed: boolean }[];
  readonly stack: readonly string[];
}

/** Answers questions about recorded steps. */
export class StepReader {
  readonly steps: Steps;
  /** Steps at which a line begins. */
  readonly lines: readonly number[];
  private readonly begins: ReadonlySet<number>;
  /** How many frames stand above each other at each step. */
  private readonly depths: readonly number[];

  constructor(steps: Steps) {
    this.steps = steps;
    const lines: number[] = [];
    /** The last step of each frame. */
    const last = new Map<number, Step>();
    steps.steps.forEach((step, i) => {
      const known = last.get(step.frame);
      const back = known !== undefined && step.row <= known.row;
      if (known === undefined || back || this.lineOf(step) !== this.lineOf(known)) lines.push(i);
      last.set(step.frame, step);
    });
    this.lines = lines;
    this.begins = new Set(lines);
    const depths: number[] = [];
    for (const { caller } of steps.frames) depths.push(caller === -1 ? 1 : (depths[caller] as number) + 1);
    this.depths = depths;
  }

  get length(): number {
    return this.steps.steps.length;
  }

  private lineOf({ frame, row }: Step): number {
    return this.codeOf(frame).rows[row]?.line ?? 0;
  }

  private codeOf(frame: number): CodeView {
    return this.steps.codes[this.steps.frames[frame]?.code ?? -1] as CodeView;
  }

  /** The line at a step. */
  lineAt(at: number): number {
    const step = this.steps.steps[at];
    return step === undefined ? 0 : this.lineOf(step);
  }

  private depthAt(at: number): number {
    return this.depths[this.steps.steps[at]?.frame ?? -1] ?? 0;
  }

  /** The first step of the line that comes next (`by` 1) or came before (-1); the nearest end where there is none. */
  nextLine(at: number, by: 1 | -1): number {
    const found =
      by === 1 ? this.lines.find((line) => line > at) : this.lines[this.lines.findLastIndex((line) => line < at)];
    return found ?? (by === 1 ? this.length - 1 : 0);
  }

  /** As `nextLine`, without the lines of functions that this line calls. */
  over(at: number): number {
    const depth = this.depthAt(at);
    return this.lines.find((line) => line > at && this.depthAt(line) <= depth) ?? this.length - 1;
  }

  /** The first step after the function has returned. */
  out(at: number): number {
    const depth = this.depthAt(at);
    for (let i = at + 1; i < this.length; i++) if (this.depthAt(i) < depth) return i;
    return this.length - 1;
  }

  /** The next step at a line; from the beginning if none comes after `at`. */
  reach(line: number, at: number): number | null {
    const steps = this.lines.filter((step) => this.lineAt(step) === line);
    return steps.find((step) => step > at) ?? steps[0] ?? null;
  }

  /** The frames at a step, the innermost first. */
  framesAt(at: number): FrameNow[] {
    const step = this.steps.steps[at];
    if (step === undefined) return [];
    const frames: FrameNow[] = [];
    for (let frame = step.frame; frame !== -1; frame = this.steps.frames[frame]?.caller ?? -1)
      frames.push(this.frameAt(frame, at));
    return frames;
  }

  private frameAt(frame: number, at: number): FrameNow {
    const variables = new Map<string, string>();
    let stack: readonly string[] = [];
    let row = 0;
    /** What has changed since the frame came to its line. */
    const changed = new Set<string>();
    for (let i = 0; i <= at; i++) {
      const step = this.steps.steps[i] as Step;
      if (step.frame !== frame) continue;
      if (this.begins.has(i)) changed.clear();
      for (const [name, text] of step.changes) {
        changed.add(name);
        if (text === null) variables.delete(name);
        else variables.set(name, text);
      }
      stack = [...stack.slice(0, step.kept), ...step.pushed];
      row = step.row;
    }
    const { name, rows } = this.codeOf(frame);
    return {
      frame,
      name,
      row,
      rows,
      line: rows[row]?.line ?? 0,
      stack,
      variables: [...variables].map(([name, text]) => ({ name, text, changed: changed.has(name) })),
    };
  }
}
