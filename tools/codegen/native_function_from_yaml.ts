/**
 * @file The conversion of one entry in native_functions.yaml to a NativeFunction; each field is checked separately.
 * @mirrors torchgen/model.py#NativeFunction
 */
import { parseSchema } from "#aten/core/function_schema_parser";
import * as cpp from "./api/cpp.ts";
import { schema_kernel_name } from "./api/ufunc.ts";
import { Argument } from "./arguments.ts";
import { at, CodegenError, type Place, SchemaError } from "./errors.ts";
import { FunctionSchema } from "./function_schema.ts";
import {
  type BackendMetadata,
  BUILT_DISPATCH_KEYS,
  COMPOSITE_DISPATCH_KEYS,
  type DeviceCheckType,
  type DispatchKey,
  NativeFunction,
  OTHER_DISPATCH_KEYS,
  type Precompute,
  STRUCTURED_DISPATCH_KEYS,
  UFUNC_DISPATCH_KEYS,
  UFUNC_KEYS,
  type UfuncInnerLoop,
  type UfuncKey,
  type Variant,
} from "./model.ts";
import { OperatorName } from "./operator_name.ts";
import { parse_supported_dtypes } from "./ufunc_dtypes.ts";
import { FieldReader, type YamlEntry, type YamlField } from "./yaml_reader.ts";

/** Kernels by key and operator, filled entry by entry. */
export type Indices = Map<DispatchKey, Map<string, BackendMetadata>>;

export function native_function_from_yaml(
  entry: YamlEntry,
  valid_tags: ReadonlySet<string>,
  indices: Indices,
): NativeFunction {
  const fields = new FieldReader(entry);
  const { namespace, func } = parse_func(fields, entry.place);
  const parsed = parse_fields(fields, func, valid_tags);
  check_variants(fields, func, parsed);
  check_structured(fields, func, parsed);
  check_arguments_and_tags(fields, func, parsed);
  const { kernels, named_keys } = parse_dispatch(fields.take("dispatch"), {
    func,
    structured: parsed.structured,
    delegated: parsed.structured_delegate !== null,
    manual: parsed.manual_kernel_registration,
    entry_place: entry.place,
  });
  if (parsed.ufunc_inner_loop.size > 0) add_ufunc_kernels(fields, func, kernels);
  fields.done();
  for (const [key, metadata] of kernels) {
    const index = indices.get(key) as Map<string, BackendMetadata>;
    const name = String(func.name);
    if (index.has(name))
      throw fields.error("func", `'${name}' occurs twice`, "remove one, or give it another overload name");
    index.set(name, metadata);
  }
  return new NativeFunction({
    ...parsed,
    namespace,
    func,
    loc: entry.place,
    entry: String(func.name),
    is_abstract:
      parsed.structured_delegate !== null ||
      named_keys.length === 0 ||
      named_keys.some((k) => k !== "CompositeImplicitAutograd" && k !== "CompositeImplicitAutogradNestedTensor"),
    has_composite_implicit_autograd_kernel: kernels.has("CompositeImplicitAutograd"),
    has_composite_explicit_autograd_kernel: kernels.has("CompositeExplicitAutograd"),
    has_composite_explicit_autograd_non_functional_kernel: kernels.has("CompositeExplicitAutogradNonFunctional"),
  });
}

function parse_func(fields: FieldReader, place: Place): { namespace: string; func: FunctionSchema } {
  const line = fields.required_string("func");
  const scope = /^(\w+)::/.exec(line);
  const func = at(place, "func", () => FunctionSchema.parse(scope === null ? line : line.slice(scope[0].length)));
  at(place, "func", () => check_readable(func));
  return { namespace: scope?.[1] ?? "aten", func };
}

/**
 * Checks the line with the dispatcher's own parser, which parses it again when the library loads: if it threw there,
 * nothing would load.
 */
function check_readable(func: FunctionSchema): void {
  for (const a of func.arguments.flat_all) cpp.default_expr(a);
  try {
    parseSchema(`aten::${func}`);
  } catch (error) {
    const message = (error as Error).message.trim().split("\n")[0].replace(/:$/, "");
    throw new SchemaError(
      `the dispatcher cannot read '${func}': ${message}`,
      "write types and defaults as in the other entries",
    );
  }
}

/** All fields except `func` and `dispatch`, each separately. */
function parse_fields(fields: FieldReader, func: FunctionSchema, valid_tags: ReadonlySet<string>) {
  const operator_name = (field: string, name: string): OperatorName =>
    at(fields.place_of(field), field, () => OperatorName.parse(name));
  const delegate = fields.string("structured_delegate");
  return {
    variants: parse_variants(fields),
    device_check: parse_device_check(fields),
    structured: fields.boolean("structured", false),
    structured_delegate: delegate === null ? null : operator_name("structured_delegate", delegate),
    structured_inherits: fields.string("structured_inherits"),
    device_guard: fields.boolean("device_guard", true),
    python_module: fields.string("python_module"),
    manual_kernel_registration: fields.boolean("manual_kernel_registration", false),
    manual_cpp_binding: fields.boolean("manual_cpp_binding", false),
    use_const_ref_for_mutable_tensors: fields.boolean("use_const_ref_for_mutable_tensors", false),
    category_override: fields.string("category_override"),
    autogen: fields.strings("autogen").map((name) => operator_name("autogen", name)),
    cpp_no_default_args: new Set(fields.strings("cpp_no_default_args")),
    precomputed: parse_precomputed(fields.take("precomputed"), func),
    ufunc_inner_loop: parse_ufunc_inner_loop(fields.take("ufunc_inner_loop")),
    tags: parse_tags(fields, func, valid_tags),
  };
}

type ParsedFields = ReturnType<typeof parse_fields>;

function parse_variants(fields: FieldReader): Set<Variant> {
  const variants = new Set<Variant>();
  for (const v of fields.strings("variants"))
    if (v === "function" || v === "method") variants.add(v);
    else throw fields.error("variants", `unknown variant '${v}'`, "write function, method or both");
  if (variants.size === 0) variants.add("function");
  return variants;
}

function parse_device_check(fields: FieldReader): DeviceCheckType {
  const check = fields.string("device_check") ?? "ExactSame";
  if (check === "NoCheck" || check === "ExactSame") return check;
  throw fields.error("device_check", `unknown value '${check}'`, "write NoCheck or ExactSame");
}

function check_variants(fields: FieldReader, func: FunctionSchema, f: ParsedFields): void {
  if (!f.variants.has("method")) return;
  if (func.is_out_fn()) throw fields.error("variants", "an out= operator cannot be a method", "remove 'method'");
  if (f.python_module !== null)
    throw fields.error("python_module", "a function of a module cannot be a method", "remove 'method' from variants");
}

function check_structured(fields: FieldReader, func: FunctionSchema, f: ParsedFields): void {
  if (f.structured && func.kind() !== "out")
    throw fields.error(
      "structured",
      `'${func.name}' has no out argument`,
      "put structured: True on the out= entry and structured_delegate here",
    );
  if (f.structured_delegate !== null && func.kind() === "out")
    throw fields.error("structured_delegate", "an out= operator delegates to none", "write structured: True");
  if ((f.structured || f.structured_delegate !== null) && !f.device_guard)
    throw fields.error("device_guard", "structured kernels always guard the device", "remove device_guard");
  if (f.structured) return;
  for (const [field, given, what] of [
    ["structured_inherits", f.structured_inherits !== null, "has a base class"],
    ["precomputed", f.precomputed !== null, "precomputes"],
    ["ufunc_inner_loop", f.ufunc_inner_loop.size > 0, "has an inner loop"],
  ] as const)
    if (given) throw fields.error(field, `only a structured entry ${what}`, "add structured: True");
}

function check_arguments_and_tags(fields: FieldReader, func: FunctionSchema, f: ParsedFields): void {
  const defaulted = func.arguments.flat_all.filter((a) => a.default !== null).map((a) => a.name);
  for (const a of f.cpp_no_default_args)
    if (!defaulted.includes(a))
      throw fields.error(
        "cpp_no_default_args",
        `'${a}' is not an argument with a default`,
        `name one of: ${defaulted.join(", ") || "(none)"}`,
      );
  if (is_random(func) && !f.tags.has("nondeterministic_seeded"))
    throw fields.error(
      "tags",
      `'${func.name}' draws random numbers but lacks the tag nondeterministic_seeded`,
      "add tags: nondeterministic_seeded",
    );
}

function add_ufunc_kernels(
  fields: FieldReader,
  func: FunctionSchema,
  kernels: Map<DispatchKey, BackendMetadata>,
): void {
  for (const key of UFUNC_DISPATCH_KEYS) {
    if (kernels.has(key)) throw fields.error("dispatch", `${key} comes from ufunc_inner_loop`, "remove one of the two");
    kernels.set(key, {
      kernel: schema_kernel_name(func, key),
      structured: true,
      place: fields.place_of("ufunc_inner_loop"),
    });
  }
}

function parse_tags(fields: FieldReader, func: FunctionSchema, valid_tags: ReadonlySet<string>): Set<string> {
  const tags = fields.strings("tags");
  for (const tag of tags)
    if (!valid_tags.has(tag))
      throw new CodegenError(
        fields.place_of("tags"),
        "tags",
        `unknown tag '${tag}'`,
        `use one of ${[...valid_tags].join(", ")}, or add it to tags.yaml`,
      );
  tags.push("pt2_compliant_tag");
  if (func.is_out_fn()) tags.push("out");
  if (func.name.name.inplace) tags.push("inplace");
  return new Set(tags);
}

/** Whether the operator draws from a generator, by the criteria of PyTorch's check. */
function is_random(func: FunctionSchema): boolean {
  const name = String(func.name);
  const dropout = name.includes("dropout") || func.arguments.flat_all.some((a) => a.name.includes("dropout"));
  return name.includes("rand") || (dropout && !name.includes("backward")) || func.arguments.has_generator_arg;
}

interface DispatchContext {
  readonly func: FunctionSchema;
  readonly structured: boolean;
  readonly delegated: boolean;
  readonly manual: boolean;
  readonly entry_place: Place;
}

/** Operators whose other kernels, those of GPUs, are left out of this library's entry: in PyTorch's the name is not the only one. */
const RENAMED: ReadonlySet<string> = new Set(["_fused_rms_norm"]);

/** `named_keys` holds every key that the entry names, built here or not: it decides whether the operator is abstract. */
function parse_dispatch(
  field: YamlField | null,
  context: DispatchContext,
): { kernels: Map<DispatchKey, BackendMetadata>; named_keys: string[] } {
  const { func, structured, delegated, manual, entry_place } = context;
  const kernels = new Map<DispatchKey, BackendMetadata>();
  const named_keys: string[] = [];
  const own_name = cpp.name(func);
  if (field === null) {
    if (structured || delegated) return { kernels, named_keys };
    const { tensor_options, has_tensor_arg } = func.arguments;
    const base = String(func.name.name);
    if (base.startsWith("new_") || base.endsWith("_like") || (tensor_options !== null && !has_tensor_arg))
      throw new CodegenError(
        entry_place,
        "dispatch",
        `the factory '${func.name}' has no dispatch table`,
        `add dispatch: CompositeExplicitAutograd: ${own_name}`,
      );
    kernels.set("CompositeImplicitAutograd", { kernel: own_name, structured: false, place: entry_place });
    return { kernels, named_keys: ["CompositeImplicitAutograd"] };
  }
  if (manual)
    throw new CodegenError(
      field.place,
      "dispatch",
      "has no effect with manual_kernel_registration",
      "remove one of the two",
    );
  if (field.pairs.length === 0)
    throw new CodegenError(field.place, "dispatch", "is not a map", "write 'Key: kernel' lines below it");
  for (const { key: keys, value, place } of field.pairs) {
    if (typeof value !== "string" || !/^\w+$/.test(value))
      throw new CodegenError(
        place,
        "dispatch",
        `bad kernel name ${JSON.stringify(value)}`,
        "name a function of src/aten/native",
      );
    for (const key of keys.split(",").map((k) => k.trim())) {
      named_keys.push(key);
      if (OTHER_DISPATCH_KEYS.includes(key)) continue;
      if (!(BUILT_DISPATCH_KEYS as readonly string[]).includes(key))
        throw new CodegenError(
          place,
          "dispatch",
          `unknown dispatch key '${key}'`,
          `use one of ${BUILT_DISPATCH_KEYS.join(", ")}`,
        );
      if (kernels.has(key as DispatchKey))
        throw new CodegenError(place, "dispatch", `${key} occurs twice`, "remove one of them");
      if (delegated && STRUCTURED_DISPATCH_KEYS.includes(key as DispatchKey))
        throw new CodegenError(
          place,
          "dispatch",
          `${key} is served by the structured delegate`,
          "remove the line, or remove structured_delegate",
        );
      kernels.set(key as DispatchKey, {
        kernel: value,
        structured: structured && STRUCTURED_DISPATCH_KEYS.includes(key as DispatchKey),
        place,
      });
    }
  }
  const only = named_keys.length === 1 ? kernels.get("CompositeImplicitAutograd") : undefined;
  if (only !== undefined && only.kernel === own_name)
    throw new CodegenError(
      only.place,
      "dispatch",
      "is unnecessary: without it the kernel is the same",
      "delete the dispatch table",
    );
  if (only !== undefined && !delegated && !only.kernel.includes("_symint") && !RENAMED.has(String(func.name)))
    throw new CodegenError(
      only.place,
      "dispatch",
      `the only kernel of CompositeImplicitAutograd has the name '${only.kernel}', not '${own_name}'`,
      `name the kernel ${own_name}, and delete the dispatch table`,
    );
  const composite = COMPOSITE_DISPATCH_KEYS.filter((k) => kernels.has(k));
  if (composite.length > 1)
    throw new CodegenError(
      field.place,
      "dispatch",
      `${composite.join(" and ")} exclude each other`,
      "keep the one that says whether the kernel needs a derivative formula",
    );
  return { kernels, named_keys };
}

function parse_precomputed(field: YamlField | null, func: FunctionSchema): Precompute | null {
  if (field === null) return null;
  if (!Array.isArray(field.value))
    throw new CodegenError(field.place, field.name, "is not a list", "write '- arg -> Type name, Type name' lines");
  const replace = new Map<string, Argument[]>();
  const add: Argument[] = [];
  const parse_list = (text: string): Argument[] =>
    at(field.place, field.name, () => text.split(",").map((a) => Argument.parse(a.trim())));
  (field.value as unknown[]).forEach((item, i, all) => {
    const [arg, list] = String(item).split(" -> ");
    if (list === undefined) {
      if (i !== all.length - 1)
        throw new CodegenError(
          field.place,
          field.name,
          `'${item}' replaces no argument`,
          "put additions on the last line",
        );
      add.push(...parse_list(String(item)));
    } else if (!func.arguments.flat_non_out.some((a) => a.name === arg)) {
      throw new CodegenError(
        field.place,
        field.name,
        `'${arg}' is not an argument of ${func.name}`,
        "name an argument before '->'",
      );
    } else replace.set(arg, parse_list(list));
  });
  return { replace, add };
}

function parse_ufunc_inner_loop(field: YamlField | null): Map<UfuncKey, UfuncInnerLoop> {
  const loops = new Map<UfuncKey, UfuncInnerLoop>();
  if (field === null) return loops;
  const parse = (ufunc_key: UfuncKey, text: unknown, place: Place): void => {
    const m = /^(\w+) \((.+)\)$/.exec(String(text));
    if (m === null)
      throw new CodegenError(place, field.name, `bad inner loop '${text}'`, "write 'function (dtype, dtype, ...)'");
    const supported_dtypes = at(place, field.name, () => parse_supported_dtypes(m[2]));
    loops.set(ufunc_key, { name: m[1], supported_dtypes, ufunc_key });
  };
  if (typeof field.value === "string") parse("Generic", field.value, field.place);
  for (const { key, value, place } of field.pairs) {
    if (!(UFUNC_KEYS as readonly string[]).includes(key))
      throw new CodegenError(place, field.name, `unknown key '${key}'`, `use one of ${UFUNC_KEYS.join(", ")}`);
    parse(key as UfuncKey, value, place);
  }
  return loops;
}
