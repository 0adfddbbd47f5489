/**
 * @file Exercise 22, in the tree itself: whether an added operator is complete. Every contribution must answer the same
 * questions.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT, read_tree } from "../../codegen/file_system.ts";
import { generate } from "../../codegen/generate.ts";
import { knowledge, openOperatorsOf, reservedOperators } from "../../new_op/knowledge.ts";
import { builtDispatch, exportOf, type Knowledge, moduleFile, publicName } from "../../new_op/plan.ts";
import { baseOf, isImplicit, nameOf, type TheirOperator } from "../../pytorch/operators.ts";
import { callsOperator } from "./gate_tested.ts";

/** One question, and the problems found; empty if there are none. */
export interface Answer {
  readonly id: string;
  readonly says: string;
  readonly wrong: readonly string[];
  /** The reason why it could not be asked on this machine. It then counts as not passed. */
  readonly lacks?: string;
  /** The command that was run for it. */
  readonly ran?: string;
  readonly ours: string;
  readonly pytorch: string;
}

interface Entry {
  readonly func: string;
  readonly dispatch?: Readonly<Record<string, string>>;
  readonly structured?: boolean;
  readonly structured_delegate?: string;
  readonly structured_inherits?: string;
  readonly device_check?: string;
  readonly python_module?: string;
  readonly tags?: string | readonly string[];
  readonly ufunc_inner_loop?: unknown;
  readonly variants?: string;
}

const YAML = "src/aten/native/native_functions.yaml";
const DERIVATIVES = "tools/codegen/autograd/derivatives.yaml";
const DOCS = "src/torch/_torch_docs.ts";

/**
 * @param asked `erf`, `aten::erf`; null is returned if PyTorch has no such operator
 * @param texts the tree
 * @param others whether other programs are run too: PyTorch, and the site's preparation
 */
export async function gate(
  asked: string,
  texts: ReadonlyMap<string, string> = read_tree(ROOT),
  others = true,
): Promise<Answer[] | null> {
  const known = knowledge(texts);
  const base = baseOf(asked.replace(/^aten::/, ""));
  const theirs = known.operators.operators.filter((each) => baseOf(nameOf(each)) === base);
  if (theirs.length === 0) return null;
  const answers = [
    entries(base, theirs, texts),
    generated(texts),
    written(base, texts),
    derivative(base, theirs, texts),
    documented(base, theirs, known, texts),
    tested(base, theirs),
  ];
  // An incomplete operator cannot be run.
  return answers.every(({ wrong }) => wrong.length === 0)
    ? [...answers, ...(await ran(base, theirs, texts, others))]
    : answers;
}

/** The questions that need the library: it is loaded once the tree is known to be complete. */
async function ran(
  base: string,
  theirs: readonly TheirOperator[],
  texts: ReadonlyMap<string, string>,
  others: boolean,
): Promise<Answer[]> {
  const { askPyTorch, compared, hasMeta } = await import("./gate_pytorch.ts");
  const { samplesOf } = await import("./gate_samples.ts");
  const { runs } = await import("./gate_runs.ts");
  const { roundtrip } = await import("./gate_roundtrip.ts");
  const { readByPyTorch } = await import("./pytorch_reads.ts");
  const { explained, paged } = await import("./gate_shown.ts");
  const asked = others ? askPyTorch(base) : "it was not asked";
  const samples = samplesOf(base, theirs, typeof asked === "string" ? null : asked);
  return [
    runs(base, theirs, samples, hasMeta(asked)),
    ...(others ? [roundtrip(samples, readByPyTorch)] : []),
    explained(theirs, texts),
    ...(others ? [paged(base), compared(base, theirs, asked)] : []),
  ];
}

/**
 * Operators to begin with: one kernel with a loop over elements, using only what is built here; those of `torch` before
 * those of `special`.
 */
export function starters(): string[] {
  const first = openOperatorsOf(read_tree(ROOT)).filter(
    ({ kind, difficulty }) => kind === "elementwise" && difficulty <= 2,
  );
  return first.sort((a, b) => a.difficulty - b.difficulty).map(({ base }) => base);
}

function entries(base: string, theirs: readonly TheirOperator[], texts: ReadonlyMap<string, string>): Answer {
  const ours = new Map((parse(texts.get(YAML) as string) as Entry[]).map((entry) => [nameOf(entry), entry]));
  const wrong = theirs.flatMap((operator) => {
    const name = nameOf(operator);
    const entry = ours.get(name);
    if (entry === undefined) return [`${name} is missing: ${operator.func}`];
    const differs = (field: string, a: unknown, b: unknown): string[] =>
      String(a ?? "") === String(b ?? "") ? [] : [`${name}: ${field} is ${a || "missing"}; PyTorch has ${b || "none"}`];
    // Sizes are numbers here: a kernel for symbolic ones has no other name.
    const dispatch = (lines: readonly (readonly [string, string])[]): string =>
      lines
        .flatMap(([keys, kernel]) => keys.split(", ").map((key) => `${key}: ${kernel.replace(/_symint$/, "")}`))
        .sort()
        .join("; ");
    const tags = (given: TheirOperator["tags"] = []): string => [given].flat().sort().join(", ");
    const variants = (text = "function"): string => text.split(", ").sort().join(", ");
    return [
      ...differs("func", entry.func, operator.func),
      ...differs("structured", entry.structured, operator.structured),
      ...differs("structured_delegate", entry.structured_delegate, operator.structured_delegate),
      ...differs("structured_inherits", entry.structured_inherits, operator.structured_inherits),
      ...differs("device_check", entry.device_check, operator.device_check),
      ...differs("python_module", entry.python_module, operator.python_module),
      ...differs("tags", tags(entry.tags), tags(operator.tags)),
      ...differs("variants", variants(entry.variants), variants(operator.variants)),
      ...differs("dispatch", dispatch(builtDispatch(entry)), dispatch(builtDispatch(operator))),
    ];
  });
  if (reservedOperators().includes(base)) wrong.push(`${base} belongs to the exercises (exercises/reserved.yaml)`);
  const pytorch = `aten/src/ATen/native/native_functions.yaml, line ${theirs[0].line}`;
  return { id: "22.entries", says: "the entries are PyTorch's, all forms of it", wrong, ours: YAML, pytorch };
}

function generated(texts: ReadonlyMap<string, string>): Answer {
  const wrong: string[] = [];
  try {
    const { outputs } = generate(new Map(texts));
    for (const [path, text] of outputs)
      if (texts.has(path) && texts.get(path) !== text)
        wrong.push(`${path} is not what codegen writes: run npm run codegen; nobody edits it by hand`);
  } catch (error) {
    wrong.push(...(error as Error).message.split("\n"));
  }
  return {
    id: "22.codegen",
    says: "generated files are what codegen writes",
    wrong,
    ours: "src/**/generated",
    pytorch: "torchgen/gen.py",
  };
}

function written(base: string, texts: ReadonlyMap<string, string>): Answer {
  const stub = new RegExp(`"(?:structured_)?${base}\\w*(?: is not written yet|: say what the result will be)`);
  const wrong = [...texts].flatMap(([file, text]) => {
    const line = text.split("\n").findIndex((each) => stub.test(each));
    return line === -1 || !file.startsWith("src/aten/native/") ? [] : [`${file}:${line + 1} is still the stub`];
  });
  return { id: "22.kernels", says: "no stub is left", wrong, ours: "src/aten/native", pytorch: "aten/src/ATen/native" };
}

type Formulas = Readonly<Record<string, string>> & { readonly dispatch?: Readonly<Record<string, Formulas>> };

interface Derivative {
  /** Without those of forward mode. */
  readonly formulas: readonly string[];
  /** The arguments that are marked as not differentiable. */
  readonly marked: readonly string[];
}

const NO_DERIVATIVE: Derivative = { formulas: [], marked: [] };

function derivativeOf(entry: Formulas): Derivative {
  const fields = entry.dispatch?.["Default"] ?? entry;
  const own = Object.entries(fields).filter(
    ([field]) => !/^(?:name|dispatch|output_differentiability|result\d*)$/.test(field),
  );
  const isMark = ([, formula]: readonly [string, unknown]): boolean => formula === "non_differentiable";
  const formulas = own.filter((field) => !isMark(field)).map(([, formula]) => String(formula));
  return {
    formulas: formulas.filter((formula) => !/\w_[tp]\b|^auto_/.test(formula)),
    marked: own.filter(isMark).flatMap(([names]) => names.split(/,\s*/)),
  };
}

/** The called functions, in the form in which record_names.py lists PyTorch's. */
function functionsIn(formulas: readonly string[]): string {
  const names = formulas.flatMap((formula) => [...formula.matchAll(/\b([A-Za-z_]\w*)\(/g)].map(([, name]) => name));
  return [...new Set(names)].sort().join(" ");
}

export function derivative(base: string, theirs: readonly TheirOperator[], texts: ReadonlyMap<string, string>): Answer {
  const all = parse(texts.get(DERIVATIVES) as string) as Formulas[];
  const ours = new Map(all.map((entry) => [entry["name"], derivativeOf(entry)]));
  const wrong = theirs.flatMap((operator) => {
    const { func } = operator;
    // A composite has a formula only for backends that are not built here.
    const calls = isImplicit(operator) ? undefined : operator.derivative;
    const { formulas, marked } = ours.get(func) ?? NO_DERIVATIVE;
    if (formulas.some((formula) => formula.includes(`not_implemented("${base} by`))) return [`${func}: still the stub`];
    if (calls === undefined && formulas.length > 0)
      return [
        `${func}: ${isImplicit(operator) ? "a composite's gradient follows from its parts; " : ""}PyTorch has no formula`,
      ];
    if (calls !== undefined && formulas.length === 0) return [`${func}: PyTorch has a formula, and here is none`];
    const theirMarks = (operator.non_differentiable ?? "").split(" ").filter(Boolean);
    const unmarked = isImplicit(operator) ? [] : theirMarks.filter((name) => !marked.includes(name));
    if (unmarked.length > 0)
      return [
        `${func}: PyTorch has no gradient for ${unmarked.join(", ")}: write '${unmarked[0]}: non_differentiable'`,
      ];
    const tooMany = marked.filter((name) => !theirMarks.includes(name));
    if (tooMany.length > 0) return [`${func}: ${tooMany.join(", ")} is non_differentiable here, and not in PyTorch`];
    const called = functionsIn(formulas);
    const listed = (names: string): string => (names === "" ? "no function" : names.replaceAll(" ", ", "));
    return calls === undefined || called === calls
      ? []
      : [`${func}: its formulas call ${listed(called)}; PyTorch's call ${listed(calls)}`];
  });
  return {
    id: "22.derivative",
    says: "it has formulas where PyTorch's has, and they call the same; it has none where PyTorch's has none",
    wrong,
    ours: DERIVATIVES,
    pytorch: "tools/autograd/derivatives.yaml",
  };
}

function documented(
  base: string,
  theirs: readonly TheirOperator[],
  { documented: names }: Knowledge,
  texts: ReadonlyMap<string, string>,
): Answer {
  const found = publicName(base, theirs);
  const module = found?.module ?? null;
  const file = module === null ? DOCS : moduleFile(module);
  const text = texts.get(file) ?? "";
  const wrong: string[] = [];
  if (text.includes(`TODO: what ${base} does`)) wrong.push("its docstring is still the stub");
  else if (found !== null && module !== null) {
    const line = exportOf(found.name).exec(text);
    if (line === null)
      wrong.push(`torch.${module}.${found.name} is missing: write 'export const ${found.name} = _${module}.${base};'`);
    else if (text.slice(line.index).split("\n", 1)[0].includes("NotBuilt"))
      wrong.push(`torch.${module}.${found.name} still says that it is not built`);
    else if (!/\*\/\n$/.test(text.slice(0, line.index))) wrong.push("it has no docstring");
  } else if (found !== null && !names.includes(base)) wrong.push("it has no docstring");
  const pytorch = module === null ? "torch/_torch_docs.py" : `torch/${module}/__init__.py`;
  return { id: "22.docs", says: "it has its public name, and its page says what it does", wrong, ours: file, pytorch };
}

function tested(base: string, theirs: readonly TheirOperator[]): Answer {
  const known = publicName(base, theirs);
  const found = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?:aten|torch).*\.test\.ts$/.test(file))
    .some((file) => callsOperator(readFileSync(join(ROOT, "test", file), "utf8"), base, known));
  const shown = known === null || known.module === null ? base : `torch.${known.module}.${known.name}`;
  const wrong = found ? [] : [`no file of test/aten or test/torch calls ${shown}`];
  return {
    id: "22.test",
    says: "a test calls it",
    wrong,
    ours: "test/aten/native",
    pytorch: "torch/testing/_internal/common_methods_invocations.py",
  };
}
