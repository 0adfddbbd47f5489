/**
 * @file The hook that gives access to the Python layer of this process, once it is loaded.
 * @mirrors c10/core/impl/PyInterpreterHooks.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { PyInterpreterVTable } from "./PyInterpreter.ts";

let interpreter: PyInterpreterVTable | null = null;

/** Called by the Python layer when it is imported. */
export function REGISTER_PYTHON_HOOKS(next: PyInterpreterVTable): void {
  interpreter = next;
}

export function getGlobalPyInterpreter(): PyInterpreterVTable {
  TORCH_CHECK(
    interpreter !== null,
    "PyTorch was compiled without Python support. Cannot access Python interpreter from C++.",
  );
  return interpreter;
}
