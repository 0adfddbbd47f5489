/**
 * @file Words about an operator for a reader: the docstring of its public function, its example, its page at
 * pytorch.org. For an operator that no user calls: its callers.
 * @original
 */
import type { OperatorFacts } from "../../tools/explain/operators.ts";
import type { ApiEntry } from "./api_pages.ts";
import { apiModel } from "./api_pages.ts";
import type { Context } from "./context.ts";
import { operatorFacts } from "./operator_facts.ts";
import { pytorchOrg } from "./pytorch_org.ts";

export interface OperatorWords {
  /** `torch.add`, and the call's page of the API: `/api/torch/#add`. */
  readonly call: string;
  readonly api: string;
  /** "`input + alpha * other`, broadcast." */
  readonly text: string;
  /** "`(*), (*) -> (*)`", or nothing. */
  readonly shapes: string;
  readonly example: { readonly code: string; readonly gives: string } | null;
  readonly org: { readonly name: string; readonly url: string } | null;
}

/** Operators whose public name is another. */
const PUBLIC: Readonly<Record<string, string>> = {
  col2im: "torch.nn.functional.fold",
  cross_entropy_loss: "torch.nn.functional.cross_entropy",
  im2col: "torch.nn.functional.unfold",
  log_sigmoid: "torch.nn.functional.logsigmoid",
  matrix_H: "x.H",
  numpy_T: "x.T",
};

const RENAMED = new Set(Object.values(PUBLIC));

/** `linalg_qr` is `torch.linalg.qr`: the YAML writes the module of a function before its name. */
const MODULES = /^(linalg|fft|special)_(\w+)$/;

/** The calls that may stand for an operator; those that PyTorch calls the same come first. */
function callsOf(base: string): readonly string[] {
  const [, module, name] = MODULES.exec(base) ?? [];
  const own = module === undefined ? [] : [`torch.${module}.${name}`];
  const renamed = PUBLIC[base];
  // A function of the operator's name may stand for another one: F.unfold is im2col.
  const others = [`torch.nn.functional.${base}`, `x.${base}`].filter((call) => !RENAMED.has(call));
  return [...own, ...(renamed === undefined ? [] : [renamed]), ...others];
}

let known: ReadonlyMap<string, OperatorWords> | null = null;

/** Base name -> its words; an operator of PyTorch's inside has none. */
export function operatorWords(context: Pick<Context, "root" | "symbols">): ReadonlyMap<string, OperatorWords> {
  if (known !== null) return known;
  const bases = new Set(operatorFacts(context).all.map((o) => o.base));
  const entries = apiModel(bases).flatMap((page) =>
    page.groups.flatMap((group) => group.items.map((item) => ({ ...item, page: page.id }))),
  );
  const found = new Map<string, OperatorWords>();
  for (const base of bases) {
    const calls = callsOf(base);
    const behind = entries
      .filter((e) => e.operator === base || calls.includes(e.call))
      .sort((a, b) => rank(a.call) - rank(b.call));
    const first = behind.find((e) => e.doc.text !== "") ?? behind[0];
    if (first === undefined) continue;
    const example = behind.flatMap((e) => e.doc.examples)[0];
    const [, code = "", gives = ""] = /^([\s\S]*?);?\s*(?:\/\/ (.*))?$/.exec(example ?? "") ?? [];
    found.set(base, {
      call: first.call,
      api: `/api/${first.page}/#${first.anchor}`,
      ...wordsOf(first),
      example: code === "" ? null : { code, gives },
      org: pytorchOrg(first.call),
    });
  }
  known = found;
  return found;
}

/** torch's function before the method, the plain before the in-place one. */
function rank(call: string): number {
  return (call.startsWith("torch.nn.") ? 1 : call.startsWith("torch.") ? 0 : 2) + (call.endsWith("_") ? 3 : 0);
}

function wordsOf({ doc }: ApiEntry): { text: string; shapes: string } {
  const text = doc.text.split("\n\n")[0] ?? "";
  const [, words = text, shapes = ""] = /^([\s\S]*?)\s{2,}(`[^`]*->[^`]*`)$/.exec(text) ?? [];
  return { text: words, shapes };
}

/** The operators whose kernels, or whose derivative's formula, call an operator without a public name. */
export function callersInWords(base: string, all: readonly OperatorFacts[]): { kernels: string[]; formulas: string[] } {
  const own = new Set(all.filter((o) => o.base === base).map((o) => o.unambiguous));
  const kernels = new Set<string>();
  const formulas = new Set<string>();
  for (const o of all) {
    if (o.base === base) continue;
    if (o.kernels.some((k) => k.calls.some((name) => own.has(name)))) kernels.add(o.base);
    if (o.derivative !== null && new RegExp(`(?<![\\w.])${base}\\(`).test(bodyOf(o.derivative.text)))
      formulas.add(o.base);
  }
  return { kernels: [...kernels].sort(), formulas: [...formulas].sort() };
}

/** A formula's entry without its own name. */
const bodyOf = (entry: string): string => entry.replace(/^- name: .*$/m, "");
