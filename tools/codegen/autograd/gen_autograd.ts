/**
 * @file Everything that is generated from derivatives.yaml: autograd kernels, nodes, view functions, factories.
 * @mirrors tools/autograd/gen_autograd.py
 * @differs One `generate` replaces `gen_autograd` and, together with that of gen_python_functions,
 * `gen_autograd_python`; PyTorch's build calls both from `generate_code` in tools/setup_helpers.
 */

import { match_differentiability_info } from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { CodegenError } from "../errors.ts";
import { NUM_SHARDS } from "../shards.ts";
import { generated_header } from "../utils.ts";
import { CODEGEN_FOLDER, GENERATED_FOLDER, TEMPLATES_FOLDER } from "./folders.ts";
import { gen_foreach_derivatives } from "./foreach_derivatives.ts";
import { gen_autograd_functions } from "./gen_autograd_functions.ts";
import { gen_inplace_or_view_type } from "./gen_inplace_or_view_type.ts";
import { gen_trace_type } from "./gen_trace_type.ts";
import { gen_variable_factories } from "./gen_variable_factories.ts";
import { gen_variable_type } from "./gen_variable_type.ts";
import { gen_view_funcs } from "./gen_view_funcs.ts";
import { load_derivatives } from "./load_derivatives.ts";
import { Views } from "./view_info.ts";

const DERIVATIVES = `${CODEGEN_FOLDER}/derivatives.yaml`;

export function generate(input: CodegenInput): Outputs {
  const text = input.files.get(DERIVATIVES);
  if (text === undefined)
    throw new CodegenError({ file: DERIVATIVES, line: 0 }, "file", "no such file", "restore it from version control");
  const functions = input.yaml.native_functions;
  const { infos, used_dispatch_keys } = load_derivatives(DERIVATIVES, text, functions, input.errors);
  // Sorted by C++ name like PyTorch's generated files, so that variants of an operator are adjacent.
  const sorted = functions
    .map((f, i) => ({ f, i, name: cpp.name(f.func) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.i - b.i))
    .map(({ f }) => f);
  const lists = gen_foreach_derivatives(sorted, infos);
  const with_nodes = new Map([...infos, ...lists.generated]);
  const fns = match_differentiability_info(sorted, new Map([...with_nodes, ...lists.inplace]));
  const views = new Views(functions);
  return new Map([
    ...gen_variable_type(input, fns, used_dispatch_keys, views),
    ...gen_inplace_or_view_type(input, fns, views),
    ...gen_trace_type(input, sorted),
    ...gen_autograd_functions(input, with_nodes),
    ...gen_variable_factories(input),
    ...gen_view_funcs(input, fns, views),
    [
      `${GENERATED_FOLDER}/RegisterAll.ts`,
      input.templates(`${TEMPLATES_FOLDER}/RegisterAll.ts.tmpl`).substitute({
        generated_comment: generated_header("templates/RegisterAll.ts.tmpl"),
        variable_type: imports_for_effect("VariableType"),
        inplace_or_view_type: imports_for_effect("ADInplaceOrViewType"),
      }),
    ],
  ]);
}

function imports_for_effect(name: "VariableType" | "ADInplaceOrViewType"): string[] {
  return Array.from({ length: NUM_SHARDS[name] }, (_, i) => `import "./${name}_${i}.ts";`);
}
