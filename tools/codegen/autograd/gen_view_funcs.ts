/**
 * @file The classes of view functions: one per view operator, which can replay the view on another base. Autograd uses
 * them if strides are not enough.
 * @mirrors tools/autograd/gen_view_funcs.py
 * @differs There are no SymInts, so `clone_and_set` only clones; PyTorch's replaces SymInts in the copy.
 */

import type { NativeFunctionWithDifferentiabilityInfo } from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { import_lines } from "../imports.ts";
import type { NativeFunction } from "../model.ts";
import { is_list_like, is_tensor_like } from "../types.ts";
import { cite, generated_header } from "../utils.ts";
import { GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";
import { use_derived, type Views } from "./view_info.ts";

const OUTPUT = `${GENERATED_FOLDER}/ViewFuncs.ts`;

/** `as_strided` -> `AsStridedViewFunc`; a leading underscore stays. */
export function view_func_name(f: NativeFunction): string {
  const name = f.func.name.unambiguous_name();
  const camel = `${name}_view_func`
    .split("_")
    .map((w) => w.charAt(0).toUpperCase() + w.slice(1).toLowerCase())
    .join("");
  return name.startsWith("_") ? `_${camel}` : camel;
}

export function gen_view_funcs(
  input: CodegenInput,
  fns: readonly NativeFunctionWithDifferentiabilityInfo[],
  views: Views,
): Outputs {
  const classes = fns
    .filter(use_derived)
    .filter(({ func }) => views.is_out_of_place_view(func))
    .map(({ func }) => define(func, views.info(func) as string));
  const text = input.templates(`${TEMPLATES_FOLDER}/ViewFuncs.ts.tmpl`).substitute({
    generated_comment: generated_header("templates/ViewFuncs.ts.tmpl and native_functions.yaml"),
    imports: import_lines(OUTPUT, `${classes.join("\n")}: Tensor`),
    view_func_definitions: classes,
  });
  return new Map([[OUTPUT, text]]);
}

function define(f: NativeFunction, base: string): string {
  const args = f.func.arguments.flat_all.filter((a) => cpp.argument_name(a) !== base);
  const multi = is_list_like(f.func.returns[0].type) !== null;
  const state = args.map((a) => ({
    name: cpp.argument_name(a),
    type: cpp.ts_type(a.type),
    copied: is_list_like(a.type) !== null,
  }));
  if (multi) state.push({ name: "view_idx", type: "number", copied: false });
  const name = view_func_name(f);
  const call_args = f.func.arguments.flat_all.map((a) =>
    cpp.argument_name(a) === base ? "input_base" : `this.${cpp.argument_name(a)}`,
  );
  const call = `_ops.${f.func.name.unambiguous_name()}.call(${call_args.join(", ")})`;
  const tensors = args
    .filter((a) => is_tensor_like(a.type))
    .map((a) => (is_list_like(a.type) === null ? "" : "...") + `this.${cpp.argument_name(a)}`);
  return [
    "",
    `/** ${f.func}   ${cite(f)} */`,
    `export class ${name} extends ViewFunc {`,
    ...state.map((s) => `  private readonly ${s.name}: ${s.type};`),
    ...(state.length === 0
      ? []
      : [
          "",
          `  constructor(${state.map((s) => `${s.name}: ${s.type}`).join(", ")}) {`,
          "    super();",
          ...state.map((s) => `    this.${s.name} = ${copy(s)};`),
          "  }",
        ]),
    ...(state.length === 0 ? [] : [""]),
    "  override call(input_base: Tensor): Tensor {",
    `    return ${multi ? `${call}[this.view_idx]` : call};`,
    "  }",
    ...(tensors.length === 0
      ? []
      : [
          "",
          "  override get_tensors(): Tensor[] {",
          `    return [${tensors.join(", ")}].filter((t) => t !== null);`,
          "  }",
        ]),
    "",
    `  override clone_and_set(): ${name} {`,
    `    return new ${name}(${state.map((s) => `this.${s.name}`).join(", ")});`,
    "  }",
    "}",
  ].join("\n");
}

/** Copies a list, because the caller may change its own later. */
function copy(s: { readonly name: string; readonly type: string; readonly copied: boolean }): string {
  if (!s.copied) return s.name;
  return s.type.endsWith("| null") ? `${s.name} === null ? null : ${s.name}.slice()` : `${s.name}.slice()`;
}
