/**
 * @file `import torch from "glasstorch/webgpu"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { default: torch, webgpu } = await entry<typeof import("../../src/webgpu.ts")>("src/webgpu.ts");

export { webgpu };
export default torch;
