/**
 * @file Ownership of tensors that user code makes and returns during backward: they belong to the engine.
 * @original PyTorch does not need this: its objects die with the frame that made them.
 */
import { GradMode } from "#c10/core/GradMode";
import { note_filled_slots, type PyObjectSlot } from "#c10/core/impl/PyObjectSlot";
import { current_graph_task } from "./graph_task.ts";
import { get_current_node } from "./node.ts";
import { THPVariable_Check } from "./python_variable/type.ts";

// Note [Who holds what a user's backward returns]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// In PyTorch the Python objects of tensors that `backward`, a hook or a Python kernel made and returned die with its
// frame, so AccumulateGrad may keep such a gradient without a copy. JavaScript does not report an object's end. But the
// objects made during the call can be recorded, and one that is also returned counts as handed over: its slot is
// emptied. @differs If a `backward` also keeps its result, the engine may go on to use that object's bytes; PyTorch
// would have copied.

/**
 * Records the objects made until `leave`. Not a function that takes a callback: that would be on the stack of nested backwards.
 */
export class Frame {
  private readonly filled: PyObjectSlot[] = [];

  private readonly previous = note_filled_slots(this.filled);

  /** Ends the call. Objects that an inner call made were made during the outer one too. */
  leave(): void {
    note_filled_slots(this.previous);
    if (this.previous !== null) this.previous.push(...this.filled);
  }

  /**
   * Empties the slots of the tensors among `values` whose objects were made during the call. With create_graph nothing
   * is ever kept without a copy.
   */
  hand_over(values: readonly unknown[]): void {
    if (this.filled.length === 0 || GradMode.is_enabled()) return;
    for (const value of values) {
      if (!THPVariable_Check(value)) continue;
      const slot = value.cdata.impl_;
      if (!this.filled.includes(slot)) continue;
      if (slot.is_python_dispatch()) slot.set_owns_pyobj(true);
      else slot.unchecked_clear_pyobj();
    }
  }
}

/** Calls a Python kernel, and hands over the objects it made if a backward node needs them. */
export function call_kernel(kernel: () => unknown): unknown {
  return get_current_node() === null ? kernel() : call_and_hand_over(kernel);
}

/** Calls a mode's handler. Between the nodes it also sees calls that the engine itself makes. */
export function call_handler(handler: () => unknown): unknown {
  return current_graph_task === null ? handler() : call_and_hand_over(handler);
}

function call_and_hand_over(kernel: () => unknown): unknown {
  const frame = new Frame();
  let result: unknown;
  try {
    result = kernel();
  } finally {
    frame.leave();
  }
  frame.hand_over(Array.isArray(result) ? result : [result]);
  return result;
}
