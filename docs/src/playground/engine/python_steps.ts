/**
 * @file The steps of a Python program, as they go from the worker to the page: every instruction with its frame, the values on its stack and
 * the variables that changed. `step_recorder.ts` makes them, `step_reader.ts` adds them up.
 * @original CPython has `sys.settrace` and `pdb`, which stop the program and cannot go back.
 */

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
