/**
 * @file The examples of /names: each name on the page is computed again by the function of codegen that makes it, and must stand in
 * the symbol index. A name that differs ends the build.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SymbolEntry } from "../../src/trace/symbol_entry.ts";
import * as cpp from "../../tools/codegen/api/cpp.ts";
import { native_name, structured_wrapper_name, unstructured_wrapper_name } from "../../tools/codegen/api/dispatcher.ts";
import { view_func_name } from "../../tools/codegen/autograd/gen_view_funcs.ts";
import { load_derivatives } from "../../tools/codegen/autograd/load_derivatives.ts";
import { type_wrapper_name } from "../../tools/codegen/autograd/view_info.ts";
import { meta_class_name } from "../../tools/codegen/dest/structured.ts";
import { functions_of, is_group, type NativeFunction, type NativeFunctionsGroup } from "../../tools/codegen/model.ts";
import { LISTS } from "../../tools/explain/yaml_entries.ts";
import type { Context } from "./context.ts";
import { operatorFacts } from "./operator_facts.ts";
import { fileText, upstreamPath } from "./repository.ts";

/** Input of a rule: the operator, the words of the page beside it, and the model it comes from. */
interface Example {
  readonly f: NativeFunction;
  readonly key: string;
  readonly group: NativeFunctionsGroup | null;
  readonly node: string | null;
}

/** The codegen function behind each rule, and how PyTorch qualifies what it makes. */
const rules: Readonly<Record<string, (e: Example) => string>> = {
  "at::_ops": ({ f }) => `at::_ops::${f.func.name.unambiguous_name()}::call`,
  redispatch: ({ f }) => `at::_ops::${f.func.name.unambiguous_name()}::redispatch`,
  at: ({ f }) => `at::${cpp.name(f.func)}`,
  wrapper: ({ f, key }) => `at::${unstructured_wrapper_name(f, key)}`,
  "structured wrapper": ({ f, key }) => `at::${structured_wrapper_name(f, key)}`,
  "meta class": ({ group }) => `at::meta::${meta_class_name(must(group))}::meta`,
  "impl class": ({ key }) => `at::native::structured_${key}::impl`,
  VariableType: ({ f }) => `torch::autograd::VariableType::${type_wrapper_name(f)}`,
  ADInplaceOrView: ({ f }) => `torch::ADInplaceOrView::${type_wrapper_name(f)}`,
  BackendSelect: ({ f }) => `at::${native_name(f)}`,
  node: ({ node }) => `torch::autograd::generated::${must(node)}`,
  "view function": ({ f }) => `torch::autograd::${view_func_name(f)}`,
  THPVariable: ({ f }) => `torch::autograd::THPVariable_${f.func.name.name}`,
  kernel: ({ f, key }) => `at::native::${key === "" ? cpp.name(f.func) : key}`,
};

function must<T>(value: T | null): T {
  if (value === null) throw new Error("has no such part");
  return value;
}

function pageOf(context: Context): string {
  return readFileSync(join(context.content, "names.mdx"), "utf8");
}

const NAMED = /<Named\s+rule="([^"]+)"\s+op="([^"]+)"(?:\s+key="([^"]+)")?\s*>([^<]+)<\/Named>/g;

export async function checkNames(context: Context, page = pageOf(context)): Promise<string> {
  const { operators } = operatorFacts(context);
  const derivatives = LISTS["derivatives.yaml"].file;
  const infos = load_derivatives(derivatives, fileText(derivatives) ?? "", operators.yaml.native_functions).infos;
  const groups = new Map<string, NativeFunctionsGroup>();
  for (const g of operators.yaml.grouped)
    if (is_group(g)) for (const f of functions_of(g)) groups.set(String(f.func.name), g);
  const places: Record<string, { file: string; line: number; mirrors: string }> = {};
  const bySymbol = indexed(context.symbols);
  const wrong: string[] = [];
  for (const [, rule, op, key, written] of page.matchAll(NAMED) as Iterable<
    [string, string, string, string | undefined, string]
  >) {
    const make = rules[rule];
    const f = operators.named(op);
    if (make === undefined || f === null) {
      wrong.push(`there is no ${make === undefined ? `rule ${rule}` : `operator ${op}`}`);
      continue;
    }
    const node = infos.get(String(f.func))?.get("Default")?.op ?? null;
    const made = make({ f, key: key ?? "", group: groups.get(op) ?? null, node });
    // The page may leave out the namespace; what it writes must be the end of the name.
    const exact = written === made || made.endsWith(`::${written}`);
    const entry = bySymbol.get(made);
    if (!exact) wrong.push(`${op} by the rule ${rule} is ${made}, the page says ${written}`);
    else if (entry === undefined) wrong.push(`${made} (${op}, ${rule}) is not in the symbol index`);
    else places[written] = { file: entry.file, line: entry.line, mirrors: upstreamPath(entry.mirrors) };
  }
  if (wrong.length > 0) throw new Error(`content/names.mdx:\n  ${wrong.join("\n  ")}`);
  context.write(join(context.generated, "names.json"), JSON.stringify(places));
  return `${Object.keys(places).length} names are what codegen makes`;
}

function indexed(symbols: readonly SymbolEntry[]): Map<string, SymbolEntry> {
  const found = new Map<string, SymbolEntry>();
  for (const entry of symbols) {
    const name = entry.symbol.replaceAll("(anonymous namespace)::", "");
    if (!found.has(name)) found.set(name, entry);
  }
  return found;
}
