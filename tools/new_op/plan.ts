/**
 * @file The steps to add one of PyTorch's operators, in the order of a contribution: each with our file, PyTorch's file
 * for it, and a text to begin with.
 * @original
 */
import { name as cppName } from "../codegen/api/cpp.ts";
import { SKIP_PYTHON_BINDINGS } from "../codegen/autograd/gen_python_functions.ts";
import { create_op_prefix } from "../codegen/autograd/node_names.ts";
import { FunctionSchema } from "../codegen/function_schema.ts";
import { BUILT_DISPATCH_KEYS } from "../codegen/model.ts";
import type { TheirLookup } from "../explain/theirs.ts";
import type { PyTorchNames } from "../pytorch/names.ts";
import { baseOf, isImplicit, nameOf, type OperatorsFile, type TheirOperator } from "../pytorch/operators.ts";
import { docStub, exportStub, functionStub, structuredStub } from "./stubs.ts";

const YAML = "src/aten/native/native_functions.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";
const DOCS = "src/torch/_torch_docs.ts";

/** The place of a text: after an operator's YAML entry, before a documented name, before the next exported name, or at a file's end. */
export type Spot =
  | { readonly behindEntry: string }
  | { readonly beforeDoc: string }
  | { readonly byExport: string }
  | "end";

export interface Stub {
  readonly file: string;
  readonly text: string;
  readonly spot: Spot;
  /** Modules of the imports that the text needs, by name. */
  readonly imports: ReadonlyMap<string, string>;
}

export interface Step {
  readonly what: string;
  /** Our file, and PyTorch's file that it mirrors. */
  readonly ours: string;
  readonly pytorch: string;
  readonly stub: Stub | null;
}

export interface Plan {
  readonly base: string;
  /** Entries that are not here yet. */
  readonly entries: readonly TheirOperator[];
  readonly steps: readonly Step[];
}

export interface Knowledge {
  readonly operators: OperatorsFile;
  readonly names: PyTorchNames;
  readonly lookup: TheirLookup;
  /** Our kernel files, by PyTorch's file. */
  readonly mirrors: ReadonlyMap<string, string>;
  /** Names of our operators, with overloads. */
  readonly ours: ReadonlySet<string>;
  /** Names that _torch_docs.ts documents, in order. */
  readonly documented: readonly string[];
  /** Our hand-written files whose text has this name. */
  readonly placesOf: (name: RegExp) => readonly string[];
  /** The text of a file of ours; undefined if there is none. */
  readonly textOf: (file: string) => string | undefined;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** @param asked `aten::erf`, `erf`, `add.Tensor`; null is returned if PyTorch has no such operator */
export function planOf(asked: string, known: Knowledge): Plan | null {
  const base = baseOf(asked.replace(/^aten::/, ""));
  const all = known.operators.operators.filter((operator) => baseOf(nameOf(operator)) === base);
  if (all.length === 0) return null;
  const entries = all.filter((operator) => !known.ours.has(nameOf(operator)));
  const steps = entries.length === 0 ? [] : stepsOf(base, entries, known);
  return { base, entries, steps };
}

function stepsOf(base: string, entries: readonly TheirOperator[], known: Knowledge): Step[] {
  const lines = entries.map(({ line }) => line).join(", ");
  const entry: Step = {
    what: `${entries.length === 1 ? "the entry" : `the ${entries.length} entries`}; compare with PyTorch's, line ${lines}`,
    ours: YAML,
    pytorch: "aten/src/ATen/native/native_functions.yaml",
    stub: {
      file: YAML,
      text: entries.map(entryText).join(""),
      spot: { behindEntry: neighbour(entries[0], known) },
      imports: NONE,
    },
  };
  const kernels = entries.flatMap((e) => kernelStep(e, known));
  return [
    entry,
    ...kernels,
    ...loopStep(base, entries, known),
    ...metaStep(base, entries, known),
    ...derivativeStep(base, entries),
    ...docStep(base, entries, known),
    ...exampleStep(entries, known),
    ...closing(base, kernels),
  ];
}

/** An entry in the format of the file, with the keys that exist here. */
export function entryText(operator: TheirOperator): string {
  const { func, structured, structured_delegate, structured_inherits, device_check } = operator;
  const { variants, python_module, autogen, tags } = operator;
  const dispatch = builtDispatch(operator);
  const line = (field: string, value: unknown): string[] => (value === undefined ? [] : [`  ${field}: ${value}`]);
  return [
    "",
    `- func: ${func}`,
    ...line("device_check", device_check),
    ...(structured === true ? ["  structured: True"] : []),
    ...line("structured_inherits", structured_inherits),
    ...line("structured_delegate", structured_delegate),
    ...line("variants", variants),
    ...line("python_module", python_module),
    ...(dispatch.length === 0 ? [] : ["  dispatch:", ...dispatch.map(([keys, kernel]) => `    ${keys}: ${kernel}`)]),
    ...line("autogen", autogen),
    ...line("tags", typeof tags === "object" ? `[${tags.join(", ")}]` : tags),
    "",
  ].join("\n");
}

/**
 * PyTorch's lines for keys that exist here. If there are none, all lines: without them the operator would look like a composite.
 */
export function builtDispatch({
  dispatch = {},
  structured_delegate,
  ufunc_inner_loop,
}: Pick<TheirOperator, "dispatch" | "structured_delegate"> & { readonly ufunc_inner_loop?: unknown }): [
  keys: string,
  kernel: string,
][] {
  const built: readonly string[] = BUILT_DISPATCH_KEYS;
  const lines = Object.entries(dispatch);
  const ours = lines.flatMap(([keys, kernel]): [string, string][] => {
    const kept = keys.split(", ").filter((key) => built.includes(key));
    return kept.length === 0 ? [] : [[kept.join(", "), kernel]];
  });
  const others = structured_delegate !== undefined || ufunc_inner_loop !== undefined;
  return ours.length > 0 || others ? ours : lines;
}

/** Whether TensorIterator's kernels for it are called through a stub. */
function hasStub(base: string, { names }: Pick<Knowledge, "names">): boolean {
  return names.named(`${base}_stub`).length > 0;
}

/** The last of our entries that precedes it in PyTorch's file. */
function neighbour({ line }: TheirOperator, { operators, ours }: Knowledge): string {
  const before = operators.operators.filter((each) => each.line < line && ours.has(nameOf(each)));
  return nameOf(before.at(-1) ?? operators.operators[0]);
}

function kernelStep(operator: TheirOperator, known: Knowledge): Step[] {
  const name = nameOf(operator);
  if (operator.structured_delegate !== undefined) return [];
  const composite = operator.dispatch === undefined;
  const kernels = composite
    ? [cppName(FunctionSchema.parse(operator.func))]
    : builtDispatch(operator).map(([, kernel]) => kernel);
  const [answer] = known.lookup.operatorsNamed(name);
  return [...new Set(kernels)].map((kernel) => {
    const theirs =
      answer?.kernels.find(({ symbol }) => symbol.endsWith(kernel))?.paths[0] ?? answer?.kernels[0]?.paths[0] ?? "";
    const file = ourFile(theirs, known, operator);
    const stub =
      operator.structured === true
        ? structuredStub(operator, kernel, functionalOf(name, known), hasStub(baseOf(name), known))
        : functionStub(operator, kernel);
    return {
      what: `${operator.structured === true ? "meta and impl of" : composite ? "the composite" : "the kernel of"} ${name}`,
      ours: file,
      pytorch: theirs === "" ? "aten/src/ATen/native (its file is not recorded)" : theirs,
      stub: { file, text: stub.text, spot: "end", imports: stub.imports },
    };
  });
}

/** The functional operator of a structured group: neither in-place nor out. */
function functionalOf(name: string, { operators }: Knowledge): string {
  const delegating = operators.operators.filter((each) => each.structured_delegate === name).map(nameOf);
  return delegating.find((each) => !/_(?:\.|$)/.test(each)) ?? baseOf(name);
}

/**
 * Our file for PyTorch's `X.cpp`: the one where an operator like this one stands, if `X.cpp` became several files of ours; otherwise
 * `X.ts` in the same folder.
 */
function ourFile(theirs: string, known: Knowledge, operator: TheirOperator): string {
  const file = known.mirrors.get(theirs);
  const stem = /([^/]+)\.\w+$/.exec(theirs)?.[1] ?? "NewOperators";
  const folder = `src/aten/native/${theirs.includes("/native/cpu/") ? "cpu/" : ""}`;
  if (file === undefined) return `${folder}${stem}.ts`;
  const example = exampleOf(operator, known);
  const places = example === null ? [] : known.placesOf(definitionOf(example));
  return places.find((place) => place.startsWith(`${folder}${stem}/`)) ?? file;
}

/** The kernel of an operator where it is written: its class, its function, or the registration of its stub. */
function definitionOf(base: string): RegExp {
  return new RegExp(`class structured_${base}(?:_out)? |function ${base}(?:_out)?\\(|REGISTER_DISPATCH\\(${base}_stub`);
}

/** The nearest operator of PyTorch's file that is built here and made in the same way: it shows what belongs to one. */
function exampleOf(operator: TheirOperator, { operators, ours }: Knowledge): string | null {
  const kind = ({ structured, dispatch, python_module, func }: TheirOperator): string =>
    [structured === true, dispatch === undefined, python_module, func.replace(/^[^(]*|\w+(?=[,)])/g, "")].join();
  const alike = operators.operators.filter((each) => ours.has(nameOf(each)) && kind(each) === kind(operator));
  const distance = ({ line }: TheirOperator): number => Math.abs(line - operator.line);
  const nearest = alike.reduce<TheirOperator | null>(
    (best, each) => (best === null || distance(each) < distance(best) ? each : best),
    null,
  );
  return nearest === null ? null : baseOf(nameOf(nearest));
}

/** The places where a like operator stands: a contribution has the same. */
function exampleStep(entries: readonly TheirOperator[], known: Knowledge): Step[] {
  const leading = entries.find((each) => each.structured === true) ?? entries[0];
  const example = leading === undefined ? null : exampleOf(leading, known);
  if (example === null) return [];
  const places = known.placesOf(new RegExp(`\\b(?:structured_)?${example}(?:_out|_stub|_kernel)?\\b`));
  if (places.length === 0) return [];
  return [
    {
      what: `compare with ${example}, which is made in the same way; its name stands in these files`,
      ours: places.slice(0, PLACES).join(", "),
      pytorch: "aten/src/ATen/native/native_functions.yaml",
      stub: null,
    },
  ];
}

/** More places than this are uses of a common operator, and not its parts. */
const PLACES = 8;

function loopStep(base: string, entries: readonly TheirOperator[], known: Knowledge): Step[] {
  if (!entries.some((e) => e.structured === true || e.dispatch?.["CPU"] !== undefined)) return [];
  const theirs = known.names.named(`${base}_kernel`).find(({ path }) => path.includes("/native/cpu/"))?.path;
  if (theirs === undefined) return [];
  const ours = ourFile(theirs, known, entries.find((e) => e.structured === true) ?? entries[0]);
  return [
    {
      what: `the arithmetic of one element, a function with @loop, and REGISTER_DISPATCH(${base}_stub, ...); the stub itself, DEFINE_DISPATCH, stands beside impl, which calls it`,
      ours,
      pytorch: theirs,
      stub: null,
    },
  ];
}

/** PyTorch's files with Meta kernels in Python, and ours; the first that contains the operator is used. */
const PYTHON_META: readonly (readonly [theirs: string, ours: string, prefix: string])[] = [
  ["torch/_meta_registrations.py", "src/torch/_meta_registrations/index.ts", "meta_"],
  ["torch/_decomp/decompositions.py", "src/torch/_decomp/decompositions.ts", ""],
  ["torch/_refs/__init__.py", "src/torch/_refs/index.ts", ""],
  ["torch/_refs/nn/functional/__init__.py", "src/torch/_refs/functional.ts", ""],
];

/** Composites consist of other operators on Meta too, and views keep their C++ kernels. */
function metaStep(base: string, entries: readonly TheirOperator[], { names }: Knowledge): Step[] {
  const kernels = entries.some((e) => e.dispatch !== undefined || e.structured_delegate !== undefined);
  const view = entries.some(({ func }) => /-> \(?Tensor\(\w\)/.test(func));
  const found = PYTHON_META.find(([path, , prefix]) => names.named(prefix + base).some((name) => name.path === path));
  if (!kernels || view || found === undefined) return [];
  const [pytorch, ours] = found;
  const what =
    "its form for Meta, which PyTorch has in Python: shape and dtype without values, and the errors that Meta gives";
  return [{ what, ours, pytorch, stub: null }];
}

/** The argument's line in derivatives.yaml, to begin with: PyTorch's mark, or a formula that refuses. */
function derivativeText(base: string, { func, derivative, non_differentiable = "" }: TheirOperator): string {
  const marked = non_differentiable.split(" ").filter((name) => name !== "");
  const inputs = [...func.matchAll(/[(,] ?Tensor\??(?:\(a!?\))? (\w+)/g)].map(([, name]) => name as string);
  const open = derivative === undefined ? [] : inputs.filter((name) => !marked.includes(name));
  return [
    "",
    `- name: ${func}`,
    ...open.map((name) => `  ${name}: not_implemented("${base} by ${name}")`),
    ...marked.map((name) => `  ${name}: non_differentiable`),
    "",
  ].join("\n");
}

function derivativeStep(base: string, entries: readonly TheirOperator[]): Step[] {
  const listed = entries.filter((each) => hasDerivativeEntry(each));
  if (listed.length === 0) return [];
  const derived = listed.filter((each) => each.derivative !== undefined);
  const calls = [...new Set(derived.flatMap(({ derivative = "" }) => derivative.split(" ")))].filter(
    (name) => name !== "",
  );
  const formula =
    `the formula, for ${create_op_prefix(base)}0; PyTorch's calls ${calls.length === 0 ? "no function" : calls.join(", ")}. ` +
    "Until it is written, backward refuses";
  const none =
    "the entry that marks it as non_differentiable, as PyTorch does: its result never requires grad. It is complete";
  return [
    {
      what: derived.length === 0 ? none : formula,
      ours: DERIVATIVES,
      pytorch: "tools/autograd/derivatives.yaml",
      stub: {
        file: DERIVATIVES,
        text: listed.map((each) => derivativeText(base, each)).join(""),
        spot: "end",
        imports: NONE,
      },
    },
  ];
}

/** Whether derivatives.yaml has an entry for it: formulas, or only arguments without a gradient. A composite's are for other backends. */
export function hasDerivativeEntry(operator: TheirOperator): boolean {
  return (operator.derivative !== undefined || operator.non_differentiable !== undefined) && !isImplicit(operator);
}

/** The public name of an operator's function: `torch.exp`, `torch.special.i1e`. */
export interface PublicName {
  /** Null for `torch` itself. */
  readonly module: "special" | "linalg" | "fft" | null;
  readonly name: string;
}

const MODULES = ["special", "linalg", "fft"] as const;

/**
 * Null if a user does not call it by a function of its own name: an operator whose name begins with `_`, a method, or a function of
 * `torch._C._nn`, which functions of `torch.nn.functional` call.
 */
export function publicName(base: string, entries: readonly TheirOperator[]): PublicName | null {
  const bound = entries.filter((e) => (e.variants ?? "function").includes("function"));
  const module = MODULES.find((name) => bound.some((e) => e.python_module === name)) ?? null;
  const ofTorch = bound.some((e) => e.python_module === undefined);
  if ((module === null && !ofTorch) || SKIP_PYTHON_BINDINGS.some((skip) => skip.test(base))) return null;
  const name = module === null ? base : base.replace(`${module}_`, "");
  return base.startsWith("_") || name.startsWith("_") ? null : { module, name };
}

/** The file with the function: PyTorch's functions of a module are names for those of `torch._C`. */
export function moduleFile(module: Exclude<PublicName["module"], null>): string {
  return `src/torch/${module}/index.ts`;
}

/** The line of `src/torch/special/index.ts` that gives a function its public name. */
export function exportOf(name: string): RegExp {
  return new RegExp(`^export const ${name}\\b`, "m");
}

function docStep(base: string, entries: readonly TheirOperator[], known: Knowledge): Step[] {
  const found = publicName(base, entries);
  if (found === null) return [];
  if (found.module !== null) return publicNameStep(base, found.module, found.name, known);
  const { documented } = known;
  if (documented.includes(base)) return [];
  const next = documented.find((name) => name > base) ?? "";
  return [
    {
      what: "what it does, in a line; shapes; an example, which a test runs",
      ours: DOCS,
      pytorch: "torch/_torch_docs.py",
      stub: { file: DOCS, text: docStub(base), spot: { beforeDoc: next }, imports: NONE },
    },
  ];
}

/** A function of `torch.special` and its like has its name, and its docstring, in the module's own file. */
function publicNameStep(
  base: string,
  module: Exclude<PublicName["module"], null>,
  name: string,
  { textOf }: Knowledge,
): Step[] {
  const file = moduleFile(module);
  if (exportOf(name).test(textOf(file) ?? "")) return [];
  return [
    {
      what: `the public name torch.${module}.${name}, and above it what it does, in a line, with shapes`,
      ours: file,
      pytorch: `torch/${module}/__init__.py`,
      stub: { file, text: exportStub(base, module, name), spot: { byExport: name }, imports: NONE },
    },
  ];
}

/** Steps without a stub, which are commands. */
function closing(base: string, kernels: readonly Step[]): Step[] {
  const file = kernels[0]?.ours ?? "src/aten/native/X.ts";
  return [
    {
      what: "npm run codegen: it tells everything that is missing or wrong at once; then npm run format",
      ours: "src/**/generated",
      pytorch: "torchgen/gen.py",
      stub: null,
    },
    {
      what: "a test: a worked case, a law, a gradient, a refusal",
      ours: file.replace("src/", "test/").replace(/\.ts$/, ".test.ts"),
      pytorch: "torch/testing/_internal/common_methods_invocations.py",
      stub: null,
    },
    {
      what: `npm run ex -- check 22 ${base}: the gate, and npm run explain -- ${base}: what you made`,
      ours: "exercises/22-contribute",
      pytorch: "torch/testing/_internal/common_utils.py",
      stub: null,
    },
  ];
}
