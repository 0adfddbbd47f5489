/**
 * @file The exceptions that Python code sees. They are the engine's own classes: nothing is translated on the way up.
 * @mirrors torch/csrc/Exceptions.h
 * @differs One class serves the engine and the front end; C++ needs HANDLE_TH_ERRORS around every binding to convert a
 * C++ exception to a Python one.
 */
export {
  AssertionError,
  AttributeError,
  BufferError,
  IndexError,
  KeyError,
  LinAlgError,
  NotImplementedError,
  OutOfMemoryError,
  RuntimeError,
  TypeError_,
  ValueError,
} from "#c10/util/Exception";

import { AcceleratorError, LinAlgError, OutOfMemoryError } from "#c10/util/Exception";

/** @mirrors torch/csrc/Exceptions.cpp */
export function THPException_init(module: Record<string, unknown>): void {
  module["_LinAlgError"] = LinAlgError;
  module["OutOfMemoryError"] = OutOfMemoryError;
  module["AcceleratorError"] = AcceleratorError;
}
