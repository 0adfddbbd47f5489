/**
 * @file Structured kernels: the wrappers of functional, in-place and out variants, which run meta, then impl. Without a
 * kernel of its own, CompositeExplicitAutogradNonFunctional runs meta and calls the out operator.
 * @mirrors torchgen/dest/register_dispatch_key.py#StructuredRegisterDispatchKey
 * @differs The outputs are handled by src/aten/StructuredOutputs.ts; PyTorch generates a class per variant that holds them.
 */
import * as cpp from "../api/cpp.ts";
import { structured_wrapper_name } from "../api/dispatcher.ts";
import { NATIVE, type NativeKernels } from "../api/native.ts";
import { CodegenError } from "../errors.ts";
import {
  type BackendIndex,
  type BackendMetadata,
  type DispatchKey,
  EXTERNAL_DISPATCH_KEYS,
  functions_of,
  type NativeFunction,
  type NativeFunctionsGroup,
} from "../model.ts";
import { cite } from "../utils.ts";
import { gen_device_check } from "./device_guard.ts";
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
        `the ${key} kernel of a structured operator is generated`,
        "remove the line",
      );
  } else if (metadata === null || !metadata.structured) return null;
  const meta_class = meta_class_name(g);
  if (!is_external(key)) kernels.resolve_class(meta_class, g, "meta");
  const impl_class = metadata === null ? null : impl_class_name(g, metadata, kernels);
  if (impl_class !== null && (is_external(key) || g.out.ufunc_inner_loop.size === 0))
    kernels.resolve_class(impl_class, g, "impl", metadata?.shared);
  // A backend has the out operator; the default kernels of the others call it.
  const here = functions_of(g).filter(
    (f) => key !== "CompositeExplicitAutogradNonFunctional" || f.func.kind() !== "out",
  );
  return here.map((f, i) => {
    const cited = `// ${f.func}   ${cite(f)}`;
    // Cited above both, so that the YAML line leads to both.
    const kernel = i === 0 ? `${cited}\n${define_kernel(g, index, meta_class, impl_class)}\n\n` : "";
    const wrapper = define_wrapper(g, f, index, meta_class, impl_class);
    return { f, name: structured_wrapper_name(f, key), definition: `\n${kernel}${cited}\n${wrapper}` };
  });
}

/** `structured_any_out`; if a backend has kernels for several overloads, `structured_any_dims_out`. */
function impl_class_name(g: NativeFunctionsGroup, metadata: BackendMetadata, kernels: NativeKernels): string {
  const unambiguous = `structured_${g.out.func.name.unambiguous_name()}`;
  const is_own = kernels.folder !== NATIVE && metadata.shared !== true && kernels.has_class(unambiguous);
  return is_own ? unambiguous : `structured_${metadata.kernel}`;
}

/** `structured_add_Tensor`: named after the functional operator. */
export function meta_class_name(g: NativeFunctionsGroup): string {
  return `structured_${g.functional.func.name.unambiguous_name()}`;
}

function is_external(key: DispatchKey): boolean {
  return (EXTERNAL_DISPATCH_KEYS as readonly string[]).includes(key);
}

/** Whether outputs may be on one of several devices: then that device is made current when meta sets the first output. */
function guards_outputs({ dispatch_key, traits }: BackendIndex): boolean {
  return traits.device_guard || dispatch_key === "CompositeExplicitAutogradNonFunctional";
}

/** Name of the function that makes outputs under this key; for a backend outside the library it calls the backend's `empty`. */
export function create_out_name(key: DispatchKey): string {
  return `create_out_${is_external(key) ? "CompositeExplicitAutogradNonFunctional" : key}`;
}

/** The constant that provides operator objects: `structured_exp_out`, `structured_exp_meta`, `structured_exp_default_backend`. */
function kernel_name(key: DispatchKey, meta_class: string, impl_class: string | null): string {
  return impl_class ?? `${meta_class}_${key === "Meta" ? "meta" : "default_backend"}`;
}

function define_kernel(
  g: NativeFunctionsGroup,
  index: BackendIndex,
  meta_class: string,
  impl_class: string | null,
): string {
  const key = index.dispatch_key;
  const traced_as = `"${meta_class}", ${impl_class === null ? "null" : `"${impl_class}"`}`;
  const returns = g.functional.func.returns.length;
  const traits = guards_outputs(index) ? ", true" : "";
  return `const ${kernel_name(key, meta_class, impl_class)} = new StructuredKernel(native.${impl_class ?? meta_class}, ${returns}, ${create_out_name(key)}, ${traced_as}${traits});`;
}

function define_wrapper(
  g: NativeFunctionsGroup,
  f: NativeFunction,
  index: BackendIndex,
  meta_class: string,
  impl_class: string | null,
): string {
  const key = index.dispatch_key;
  const kind = f.func.kind();
  const given = kind === "inplace" ? ["self"] : f.func.arguments.out.map((a) => cpp.argument_name(a));
  const take = kind === "out" && given.length > 1 ? "outs" : kind;
  const { precomputed } = g.out;
  const args = g.functional.func.arguments.flat_non_out;
  const meta = `op.meta(${args.map((a) => cpp.argument_name(a)).join(", ")});`;
  // As in PyTorch, an in-place kernel receives `self` even if meta requested a proxy.
  const place = (i: number) => (kind === "out" ? `op.outputs.at(${i})` : `op.outputs.outputs_[${i}]`);
  // Results are stored by name, because they are needed after the operator has released them.
  const names = f.func.returns.map((_, i) => (f.func.returns.length === 1 ? "result" : `result${i}`));
  const outputs = kind === "functional" ? names : f.func.returns.map((_, i) => place(i));
  const wrapper = structured_wrapper_name(f, key);
  const lines = [`${precomputed !== null && impl_class !== null ? "const precompute = " : ""}${meta}`];
  if (kind === "functional") for (const [i, name] of names.entries()) lines.push(`const ${name} = ${place(i)};`);
  if (impl_class !== null) {
    const impl_args = args.flatMap(
      (a) => precomputed?.replace.get(a.name)?.map((p) => `precompute.${p.name}`) ?? [cpp.argument_name(a)],
    );
    impl_args.push(...(precomputed?.add.map((p) => `precompute.${p.name}`) ?? []), ...outputs);
    lines.push(`op.impl(${impl_args.join(", ")});`);
  } else if (key === "CompositeExplicitAutogradNonFunctional") {
    const out_args = g.out.func.arguments.flat_non_out.map((a) => cpp.argument_name(a));
    lines.push(`at.${g.out.func.name.unambiguous_name()}(${[...out_args, ...outputs].join(", ")});`);
  }
  const results = kind === "functional" ? names : given;
  lines.push("op.outputs.finish();", `return ${results.length === 1 ? results[0] : `[${results.join(", ")}]`};`);
  const body = guards_outputs(index)
    ? ["try {", ...lines.map((line) => `  ${line}`), "} finally { op.outputs.restore_device(); }"]
    : lines;
  return [
    `function ${wrapper}(_ks: DispatchKeySet, ${cpp.declare(cpp.scattered_parameters(f.func))}): ${cpp.returns_type(f.func.returns)} {`,
    ...[
      ...gen_device_check(f, index, wrapper),
      `const op = ${kernel_name(key, meta_class, impl_class)}.${take}(${given.join(", ")});`,
      ...body,
    ].map((line) => `  ${line}`),
    "}",
  ].join("\n");
}
