/**
 * @file Python on the library: `import { python } from "glasstorch/python"`. It loads the machine, its standard library and the border to `torch`.
 * @original
 */
import "./python/bridge/index.ts";
import "./torch/_python.ts";
import torch from "./torch/index.ts";

export * from "./python/index.ts";
export * as program from "./python/Modules/main.ts";
export { PyDict } from "./python/Objects/dictobject.ts";
export { BaseException, SystemExit } from "./python/Objects/exceptions.ts";
export { PyTuple } from "./python/Objects/tupleobject.ts";
export { python } from "./python/pythonrun.ts";
export { format_exception } from "./python/vm/print_exception.ts";
export default torch;
