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

/** Instructions between two looks at the program. */
const SLICE = 5_000;

export const limits = {
  /** Frames above each other, `sys.getrecursionlimit()`. */
  recursion: 1000,
  /** Instructions until `spent` is called. Loops count theirs at the jump back, a call counts one, a long list or text its length. */
  left: Number.POSITIVE_INFINITY,
  /** Instructions that may run after these. */
  later: 0,
  /** Is called after every slice while a program has limits. It may raise. */
  look: null as (() => void) | null,

  /** Sets how many instructions may run, and who looks at them now and then. */
  set(instructions: number, look: (() => void) | null): void {
    limits.look = look;
    limits.left = Math.min(instructions, look === null ? instructions : SLICE);
    limits.later = instructions === Number.POSITIVE_INFINITY ? instructions : instructions - limits.left;
  },

  /** Raises when no instruction may run any more. What handles the error may run for one more slice. */
  spent(): void {
    const ended = limits.later <= 0;
    limits.left = ended ? SLICE : Math.min(SLICE, limits.later);
    limits.later -= ended ? 0 : limits.left;
    if (ended) throw new RuntimeError("the program reached its limit of instructions");
    limits.look?.();
  },
};
