/**
 * @file The facts of every operator, and of each the line that a reader asks for first: where it is computed.
 * @original
 */
import torch from "../../src/index.ts";
import { read_tree } from "../../tools/codegen/file_system.ts";
import { type OperatorFacts, Operators } from "../../tools/explain/operators.ts";
import type { Context } from "./context.ts";
import { recordedLoops } from "./recorded_loops.ts";

/** Facts are made once for all parts that need them. */
let made: { readonly operators: Operators; readonly all: readonly OperatorFacts[] } | null = null;

export function operatorFacts(context: Pick<Context, "root" | "symbols">): NonNullable<typeof made> {
  if (made === null) {
    const operators = new Operators({
      files: read_tree(context.root),
      symbols: context.symbols,
      dumpTable: (op) => torch._C._dispatch_dump_table(op),
    });
    made = { operators, all: operators.all() };
  }
  return made;
}

export interface HomeFact {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly mirrors: string;
}

/** The arithmetic or the composite kernel: what "where is it?" asks for first. Of several loops, the one that ran for float32. */
export function homeOf(overloads: readonly OperatorFacts[]): HomeFact | null {
  const kernels = overloads.flatMap((o) => o.kernels);
  const steps = kernels.flatMap((k) => k.steps);
  return (
    loopOf(overloads) ??
    steps.find((s) => s.role === "kernel") ??
    kernels.find((k) => k.key !== "meta") ??
    kernels[0] ??
    null
  );
}

/** The scalar function or the template that does an operator's arithmetic on float32. */
export function loopOf(overloads: readonly OperatorFacts[]): HomeFact | null {
  const loops = overloads
    .flatMap((o) => o.kernels.flatMap((k) => k.steps))
    .filter((s) => s.role === "loop" || s.role === "template");
  if (new Set(loops.map((s) => `${s.file}#${s.name}`)).size < 2) return loops[0] ?? null;
  return recordedLoops().first(new Set(overloads.map((o) => o.name)), loops) ?? loops[0];
}

/** Operators that only carry values from place to place: what they do is nobody's arithmetic but their own. */
const CARRIERS = new Set(["copy", "fill", "zero", "clone", "contiguous", "_to_copy", "to", "empty"]);

/** The arithmetic of a composite: the loop of the first operator below it that has one. Operators that only carry values count if no other is called. */
export function arithmeticOf(
  overloads: readonly OperatorFacts[],
  unambiguous: ReadonlyMap<string, OperatorFacts>,
): (HomeFact & { readonly operator: OperatorFacts }) | null {
  const below = loopsBelow(overloads, unambiguous, 0);
  return below.find(({ operator }) => !CARRIERS.has(operator.base)) ?? below[0] ?? null;
}

function loopsBelow(
  overloads: readonly OperatorFacts[],
  unambiguous: ReadonlyMap<string, OperatorFacts>,
  depth: number,
): (HomeFact & { readonly operator: OperatorFacts })[] {
  const called = overloads
    .flatMap((o) => o.kernels.flatMap((k) => k.calls))
    .map((name) => unambiguous.get(name) as OperatorFacts)
    .filter((o) => o.kind !== "view" && o.kind !== "factory" && !overloads.includes(o));
  const found = called.flatMap((operator) => {
    const loop = loopOf([operator]);
    return loop === null ? [] : [{ ...loop, operator }];
  });
  if (found.some(({ operator }) => !CARRIERS.has(operator.base)) || depth >= 2 || called.length === 0) return found;
  return [...found, ...loopsBelow(called, unambiguous, depth + 1)];
}
