/**
 * @file Hooks that see or replace how the machine runs, and the limits of a program.
 * @mirrors Include/cpython/pystate.h#_PyInterpreterState_SetEvalFrameFunc (PEP 523)
 */
import { type BaseException, RuntimeError } from "../Objects/exceptions.ts";
import type { Frame } from "./frame.ts";

export const hooks: {
  /** Evaluates a frame in the machine's place; `run` is the machine's own way (PEP 523). */
  eval_frame: ((frame: Frame, run: () => unknown) => unknown) | null;
  /** Is told each instruction before it runs. It is read at calls, returns and backward jumps, so a hook that is set begins there. */
  instruction: ((frame: Frame, pc: number) => void) | null;
  /** Is told each exception in each frame that it reaches, before the frame handles it or is left. */
  exception: ((frame: Frame, error: BaseException) => void) | null;
} = { eval_frame: null, instruction: null, exception: null };

export const limits = {
  /** Frames above each other, `sys.getrecursionlimit()`. */
  recursion: 1000,
  /** Instructions that may still run. Loops count theirs at the jump back, a call counts one. */
  left: Number.POSITIVE_INFINITY,
  exceeded(): never {
    limits.left = Number.POSITIVE_INFINITY;
    throw new RuntimeError("the program reached its limit of instructions");
  },
};
