/**
 * @file Imported first by commands that run for a few seconds: V8 then compiles fewer functions for speed.
 *
 * V8 optimizes a function after its code has run through a budget of bytes. With its own budget, half of the processor time of `npm run codegen`
 * went into compiling functions on other threads, without the run ending earlier. Thirty times that budget leaves the hot functions.
 * @original
 */
import { setFlagsFromString } from "node:v8";

/** The flag, for commands that start another program. */
export const SHORT_RUN = "--interrupt-budget=2000000";

setFlagsFromString(SHORT_RUN);
