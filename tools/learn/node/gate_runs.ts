/**
 * @file Checks that call the operator: the path of the call, its memory, its gradient, its shape on Meta, its schema's promises.
 * @original
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { onMeta } from "../../../test/helpers/opinfo.ts";
import type { Any } from "../../../test/helpers/recorded.ts";
import { create_op_prefix } from "../../codegen/autograd/node_names.ts";
import { FunctionSchema } from "../../codegen/function_schema.ts";
import { baseOf, hasTag, isImplicit, nameOf, type TheirOperator } from "../../pytorch/operators.ts";
import type { Answer } from "./gate.ts";
import type { Call, Samples } from "./gate_samples.ts";

const TESTS = ["test_schema", "test_autograd_registration"] as const;
const SAYS = "way, node, gradient, memory, shape on Meta and promises are right";

type Places = Pick<Answer, "ours" | "pytorch">;
const PROMISES: Places = { ours: "src/torch/_library/opcheck.ts", pytorch: "torch/library.py" };
const FORMULAS: Places = {
  ours: "tools/codegen/autograd/derivatives.yaml",
  pytorch: "tools/autograd/derivatives.yaml",
};
/** Where to look, by the kind of problem. */
const PLACES: Readonly<Record<string, Places>> = {
  "the way": { ours: "src/aten/native/native_functions.yaml", pytorch: "aten/src/ATen/native/native_functions.yaml" },
  "its node": FORMULAS,
  "the gradient": FORMULAS,
  "its memory": { ours: "src/aten/native", pytorch: "aten/src/ATen/native" },
  "on Meta": {
    ours: "src/torch/_meta_registrations/index.ts, _refs, _decomp",
    pytorch: "torch/_meta_registrations.py",
  },
};

const REFUSED = "not called: its arguments are refused";

export function runs(
  base: string,
  theirs: readonly TheirOperator[],
  { calls, from, guessed }: Samples,
  hasMeta: boolean,
): Answer {
  const tried = calls.map((call) => new Tried(base, theirs, call, hasMeta).tell());
  // Some guessed arguments are nonsense; if all are, nothing was called.
  const sensible = guessed ? tried.filter(({ wrong }) => !wrong[0]?.startsWith(REFUSED)) : tried;
  const taken = sensible.length > 0 ? sensible : tried;
  const wrong = calls.length === 0 ? [`not called: ${from}`] : oneOfEach(taken.flatMap((each) => each.wrong));
  const unasked = (taken[0]?.unasked ?? []).filter((what) => taken.every((each) => each.unasked.includes(what)));
  const [, places] = Object.entries(PLACES).find(([what]) => wrong[0]?.startsWith(what)) ?? ["", PROMISES];
  return { id: "22.runs", says: SAYS, ran: [from, ...unasked].join("; "), wrong, ...places };
}

/** The reason why a question does not apply. */
class Unasked {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** A problem; null if there is none. */
type Said = string | null | Unasked;

interface Told {
  readonly wrong: readonly string[];
  readonly unasked: readonly string[];
}

/** One call, and the questions about it. */
class Tried {
  private readonly base: string;
  private readonly theirs: readonly TheirOperator[];
  private readonly call: Call;
  /** Whether PyTorch has a kernel for Meta. */
  private readonly hasMeta: boolean;

  constructor(base: string, theirs: readonly TheirOperator[], call: Call, hasMeta: boolean) {
    this.base = base;
    this.theirs = theirs;
    this.call = call;
    this.hasMeta = hasMeta;
  }

  tell(): Told {
    let seen: Seen;
    try {
      seen = this.see();
    } catch (error) {
      return { wrong: [`${REFUSED}: ${brief(error)}`], unasked: [] };
    }
    if (seen.overload === null)
      return { wrong: [`the way of the call: nothing enters the dispatcher as aten::${this.base}`], unasked: [] };
    const schema = FunctionSchema.parse(seen.overload.func);
    const questions: Readonly<Record<string, () => Said>> = {
      "the way of the call": () => this.way(seen, schema),
      "its node": () => this.node(seen),
      "its memory": () => this.memory(seen, schema),
      "the gradient": () => this.gradient(seen),
      "on Meta": () => this.meta(seen),
      opcheck: () => this.opcheck(seen),
    };
    const answers = Object.entries(questions).map(([what, ask]) => [what, asked(ask)] as const);
    const args = this.call.args().map(shown).join(", ");
    return {
      wrong: answers.flatMap(([what, said]) =>
        typeof said === "string" ? [`${what}: ${said} (called with ${args})`] : [],
      ),
      unasked: answers.flatMap(([what, said]) => (said instanceof Unasked ? [`not asked: ${what}, ${said.why}`] : [])),
    };
  }

  private see(): Seen {
    const args = this.call.args();
    const tensors = tensorsOf(args).filter((x) => x.is_floating_point());
    for (const x of tensors) x.requires_grad_(true);
    let result: Any;
    const { events } = record(() => {
      result = this.run(args);
    });
    const hops = events.flatMap(({ op, key }) => (op === undefined ? [] : [{ op, key: String(key) }]));
    const first = hops.find(({ op }) => baseOf(op) === `aten::${this.base}`);
    const overload = this.theirs.find((each) => `aten::${nameOf(each)}` === first?.op) ?? null;
    const from = first === undefined ? 0 : hops.indexOf(first);
    const others = hops.findIndex(({ op }, i) => i > from && op !== first?.op);
    const own = hops.slice(from, others === -1 ? hops.length : others).map(({ key }) => key);
    const keys = own.filter((key) => key !== "BackendSelect"); // it is a stop only for operators that take a device
    return { args, result, overload, keys, differentiable: tensors.length > 0 };
  }

  private run(args: readonly Any[], kwargs = this.call.kwargs()): Any {
    return Object.keys(kwargs).length === 0 ? this.call.fn(...args) : this.call.fn(...args, kwargs);
  }

  /** The stops of one call: operators that a composite calls have paths of their own. */
  private way({ keys, overload, args }: Seen, schema: FunctionSchema): Said {
    if (tensorsOf(args).length === 0) return new Unasked("no tensor leads the call");
    const wanted = isImplicit(overload as TheirOperator)
      ? ["AutogradCPU"]
      : ["AutogradCPU", ...(aliases(schema) ? ["ADInplaceOrView"] : []), "CPU"];
    return String(keys) === String(wanted)
      ? null
      : `${keys.join(" -> ")}; ${isImplicit(overload as TheirOperator) ? "a composite goes" : "it should go"} ${wanted.join(" -> ")}`;
  }

  private node({ result, overload, differentiable }: Seen): string | null {
    const results = tensorsOf([result]).filter((x) => x.is_floating_point());
    const markedOnly = overload?.derivative === undefined && overload?.non_differentiable !== undefined;
    if (markedOnly && !isImplicit(overload) && results.some((x) => x.requires_grad))
      return `the result requires grad; PyTorch's does not: derivatives.yaml marks ${overload.non_differentiable} as non_differentiable`;
    if (overload?.derivative === undefined || isImplicit(overload) || !differentiable || results.length === 0)
      return null;
    const prefix = create_op_prefix(this.base);
    const found = results.map((x) => x.grad_fn?.name() ?? "none");
    return found.some((name) => new RegExp(`^${prefix}\\d+$`).test(name))
      ? null
      : `the result's grad_fn is ${found[0]}; PyTorch's is ${prefix}0`;
  }

  /** The result of a view that is not composite shares its base's memory; for a composite, PyTorch says whether it does. */
  private memory({ args, result, overload }: Seen, schema: FunctionSchema): string | null {
    const view = schema.returns.some(({ annotation, is_write }) => annotation !== null && !is_write);
    if (!view || isImplicit(overload as TheirOperator)) return null;
    const storage = (x: Any): unknown => x.cdata.storage().unsafeGetStorageImpl();
    const given = new Set(tensorsOf(args).map(storage));
    const [x] = tensorsOf([result]).filter((each) => !given.has(storage(each)));
    return x === undefined ? null : "the schema promises a view, and the result has memory of its own: it was copied";
  }

  private gradient({ result }: Seen): Said {
    const random = this.theirs.some((each) => hasTag(each, "nondeterministic_seeded"));
    if (random) return new Unasked("random numbers have no finite differences");
    if (!tensorsOf([result]).some((x) => x.requires_grad)) return new Unasked("no result requires one");
    const inputs = tensorsOf(this.call.args()).map((x) => x.requires_grad_(x.is_floating_point()));
    torch.autograd.gradcheck((...given: Any[]) => {
      let next = 0;
      const results = this.run(replaced(this.call.args(), () => given[next++]));
      return results instanceof torch.Tensor ? results : tensorsOf([results]).filter((x) => x.requires_grad);
    }, inputs);
    return null;
  }

  private meta({ result }: Seen): Said {
    const shape = ["data_dependent_output", "dynamic_output_shape"]; // the shape depends on values
    if (this.theirs.some((each) => shape.some((tag) => hasTag(each, tag))))
      return new Unasked("values decide about its shape");
    if (!this.hasMeta) return new Unasked("PyTorch refuses it there");
    if (tensorsOf(this.call.args()).length === 0) return new Unasked("no tensor leads the call");
    const found = tensorsOf([this.run(onMeta(this.call.args()), onMeta(this.call.kwargs()))]);
    for (const [i, x] of tensorsOf([result]).entries()) {
      const told = (t: Any): string => `${t.dtype} [${t.shape}], strides [${t.stride()}]`;
      if (!found[i]?.is_meta) return "the result is not on Meta";
      if (told(found[i]) !== told(x)) return `${told(found[i])}; on the CPU ${told(x)}`;
    }
    return null;
  }

  private opcheck({ overload }: Seen): Said {
    const schema = FunctionSchema.parse((overload as TheirOperator).func);
    const { name } = schema;
    const op = torch.ops["aten"][String(name.name)][name.overload_name || "default"];
    const inputs = this.call.args();
    const differentiable = schema.kind() === "inplace" ? [] : tensorsOf(inputs).filter((x) => x.is_floating_point());
    for (const x of differentiable) x.requires_grad_(true);
    // A composite's parts keep its promises.
    const test_utils = isImplicit(overload as TheirOperator) ? TESTS.slice(1) : TESTS;
    const options = { raise_exception: false, test_utils };
    const results = torch.library.opcheck(op, inputs, this.call.kwargs(), options) as Record<string, string | Error>;
    const found = Object.entries(results).find(([, said]) => said !== "SUCCESS");
    const said = found === undefined ? null : `${found[0]}: ${brief(found[1])}`;
    // `torch.nonzero` has an `as_tuple` that the operator lacks.
    const python = said !== null && /: aten::\w+\(\) .*Declaration: /.test(said);
    return python ? new Unasked("Python's arguments are not the operator's own") : said;
  }
}

interface Seen {
  readonly args: readonly Any[];
  readonly result: Any;
  /** The form that was called; null if none was. */
  readonly overload: TheirOperator | null;
  /** The keys under which it was entered, before another operator was called. */
  readonly keys: readonly string[];
  readonly differentiable: boolean;
}

/** Whether a result shares an argument's memory, or an argument is written. */
function aliases(schema: FunctionSchema): boolean {
  return schema.returns.some(({ annotation }) => annotation !== null);
}

function tensorsOf(value: Any): Any[] {
  if (value instanceof torch.Tensor) return [value];
  return Array.isArray(value) ? value.flatMap(tensorsOf) : [];
}

/** These arguments with other tensors, in the order of tensorsOf. */
function replaced(value: Any, next: () => Any): Any {
  if (value instanceof torch.Tensor) return next();
  return Array.isArray(value) ? value.map((each) => replaced(each, next)) : value;
}

function asked(ask: () => Said): Said {
  try {
    return ask();
  } catch (error) {
    return brief(error);
  }
}

/** The first of several calls with the same problem. */
function oneOfEach(wrong: readonly string[]): string[] {
  const kind = (text: string): string => text.slice(0, text.indexOf(":"));
  return wrong.filter((text, i) => wrong.findIndex((each) => kind(each) === kind(text)) === i);
}

function shown(value: Any): string {
  if (value instanceof torch.Tensor) return `a tensor [${(value as Any).shape}]`;
  return Array.isArray(value) ? `[${value.map(shown).join(", ")}]` : String(value);
}

/** A message on one line; gradcheck's two matrices are labelled. */
function brief(error: unknown): string {
  const message = String((error as Error).message ?? error).replace(/\s+/g, " ");
  const [, output, input] = /Jacobian mismatch for output (\d+) with respect to input (\d+)/.exec(message) ?? [];
  return output === undefined
    ? message.slice(0, 240)
    : `Jacobian mismatch for output ${output} with respect to input ${input}: finite differences and backward disagree`;
}
