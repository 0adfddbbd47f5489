/**
 * @file Records the steps of a Python program while it runs, so that a reader can go back as well as forth.
 * @original
 *
 * The idea in miniature: before each instruction the machine calls `hooks.instruction(frame, pc)`. A step keeps the number of its frame, the
 * row of its code's `dis` table, and only what differs from the last step of the same frame.
 */
import type { Code } from "../../../../src/python/compiler/code.ts";
import type { Instruction } from "../../../../src/python/compiler/dis.ts";
import type { Frame } from "../../../../src/python/vm/frame.ts";
import type { Loader } from "./loader.ts";
import {
  type Change,
  type CodeView,
  type DisRow,
  type FrameView,
  MOST_STEPS,
  type Step,
  type Steps,
} from "./python_steps.ts";
import { type TextOf, valueTexts } from "./python_values.ts";

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
