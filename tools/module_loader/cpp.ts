/**
 * @file `import { torch } from "glasstorch/cpp"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const { torch } = await entry<typeof import("../../src/cpp.ts")>("src/cpp.ts");

export { torch };
