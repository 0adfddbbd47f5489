/**
 * @file The facts of every operator, and of each the line that a reader asks for first: where it is computed.
 * @original
 */
import torch from "../../src/index.ts";
import { read_tree } from "../../tools/codegen/file_system.ts";
import type { KernelFact, KernelStep } from "../../tools/explain/kernels.ts";
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

/**
 * The arithmetic or the kernel of an operator's own: what "where is it?" asks for first. Of several loops, the one that ran for float32. A stub
 * of another operator that the kernel calls on its way is nobody's home but that operator's.
 */
export function homeOf(overloads: readonly OperatorFacts[]): HomeFact | null {
  const kernels = overloads.flatMap((o) => o.kernels);
  const written = kernels.filter((k) => k.key !== "meta" && k.key !== "Meta" && !k.file.includes("/generated/"));
  const own = CHOOSERS.has(overloads[0]?.base ?? "") ? [] : overloads.flatMap(ownSteps);
  return (
    among(overloads, own.filter(isArithmetic)) ??
    own.find((s) => s.role === "kernel") ??
    written.find((k) => !callsItself(k, overloads)) ??
    written[0] ??
    kernels.find((k) => k.key !== "meta") ??
    kernels[0] ??
    null
  );
}

/** Operators that choose among the kernels of others: the choice is all they do. */
const CHOOSERS = new Set(["_convolution", "convolution_backward"]);

/** A convenient form of the operator that fills in arguments and calls the operator. */
const callsItself = ({ calls }: KernelFact, overloads: readonly OperatorFacts[]): boolean =>
  overloads.some((o) => calls.includes(o.unambiguous));

const isArithmetic = ({ role }: KernelStep): boolean => role === "loop" || role === "template";

/** The steps of an operator's kernels as far as they are its own: those below a stub of another operator are left out. */
function ownSteps(o: OperatorFacts): KernelStep[] {
  return o.kernels.flatMap(({ mirrors, steps }) => {
    let own = true;
    return steps.filter((step) => {
      if (step.role === "stub") own = isOwnStub(step, o.base, mirrors);
      return own;
    });
  });
}

/**
 * Whether a stub is the operator's: it has a word of its name, or it is named after no other operator and PyTorch has it in the kernel's file.
 */
function isOwnStub({ name, mirrors }: KernelStep, base: string, kernel: string): boolean {
  const subject = name.replace(/^.*::/, "").replace(/_(?:stub|kernel)$/, "");
  if (bare(subject) === bare(base) || isRelated(subject, base)) return true;
  return fileOf(mirrors) === fileOf(kernel) && !bases().has(bare(subject));
}

/** A header and its body are one file here. */
const fileOf = (mirrors: string): string => mirrors.replace(/#.*$/, "").replace(/\.\w+$/, "");

/** Words that tell nothing of what an operator does. */
const COMMON = new Set(["backward", "forward", "native", "out", "for", "cpu", "impl", "kernel", "out", "to", "from"]);

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[_\d]+/)
    .filter((word) => word.length > 1 && !COMMON.has(word));

/** Whether two names have a word in common, or one has a word that the other's begins or ends with. */
function isRelated(a: string, b: string): boolean {
  const others = wordsOf(b);
  const within = (short: string, long: string): boolean =>
    (short.length >= 3 && long.startsWith(short)) || long.endsWith(short);
  return wordsOf(a).some((word) => others.some((o) => o === word || within(word, o) || within(o, word)));
}

/** Without an underscore at an end; `__and__` keeps its two, which are Python's. */
const bare = (name: string): string => name.replace(/^_(?!_)|(?<!_)_$/g, "");

let known: ReadonlySet<string> | null = null;

/** Names of all operators, without underscores at the ends. */
function bases(): ReadonlySet<string> {
  known ??= new Set((made?.all ?? []).map((o) => bare(o.base)));
  return known;
}

/** The scalar function or the template that does an operator's arithmetic on float32, whoever owns it. */
export function loopOf(overloads: readonly OperatorFacts[]): HomeFact | null {
  return among(overloads, overloads.flatMap((o) => o.kernels.flatMap((k) => k.steps)).filter(isArithmetic));
}

function among(overloads: readonly OperatorFacts[], loops: readonly KernelStep[]): HomeFact | null {
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
