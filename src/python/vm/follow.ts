/**
 * @file Follows a running program by frames, lines and instructions, so that somebody who watches the library can say which line of the program
 * made a call. Nothing here runs while nobody follows.
 * @original Its nearest relative is the line events of `sys.settrace` (Python/ceval.c, maybe_call_line_trace).
 */
import type { Code } from "../compiler/code.ts";
import { get_instructions, type Instruction } from "../compiler/dis.ts";
import { OP } from "../compiler/opcode.ts";
import type { BaseException } from "../Objects/exceptions.ts";
import { type_of } from "../Objects/typeobject.ts";
import { type Frame, thread } from "./frame.ts";
import { hooks } from "./hooks.ts";
import type { PreparedCode } from "./prepared_code.ts";
import { text_of_line } from "./traceback.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
//   before each instruction:    another frame?  leave the frames that have returned, enter this one
//                               another line, or a jump back?  the step of the line is over
//   a call of the library:      path() = for each frame on the stack: the step of the frame, of its line, of its instruction
//
// A step becomes an object only when somebody asks for the path; most lines lead to no call of the library. One object is one step: who asks twice
// sees by `===` whether the program still stands where it stood.

type Place = Pick<Step, "file" | "line" | "loops" | "start">;

/** A frame that runs, a line of it that runs, or an instruction of that line. */
class Step {
  readonly kind: "frame" | "line" | "instruction";
  /** Qualified name of the function, text of the line, or name of the instruction. */
  readonly name: string;
  readonly file: string;
  /** A frame's is the first line of its function. */
  readonly line: number;
  /** The instruction, of a step of this kind. */
  readonly instruction: Instruction | null;
  /** How many loops of the machine stand on JavaScript's stack, up to the one that runs this frame. */
  readonly loops: number;
  /** In milliseconds, as `performance.now()`; `end` is null while the step goes on. */
  readonly start: number;
  end: number | null = null;
  /** The exception that left this step. */
  error: BaseException | null = null;

  constructor(kind: Step["kind"], name: string, place: Place, instruction: Instruction | null = null) {
    this.kind = kind;
    this.name = name;
    this.file = place.file;
    this.line = place.line;
    this.loops = place.loops;
    this.start = place.start;
    this.instruction = instruction;
  }

  /** Meaning of an instruction's argument, and the offset in bytes. */
  get data(): { readonly argrepr: string; readonly offset: number } | undefined {
    if (this.instruction === null) return undefined;
    const { argrepr, offset } = this.instruction;
    return { argrepr, offset };
  }

  /** Class and message of the error, without a call of the program's own `__str__`. */
  get error_text(): string | null {
    return this.error === null ? null : `${type_of(this.error).name}: ${this.error.what()}`;
  }
}

/** The line of each instruction, 0 for one that the compiler made without a place, and the instructions themselves. */
interface Table {
  readonly lines: Int32Array;
  instructions: Instruction[] | null;
}

const tables = new WeakMap<PreparedCode, Table>();

function table_of(prepared: PreparedCode): Table {
  let table = tables.get(prepared);
  if (table === undefined) {
    const positions = prepared.code.co_positions();
    table = { lines: prepared.offsets.map((offset) => positions[offset]?.lineno ?? 0), instructions: null };
    tables.set(prepared, table);
  }
  return table;
}

/** One stay in a frame: from its call, or from where a generator goes on, to its return or next `yield`. */
class Stay {
  readonly frame: Frame;
  /** The stay in the frame below, if that one is followed. */
  readonly below: Stay | null;
  readonly table: Table;
  pc = -1;
  line: number;
  /** The next instruction of this frame belongs to another stay. */
  over = false;
  private readonly start: number;
  private line_start: number;
  private instruction_start: number;
  private frame_step: Step | null = null;
  private line_step: Step | null = null;
  private instruction_step: Step | null = null;

  constructor(frame: Frame, below: Stay | null) {
    this.frame = frame;
    this.below = below;
    this.table = table_of(frame.prepared);
    this.line = frame.f_code.co_firstlineno;
    this.start = this.line_start = this.instruction_start = performance.now();
  }

  /** The frame is about to run instruction `pc`. */
  at(pc: number): void {
    const line = this.table.lines[pc] as number;
    const now = performance.now();
    if (this.instruction_step !== null) this.instruction_step.end ??= now;
    this.instruction_step = null;
    this.instruction_start = now;
    if ((line !== this.line && line !== 0) || pc < this.pc) {
      if (this.line_step !== null) this.line_step.end ??= now;
      this.line_step = null;
      this.line_start = now;
      if (line !== 0) this.line = line;
    }
    if (this.frame_step !== null) this.frame_step.error = null; // the frame has a handler
    this.pc = pc;
    const op = this.frame.prepared.ops[pc];
    if (op === OP.RETURN_VALUE || op === OP.YIELD_VALUE || op === OP.RETURN_GENERATOR) {
      this.over = true;
      this.end(now);
    }
  }

  raised(error: BaseException): void {
    for (const step of [this.frame_step, this.line_step, this.instruction_step]) if (step !== null) step.error = error;
  }

  end(now: number): void {
    for (const step of [this.frame_step, this.line_step, this.instruction_step]) if (step !== null) step.end ??= now;
  }

  /** Adds the steps of this frame to a path. */
  add_steps(path: Step[], loops: number, with_instruction: boolean): void {
    const { f_code: code } = this.frame;
    const file = code.co_filename;
    const { line } = this;
    this.frame_step ??= new Step("frame", code.co_qualname, {
      file,
      line: code.co_firstlineno,
      loops,
      start: this.start,
    });
    this.line_step ??= new Step("line", text_of_line(code, line)?.trim() || `line ${line}`, {
      file,
      line,
      loops,
      start: this.line_start,
    });
    path.push(this.frame_step, this.line_step);
    if (!with_instruction) return;
    this.instruction_step ??= this.new_instruction_step(code, { file, line, loops, start: this.instruction_start });
    path.push(this.instruction_step);
  }

  private new_instruction_step(code: Code, place: Place): Step {
    this.table.instructions ??= get_instructions(code);
    const offset = 2 * (this.frame.prepared.offsets[this.pc] as number);
    const instruction = this.table.instructions.find((each) => each.offset === offset) as Instruction;
    return new Step("instruction", instruction.opname, place, instruction);
  }
}

/** The innermost frame that has run an instruction since somebody follows. Null: nobody follows, or none has. */
let innermost: Stay | null = null;
/** Frames that already ran when the following began, and of which the machine has told no instruction yet. */
let unseen = new WeakMap<Frame, Stay>();
let following = false;
let with_instructions = false;
/** The path as it was last asked for, and whether the program has moved since. */
let last_path: readonly Step[] = [];
let last_frame: Frame | null = null;
let last_pc = -1;
let moved = true;

/** The stay in the frame that runs. Frames that stood above it have ended. */
function stay_in(frame: Frame): Stay {
  let now: number | null = null;
  while (
    innermost !== null &&
    (innermost.frame.depth > frame.depth ||
      (innermost.frame.depth === frame.depth && (innermost.frame !== frame || innermost.over)))
  ) {
    now ??= performance.now();
    innermost.end(now);
    innermost = innermost.below;
  }
  if (innermost?.frame !== frame) {
    innermost = unseen.get(frame) ?? new Stay(frame, innermost);
    unseen.delete(frame);
  }
  return innermost;
}

function before_instruction(frame: Frame, pc: number): void {
  if (!following) return; // a loop of the machine that has not yet seen that the hook is gone
  moved = true;
  stay_in(frame).at(pc);
}

function after_exception(frame: Frame, error: BaseException): void {
  if (!following) return;
  moved = true;
  stay_in(frame).raised(error);
}

/** A frame that has told no instruction yet: it stands where its program counter says. */
function unseen_stay(frame: Frame): Stay {
  let stay = unseen.get(frame);
  if (stay === undefined) {
    stay = new Stay(frame, null);
    unseen.set(frame, stay);
  }
  if (stay.pc !== frame.instruction) stay.at(frame.instruction);
  return stay;
}

/** Where the program stands, from the outermost frame to the innermost: two steps a frame, three with instructions. */
export function path(): readonly Step[] {
  // A frame that tells no instructions (another hook stands in the place of this one) still moves its counter.
  if (!moved && last_frame === thread.frame && last_pc === (last_frame?.pc ?? -1)) return last_path;
  const stays: Stay[] = [];
  let watched = innermost;
  for (let { frame } = thread; frame !== null; frame = frame.back) {
    while (watched !== null && watched.frame.depth > frame.depth) watched = watched.below;
    if (watched?.frame === frame) {
      stays.push(watched);
      watched = watched.below;
    } else stays.push(unseen_stay(frame));
  }
  const steps: Step[] = [];
  let loops = 0;
  for (const stay of stays.reverse()) {
    if (stay.frame.entry) loops++;
    stay.add_steps(steps, loops, with_instructions);
  }
  last_path = steps;
  last_frame = thread.frame;
  last_pc = last_frame?.pc ?? -1;
  moved = false;
  return steps;
}

/**
 * Begins to follow the program. Other hooks are told first.
 * @param instructions whether a path names instructions
 * @returns ends it
 */
export function follow(instructions: boolean): () => void {
  const { instruction: others, exception: others_exception } = hooks;
  const instruction =
    others === null
      ? before_instruction
      : (frame: Frame, pc: number): void => {
          others(frame, pc);
          before_instruction(frame, pc);
        };
  const exception =
    others_exception === null
      ? after_exception
      : (frame: Frame, error: BaseException): void => {
          others_exception(frame, error);
          after_exception(frame, error);
        };
  Object.assign(hooks, { instruction, exception });
  following = true;
  with_instructions = instructions;
  moved = true;
  return () => {
    // Who has set a hook since then keeps it.
    if (hooks.instruction === instruction) hooks.instruction = others;
    if (hooks.exception === exception) hooks.exception = others_exception;
    following = false;
    innermost = null;
    unseen = new WeakMap();
    last_path = [];
    last_frame = null;
  };
}
