/**
 * @file A call of a function that has not returned.
 * @mirrors torch/csrc/jit/runtime/interpreter/frame.h
 * @differs A frame has its own registers; PyTorch's frames share one array, whose end is the current frame's.
 */
import { IValue } from "#aten/core/ivalue";
import type { CodeImpl } from "./code_impl.ts";

let num_frames = 0;

export class Frame {
  readonly function: CodeImpl;
  /** The index of the current instruction; in a frame that waits for a call, of the next one. */
  pc = 0;
  /** Where its arguments began on the stack. */
  readonly base_pointer: number;
  /** Counted from 1; register 0 is not used. */
  readonly registers: IValue[];
  private id_: number | null = null;

  constructor(code: CodeImpl, base_pointer: number) {
    this.function = code;
    this.base_pointer = base_pointer;
    this.registers = new Array<IValue>(code.register_size_ + 1).fill(IValue.None);
  }

  /** A number that no other frame has, for what profiles several runs at once. */
  id(): number {
    this.id_ ??= num_frames++;
    return this.id_;
  }
}
