/**
 * @file `import torch from "glasstorch/fx"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, fx } = await entry<typeof import("../../src/fx.ts")>("src/fx.ts");

export { fx };
export default torch;
