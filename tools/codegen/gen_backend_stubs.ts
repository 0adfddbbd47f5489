/**
 * @file Kernels of a backend outside the library, from its own list: wrappers that check and set the device, and their
 * registration. A list is a file `X_native_functions.yaml`. The kernels are in the files of its folder, and the
 * generated files in `generated/` below it.
 *
 *   backend: PrivateUse1                    the dispatch key; a list with another key is an error
 *   cpp_namespace: at::native::webgpu       the kernels' namespace in traces
 *   use_out_as_primary: true                in-place and functional variants are derived from `out`; else out and
 *                                           in-place from the functional one
 *   device_guard: true                      wrappers make the tensors' device current, and check that all are on one
 *   shards: 4                               number of files for the wrappers; by default one
 *   supported:                              kernels: functions under PyTorch's names (`mm_out` for mm.out; api/native.ts)
 *     - mm.out
 *     - add.out:
 *         structured: true                  a class `structured_add_out` with `impl`, that extends the operator's meta class
 *     - _copy_from:
 *         device_check: NoCheck             its tensors are on different devices
 *   shared:                                 operators whose kernels are the library's own: they call stubs, which
 *                                           serve every device, as
 *     - mul.out                             like native_functions.yaml's 'CPU, CUDA: mul_out'
 *   autograd:                               a list for AutogradPrivateUse1: operators that have their own derivative
 *
 * @mirrors torchgen/gen_backend_stubs.py
 * @differs `structured: true` is from PyTorch's development after 2.13; PyTorch 2.13's backends have only unstructured
 * kernels. `device_check`, `shared` and `shards` are ours; in PyTorch such kernels are registered by hand. `symint` and
 * fields for lazy tensors are not read.
 */
import * as cpp from "./api/cpp.ts";
import { backend_folders, NativeKernels } from "./api/native.ts";
import type { CodegenInput, Files, Outputs } from "./context.ts";
import { generate_to } from "./dest/native_functions.ts";
import { wrapper_file, wrappers_of } from "./dest/register_dispatch_key.ts";
import { CodegenError, type Place } from "./errors.ts";
import {
  BackendIndex,
  type BackendMetadata,
  type BackendTraits,
  type DeviceCheckType,
  type DispatchKey,
  functions_of,
  is_group,
  type NativeFunction,
  type NativeFunctionsGroup,
} from "./model.ts";
import { specifier_of } from "./module_path.ts";
import { by_operator, shards } from "./shards.ts";
import { generated_header } from "./utils.ts";
import { FieldReader, read_yaml_map, type YamlField } from "./yaml_reader.ts";

/** The outputs for the list of every folder that has one. */
export function generate(input: CodegenInput): Outputs {
  const outputs: Outputs = new Map();
  for (const folder of backend_folders(input.files))
    for (const path of lists_of(input.files, folder))
      for (const [file, text] of input.errors.attempt(() => run(input, folder, path)) ?? []) outputs.set(file, text);
  return outputs;
}

function lists_of(files: Files, folder: string): string[] {
  return [...files.keys()].filter(
    (path) => path.startsWith(folder) && /^(?!ts_)\w+_native_functions\.yaml$/.test(path.slice(folder.length)),
  );
}

function run(input: CodegenInput, folder: string, path: string): Outputs {
  const list = parse_backend_yaml(input, path);
  const outputs: Outputs = new Map();
  const kernels = new NativeKernels(input, folder);
  const native = `${folder}generated/${list.backend}NativeFunctions.ts`;
  const name = path.slice(folder.length);
  for (const index of list.indices) {
    const whole = `${folder}generated/Register${index.dispatch_key}.ts`;
    const wrappers = wrappers_of(input, index, kernels);
    const files =
      list.shards === 1
        ? [{ path: whole, items: wrappers }]
        : shards(whole, list.shards, wrappers, (w) => by_operator(w.f));
    for (const { path: file, items } of files) {
      const place = {
        path: file,
        generated_comment: generated_header(`templates/RegisterDispatchKey.ts.tmpl and ${name}`),
        at: specifier_of(file, "src/aten/generated/Functions.ts"),
        native: specifier_of(file, native),
      };
      outputs.set(file, wrapper_file(input, place, index.dispatch_key, items));
    }
  }
  if (outputs.size > 0) outputs.set(native, generate_to(native, name, input, kernels));
  return outputs;
}

interface BackendList {
  readonly backend: DispatchKey;
  /** Indices for the backend's key and for its autograd key, as far as the list names operators for them. */
  readonly indices: readonly BackendIndex[];
  readonly shards: number;
}

/** An operator in the list, with its fields. */
interface Supported {
  readonly name: string;
  readonly structured: boolean;
  readonly device_check?: DeviceCheckType;
  readonly place: Place;
}

function parse_backend_yaml(input: CodegenInput, path: string): BackendList {
  const fields = new FieldReader(read_yaml_map(path, input.files.get(path) as string));
  const backend = fields.required_string("backend");
  if (backend !== "PrivateUse1")
    throw fields.error("backend", `'${backend}' is not the key of a backend outside the library`, "write PrivateUse1");
  const traits: BackendTraits = {
    cpp_namespace: fields.required_string("cpp_namespace"),
    use_out_as_primary: fields.boolean("use_out_as_primary", false),
    device_guard: fields.boolean("device_guard", false),
  };
  const supported = supported_of(fields.take("supported"));
  const shared = supported_of(fields.take("shared"));
  const autograd = supported_of(fields.take("autograd"));
  const count = shards_of(fields.take("shards"));
  fields.done();

  const known = new Map<string, NativeFunction>();
  for (const f of input.yaml.grouped.flatMap(functions_of)) known.set(String(f.func.name), f);
  const cpu = input.yaml.backend_indices.get("CPU") as BackendIndex;
  const sound = (operators: readonly Supported[]) =>
    operators.filter(({ name }) => !input.errors.is_broken(name.split(".")[0]));
  const index_of = (
    key: DispatchKey,
    operators: readonly Supported[],
    of_library: readonly Supported[],
  ): BackendIndex => {
    const index = new Map<string, BackendMetadata>();
    for (const operator of sound(operators)) input.errors.attempt(() => add_kernel(index, operator, known));
    for (const operator of sound(of_library))
      input.errors.attempt(() => add_shared_kernel(index, operator, known, cpu));
    return new BackendIndex(key, index, traits);
  };
  const indices: BackendIndex[] = [];
  if (supported.length + shared.length > 0) indices.push(index_of(backend, supported, shared));
  if (autograd.length > 0) indices.push(index_of(`Autograd${backend}`, autograd, []));
  if (indices.length === 2) for (const g of input.yaml.grouped) input.errors.attempt(() => check_not_mixed(g, indices));
  return { backend, indices, shards: count };
}

function shards_of(field: YamlField | null): number {
  const count = field?.value ?? 1;
  if (typeof count === "number" && Number.isInteger(count) && count > 0) return count;
  throw new CodegenError(
    (field as YamlField).place,
    "shards",
    `'${count}' is not a number of files`,
    "write 'shards: 4'",
  );
}

/** `- mm.out`, or a map of one operator to its fields. */
function supported_of(field: YamlField | null): Supported[] {
  if (field === null || field.value === null) return [];
  if (!Array.isArray(field.value))
    throw new CodegenError(field.place, field.name, "is not a list", "write '- operator' lines below it");
  return field.value.map((item: unknown, i): Supported => {
    const place = field.items[i] ?? field.place;
    if (typeof item === "string") return { name: item, structured: false, place };
    const [[name, said], ...more] = Object.entries((item ?? {}) as Record<string, unknown>);
    const { structured = false, device_check, ...unknown } = (said ?? {}) as Record<string, unknown>;
    const sound = typeof structured === "boolean" && (device_check === undefined || device_check === "NoCheck");
    if (more.length > 0 || !sound || Object.keys(unknown).length > 0)
      throw new CodegenError(
        place,
        field.name,
        `cannot read '${JSON.stringify(item)}'`,
        "write 'structured: true' or 'device_check: NoCheck' below the operator",
      );
    return { name, structured, place, ...(device_check === undefined ? {} : { device_check: "NoCheck" }) };
  });
}

function add_kernel(
  index: Map<string, BackendMetadata>,
  operator: Supported,
  known: ReadonlyMap<string, NativeFunction>,
): void {
  const { name, structured, device_check, place } = operator;
  const f = find_operator(index, operator, known);
  if (structured && !f.structured)
    throw new CodegenError(
      place,
      "structured",
      `'${name}' is not structured`,
      "remove the field, or name the out variant of a structured operator",
    );
  const kernel = cpp.name(f.func);
  index.set(name, { kernel, structured, place, ...(device_check === undefined ? {} : { device_check }) });
}

function add_shared_kernel(
  index: Map<string, BackendMetadata>,
  operator: Supported,
  known: ReadonlyMap<string, NativeFunction>,
  cpu: BackendIndex,
): void {
  const { name, place } = operator;
  const own = cpu.get_kernel(find_operator(index, operator, known));
  if (own === null)
    throw new CodegenError(place, "shared", `'${name}' has no kernel for the CPU`, "list it under 'supported'");
  index.set(name, { kernel: own.kernel, structured: own.structured, place, shared: true });
}

function find_operator(
  index: ReadonlyMap<string, BackendMetadata>,
  { name, place }: Supported,
  known: ReadonlyMap<string, NativeFunction>,
): NativeFunction {
  if (index.has(name)) throw new CodegenError(place, "supported", `'${name}' occurs twice`, "remove one of them");
  const f = known.get(name);
  if (f !== undefined) return f;
  throw new CodegenError(
    place,
    "supported",
    `Found an invalid operator name: ${name}`,
    "write it as in native_functions.yaml: mm.out",
  );
}

/** Throws unless the variants of one operator are all kernels of the backend, or all have derivatives of their own. */
function check_not_mixed(g: NativeFunction | NativeFunctionsGroup, [forward, backward]: readonly BackendIndex[]): void {
  const variants = is_group(g) ? functions_of(g) : [g];
  const a = variants.map((f) => forward.get_kernel(f)).find((m) => m !== null);
  const b = variants.map((f) => backward.get_kernel(f)).find((m) => m !== null);
  if (a === undefined || b === undefined || a === null || b === null) return;
  throw new CodegenError(
    b.place,
    "autograd",
    `${a.kernel} is listed under "supported", but ${b.kernel} is listed under "autograd"`,
    "list all variants of an operator under one of them",
  );
}
