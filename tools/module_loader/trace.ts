/**
 * @file `import { record } from "glasstorch/trace"` of a program that Node runs in this repository.
 * @original
 */
import { entry } from "./entry.ts";

const trace = await entry<typeof import("../../src/trace/index.ts")>("src/trace/index.ts");
export const {
  allSymbols,
  explainChoice,
  explainEvent,
  findSymbol,
  laneOf,
  lanes,
  readSourcesFrom,
  record,
  stop,
  symbolFile,
  Trace,
  toChrome,
  toMermaid,
  toText,
} = trace;
