/**
 * @file `import torch from "glasstorch/export"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, export_ } = await entry<typeof import("../../src/export.ts")>("src/export.ts");

export { export_ };
export default torch;
