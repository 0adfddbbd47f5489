/**
 * @file The calls that the lower layers make into Python: run the handler of a mode, and detach a tensor through one.
 * @mirrors c10/core/impl/PyInterpreter.h
 * @differs The table has only the entries that modes need. There is one interpreter, its objects are not
 * reference-counted, and no tensor answers for its sizes or its device in Python. PyTorch's table has entries for all
 * of these.
 */
import type { TensorImpl } from "#c10/core/TensorImpl/index";

/** As in C++, only the names of these types are known here. */
type OperatorHandle = object;
type Stack = unknown[];

export interface PyInterpreterVTable {
  /** Calls `aten.detach` as the innermost mode sees it. */
  detach(self: TensorImpl): TensorImpl;
  /** Calls the innermost mode with the arguments on the stack, and leaves its result there. */
  dispatch(op: OperatorHandle, stack: Stack): void;
}
