/**
 * @file `import torch from "glasstorch/func"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, func } = await entry<typeof import("../../src/func.ts")>("src/func.ts");

export { func };
export default torch;
