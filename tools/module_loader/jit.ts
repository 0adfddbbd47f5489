/**
 * @file `import torch from "glasstorch/jit"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, jit } = await entry<typeof import("../../src/jit.ts")>("src/jit.ts");

export { jit };
export default torch;
