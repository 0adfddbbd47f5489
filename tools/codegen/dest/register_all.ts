/**
 * @file The generator of RegisterAll.ts: it imports every file that registers kernels, in the order of libtorch's
 * static initializers.
 * @original In PyTorch this order is made by the linker.
 */
import { backend_folders } from "../api/native.ts";
import type { CodegenInput, Outputs } from "../context.ts";
import { is_group } from "../model.ts";
import { specifier_of } from "../module_path.ts";
import { NUM_SHARDS } from "../shards.ts";
import { generated_header } from "../utils.ts";
import { kernel_path } from "./ufunc.ts";

const PATH = "src/aten/generated/RegisterAll.ts";

/** Hand-written files in load order; the others follow in path order. */
const LOAD_ORDER = [
  "ConjugateFallback",
  "FunctionalizeFallbackKernel",
  "LegacyBatchingRegistrations",
  "VmapModeRegistrations",
  "ZeroTensorFallback",
  "autocast_mode/index",
  "autocast_mode/policies",
  "functorch/DynamicLayer.impl",
  "functorch/LegacyBatchingRegistrations",
  "functorch/TensorWrapper.impl",
  "functorch/VmapModeRegistrations",
  "core/BackendSelectFallbackKernel",
  "core/MetaFallbackKernel",
  "core/PythonFallbackKernel",
  "core/VariableFallbackKernel",
  "native/NegateFallback",
].map((name) => `src/aten/${name}.ts`);
/** Imports every file of `native/cpu`, whose kernels register with their stubs. */
const KERNELS = "src/aten/native/cpu/RegisterKernels.ts";
const GENERATED = [
  "RegisterBackendSelect",
  "RegisterCPU",
  "RegisterCompositeExplicitAutogradNonFunctional",
  "RegisterCompositeExplicitAutograd",
  "RegisterCompositeImplicitAutograd",
  "RegisterMeta",
  "RegisterSchema",
  "RegisterZeroTensor",
];

export function generate(input: CodegenInput): Outputs {
  const import_of = (path: string) => `import "${specifier_of(PATH, path)}";`;
  const text = input.templates("src/aten/templates/RegisterAll.ts.tmpl").substitute({
    generated_comment: generated_header("templates/RegisterAll.ts.tmpl and the files that register"),
    fallback_imports: registering_files(input).map(import_of),
    kernel_imports: input.files.has(KERNELS) ? [import_of(KERNELS)] : [],
    ufunc_imports: input.yaml.grouped
      .filter(is_group)
      .filter((g) => g.out.ufunc_inner_loop.size > 0)
      .map((g) => import_of(kernel_path(g))),
    register_imports: GENERATED.flatMap(files_of).map((name) => `import "./${name}.ts";`),
  });
  return new Map([[PATH, text]]);
}

function files_of(name: string): string[] {
  const count = NUM_SHARDS[name as keyof typeof NUM_SHARDS] as number | undefined;
  return count === undefined ? [name] : Array.from({ length: count }, (_, i) => `${name}_${i}`);
}

/** Files below `src/aten` with a registration block of their own. */
function registering_files(input: CodegenInput): string[] {
  const backends = backend_folders(input.files); // these have entries of their own
  const rank = (path: string): number => {
    const i = LOAD_ORDER.indexOf(path);
    return i < 0 ? LOAD_ORDER.length : i;
  };
  return [...input.files]
    .filter(
      ([path, text]) =>
        path.startsWith("src/aten/") &&
        path.endsWith(".ts") &&
        !path.includes("/generated/") &&
        !backends.some((folder) => path.startsWith(folder)) &&
        /^(?:TORCH_LIBRARY(?:_IMPL|_FRAGMENT)?|C10_REGISTER_GUARD_IMPL)\(/m.test(text),
    )
    .map(([path]) => path)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
