/**
 * @file `ufunc_inner_loop`: from a scalar function in `src/aten/native/ufunc` this makes the structured class that runs
 * a stub over the iterator, and the kernel of the stub. As for every scalar function, dest/kernels.ts makes the loops.
 * @mirrors torchgen/dest/ufunc.py
 */
import * as cpp from "../api/cpp.ts";
import type { NativeKernels } from "../api/native.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { CodegenError } from "../errors.ts";
import { import_lines } from "../imports.ts";
import { is_group, type NativeFunctionsGroup, UFUNC_DISPATCH_KEYS } from "../model.ts";
import { specifier_of } from "../module_path.ts";
import { is_tensor_like } from "../types.ts";
import { cite, generated_header } from "../utils.ts";
import { meta_class_name } from "./structured.ts";

export function generate(input: CodegenInput, kernels: NativeKernels): Outputs {
  const outputs: Outputs = new Map();
  for (const g of input.yaml.grouped)
    if (is_group(g) && g.out.ufunc_inner_loop.size > 0)
      for (const [path, text] of generate_group(input, kernels, g)) outputs.set(path, text);
  return outputs;
}

/** Paths of the kernels, for RegisterAll. */
export function kernel_path(g: NativeFunctionsGroup): string {
  return `src/aten/generated/UfuncCPUKernel_${g.out.func.name.name}.ts`;
}

function generate_group(input: CodegenInput, kernels: NativeKernels, g: NativeFunctionsGroup): [string, string][] {
  const base = String(g.out.func.name.name);
  const stub = `${base}_stub`;
  const scalar_function = scalar_function_of(g);
  const meta_class = meta_class_name(g);
  const meta_file =
    kernels.file_of(kernels.resolve_class(meta_class, g, "meta")) ?? "src/aten/generated/NativeFunctions.ts";
  const class_path = `src/aten/generated/UfuncCPU_${base}.ts`;
  const ufunc_file = `src/aten/native/ufunc/${scalar_function}.ts`;
  if (!input.files.has(ufunc_file) && !input.allow_missing)
    throw new CodegenError(
      g.out.loc,
      "ufunc_inner_loop",
      `no file ${ufunc_file}`,
      `write 'export function ${scalar_function}(self: scalar_t, other: scalar_t, ...): scalar_t' with a @loop tag in it`,
    );
  const args = g.functional.func.arguments.flat_non_out;
  const captures = args
    .filter((a) => !is_tensor_like(a.type))
    .map((a) => ({ name: cpp.argument_name(a), type: cpp.ts_type(a.type), default: null }));
  const names = captures.map((c) => c.name);
  const impl_parameters = cpp.declare(
    cpp.scattered_parameters(g.out.func).map((p) => ({ ...p, name: names.includes(p.name) ? p.name : `_${p.name}` })),
  );
  // The stub is hand-written if other operators use it too (`sub` runs `add_stub`); otherwise it is beside the class.
  const by_hand = kernels.find_const(stub);
  const stub_file = by_hand ?? class_path;
  const stub_type = `(iter: TensorIteratorBase${captures.map((c) => `, ${c.name}: ${c.type}`).join("")}) => void`;
  const class_name = `structured_${kernel_class(g)}`;
  kernels.generated.set(class_name, class_path);
  const used = `class extends ${meta_class} { impl(${impl_parameters}) { ${stub}.call() } } ${by_hand === null ? stub_type : ""}`;
  const class_imports = import_lines(class_path, used, {
    [meta_class]: meta_file,
    ...(by_hand === null ? {} : { [stub]: by_hand }),
  });
  const class_text = input.templates("src/aten/templates/UfuncCPU.ts.tmpl").substitute({
    generated_comment: generated_header("templates/UfuncCPU.ts.tmpl and native_functions.yaml"),
    name: String(g.out.func.name),
    cited: `${g.out.func}   ${cite(g.out)}`,
    imports: class_imports,
    stub_import:
      by_hand === null
        ? [
            'import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";',
            'import type { TensorIteratorBase } from "#aten/TensorIterator";',
            "",
            `export const ${stub} = DEFINE_DISPATCH<${stub_type}>("${stub}");`,
          ]
        : [],
    class_name,
    meta_class,
    impl_parameters,
    stub,
    stub_arguments: names,
  });
  const path = kernel_path(g);
  const kernel_parameters = cpp.declare([{ name: "iter", type: "TensorIteratorBase", default: null }, ...captures]);
  const loops = `${scalar_function}_loops`;
  const kernel_text = input.templates("src/aten/templates/UfuncCPUKernel.ts.tmpl").substitute({
    generated_comment: generated_header("templates/UfuncCPUKernel.ts.tmpl and native_functions.yaml"),
    cited: `${g.out.func}   ${cite(g.out)}`,
    stub,
    scalar_function,
    kernel: `${base}_kernel`,
    kernel_parameters,
    loops,
    loop_arguments: names,
    imports: [
      ...import_lines(path, kernel_parameters),
      'import { cpu_kernel } from "#aten/native/cpu/Loops/index";',
      'import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";',
      `import { ${loops} } from "#aten/native/ufunc/generated/${scalar_function}";`,
      'import type { TensorIteratorBase } from "#aten/TensorIterator";',
      `import { ${stub} } from "${specifier_of(path, stub_file)}";`,
    ],
  });
  return [
    [class_path, class_text],
    [path, kernel_text],
  ];
}

function kernel_class(g: NativeFunctionsGroup): string {
  return `ufunc_${g.out.func.name.name}_${UFUNC_DISPATCH_KEYS[0]}`;
}

/**
 * Generic and ScalarOnly may name different dtypes, but only one function; bodies for single dtypes are beside it, as `add$bool`.
 */
function scalar_function_of(g: NativeFunctionsGroup): string {
  const names = [...new Set([...g.out.ufunc_inner_loop.values()].map((loop) => loop.name))];
  if (names.length !== 1)
    throw new CodegenError(
      g.out.loc,
      "ufunc_inner_loop",
      `names several functions: ${names.join(", ")}`,
      `write one function, and bodies for single dtypes as '${names[0]}$bool'`,
    );
  return names[0];
}
