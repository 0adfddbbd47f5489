/**
 * @file Python on the library: `import { python } from "glasstorch/python"`. It loads the machine and tells it about `torch`.
 * @original
 */
import "./python/bridge/index.ts";
import "./torch/_python.ts";
import torch from "./torch/index.ts";

export * from "./python/index.ts";
export default torch;
