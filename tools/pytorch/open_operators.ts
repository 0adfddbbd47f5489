/**
 * @file PyTorch's operators that are not built here, with the facts for somebody who wants to build one: its kind, its
 * difficulty, its file in PyTorch, and what it needs that is also missing. All of it follows from recorded data and
 * from our sources.
 * @original
 */
import type { TheirLookup } from "../explain/theirs.ts";
import type { PyTorchNames } from "./names.ts";
import { baseOf, hasTag, nameOf, type OperatorsFile, type TheirOperator } from "./operators.ts";

/** Kinds in the order in which they are tested: the first that fits counts. */
export const KINDS = {
  backend: "only for a backend or a library that is not here",
  "list kernel": "many tensors at once, in one kernel",
  composite: "made of other operators, which autograd records in its place",
  random: "draws from a generator",
  view: "a view with a kernel of its own",
  reduction: "one number from many, along dimensions",
  elementwise: "structured, a loop over elements",
  structured: "structured: shape first, then the computation",
  explicit: "one kernel for every backend, below autograd",
  kernel: "a kernel for the CPU",
} as const;
export type Kind = keyof typeof KINDS;

/** Difficulties, with reasons. */
export const DIFFICULTIES = {
  1: "to begin with: all that it is made of is here, or it is one function of one element",
  2: "nothing is needed first; its shapes, its memory, its loop or its Python module are its own",
  3: "a kernel that is written from the ground, random numbers, or parts that are not recorded",
  4: "something else is needed first",
  5: "a backend or a library that is not here",
} as const;
export type Difficulty = keyof typeof DIFFICULTIES;

export interface OpenOperator {
  readonly base: string;
  readonly kind: Kind;
  readonly difficulty: Difficulty;
  /** Entries that are missing, with their lines in PyTorch's native_functions.yaml. */
  readonly entries: readonly (readonly [name: string, line: number])[];
  /** Whether other forms of it are built here. */
  readonly begun: boolean;
  /** Its Python module, if not `torch`: `linalg`, `nn`. */
  readonly module: string | null;
  /** PyTorch's file of its kernel; "" if it is not recorded. */
  readonly file: string;
  /** Missing requirements: operators, and helpers of its derivative (`FunctionsManual`). */
  readonly needs: readonly { readonly name: string; readonly is: "operator" | "helper" }[];
  /** Whether its parts are known: composites without a sample in PyTorch are not recorded. */
  readonly recorded: boolean;
}

export interface OpenSources {
  readonly operators: OperatorsFile;
  readonly names: PyTorchNames;
  readonly lookup: TheirLookup;
  /** The operators in each composite, separated by spaces: tools/pytorch/composites.json.gz. */
  readonly composites: Readonly<Record<string, string>>;
  /** Our operators, with overloads. */
  readonly ours: ReadonlySet<string>;
  /** Functions in our FunctionsManual. */
  readonly helpers: ReadonlySet<string>;
  /** Operators reserved for learners. */
  readonly reserved: readonly string[];
}

export function openOperators(sources: OpenSources): OpenOperator[] {
  const { operators, ours, reserved } = sources;
  const missing = new Map<string, TheirOperator[]>();
  for (const operator of operators.operators) {
    const base = baseOf(nameOf(operator));
    if (ours.has(nameOf(operator)) || reserved.includes(base)) continue;
    missing.set(base, [...(missing.get(base) ?? []), operator]);
  }
  const here = new Set([...ours].map(baseOf));
  const all = new Set(operators.operators.map((each) => baseOf(nameOf(each))));
  return [...missing].map(([base, entries]) => {
    const file = fileOf(entries, sources.lookup);
    const kind = kindOf(base, entries, file);
    const needs = needsOf(base, entries, { ...sources, here, all });
    const module = entries[0].python_module ?? null;
    const recorded = kind !== "composite" || base in sources.composites;
    return {
      base,
      kind,
      difficulty: difficultyOf({ kind, needs, recorded, module }),
      entries: entries.map((each) => [nameOf(each), each.line]),
      begun: here.has(base),
      module,
      file,
      needs,
      recorded,
    };
  });
}

function needsOf(
  base: string,
  entries: readonly TheirOperator[],
  { names, composites, helpers, here, all }: OpenSources & { here: ReadonlySet<string>; all: ReadonlySet<string> },
): OpenOperator["needs"] {
  const words = (text = ""): string[] => text.split(" ").filter((word) => word !== "");
  const called = entries
    .flatMap(({ derivative }) => words(derivative))
    .map((name) => name.replace(/_symint$/, ""))
    .filter((name) => name !== base && !names.has(`at::TensorBase::${name}`));
  const parts = [...words(composites[base]), ...called].map(baseOf).filter((name) => all.has(name) && name !== base);
  const manual = called.filter((name) =>
    names.named(name).some(({ path }) => path.startsWith("torch/csrc/autograd/FunctionsManual.")),
  );
  return [
    ...[...new Set(parts)].filter((name) => !here.has(name)).map((name) => ({ name, is: "operator" as const })),
    ...[...new Set(manual)].filter((name) => !helpers.has(name)).map((name) => ({ name, is: "helper" as const })),
  ];
}

/** The file of its kernel; the kernel for the CPU or for all backends is preferred. */
function fileOf(entries: readonly TheirOperator[], lookup: TheirLookup): string {
  const kernels = entries.flatMap((each) => lookup.operatorsNamed(nameOf(each)).flatMap((answer) => answer.kernels));
  const ours = kernels.filter(({ keys }) =>
    keys.split(", ").some((key) => key === "CPU" || key.startsWith("Composite")),
  );
  return [...ours, ...kernels].flatMap(({ paths }) => paths)[0] ?? "";
}

/** Libraries and backends, by PyTorch's folders; LAPACK and the Fourier transforms count as libraries. */
const BACKENDS =
  /\/native\/(?:cuda|cudnn|miopen|mkl|mkldnn|mps|quantized|ao_sparse|sparse|nested|xnnpack|vulkan|metal|transformers)\/|BatchLinearAlgebra|SpectralOps|MiopenOps|native\/NNPACK/;

const LIBRARIES = /cudnn|miopen|mkldnn|mps|xnnpack|fbgemm|quantize|sparse|nested/;

function kindOf(base: string, entries: readonly TheirOperator[], file: string): Kind {
  const some = (test: (each: TheirOperator) => boolean): boolean => entries.some(test);
  const keys = entries.flatMap(({ dispatch = {} }) => Object.keys(dispatch).join(", ").split(", "));
  const built = keys.some((key) => key === "CPU" || /^Composite\w*Autograd(?:NonFunctional)?$/.test(key));
  const composite = entries.every((each) => each.dispatch === undefined && each.structured_delegate === undefined);
  if ((keys.some((key) => key !== "") && !built) || BACKENDS.test(file) || LIBRARIES.test(base)) return "backend";
  if (/^_(?:foreach|fused|amp_foreach)_/.test(base)) return "list kernel";
  if (composite || keys.every((key) => key === "" || key.startsWith("CompositeImplicit"))) return "composite";
  if (some((each) => hasTag(each, "nondeterministic_seeded"))) return "random";
  if (some(({ func }) => /-> \(?Tensor\((?!\w!)/.test(func))) return "view";
  if (some((each) => hasTag(each, "reduction"))) return "reduction";
  if (some(({ structured_inherits }) => structured_inherits === "TensorIteratorBase")) return "elementwise";
  if (some(({ structured }) => structured === true)) return "structured";
  return keys.includes("CPU") ? "kernel" : "explicit";
}

function difficultyOf({
  kind,
  needs,
  recorded,
  module,
}: Pick<OpenOperator, "kind" | "needs" | "recorded" | "module">): Difficulty {
  if (kind === "backend") return 5;
  if (needs.length > 0) return 4;
  if (kind === "elementwise" || (kind === "composite" && recorded)) return module === null || module === "nn" ? 1 : 2;
  if (kind === "composite" || kind === "kernel" || kind === "random" || kind === "list kernel") return 3;
  return 2;
}
