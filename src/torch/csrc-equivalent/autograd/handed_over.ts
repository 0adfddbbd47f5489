/**
 * @file What a call of the user's code made and gave back during backward belongs to the engine.
 * @original PyTorch needs none of it: its objects die with the frame that made them.
 */
import { GradMode } from "#c10/core/GradMode";
import { note_filled_slots, type PyObjectSlot } from "#c10/core/impl/PyObjectSlot";
import { current_graph_task } from "./graph_task.ts";
import { get_current_node } from "./node.ts";
import { THPVariable_Check } from "./python_variable/type.ts";

// Note [Who holds what a user's backward returns]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// In PyTorch the objects of the tensors that `backward`, a hook or a kernel of Python made and returned die with its frame, so
// AccumulateGrad may keep such a gradient without a copy. No collector tells us; but which objects were made during the call can
// be noted, and one that was also returned is taken as handed over: its slot is emptied. @differs A `backward` that also keeps
// its result somewhere keeps an object whose bytes the engine may go on to use; PyTorch would have copied.

/** From here to `leave`, notes whose objects are made. No function that calls: it would stand on the stack of backwards in backwards. */
export class Frame {
  private readonly filled: PyObjectSlot[] = [];

  private readonly previous = note_filled_slots(this.filled);

  /** The call is over. What an inner one made was made during the outer one too. */
  leave(): void {
    note_filled_slots(this.previous);
    if (this.previous !== null) this.previous.push(...this.filled);
  }

  /** Empties the slots of the tensors among `values` whose objects were made just now. With create_graph nothing is ever stolen. */
  hand_over(values: readonly unknown[]): void {
    if (this.filled.length === 0 || GradMode.is_enabled()) return;
    for (const value of values) {
      if (!THPVariable_Check(value)) continue;
      const slot = value.cdata.impl_;
      if (this.filled.includes(slot)) slot.unchecked_clear_pyobj();
    }
  }
}

/** Calls a kernel of Python, and hands over what it made where a node of backward wants it. */
export function call_kernel(kernel: () => unknown): unknown {
  return get_current_node() === null ? kernel() : call_and_hand_over(kernel);
}

/** Calls a mode's handler, which sees what the engine itself calls too, between the nodes. */
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
