/**
 * @file `import torch from "glasstorch"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch } = await entry<typeof import("../../src/index.ts")>("src/index.ts");
export default torch;
