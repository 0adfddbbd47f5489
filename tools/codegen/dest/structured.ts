/**
 * @file Structured kernels: for functional, in-place and out variants a class that knows where the outputs come from, and the wrapper
 * that runs meta, then impl. Without a kernel of its own, CompositeExplicitAutogradNonFunctional runs meta and calls the out operator.
 * @mirrors torchgen/dest/register_dispatch_key.py#StructuredRegisterDispatchKey
 * @differs An operator object is kept between calls: Note [Iterators are used again] in src/aten/iterator/TensorIteratorBuild.ts.
 * @differs The outputs are fields `outputs_0`, `outputs_1`, ...; PyTorch has arrays `outputs_`, which here would cost an allocation a call.
 */
import * as cpp from "../api/cpp.ts";
import { structured_wrapper_name } from "../api/dispatcher.ts";
import type { NativeKernels } from "../api/native.ts";
import { CodegenError } from "../errors.ts";
import type { SchemaKind } from "../function_schema.ts";
import { braced } from "../layout.ts";
import {
  type BackendIndex,
  type DispatchKey,
  functions_of,
  type NativeFunction,
  type NativeFunctionsGroup,
} from "../model.ts";
import { cite } from "../utils.ts";
import type { Wrapper } from "./register_dispatch_key.ts";

/** Wrappers of a structured group under one key; null if the key has unstructured kernels for it, or none. */
export function gen_structured(g: NativeFunctionsGroup, index: BackendIndex, kernels: NativeKernels): Wrapper[] | null {
  const key = index.dispatch_key;
  const metadata = index.get_kernel(g);
  if (key === "Meta" || key === "CompositeExplicitAutogradNonFunctional") {
    if (metadata !== null)
      throw new CodegenError(
        metadata.place,
        "dispatch",
        `${key} of a structured operator is generated`,
        "remove the line",
      );
  } else if (metadata === null || !metadata.structured) return null;
  const meta_class = meta_class_name(g);
  kernels.resolve_class(meta_class, g, "meta");
  const impl_class = metadata === null ? null : `structured_${metadata.kernel}`;
  if (impl_class !== null && g.out.ufunc_inner_loop.size === 0) kernels.resolve_class(impl_class, g, "impl");
  const wrappers: Wrapper[] = [];
  for (const f of functions_of(g)) {
    const kind = f.func.kind();
    // A backend writes the out operator; the default kernels of the others call it.
    if (key === "CompositeExplicitAutogradNonFunctional" && kind === "out") continue;
    wrappers.push({ f, name: structured_wrapper_name(f, key), definition: define(g, f, key, meta_class, impl_class) });
  }
  return wrappers;
}

/** `structured_add_Tensor`: named after the functional operator. */
export function meta_class_name(g: NativeFunctionsGroup): string {
  return `structured_${g.functional.func.name.unambiguous_name()}`;
}

function define(
  g: NativeFunctionsGroup,
  f: NativeFunction,
  key: DispatchKey,
  meta_class: string,
  impl_class: string | null,
): string {
  const kind = f.func.kind();
  const class_name =
    impl_class !== null
      ? `${impl_class}_${kind}`
      : key === "Meta"
        ? `${meta_class}_meta_${kind}`
        : `${meta_class}_default_backend_${kind}`;
  const cited = `// ${f.func}   ${cite(f)}`;
  if (impl_class === null) return `\n${cited}\n${define_unhurried(g, f, key, class_name, meta_class)}`;
  // Cited above both, so that both are found from the YAML line.
  return `\n${cited}\n${define_class(g, f, class_name, impl_class)}\n${cited}\n${define_wrapper(g, f, key, class_name, meta_class, impl_class)}`;
}

/** Where no kernel is behind the meta function: the class is made at the first call (src/aten/StructuredOutputs.ts). */
function define_unhurried(
  g: NativeFunctionsGroup,
  f: NativeFunction,
  key: DispatchKey,
  class_name: string,
  meta_class: string,
): string {
  const kind = f.func.kind();
  const given = kind === "inplace" ? ["self"] : f.func.arguments.out.map((a) => cpp.argument_name(a));
  const args = g.functional.func.arguments.flat_non_out.map((a) => cpp.argument_name(a));
  const out_args = g.out.func.arguments.flat_non_out.map((a) => cpp.argument_name(a));
  const outputs = f.func.returns.map((_, i) => `op.outputs_[${i}]`);
  const results = kind === "functional" ? outputs : given;
  return [
    `const ${class_name} = ${kind}_outputs(native.${meta_class}, create_out);`,
    `${wrapper_head(f, key)} {`,
    `  const op = ${class_name}(${given.join(", ")});`,
    `  if (tracer !== null) trace_structured(op, "${meta_class}", null);`,
    `  op.meta(${args.join(", ")});`,
    ...(key === "CompositeExplicitAutogradNonFunctional"
      ? [`  at.${g.out.func.name.unambiguous_name()}(${[...out_args, ...outputs].join(", ")});`]
      : []),
    ...(kind === "functional" ? [] : ["  op.copy_back();"]),
    `  return ${results.length === 1 ? results[0] : `[${results.join(", ")}]`};`,
    "}",
  ].join("\n");
}

function wrapper_head(f: NativeFunction, key: DispatchKey): string {
  const parameters = cpp.declare(cpp.scattered_parameters(f.func));
  return `function ${structured_wrapper_name(f, key)}(_ks: DispatchKeySet, ${parameters}): ${cpp.returns_type(f.func.returns)}`;
}

/** Whether the operator object is kept between calls: it has an iterator. */
function is_reused(g: NativeFunctionsGroup): boolean {
  return g.out.structured_inherits !== null;
}

const SET_OUTPUT_PARAMETERS =
  "output_idx: number, sizes: readonly number[], strides: readonly number[], options: TensorOptions";

function define_class(g: NativeFunctionsGroup, f: NativeFunction, class_name: string, parent: string): string {
  const kind = f.func.kind();
  const outputs = f.func.returns.map((_, i) => i);
  const lines: string[] = [`class ${class_name} extends native.${parent} {`];
  if (is_reused(g))
    lines.push(`  static idle: ${class_name} | null = null; // between calls: Note [Iterators are used again]`);
  for (const i of outputs)
    lines.push(with_proxy(kind, `outputs_${i} = undefined_output;`, `proxy_outputs_${i}: Tensor | null = null;`));
  const super_call =
    g.out.structured_inherits === null ? [] : ["super.set_output_raw_strided(output_idx, sizes, strides, options);"];
  for (const name of ["strided", "raw_strided"]) {
    // A fresh output has the strides that the kernel insists on.
    const same = kind === "functional" && name === "strided";
    const body = same
      ? ["this.set_output_raw_strided(output_idx, sizes, strides, options);"]
      : [...per_output(outputs, (i) => set_output(kind, i, name === "strided")), ...super_call];
    lines.push(...braced(`override set_output_${name}(${SET_OUTPUT_PARAMETERS}): void`, body, "  "));
  }
  const value = (i: number) =>
    kind === "functional" ? `this.outputs_${i}` : `this.proxy_outputs_${i} ?? this.outputs_${i}`;
  const choice = [
    ...outputs.slice(0, -1).map((i) => `if (output_idx === ${i}) return ${value(i)};`),
    `return ${value(outputs.length - 1)};`,
  ];
  const parameter = `${outputs.length === 1 ? "_output_idx" : "output_idx"}: number`;
  lines.push(...braced(`override maybe_get_output(${parameter}): Tensor`, choice, "  "), "}");
  return lines.join("\n");
}

/** A functional operator makes its outputs, so that none of them needs a proxy. */
function with_proxy(kind: SchemaKind, output: string, proxy: string): string {
  return kind === "functional" ? `  ${output}` : `  ${output} ${proxy}`;
}

/** `body(i)` chosen by `output_idx`; with one output there is nothing to choose. */
function per_output(outputs: readonly number[], body: (i: number) => string[]): string[] {
  if (outputs.length === 1) return body(0);
  return outputs.flatMap((i) => {
    const test =
      i === 0 ? `if (output_idx === 0) {` : i === outputs.length - 1 ? "} else {" : `} else if (output_idx === ${i}) {`;
    return [test, ...body(i).map((l) => `  ${l}`), ...(i === outputs.length - 1 ? ["}"] : [])];
  });
}

/** Where output `i` comes from: made, checked, or resized. A kernel that insists on its strides gets a proxy if the output's differ. */
function set_output(kind: SchemaKind, i: number, strided: boolean): string[] {
  if (kind === "functional") return [`this.outputs_${i} = create_out(sizes, strides, options);`];
  const check =
    kind === "inplace"
      ? `check_inplace(this.outputs_${i}, sizes, options);`
      : `resize_out(this.outputs_${i}, sizes, strides, options);`;
  return [
    check,
    ...(strided
      ? [`this.proxy_outputs_${i} = maybe_create_proxy(this.outputs_${i}, sizes, strides, create_out, options);`]
      : []),
  ];
}

function define_wrapper(
  g: NativeFunctionsGroup,
  f: NativeFunction,
  key: DispatchKey,
  class_name: string,
  meta_class: string,
  impl_class: string,
): string {
  const kind = f.func.kind();
  const outs = f.func.arguments.out.map((a) => cpp.argument_name(a));
  const args = g.functional.func.arguments.flat_non_out;
  const lines = [`${wrapper_head(f, key)} {`];
  const reused = is_reused(g);
  if (reused) lines.push(`  const op = ${class_name}.idle ?? new ${class_name}();`, `  ${class_name}.idle = null;`);
  else lines.push(`  const op = new ${class_name}();`);
  const given = kind === "inplace" ? ["self"] : outs;
  for (const [i, name] of given.entries()) lines.push(`  op.outputs_${i} = ${name};`);
  lines.push(`  if (tracer !== null) trace_structured(op, "${meta_class}", "${impl_class}");`);
  const { precomputed } = g.out;
  lines.push(
    `  ${precomputed === null ? "" : "const precompute = "}op.meta(${args.map((a) => cpp.argument_name(a)).join(", ")});`,
  );
  const outputs = f.func.returns.map((_, i) => (kind === "out" ? `op.maybe_get_output(${i})` : `op.outputs_${i}`));
  const impl_args = args.flatMap(
    (a) => precomputed?.replace.get(a.name)?.map((p) => `precompute.${p.name}`) ?? [cpp.argument_name(a)],
  );
  impl_args.push(...(precomputed?.add.map((p) => `precompute.${p.name}`) ?? []), ...outputs);
  lines.push(`  op.impl(${impl_args.join(", ")});`);
  if (kind !== "functional")
    for (const i of f.func.returns.keys())
      lines.push(`  if (op.proxy_outputs_${i} !== null) op.outputs_${i}.copy_(op.proxy_outputs_${i});`);
  const results = kind === "functional" ? outputs : given;
  const result = results.length === 1 ? results[0] : `[${results.join(", ")}]`;
  if (!reused) return [...lines, `  return ${result};`, "}"].join("\n");
  // Out of `op` before it lets go of them.
  if (kind === "functional") lines.push(`  const result: ${cpp.returns_type(f.func.returns)} = ${result};`);
  for (const i of f.func.returns.keys())
    lines.push(with_proxy(kind, `op.outputs_${i} = undefined_output;`, `op.proxy_outputs_${i} = null;`));
  lines.push(`  ${class_name}.idle = op.release();`);
  lines.push(`  return ${kind === "functional" ? "result" : result};`, "}");
  return lines.join("\n");
}

/** `create_out` of this key, for keys under which structured kernels run; the other helpers are shared and imported. */
export function structured_helpers(key: DispatchKey): string[] {
  if (key === "CompositeImplicitAutograd" || key === "CompositeExplicitAutograd") return [];
  const [empty, empty_strided] =
    key === "CompositeExplicitAutogradNonFunctional"
      ? [
          "at.empty_memory_format(sizes as number[], options)",
          "at.empty_strided(sizes as number[], strides as number[], options)",
        ]
      : [
          `empty_${key.toLowerCase()}_options(sizes, options)`,
          `empty_strided_${key.toLowerCase()}_options(sizes, strides, options)`,
        ];
  return [
    "/** A fresh output. No strides: row-major, or as `options` ask. */",
    "function create_out(sizes: readonly number[], strides: readonly number[], options: TensorOptions): Tensor {",
    `  return strides.length === 0 ? ${empty} : ${empty_strided};`,
    "}",
    "",
  ];
}
