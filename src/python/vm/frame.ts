/**
 * @file A frame: one call of a function that is running or suspended, and the thread's chain of frames.
 * @mirrors Python/frame.c, Objects/frameobject.c (CPython 3.11)
 */
import type { Code } from "../compiler/code.ts";
import { PyDict } from "../Objects/dictobject.ts";
import type { BaseException } from "../Objects/exceptions.ts";
import { Cell, type PyFunction } from "../Objects/funcobject.ts";
import { type PreparedCode, prepared } from "./prepared_code.ts";

/** The exception that is being handled: one for the thread, and one for each generator. */
export class ExceptionInfo {
  value: BaseException | null = null;
  previous: ExceptionInfo | null = null;
}

export class Frame {
  readonly prepared: PreparedCode;
  /** Local variables, cells and free variables, then the stack of values. Undefined is an unbound variable. */
  readonly fast: unknown[];
  /** Index in `fast` of the first free place of the stack. */
  sp: number;
  /** Index of the instruction that runs next. */
  pc = 0;
  readonly func: PyFunction | null;
  readonly globals: PyDict;
  readonly builtins: PyDict;
  /** Namespace of a class body or module; null: variables are fast. */
  readonly locals: Map<unknown, unknown> | null;
  back: Frame | null = null;
  /** How many frames stand below, this one included. */
  depth = 0;
  /** A function of TypeScript called this frame: its return leaves the loop. */
  entry = false;
  /** Object that `__init__` sets up, which the call returns instead of None. */
  constructed: unknown = undefined;
  /** The generator to which the frame belongs. */
  generator: unknown = null;

  constructor(
    code: PreparedCode,
    func: PyFunction | null,
    globals: PyDict,
    builtins: PyDict,
    locals: Map<unknown, unknown> | null,
  ) {
    this.prepared = code;
    this.fast = new Array<unknown>(code.framesize);
    this.sp = code.nlocalsplus;
    this.func = func;
    this.globals = globals;
    this.builtins = builtins;
    this.locals = locals;
  }

  get f_code(): Code {
    return this.prepared.code;
  }

  get f_back(): Frame | null {
    return this.back;
  }

  get f_globals(): PyDict {
    return this.globals;
  }

  get f_builtins(): PyDict {
    return this.builtins;
  }

  /** Index of the instruction that runs now. */
  get instruction(): number {
    return Math.max(this.pc - 1, 0);
  }

  /** Offset in bytes of the instruction that runs now, as `frame.f_lasti`. */
  get f_lasti(): number {
    return this.pc === 0 ? -1 : 2 * (this.prepared.offsets[this.pc - 1] as number);
  }

  get f_lineno(): number {
    return line_at(this.prepared, this.instruction);
  }

  /** The local variables by name: a module's or class's own namespace, or a copy of the fast variables that are bound. */
  get f_locals(): Map<unknown, unknown> {
    if (this.locals !== null) return this.locals;
    const result = new PyDict();
    const { localsplus, code } = this.prepared;
    localsplus.forEach((name, i) => {
      const held = this.fast[i];
      const value =
        held instanceof Cell && (code.co_cellvars.includes(name) || code.co_freevars.includes(name))
          ? held.value
          : held;
      if (value !== undefined) result.set(name, value);
    });
    return result;
  }

  /** The values on the stack, the deepest first. */
  get stack(): unknown[] {
    return this.fast.slice(this.prepared.nlocalsplus, this.sp);
  }
}

/** The line of an instruction; of the function's first line if the compiler knows none. */
export function line_at(code: PreparedCode, instruction: number): number {
  return code.code.co_positions()[code.offsets[instruction] as number]?.lineno ?? code.code.co_firstlineno;
}

/** Runs a frame until it returns or, if it is a generator's, yields; ceval.ts sets it. `thrown` is raised where the frame stands. */
export const evaluation: { run: (frame: Frame, thrown: BaseException | null) => unknown } = {
  run: () => {
    throw new Error("the machine is not loaded");
  },
};

/** The state of the one thread. */
export const thread = {
  /** The frame that runs. */
  frame: null as Frame | null,
  /** How many frames stand above each other. */
  depth: 0,
  exc_info: new ExceptionInfo(),
  /** An exception that goes on as it was given, and does not learn which one is being handled. */
  passed_on: null as BaseException | null,
};

/** The frame that runs, or the one so many calls above it; null if the chain ends before. */
export function frame_above(depth: number): Frame | null {
  let { frame } = thread;
  for (let i = 0; i < depth && frame !== null; i++) frame = frame.back;
  return frame;
}

/** The exception that is being handled, here or in a caller of the generator that runs. */
export function handled_exception(): BaseException | null {
  let info: ExceptionInfo | null = thread.exc_info;
  while (info !== null && info.value === null) info = info.previous;
  return info?.value ?? null;
}

/** A frame of a code object that is no function: a module, a class body, `exec`. */
export function make_frame(code: Code, globals: PyDict, builtins: PyDict, locals: Map<unknown, unknown> | null): Frame {
  return new Frame(prepared(code), null, globals, builtins, locals);
}
