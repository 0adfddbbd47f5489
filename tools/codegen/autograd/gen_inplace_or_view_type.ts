/**
 * @file The ADInplaceOrView kernels: they increment versions and mark views, for tensors with and without gradients.
 * @mirrors tools/autograd/gen_inplace_or_view_type.py
 */

import {
  type DifferentiabilityInfo,
  gen_differentiable_outputs,
  type NativeFunctionWithDifferentiabilityInfo,
  return_names,
} from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { CodegenError } from "../errors.ts";
import { import_lines } from "../imports.ts";
import { try_finally } from "../layout.ts";
import type { NativeFunction } from "../model.ts";
import { by_operator_name } from "../registrations.ts";
import { by_operator, NUM_SHARDS, shards } from "../shards.ts";
import { is_list_like } from "../types.ts";
import { cite, generated_header } from "../utils.ts";
import { GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";
import { view_func_name } from "./gen_view_funcs.ts";
import { modifies_arguments, type_wrapper_name, use_derived, type Views } from "./view_info.ts";

const OUTPUT = `${GENERATED_FOLDER}/ADInplaceOrViewType.ts`;

/** Views that are not determined by their storage (a lazy sign, a lazy conjugate), so `as_strided` cannot restore them. */
const VIEW_FUNCTIONS_WITH_METADATA_CHANGE: readonly string[] = [
  "view_as_complex",
  "view_as_real",
  "_conj",
  "_neg_view",
];

export function gen_inplace_or_view_type(
  input: CodegenInput,
  fns: readonly NativeFunctionWithDifferentiabilityInfo[],
  views: Views,
): Outputs {
  const kernels = fns
    .filter(use_derived)
    .filter(({ func: f }) => views.is_out_of_place_view(f) || (modifies_arguments(f) && f.func.returns.length > 0));
  const outputs: Outputs = new Map();
  for (const { path, items } of shards(OUTPUT, NUM_SHARDS.ADInplaceOrViewType, kernels, (k) => by_operator(k.func))) {
    const definitions = items.map(({ func, info }) => method_definition(func, info?.get("Default") ?? null, views));
    const view_funcs = items
      .filter(({ func }) => views.is_out_of_place_view(func))
      .map(({ func }) => view_func_name(func))
      .filter((name) => definitions.some((d) => d.includes(`new ${name}(`)));
    const text = input.templates(`${TEMPLATES_FOLDER}/ADInplaceOrViewType.ts.tmpl`).substitute({
      generated_comment: generated_header(
        "templates/ADInplaceOrViewType.ts.tmpl, native_functions.yaml and derivatives.yaml",
      ),
      path,
      imports: [
        ...import_lines(path, definitions.join("\n")).filter((line) => !line.includes('/DispatchKeySet"')),
        ...view_funcs.sort().map((name) => `import { ${name} } from "./ViewFuncs.ts";`),
      ],
      inplace_or_view_method_definitions: definitions,
      inplace_or_view_wrapper_registrations: by_operator_name(
        items.map(({ func: f }) => ({
          f,
          line: `m.impl("${f.func.name}", ${type_wrapper_name(f)}, "ADInplaceOrView::${type_wrapper_name(f)}"); // ${cite(f)}`,
        })),
      ),
    });
    outputs.set(path, text);
  }
  return outputs;
}

function method_definition(f: NativeFunction, info: DifferentiabilityInfo | null, views: Views): string {
  const parameters = cpp.scattered_parameters(f.func);
  const redispatch = `_ops.${f.func.name.unambiguous_name()}.redispatch(${["ks.and(after_ADInplaceOrView_keyset)", ...parameters.map((p) => p.name)].join(", ")})`;
  const body = modifies_arguments(f) ? inplace_body(f, redispatch) : view_body(f, info, redispatch, views);
  return [
    "",
    `// ${f.func}   ${cite(f)}`,
    `function ${type_wrapper_name(f)}(${["ks: DispatchKeySet", ...parameters.map((p) => `${p.name}: ${p.type}`)].join(", ")}): ${cpp.returns_type(f.func.returns)} {`,
    ...body.map((line) => `  ${line}`),
    "}",
  ].join("\n");
}

function guarded(statement: string): string[] {
  return ["const guard = new AutoDispatchBelowADInplaceOrView();", ...try_finally(statement, "guard.restore();")];
}

function inplace_body(f: NativeFunction, redispatch: string): string[] {
  const names = return_names(f);
  return [
    ...guarded(`${redispatch};`),
    ...names.map((name) => `increment_version(${name});`),
    `return ${names.length === 1 ? names[0] : `[${names.join(", ")}]`};`,
  ];
}

function view_body(f: NativeFunction, info: DifferentiabilityInfo | null, redispatch: string, views: Views): string[] {
  const base = views.info(f) as string;
  const type = cpp.returns_type(f.func.returns);
  const outputs = gen_differentiable_outputs(f, info);
  const call = [`let _tmp: ${type};`, ...guarded(`_tmp = ${redispatch};`)];
  if (outputs.length === 0) return [...call, `return as_view(${base}, _tmp, false, false);`];
  const output = outputs[0];
  if (outputs.length > 1)
    throw new CodegenError(
      f.loc,
      "func",
      `'${f.func.name}' returns several differentiable tensors, and one of them is a view`,
      "return one Tensor or one Tensor[]",
    );
  const needed = VIEW_FUNCTIONS_WITH_METADATA_CHANGE.includes(cpp.name(f.func)) ? "true" : `needs_view_func(${base})`;
  const args = f.func.arguments.flat_all.map(cpp.argument_name).filter((name) => name !== base);
  const make = (extra: readonly string[]): string => {
    const made = `new ${view_func_name(f)}(${[...args, ...extra].join(", ")})`;
    return needed === "true" ? made : `${needed} ? ${made} : null`;
  };
  if (is_list_like(output.type) === null)
    return [
      ...call,
      `const func = ${make([])};`,
      `return as_view(${base}, _tmp, true, true, func, creation_meta_in_mode(CreationMeta.DEFAULT));`,
    ];
  return [
    ...call,
    "for (let view_idx = 0; view_idx < _tmp.length; view_idx++) {",
    `  const func = ${make(["view_idx"])};`,
    `  _tmp[view_idx] = as_view(${base}, _tmp[view_idx], true, true, func, creation_meta_in_mode(CreationMeta.MULTI_OUTPUT_NODE));`,
    "}",
    "return _tmp;",
  ];
}
