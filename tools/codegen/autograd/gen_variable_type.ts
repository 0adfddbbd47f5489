/**
 * @file The autograd kernels: for each differentiable operator a function that records the backward step and passes the call on.
 * @mirrors tools/autograd/gen_variable_type.py
 * @differs Checks for complex dtypes (which no kernel here accepts) and debug assertions are not generated; PyTorch
 * generates both.
 */

import {
  cite_derivative,
  type DifferentiabilityInfo,
  gen_differentiable_outputs,
  is_foreach,
  type NativeFunctionWithDifferentiabilityInfo,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_line, import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { by_operator_name, type Registration } from "../registrations.ts";
import { by_operator, NUM_SHARDS, shards } from "../shards.ts";
import { cite, generated_header } from "../utils.ts";
import { GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";
import { FORMULA_VALUES, type FormulaScope, formula_scope } from "./formula_scope.ts";
import { DONT_REQUIRE_DERIVATIVE, KernelWriter, RESET_GRAD_ACCUMULATOR } from "./variable_type_writer.ts";
import { ForeachInplaceWriter } from "./variable_type_writer_foreach.ts";
import type { FormulaContext } from "./variable_type_writer_forward.ts";
import { type_wrapper_name, use_derived, type Views } from "./view_info.ts";

const OUTPUT = `${GENERATED_FOLDER}/VariableType.ts`;

/** Operators without a formula, but with hand-written kernels: they return their argument, or change its storage. */
const NO_NOT_IMPLEMENTED_FALLBACK = new Set(["set_", "lift", "lift_fresh", "lift_fresh_copy"]);

export function gen_variable_type(
  input: CodegenInput,
  fns: readonly NativeFunctionWithDifferentiabilityInfo[],
  used_keys: ReadonlySet<string>,
  views: Views,
): Outputs {
  const outputs: Outputs = new Map();
  const scope = formula_scope(input);
  const derived = fns.filter(use_derived);
  for (const { path, items } of shards(OUTPUT, NUM_SHARDS.VariableType, derived, ({ func }) => by_operator(func)))
    outputs.set(path, write_shard(input, path, items, used_keys, views, scope));
  return outputs;
}

function write_shard(
  input: CodegenInput,
  path: string,
  fns: readonly NativeFunctionWithDifferentiabilityInfo[],
  used_keys: ReadonlySet<string>,
  views: Views,
  scope: FormulaScope,
): string {
  const formulas: FormulaContext = {
    scope,
    imports: { helpers: new Set(), values: new Set(), at: false },
    errors: input.errors,
  };
  const definitions: string[] = [];
  const registrations = new Map<string, Registration[]>([...used_keys].sort().map((key) => [key, []]));
  for (const fn of fns) {
    const { func: f, info } = fn;
    if (needs_not_implemented_fallback(fn)) {
      const line = `m.impl("${f.func.name}", autogradNotImplementedFallback()); // ${cite(f)}`;
      registrations.get("Default")?.push({ f, line });
      continue;
    }
    for (const key of info === null ? ["Default"] : info.keys()) {
      const info_of_key = info?.get(key) ?? null;
      const cited = info_of_key === null ? cite(f) : cite_derivative(info_of_key);
      definitions.push(`\n// ${f.func}   ${cited}${writer(f, info_of_key, key, views, formulas).write()}`);
      const name = type_wrapper_name(f, key);
      const line = `m.impl("${f.func.name}", ${name}, "VariableType::${name}"); // ${cited}`;
      registrations.get(key)?.push({ f, line });
    }
  }
  const text = definitions.join("\n");
  const nodes = [...new Set(text.match(/(?<=new )\w+Backward\w*(?=\()/g))].sort();
  return input.templates(`${TEMPLATES_FOLDER}/VariableType.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/VariableType.ts.tmpl, native_functions.yaml and derivatives.yaml"),
    imports: [
      ...import_lines(path, text, {
        ...Object.fromEntries([...formulas.imports.values].map((name) => [name, FORMULA_VALUES[name]])),
        TensorGeometry: FORMULA_VALUES["TensorGeometry"],
      }).filter((line) => !line.includes('/DispatchKeySet"')),
      ...(formulas.imports.at ? ['import * as at from "#aten/generated/Functions";'] : []),
      ...[...formulas.imports.helpers]
        .sort()
        .map((name) => import_line(path, scope.helper_files.get(name) as string, name)),
      ...nodes.map((name) => `import { ${name} } from "./Functions.ts";`),
    ],
    type_derived_method_definitions: definitions,
    wrapper_registrations: [...registrations]
      .filter(([, lines]) => lines.length > 0)
      .map(([key, lines]) => registration_block(key === "Default" ? "Autograd" : key, lines, path)),
  });
}

function registration_block(key: string, registrations: readonly Registration[], path: string): string {
  return [
    `\nTORCH_LIBRARY_IMPL("aten", "${key}", {`,
    ...by_operator_name(registrations).map((line) => `  ${line}`),
    `}, "${path}");`,
  ].join("\n");
}

// Note [Operators without a formula]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Forward must work for every operator, also without a derivative. Such operators share one boxed kernel
// (autogradNotImplementedFallback): it gives the outputs a node that throws when backward arrives. Operators whose
// outputs can never have a gradient need no such node and get a kernel that only passes the call on.
function needs_not_implemented_fallback({ func: f, info }: NativeFunctionWithDifferentiabilityInfo): boolean {
  const base = f.func.name.name.base;
  return (
    info === null &&
    !RESET_GRAD_ACCUMULATOR.has(String(f.func.name.name)) &&
    !DONT_REQUIRE_DERIVATIVE.has(base) &&
    !NO_NOT_IMPLEMENTED_FALLBACK.has(cpp.name(f.func)) &&
    gen_differentiable_outputs(f, null).length > 0
  );
}

function writer(
  f: NativeFunction,
  info: DifferentiabilityInfo | null,
  key: string,
  views: Views,
  formulas: FormulaContext,
): KernelWriter {
  const Writer = is_foreach(f) && f.func.kind() === "inplace" ? ForeachInplaceWriter : KernelWriter;
  return new Writer(f, info, key, views, formulas);
}
