/**
 * @file Warnings of the library in a Python program: they go through Python's module `warnings`, so that its filters decide and
 * `catch_warnings` sees them. TypeScript programs keep the library's own handler.
 * @mirrors torch/csrc/Exceptions.cpp#PyWarningHandler
 * @differs Under the filter "error" the exception ends the call where the warning is given; PyTorch finishes the C++ call first.
 */
import { setWarningHandler, type WarningHandler } from "#c10/util/Exception";
import { DeprecationWarning, FutureWarning, RuntimeWarning, UserWarning } from "#python/Objects/exceptions";
import { warnings } from "#python/Objects/object_methods";
import { frame_above } from "#python/vm/frame";

// The tracer gives its own warnings to Python, because their class is loaded with it.
const CATEGORIES = {
  UserWarning,
  DeprecationWarning,
  FutureWarning,
  RuntimeWarning,
  TracerWarning: UserWarning,
};

const outside: WarningHandler = setWarningHandler((warning) => {
  if (frame_above(0) === null) outside(warning);
  else warnings.warn(CATEGORIES[warning.type], warning.msg);
});
