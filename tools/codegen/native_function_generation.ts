/**
 * @file Generated variants: for an entry with `autogen:`, the functional and out= operators that complete its group,
 * and the text of their CompositeExplicitAutograd kernels.
 * @mirrors torchgen/native_function_generation.py
 */
import * as cpp from "./api/cpp.ts";
import { Annotation, Argument, Return } from "./arguments.ts";
import { CodegenError, type ErrorList } from "./errors.ts";
import { FunctionSchema, type SchemaKind } from "./function_schema.ts";
import { type BackendMetadata, NativeFunction } from "./model.ts";
import { BaseOperatorName, OperatorName } from "./operator_name.ts";
import { is_tensor_like } from "./types.ts";

export type VariantsByKind = Map<SchemaKind, NativeFunction>;

/** The base name shared by the variants. */
export function base_of(variants: VariantsByKind): string | null {
  return variants.values().next().value?.func.name.name.base ?? null;
}

/** Functions that share a signature, in order of first appearance. */
export function pre_group_native_functions(functions: readonly NativeFunction[], errors: ErrorList): VariantsByKind[] {
  const groups = new Map<string, VariantsByKind>();
  for (const f of functions) {
    // Defaults may differ between variants (`bernoulli.p` has none, `bernoulli_.float` has 0.5).
    const key = String(f.func.signature({ strip_default: true }));
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = new Map()));
    const variants = group;
    errors.attempt(() => add_variant(variants, f), f.func.name.name.base);
  }
  return [...groups.values()];
}

function add_variant(group: VariantsByKind, f: NativeFunction): void {
  const kind = f.func.kind();
  const twin = group.get(kind);
  if (twin !== undefined)
    throw new CodegenError(
      f.loc,
      "func",
      `'${f.func.name}' has the same signature as '${twin.func.name}' (line ${twin.loc.line})`,
      "remove one, or make their arguments differ",
    );
  group.set(kind, f);
}

export interface GeneratedFunction {
  readonly f: NativeFunction;
  readonly kernel: BackendMetadata;
}

/** Operators whose functional forms take other arguments. */
const OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY: ReadonlySet<string> = new Set([
  "adaptive_avg_pool3d_backward.grad_input",
  "_slow_conv2d_backward.grad_input",
]);

/** Generated operators and their kernels, in the order of the groups. */
export function generated_native_functions(
  groups: readonly VariantsByKind[],
  errors: ErrorList,
): readonly GeneratedFunction[] {
  return groups.flatMap((group) => errors.attempt(() => complete_group(group), base_of(group)) ?? []);
}

/** Adds the variants that a group lacks, and returns them. */
function complete_group(group: VariantsByKind): GeneratedFunction[] {
  const members = [...group.values()];
  const base = group.get("mutable") ?? group.get("inplace") ?? group.get("out") ?? group.get("functional");
  if (base === undefined) return [];
  const is_core = members.some((f) => f.tags.has("core"));
  // Operators that bypass the dispatcher, views, and operators that always decompose need no completion.
  if (members.every((f) => f.manual_cpp_binding) || members.some((f) => f.is_view_op)) return [];
  if (members.every((f) => f.has_composite_implicit_autograd_kernel) && !is_core) return [];
  const has_out = group.has("out");
  if (members.length === 1 && OUT_OPS_THAT_DONT_GET_GROUPED_PROPERLY.has(String(base.func.name))) return [];
  if (has_out && members.length === 1)
    throw new CodegenError(
      base.loc,
      "func",
      `no other variant of '${base.func.name}' found`,
      "an out= operator needs its functional form: same arguments without out, same base name",
    );
  const wants_out = !has_out && base.autogen.some((name) => String(name).includes("out"));
  const can_have_out = base.func.kind() === "inplace" || base.func.returns.some((r) => is_tensor_like(r.type));
  if (wants_out && !can_have_out)
    throw new CodegenError(
      base.loc,
      "autogen",
      `'${base.func.name}' returns no tensor, so it cannot have an out= variant`,
      "remove the autogen line",
    );
  const generated: GeneratedFunction[] = [];
  if (wants_out) generated.push(add_to(group, base, generate_function(base, "out")));
  if (!group.has("functional") && (has_out || wants_out))
    generated.push(add_to(group, base, generate_function(base, "functional")));
  check_autogen(members, group);
  return generated;
}

function add_to(group: VariantsByKind, base: NativeFunction, func: FunctionSchema): GeneratedFunction {
  const kind = func.kind();
  const tags = new Set(["generated"]);
  for (const tag of ["nondeterministic_seeded", "view_copy", "pt2_compliant_tag"])
    if (base.tags.has(tag)) tags.add(tag);
  if (kind === "out") tags.add("out");
  const f = new NativeFunction({
    namespace: base.namespace,
    func,
    use_const_ref_for_mutable_tensors: base.use_const_ref_for_mutable_tensors,
    device_guard: false,
    device_check: "NoCheck",
    python_module: null,
    category_override: null,
    variants: new Set(["function"]),
    manual_kernel_registration: false,
    manual_cpp_binding: false,
    loc: base.loc,
    entry: base.entry,
    autogen: [],
    ufunc_inner_loop: new Map(),
    structured: false,
    structured_delegate: null,
    structured_inherits: null,
    precomputed: null,
    cpp_no_default_args: new Set(),
    is_abstract: base.is_abstract,
    has_composite_implicit_autograd_kernel: false,
    has_composite_explicit_autograd_kernel: true,
    has_composite_explicit_autograd_non_functional_kernel: false,
    tags,
  });
  group.set(kind, f);
  const name = kind === "out" ? func.name.unambiguous_name() : cpp.name(func);
  return {
    f,
    kernel: { kernel: name + (base.func.has_symint() ? "_symint" : ""), structured: false, place: base.loc },
  };
}

/** The schema of the variant `kind` of `f`. */
export function generate_function(f: NativeFunction, kind: "functional" | "out"): FunctionSchema {
  const { func } = f;
  if (kind === "functional")
    return func.signature({ keep_return_names: true }).with_name(
      new OperatorName(
        // A mutable operator and its functional form would differ only in the returns, so the name must distinguish them.
        new BaseOperatorName(func.name.name.base, false, func.name.name.dunder_method, func.kind() === "mutable"),
        func.name.overload_name,
      ),
    );
  const overload = func.name.overload_name === "" ? "out" : `${func.name.overload_name}_out`;
  const name = func.name.remove_inplace().with_overload(overload);
  if (func.kind() === "inplace") {
    const self = func.arguments.self_arg as Argument;
    const out = new Argument("out", self.type, null, self.annotation);
    return new FunctionSchema(name, func.arguments.remove_self_annotation().with_out_args([out]), func.returns);
  }
  const { returns, out } = out_arguments(func);
  const args = func.kind() === "mutable" ? func.arguments : func.arguments.signature();
  return new FunctionSchema(name, args.with_out_args(out), returns);
}

/** One out argument per returned tensor. They are also returned if every return is a plain tensor. */
function out_arguments(func: FunctionSchema): { returns: Return[]; out: Argument[] } {
  const used = new Set(func.arguments.flat_all.flatMap((a) => a.annotation?.alias_set ?? []));
  const free = [..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => !used.has(letter));
  const plain = func.returns.every((r) => String(r.type) === "Tensor");
  const returns: Return[] = [];
  const out: Argument[] = [];
  func.returns.forEach((r, i) => {
    if (!is_tensor_like(r.type)) {
      returns.push(r);
      return;
    }
    const annotation = Annotation.parse(`${free[i]}!`);
    out.push(new Argument(func.returns.length === 1 ? "out" : `out${i}`, r.type, null, annotation));
    if (plain) returns.push(new Return(null, r.type, annotation));
  });
  return { returns, out };
}

/** Checks that `autogen:` lists exactly the generated operators, so that every operator's name is found in the YAML. */
function check_autogen(written: readonly NativeFunction[], group: VariantsByKind): void {
  const expected = [...group.values()]
    .filter((f) => f.generated)
    .map((f) => String(f.func.name))
    .sort();
  const listed = [...new Set(written.flatMap((f) => f.autogen.map(String)))].sort();
  if (expected.join(", ") === listed.join(", ")) return;
  const f = written.find((g) => g.autogen.length > 0) ?? written[0];
  throw new CodegenError(
    f.loc,
    "autogen",
    `lists '${listed.join(", ")}', but the variants generated for '${f.func.name}' are '${expected.join(", ")}'`,
    expected.length === 0 ? "remove the autogen line" : `write autogen: ${expected.join(", ")}`,
  );
}
