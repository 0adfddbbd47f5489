/**
 * @file One entry of native_functions.yaml into a NativeFunction, each field checked by itself.
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

/** key -> operator -> kernel, filled entry by entry. */
export type Indices = Map<DispatchKey, Map<string, BackendMetadata>>;

/** The dispatcher parses the line again when the library loads, with rules of its own: nothing would load if it refused there. */
function check_readable(func: FunctionSchema): void {
  for (const a of func.arguments.flat_all) cpp.default_expr(a);
  try {
    parseSchema(`aten::${func}`);
  } catch (error) {
    const message = (error as Error).message.trim().split("\n")[0].replace(/:$/, "");
    throw new SchemaError(
      `the dispatcher cannot read '${func}': ${message}`,
      "write types and defaults as the other entries do",
    );
  }
}

export function native_function_from_yaml(
  entry: YamlEntry,
  valid_tags: ReadonlySet<string>,
  indices: Indices,
): NativeFunction {
  const fields = new FieldReader(entry);
  const line = fields.required_string("func");
  const scope = /^(\w+)::/.exec(line);
  const func = at(entry.place, "func", () => FunctionSchema.parse(scope === null ? line : line.slice(scope[0].length)));
  at(entry.place, "func", () => check_readable(func));
  const fail = (field: string, message: string, way_out: string): never => {
    throw new CodegenError(fields.place_of(field), field, message, way_out);
  };

  const variants = new Set<Variant>();
  for (const v of fields.strings("variants"))
    if (v === "function" || v === "method") variants.add(v);
    else fail("variants", `unknown variant '${v}'`, "write function, method or both");
  if (variants.size === 0) variants.add("function");

  const check = fields.string("device_check") ?? "ExactSame";
  if (check !== "NoCheck" && check !== "ExactSame")
    fail("device_check", `unknown value '${check}'`, "write NoCheck or ExactSame");
  const structured = fields.boolean("structured", false);
  const delegate = fields.string("structured_delegate");
  const structured_delegate =
    delegate === null
      ? null
      : at(fields.place_of("structured_delegate"), "structured_delegate", () => OperatorName.parse(delegate));
  const structured_inherits = fields.string("structured_inherits");
  const device_guard = fields.boolean("device_guard", true);
  const python_module = fields.string("python_module");
  const manual_kernel_registration = fields.boolean("manual_kernel_registration", false);
  const autogen = fields
    .strings("autogen")
    .map((name) => at(fields.place_of("autogen"), "autogen", () => OperatorName.parse(name)));
  const cpp_no_default_args = new Set(fields.strings("cpp_no_default_args"));
  const precomputed = parse_precomputed(fields.take("precomputed"), func);
  const ufunc_inner_loop = parse_ufunc_inner_loop(fields.take("ufunc_inner_loop"));
  const tags = parse_tags(fields, func, valid_tags);

  if (func.is_out_fn() && variants.has("method"))
    fail("variants", "an out= operator cannot be a method", "remove 'method'");
  if (python_module !== null && variants.has("method"))
    fail("python_module", "a function of a module cannot be a method", "remove 'method' from variants");
  if (structured && func.kind() !== "out")
    fail(
      "structured",
      `'${func.name}' has no out argument`,
      "put structured: True on the out= entry and structured_delegate here",
    );
  if (structured_delegate !== null && func.kind() === "out")
    fail("structured_delegate", "an out= operator delegates to none", "write structured: True");
  if ((structured || structured_delegate !== null) && !device_guard)
    fail("device_guard", "structured kernels always guard the device", "remove device_guard");
  if (structured_inherits !== null && !structured)
    fail("structured_inherits", "only a structured entry has a base class", "add structured: True");
  if (precomputed !== null && !structured)
    fail("precomputed", "only a structured entry precomputes", "add structured: True");
  if (ufunc_inner_loop.size > 0 && !structured)
    fail("ufunc_inner_loop", "only a structured entry has an inner loop", "add structured: True");
  const defaulted = func.arguments.flat_all.filter((a) => a.default !== null).map((a) => a.name);
  for (const a of cpp_no_default_args)
    if (!defaulted.includes(a))
      fail(
        "cpp_no_default_args",
        `'${a}' is no argument with a default`,
        `name one of: ${defaulted.join(", ") || "(none)"}`,
      );
  if (is_random(func) && !tags.has("nondeterministic_seeded"))
    fail(
      "tags",
      `'${func.name}' draws random numbers but lacks the tag nondeterministic_seeded`,
      "add tags: nondeterministic_seeded",
    );

  const { kernels, named_keys } = parse_dispatch(fields.take("dispatch"), {
    func,
    structured,
    delegated: structured_delegate !== null,
    manual: manual_kernel_registration,
    entry_place: entry.place,
  });
  if (ufunc_inner_loop.size > 0)
    for (const key of UFUNC_DISPATCH_KEYS) {
      if (kernels.has(key)) fail("dispatch", `${key} comes from ufunc_inner_loop`, "remove one of the two");
      kernels.set(key, {
        kernel: schema_kernel_name(func, key),
        structured: true,
        place: fields.place_of("ufunc_inner_loop"),
      });
    }
  for (const [key, metadata] of kernels) {
    const index = indices.get(key) as Map<string, BackendMetadata>;
    const name = String(func.name);
    if (index.has(name)) fail("func", `'${name}' occurs twice`, "remove one, or give it another overload name");
    index.set(name, metadata);
  }

  const f = new NativeFunction({
    namespace: scope?.[1] ?? "aten",
    func,
    use_const_ref_for_mutable_tensors: fields.boolean("use_const_ref_for_mutable_tensors", false),
    device_guard,
    device_check: check as DeviceCheckType,
    python_module,
    category_override: fields.string("category_override"),
    variants,
    manual_kernel_registration,
    manual_cpp_binding: fields.boolean("manual_cpp_binding", false),
    loc: entry.place,
    entry: String(func.name),
    autogen,
    ufunc_inner_loop,
    structured,
    structured_delegate,
    structured_inherits,
    precomputed,
    cpp_no_default_args,
    is_abstract:
      named_keys.length === 0 ||
      named_keys.some((k) => k !== "CompositeImplicitAutograd" && k !== "CompositeImplicitAutogradNestedTensor"),
    has_composite_implicit_autograd_kernel: kernels.has("CompositeImplicitAutograd"),
    has_composite_explicit_autograd_kernel: kernels.has("CompositeExplicitAutograd"),
    has_composite_explicit_autograd_non_functional_kernel: kernels.has("CompositeExplicitAutogradNonFunctional"),
    tags,
  });
  fields.done();
  return f;
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

/** Operators that draw from a generator, by the same signs as PyTorch's check. */
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

/** `named_keys` holds every key the entry names, built here or not: it decides whether the operator is abstract. */
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
          `${key} is the structured delegate's`,
          "remove the line, or remove structured_delegate",
        );
      kernels.set(key as DispatchKey, {
        kernel: value,
        structured: structured && STRUCTURED_DISPATCH_KEYS.includes(key as DispatchKey),
        place,
      });
    }
  }
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
          "additions come in the last line",
        );
      add.push(...parse_list(String(item)));
    } else if (!func.arguments.flat_non_out.some((a) => a.name === arg)) {
      throw new CodegenError(
        field.place,
        field.name,
        `'${arg}' is no argument of ${func.name}`,
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
