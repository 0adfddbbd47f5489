/**
 * @file `import torch from "glasstorch/lazy"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, lazy } = await entry<typeof import("../../src/lazy.ts")>("src/lazy.ts");

export { lazy };
export default torch;
