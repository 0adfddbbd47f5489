/**
 * @file Replays a program step by step against its recording, and finds the first difference.
 * @original
 *
 * Note [A difference of rounding does not grow]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * `exp` of two libraries may differ in the last bit, and a later subtraction may make that bit the whole result. So
 * after every step our elements that are close to PyTorch's are replaced by PyTorch's, and each step is judged alone.
 */
import { close, closeText, firstFar, numbers } from "./elements.ts";
import type { Any, Library } from "./library.ts";
import type { Program, ProgramRecord, Step, StepRecord, TensorState, VariableState, Wire } from "./program.ts";
import { pythonFloat, Run } from "./run.ts";
import { eachElement, graphs, held, Seen } from "./state.ts";

export interface Difference {
  readonly step: number;
  readonly call: string;
  /** The difference in a few words, equal for the same cause: "error text", "v: stride". */
  readonly kind: string;
  readonly where: string;
  readonly ours: string;
  readonly theirs: string;
}

type Found = Omit<Difference, "step" | "call">;
const say = (v: unknown): string =>
  typeof v === "string" ? v : (JSON.stringify(v, (_, x) => (typeof x === "bigint" ? `${x}n` : x)) ?? String(v));
const found = (kind: string, where: string, ours: unknown, theirs: unknown): Found => ({
  kind,
  where,
  ours: say(ours),
  theirs: say(theirs),
});

const ASSERTION = "INTERNAL ASSERT FAILED";

function text(message: string): string {
  if (message.includes(ASSERTION)) return ASSERTION; // it contains a file and line of C++
  const [first, ...registrations] = message.split("\n\n");
  // The list of registrations and their places follows; there are no tensors of these kinds here.
  if (/^(Could not run '|There were no tensor arguments)/.test(message) && registrations.length > 0)
    return (first as string).replace(
      /(?<!Autograd)(NestedTensor|Quantized|Sparse|SparseCsr|Mkldnn)(CPU|HPU|Meta), /g,
      "",
    );
  // The given keywords are printed in the order of a C++ hash map.
  const got = message.replace(
    /got \((.*?)\)(?=, but)/,
    (_, given: string) => `got (${given.split(", ").sort().join(", ")})`,
  );
  const incorrect = got.replace(/(?<=keywords were incorrect: )(.*)/g, (_, given: string) =>
    given.split(", ").sort().join(", "),
  );
  return incorrect.replace(/0x[0-9a-f]{6,}/g, "0x...");
}

function ofError(error: Any, record: StepRecord): Found | null {
  const name = String(error?.name);
  const message = String(error?.what?.() ?? error?.message);
  const own = `${name}: ${message}`;
  const theirs = `${record.error}: ${record.message}`;
  if (isOfJavaScript(error)) return found("JavaScript error", "", `${own}\n${error.stack}`, theirs);
  if (name !== record.error) return found("error type", "", own, theirs);
  return text(message) === text(record.message as string) ? null : found("error text", "", own, theirs);
}

/** Whether the error was thrown by JavaScript itself, not deliberately by our code. */
function isOfJavaScript(error: Any): boolean {
  const kinds = [TypeError, RangeError, ReferenceError, SyntaxError];
  return !(error instanceof Error) || kinds.some((kind) => error.constructor === kind);
}

const ORDER = [
  "dtype",
  "device",
  "shape",
  "stride",
  "offset",
  "storage",
  "view",
  "base",
  "inference",
  "version",
  "neg",
  "zero",
  "requires_grad",
  "leaf",
  "grad_fn",
  "output_nr",
  "retains_grad",
  "nbytes",
  "data",
] as const satisfies (keyof TensorState)[];

function ofTensor(ours: TensorState, theirs: TensorState, where: string): Found | null {
  for (const key of ORDER) {
    const [a, b] = [ours[key], theirs[key]];
    if (JSON.stringify(a) === JSON.stringify(b)) continue;
    if (key !== "data") return found(key, where, a, b);
    const at = firstFar(a as string, b as string, theirs.dtype);
    if (at === -1) continue;
    const [x, y] = [numbers(a as string, theirs.dtype), numbers(b as string, theirs.dtype)];
    return found("values", `${where}, element ${at} of ${theirs.dtype}`, list(x), list(y));
  }
  return null;
}

function list(values: readonly (number | bigint)[]): string {
  return `[${values
    .slice(0, 40)
    .map((v) => (Object.is(v, -0) ? "-0" : String(v)))
    .join(", ")}]`;
}

function ofVariable(ours: VariableState, theirs: VariableState, name: string): Found | null {
  const own = ofTensor(ours, theirs, name);
  if (own !== null) return own;
  if ((ours.grad === null) !== (theirs.grad === null)) return found("grad", name, ours.grad, theirs.grad);
  if (ours.grad === null || theirs.grad === null) return null;
  if (ours.grad.is !== theirs.grad.is) return found("grad", name, ours.grad.is, theirs.grad.is);
  const grad = ofTensor(ours.grad, theirs.grad, `${name}.grad`);
  return grad === null ? null : { ...grad, kind: `grad's ${grad.kind}` };
}

export class Replay {
  readonly run: Run;
  readonly #expected = new Map<string, VariableState>();
  readonly #objects = new Map<string, Wire>();

  constructor(library: Library, seed: number) {
    this.run = new Run(library, seed);
  }

  /** Runs one step; returns null, or the difference from the recording. */
  step(step: Step, record: StepRecord): Found | null {
    const { result, error, warnings } = this.run.run(step);
    for (const [name, state] of Object.entries(record.changed)) this.#expected.set(name, state);
    for (const [name, state] of Object.entries(record.objects ?? {})) this.#objects.set(name, state);
    this.run.zero(step.zeroed);
    return (
      this.#outcome(result, error, record) ??
      this.#warnings(warnings, record) ??
      this.#heard(record) ??
      this.#variables() ??
      this.#held() ??
      this.#become()
    );
  }

  #outcome(result: unknown, error: Any, record: StepRecord): Found | null {
    if (error === undefined && record.error === undefined) return this.#value(result, record.result as Wire, "result");
    if (error === undefined)
      return found("PyTorch raises, ours not", "", shown(result), `${record.error}: ${record.message}`);
    if (record.error === undefined) {
      const kind = isOfJavaScript(error) ? "JavaScript error" : "ours raises, PyTorch not";
      return found(kind, "", isOfJavaScript(error) ? error.stack : `${error.name}: ${error.message}`, record.result);
    }
    return ofError(error, record);
  }

  #value(actual: Any, recorded: Wire, where: string): Found | null {
    if (Array.isArray(recorded)) {
      if (actual === null || typeof actual !== "object" || !(Symbol.iterator in actual) || this.#isTensor(actual))
        return found("result", where, shown(actual), recorded);
      const items = [...actual];
      if (items.length !== recorded.length) return found("result", where, items.map(shown), recorded);
      for (const [i, item] of items.entries()) {
        const different = this.#value(item, recorded[i] as Wire, `${where}[${i}]`);
        if (different !== null) return different;
      }
      return null;
    }
    const differs = found("result", where, shown(actual), recorded);
    if (recorded === null) return actual === null || actual === undefined ? null : differs;
    if (typeof recorded !== "object") {
      const plain = actual instanceof this.run.torch.Float || typeof actual === "bigint" ? Number(actual) : actual;
      if (typeof plain === "string" && typeof recorded === "string" && closeText(plain, recorded)) return null;
      return Object.is(plain, recorded) || plain === recorded ? null : differs;
    }
    const [mark, given] = Object.entries(recorded)[0] as [string, Any];
    switch (mark) {
      case "$v":
        return actual === this.run.env.get(given) ? null : differs;
      case "$tensor":
        return this.#isTensor(actual) ? this.#tensor(actual, given, where) : differs;
      case "$dict":
        return this.#dict(actual, given, where) ?? null;
      case "$f":
        return close(Number(actual), pythonFloat(given), "float32") && actual !== null ? null : differs;
      case "$i":
        return typeof actual === "bigint" && actual === BigInt(given) ? null : differs;
      case "$torch":
        return actual === this.run.torch[given] ? null : differs;
      case "$device":
        return String(actual) === given ? null : differs;
      default:
        // Another object (a handle, a storage) only has to exist.
        return given === "NotImplementedType" && actual !== this.run.torch.NotImplemented ? differs : null;
    }
  }

  /** Compares a tensor without a name; afterwards it has PyTorch's elements. Note [A difference of rounding does not grow] */
  #tensor(actual: Any, recorded: TensorState, where: string): Found | null {
    const different = ofTensor(new Seen(this.run).tensor(actual), { ...recorded, storage: 0 }, where);
    if (different === null) copy(actual, recorded);
    return different;
  }

  /**
   * Compares a dict, which is an object or a Map here. Number keys are strings, in numeric order; so are keys of loaded dicts.
   */
  #dict(actual: Any, recorded: readonly (readonly [Wire, Wire])[], where: string): Found | null {
    if (actual === null || typeof actual !== "object" || Array.isArray(actual))
      return found("result", where, shown(actual), recorded);
    const entries: [Any, Any][] = actual instanceof Map ? [...actual] : Object.entries(actual);
    const name = (key: Any): string => (this.#isTensor(key) ? this.#nameOf(key) : String(key?.$v ?? key));
    const [ours, theirs] = [entries.map(([k]) => name(k)), recorded.map(([k]) => name(k))];
    if (/^v?\d/.test(theirs[0] ?? "")) for (const keys of [ours, theirs]) keys.sort();
    if (String(ours) !== String(theirs)) return found("keys", where, ours, theirs);
    const values = new Map(recorded.map(([k, v]) => [name(k), v]));
    for (const [key, value] of entries) {
      const different = this.#value(value, values.get(name(key)) as Wire, `${where}.${name(key)}`);
      if (different !== null) return different;
    }
    return null;
  }

  #nameOf(t: Any): string {
    return [...this.run.env].find(([, v]) => v === t)?.[0] ?? "a tensor without a name";
  }

  #held(): Found | null {
    for (const [name, recorded] of this.#objects) {
      const object = this.run.env.get(name);
      if (object === undefined) return found("result", name, "not made", "made");
      const different = this.#value(held(object), recorded, name);
      if (different !== null)
        return { ...different, kind: `held: ${different.where.replace(/^[^.]*\.|v\d+\.|\[\d+\]/g, "")}` };
    }
    return null;
  }

  #isTensor(v: unknown): boolean {
    return v instanceof this.run.torch.Tensor;
  }

  /** Compares warnings; PyTorch gives no category for those that its C++ prints itself. */
  #warnings(ours: readonly (readonly [string, string])[], { warnings: theirs = [] }: StepRecord): Found | null {
    const same = ours.length === theirs.length;
    if (
      same &&
      theirs.every(([category, said], i) => said === ours[i]?.[1] && (category ?? ours[i]?.[0]) === ours[i]?.[0])
    )
      return null;
    return found("warnings", "", ours, theirs);
  }

  #heard({ heard: theirs = [] }: StepRecord): Found | null {
    const ours = this.run.heard;
    if (ours.length !== theirs.length) return found("hooks called", "", ours.length, theirs.length);
    const seen = new Seen(this.run);
    for (const [i, [kind, ...grads]] of theirs.entries()) {
      const [own, ...given] = ours[i] as [string, ...Any[]];
      if (own !== kind || given.length !== grads.length) return found("hooks called", `${i}`, own, kind);
      for (const [j, grad] of grads.entries()) {
        if ((grad === null) !== (given[j] === null)) return found("hook's gradient", `${i}`, given[j], grad);
        if (grad === null) continue;
        const state = seen.tensor(given[j]);
        const different = ofTensor(state, { ...grad, storage: state.storage }, `hook ${i}`);
        if (different !== null) return { ...different, kind: `hook's gradient: ${different.kind}` };
      }
    }
    return null;
  }

  #variables(): Found | null {
    const seen = new Seen(this.run);
    const tensors = [...this.run.env].filter(([, v]) => this.#isTensor(v)).map(([name]) => name);
    const missing = [...this.#expected.keys()].find((name) => !tensors.includes(name));
    if (missing !== undefined) return found("result", missing, "not made", "made");
    for (const name of tensors) {
      const expected = this.#expected.get(name);
      if (expected === undefined) return found("result", name, "made", "not made");
      const different = ofVariable(seen.variable(this.run.env.get(name)), expected, name);
      if (different !== null) return different;
    }
    return null;
  }

  /** Note [A difference of rounding does not grow] */
  #become(): null {
    for (const [name, state] of this.#expected) {
      const t = this.run.env.get(name);
      copy(t, state);
      if (state.grad !== null) copy(t.grad, state.grad);
    }
    return null;
  }

  end(theirs: ProgramRecord["graphs"]): Found | null {
    const ours = graphs(this.run);
    const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
    return a === b ? null : found("graph", "in the end", ours, theirs);
  }
}

function copy(t: Any, { data }: TensorState): void {
  if (data === null || data === "") return;
  const [from, to, size] = [Buffer.from(data, "base64"), t.untyped_storage().bytes() as Uint8Array, t.itemsize];
  let i = 0;
  eachElement(t, (at) => {
    for (let byte = 0; byte < size; byte++) to[at + byte] = from[i++];
  });
}

function shown(v: Any): string {
  try {
    return Array.isArray(v) ? `[${v.map(shown).join(", ")}]` : typeof v === "bigint" ? `${v}n` : String(v);
  } catch (error) {
    return `(printing it: ${error})`;
  }
}

/** The first difference of a whole program, or null. */
export function compare(library: Library, program: Program, { records, graphs }: ProgramRecord): Difference | null {
  const replay = new Replay(library, program.seed);
  for (const [at, step] of program.steps.entries()) {
    const different = replay.step(step, records[at] as StepRecord);
    if (different !== null) return { step: at, call: step.call, ...different };
  }
  const different = replay.end(graphs);
  return different === null ? null : { step: program.steps.length, call: "", ...different };
}
