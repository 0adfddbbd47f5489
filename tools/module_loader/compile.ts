/**
 * @file `import torch from "glasstorch/compile"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, dynamo } = await entry<typeof import("../../src/compile.ts")>("src/compile.ts");

export { dynamo };
export default torch;
