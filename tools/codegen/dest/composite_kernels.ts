/**
 * @file Kernels of operators made by `autogen`: functional from in-place (clone, then write), out from functional
 * (compute, resize, copy). And kernels of view copies: the view, then `clone`.
 * @mirrors torchgen/native_function_generation.py#gen_composite_out_kernel, torchgen/gen_functionalization_type.py#GenCompositeViewCopyKernel
 */
import * as cpp from "../api/cpp.ts";
import type { NativeKernels } from "../api/native.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { CodegenError } from "../errors.ts";
import { import_lines } from "../imports.ts";
import { is_group, type NativeFunction, type NativeFunctionsGroup } from "../model.ts";
import { NUM_SHARDS, shards } from "../shards.ts";
import { cite, generated_header } from "../utils.ts";
import { type ViewCopy, view_copies } from "../view_copies.ts";

const PATH = "src/aten/generated/CompositeViewCopyKernels.ts";

export function generate(input: CodegenInput, kernels: NativeKernels): Outputs {
  const count = NUM_SHARDS.CompositeViewCopyKernels;
  const groups = input.yaml.grouped.filter(is_group);
  const copies = shards(PATH, count, view_copies(input.yaml.native_functions), ({ copy }) => copy.root_name);
  const outputs: Outputs = new Map();
  for (const { path, index, items } of shards(PATH, count, groups, (g) => g.functional.root_name)) {
    const view_copy = copies[index].items.flatMap((c) => view_copy_kernel(input, kernels, c, path));
    const functional = items
      .filter((g) => g.functional.generated)
      .map((g) => functional_kernel(g, kernel_name(input, kernels, g.functional, path)));
    const out = items
      .filter((g) => g.out.generated)
      .map((g) => out_kernel(g, kernel_name(input, kernels, g.out, path)));
    const text = input.templates("src/aten/templates/CompositeViewCopyKernels.ts.tmpl").substitute({
      generated_comment: generated_header("templates/CompositeViewCopyKernels.ts.tmpl and native_functions.yaml"),
      imports: import_lines(path, [...view_copy, ...functional, ...out].join("\n"), {}),
      CompositeViewCopyKernel_Definitions: view_copy,
      GeneratedCompositeFunctional_Definitions: functional,
      GeneratedCompositeOut_Definitions: out,
    });
    outputs.set(path, text);
  }
  return outputs;
}

/** The kernel's TypeScript name: it contains the overload, since C++'s overloads (`fill_out`) share one name. */
function kernel_name(input: CodegenInput, kernels: NativeKernels, f: NativeFunction, path: string): string {
  const metadata = input.yaml.backend_indices.get("CompositeExplicitAutograd")?.get_kernel(f);
  if (metadata === null || metadata === undefined)
    throw new CodegenError(
      f.loc,
      "autogen",
      `no kernel planned for '${f.func.name}'`,
      "this is a bug in the generator",
    );
  return kernels.define_generated(f, metadata, path);
}

/** The kernel of a view copy; empty if it is hand-written. */
function view_copy_kernel(
  input: CodegenInput,
  kernels: NativeKernels,
  { view, copy }: ViewCopy,
  path: string,
): string[] {
  const metadata = input.yaml.backend_indices.get("CompositeExplicitAutogradNonFunctional")?.get_kernel(copy);
  if (metadata === null || metadata === undefined || kernels.has_function(metadata.kernel)) return [];
  const name = kernels.define_generated(copy, metadata, path);
  const args = copy.func.arguments.flat_all.map(cpp.argument_name);
  // If a view is impossible, `reshape` copies.
  const otherwise =
    name === "view_copy_symint" ? [`  if (!can_view(${args.join(", ")})) return self.reshape(size);`] : [];
  const call = `_ops.${view.func.name.unambiguous_name()}.call(${args.join(", ")})`;
  const clone = "clone(MemoryFormat.Contiguous)";
  const is_list = cpp.returns_type(copy.func.returns) === "Tensor[]";
  const result = is_list ? `  return ${call}.map((one) => one.${clone});` : `  return ${call}.${clone};`;
  return [`${[head(copy, name), ...otherwise, result].join("\n")}\n}`];
}

function head(f: NativeFunction, name: string): string {
  return `\n// ${f.func}   ${cite(f)}\nexport function ${name}(${cpp.declare(cpp.scattered_parameters(f.func))}): ${cpp.returns_type(f.func.returns)} {`;
}

/** Clones every argument that the other variant writes; the clones are the results. */
function functional_kernel(g: NativeFunctionsGroup, name: string): string {
  const target = [g.inplace, g.mutable].find((f) => f !== null && !f.generated);
  if (target === null || target === undefined)
    throw new CodegenError(
      g.functional.loc,
      "autogen",
      `there is no operator from which to generate '${g.functional.func.name}'`,
      "write the functional operator by hand",
    );
  const lines: string[] = [];
  const clones: string[] = [];
  const args = target.func.arguments.flat_all.map((a) => {
    const arg = cpp.argument_name(a);
    if (!a.is_write) return arg;
    lines.push(`  const ${arg}_clone = clone_arg(${arg});`);
    clones.push(`${arg}_clone`);
    return `${arg}_clone`;
  });
  const call = `_ops.${target.func.name.unambiguous_name()}.call(${args.join(", ")});`;
  const fresh = target.func
    .aliased_return_names()
    .map((alias, i) => (alias !== null ? null : target.func.returns.length > 1 ? `output[${i}]` : "output"));
  const results = [...fresh.filter((r) => r !== null), ...clones];
  lines.push(fresh.some((r) => r !== null) ? `  const output = ${call}` : `  ${call}`);
  lines.push(`  return ${results.length === 1 ? results[0] : `[${results.join(", ")}]`};`);
  return `${head(g.functional, name)}\n${lines.join("\n")}\n}`;
}

/**
 * Calls the functional variant with dtype, layout and device of the out tensor, which the out variant does not take;
 * pinned memory does not matter.
 */
function out_kernel(g: NativeFunctionsGroup, name: string): string {
  const outs = g.out.func.arguments.out.map((a) => cpp.argument_name(a));
  const given = new Set(g.out.func.arguments.flat_non_out.map((a) => a.name));
  const from_out: Record<string, string> = {
    dtype: `${outs[0]}.scalar_type()`,
    layout: `${outs[0]}.layout()`,
    device: `${outs[0]}.device()`,
  };
  const args = g.functional.func.arguments.flat_non_out.map((a) =>
    given.has(a.name) ? cpp.argument_name(a) : (from_out[a.name] ?? "null"),
  );
  const single = g.functional.func.returns.length === 1;
  const tmp = (i: number) => (single ? "tmp_output" : `tmp_output[${i}]`);
  const lines = [`  const tmp_output = _ops.${g.functional.func.name.unambiguous_name()}.call(${args.join(", ")});`];
  for (const [i, out] of outs.entries())
    lines.push(`  resize_out_helper(${out}, ${tmp(i)});`, `  copy_arg(${out}, ${tmp(i)});`);
  const results = g.out.func.aliased_return_names().map((alias, i) => alias ?? tmp(i));
  if (results.length > 0) lines.push(`  return ${results.length === 1 ? results[0] : `[${results.join(", ")}]`};`);
  return `${head(g.out, name)}\n${lines.join("\n")}\n}`;
}
