/**
 * @file What the layers below have Python do: run the handler of a mode, and detach a tensor through one.
 * @mirrors c10/core/impl/PyInterpreter.h
 * @differs Of the table what modes need: there is one interpreter, nobody counts references to its objects, and no tensor answers for
 *   its sizes or its device in Python.
 */
import type { TensorImpl } from "#c10/core/TensorImpl/index";

/** As in C++ only their names are known here. */
type OperatorHandle = object;
type Stack = unknown[];

export interface PyInterpreterVTable {
  /** A call of `aten.detach`, as the innermost mode sees it. */
  detach(self: TensorImpl): TensorImpl;
  /** A call whose arguments lie on the stack, put to the innermost mode; what it answers lies there afterwards. */
  dispatch(op: OperatorHandle, stack: Stack): void;
}
