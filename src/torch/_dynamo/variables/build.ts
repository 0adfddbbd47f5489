/**
 * @file `build`: the variable of any value. The classes of variables call it; builder.ts, which knows all of them, does the work.
 * @mirrors torch/_dynamo/variables/base.py#VariableTracker.build
 */
import type { Source } from "../source.ts";
import { LazyVariableTracker, type Translator, type VariableTracker } from "./base.ts";

/** builder.ts sets it. */
export const building: { make: (tx: Translator, value: unknown, source: Source | null) => VariableTracker } = {
  make: () => {
    throw new Error("the builder is not loaded");
  },
};

/** The variable of a value. With a source it is built at its first use. */
export function build(tx: Translator, value: unknown, source: Source | null): VariableTracker {
  if (source === null) return building.make(tx, value, null);
  return new LazyVariableTracker(source, value, () =>
    tx.output.variable_of(source.name, () => building.make(tx, value, source)),
  );
}
