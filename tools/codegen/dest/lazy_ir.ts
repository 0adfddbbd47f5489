/**
 * @file The text of one operator of lazy tensors: a class of nodes and a kernel that makes a node.
 * @mirrors torchgen/dest/lazy_ir.py
 */
import * as cpp from "../api/cpp.ts";
import { native_name } from "../api/dispatcher.ts";
import { type LazyArgument, lazy_arguments, node_name } from "../api/lazy.ts";
import type { NativeFunction } from "../model.ts";
import type { Registration } from "../registrations.ts";
import { is_tensor_like } from "../types.ts";
import { cite } from "../utils.ts";
import { attribute_type, lowering_body } from "./lazy_ts_lowering.ts";

export interface LazyFunction {
  /** The functional variant, except for `arange.start_out`. */
  readonly f: NativeFunction;
  /** In-place and out variants, which call it. */
  readonly others: readonly NativeFunction[];
  /** Whether single sizes are operands. */
  readonly symint: boolean;
}

const ctor_type = (arg: LazyArgument): string =>
  arg.operand === null ? cpp.ts_type(arg.argument.type) : arg.is_optional ? "Value | null" : "Value";

// A class of nodes ---------------------------------------------------------------------------------------------------------

export function node_class({ f, symint }: LazyFunction): string {
  const args = lazy_arguments(f, symint);
  const operands = args.filter((arg) => arg.operand !== null);
  const attributes = args.filter((arg) => arg.operand === null);
  const optional = operands.filter((arg) => arg.is_optional);
  const members = [
    ...attributes.map((arg) => ({ name: arg.name, type: ctor_type(arg), value: arg.name })),
    ...optional.map(({ name }) => ({ name: `has_${name}`, type: "boolean", value: `${name} !== null` })),
  ];
  const parameters = args.map((arg) => `${arg.name}: ${ctor_type(arg)}`);
  const super_call = [
    `OpKind.Get("aten::${f.func.name.name}")`,
    `[${operands.map(({ name }) => name).join(", ")}]`,
    "shapes",
    String(f.func.returns.length),
    `MHash(${attributes.map(({ name }) => name).join(", ")})`,
  ];
  const tags = attributes.map((arg) => `tag("${arg.argument.name}", "${printed_type(arg)}", this.${arg.name})`);
  return `
// ${f.func}   ${cite(f)}
export class ${node_name(f)} extends TsNode {
${members.map(({ name, type }) => `  readonly ${name}: ${type};\n`).join("")}
  constructor(${[...parameters, "shapes: readonly Shape[]"].join(", ")}) {
    super(${super_call.join(", ")});
${members.map(({ name, value }) => `    this.${name} = ${value};\n`).join("")}  }

  CanBeReused(${parameters.join(", ")}): boolean {
    return ${[...operands.map(compare_operand), ...attributes.map(({ name }) => `same(this.${name}, ${name})`)].join(" && ")};
  }

${tags.length === 0 ? "" : `  override toString(): string {\n    return super.toString() + ${tags.join(" + ")};\n  }\n\n`}  override Lower(loctx: TSLoweringContext): TSOpVector {
${lowering_body(args)}
  }
}`;
}

function compare_operand({ name, is_optional }: LazyArgument, i: number): string {
  return `Output.equal(this.${is_optional ? "nullable_operand" : "operand"}(${i}), ${name})`;
}

/** The type by which an attribute is printed: a dtype has a name, which in TorchScript it has not. */
function printed_type({ argument: { type } }: LazyArgument): string {
  const base = String(type).replace(/\?$/, "");
  return ["ScalarType", "MemoryFormat", "Layout"].includes(base) ? base : attribute_type(type);
}

// A kernel ---------------------------------------------------------------------------------------------------------------------

export function kernel({ f, others, symint }: LazyFunction): string {
  const args = lazy_arguments(f, symint);
  const operands = args.filter((arg) => arg.operand !== null);
  const on_device = [
    ...operands.filter(({ operand }) => operand === "tensor" || operand === "tensor_list"),
    ...args.filter(({ argument }) => String(argument.type) === "Device?"),
  ];
  const values = args.map((arg) => (arg.operand === null ? arg.name : `${arg.name}_value`)).join(", ");
  const name = kernel_name(f, symint);
  const parameters = cpp.declare(cpp.scattered_parameters(f.func));
  const node = node_name(f);
  const own = args.map((arg) => arg.name).join(", ");
  const lines = [
    `if (force_eager_fallback("aten::${f.func.name.name}")) return call_fallback_fn(_ops.${f.func.name.unambiguous_name()}, ${own});`,
    `TORCH_LAZY_FN_COUNTER("lazy::${cpp.name(f.func)}${symint ? "_symint" : ""}");`,
    `const common_device = GetBackendDevice(${on_device.map((arg) => arg.name).join(", ")});`,
    ...operands.map((arg) => `const ${arg.name}_value = ${operand_expr(arg)};`),
    `const node =`,
    `  ReuseNode(ir.${node}, ${values}) ??`,
    `  CacheNode(new ir.${node}(${values}, ${shapes_expr(f, args, symint)}));`,
    ...return_aten_tensor(f),
  ];
  const text = `
// ${f.func}   ${cite(f)}
export function ${name}(_ks: DispatchKeySet, ${parameters}): ${cpp.returns_type(f.func.returns)} {
${lines.map((line) => `  ${line}`).join("\n")}
}`;
  return [text, ...others.map((other) => derived_kernel(other, name))].join("\n");
}

/** `slice_copy.Tensor` -> `slice_copy_Tensor_symint`; `threshold`, which has an argument of this name -> `threshold_kernel`. */
function kernel_name(f: NativeFunction, symint: boolean): string {
  const name = native_name(f);
  const is_argument = f.func.arguments.flat_all.some((a) => cpp.argument_name(a) === name);
  return name + (symint ? "_symint" : is_argument ? "_kernel" : "");
}

function operand_expr({ name, operand, is_optional, argument }: LazyArgument): string {
  const given = (expr: string): string => (is_optional ? `${name} === null ? null : ${expr}` : expr);
  switch (operand) {
    case "tensor_list":
      return `GetTensorList(${name})`;
    case "scalar":
      return given(`LazyGraphExecutor.Get().GetIrValueForScalarFromCodegen(${name}, common_device)`);
    case "symint":
      return given(`GetSymIntValue(${name})`);
    default:
      if (is_optional) return `TryGetLtcTensor(${name})?.GetIrValue() ?? null`;
      return argument.is_write
        ? `TryGetLtcTensor(${name})!.GetIrValue()`
        : `GetLtcTensorOrCreateForWrappedNumber(${name}, common_device).GetIrValue()`;
  }
}

// Note [Generated LTC Shape Functions]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The shape of the result comes from the operator's Meta kernel if it is structured or copies a view. Any other operator has a function
// in shape_inference.ts.
function shapes_expr(f: NativeFunction, args: readonly LazyArgument[], symint: boolean): string {
  if (!f.part_of_structured_group && !f.tags.has("view_copy"))
    return `infer(compute_shape.${kernel_name(f, symint)}, ${args.map(({ name }) => name).join(", ")})`;
  const on_meta = args.map(({ name, argument: { type } }) => {
    if (!is_tensor_like(type)) return name;
    if (type.kind === "list") return `to_meta_list(${name})`;
    return type.kind === "optional" ? `to_meta_optional(${name})` : `to_meta(${name})`;
  });
  return `shapes_of(at_meta(_ops.${f.func.name.unambiguous_name()}, ${on_meta.join(", ")}))`;
}

function return_aten_tensor(f: NativeFunction): string[] {
  const { out } = f.func.arguments;
  if (out.length > 0)
    return [
      `TryGetLtcTensor(${out[0].name})!.SetInPlaceIrValue(new Value(node));`,
      `return refresh_sizes(${out[0].name});`,
    ];
  const results = f.func.returns.map((_, i) => {
    const index = i === 0 ? "" : `, ${i}`;
    return `CreateAtenFromLtcTensor(LazyTensor.of_node(node, common_device${index}))`;
  });
  if (results.length === 1) return [`return ${results[0]};`];
  return ["return [", ...results.map((result) => `  ${result},`), "];"];
}

/** A variant that writes: it computes, and assigns. */
function derived_kernel(f: NativeFunction, functional: string): string {
  const { self_arg, out, flat_non_out } = f.func.arguments;
  const written =
    out.length > 0 ? out.map(cpp.argument_name) : [cpp.argument_name(self_arg as NonNullable<typeof self_arg>)];
  const tmp = (i: number): string => (written.length === 1 ? "tmp" : `tmp[${i}]`);
  const assign = written.map((name, i) =>
    out.length > 0
      ? `  _ops._copy_from_and_resize.call(${tmp(i)}, ${name});`
      : `  _ops._copy_from.call(${tmp(i)}, ${name}, false);`,
  );
  const result = written.length === 1 ? written[0] : `[${written.join(", ")}]`;
  return `
// ${f.func}   ${cite(f)}
export function ${native_name(f)}(ks: DispatchKeySet, ${cpp.declare(cpp.scattered_parameters(f.func))}): ${cpp.returns_type(f.func.returns)} {
  const tmp = ${functional}(ks, ${flat_non_out.map(cpp.argument_name).join(", ")});
${assign.join("\n")}
  return ${result};
}`;
}

export function registration_lines({ f, others, symint }: LazyFunction): Registration[] {
  const line = (of: NativeFunction, kernel_: string): Registration => {
    const wrapper = `wrapper_Lazy_${of.func.name.overload_name}_${cpp.name(of.func)}`;
    return { f: of, line: `m.impl("${of.func.name}", native.${kernel_}, "${wrapper}"); // ${cite(of)}` };
  };
  return [line(f, kernel_name(f, symint)), ...others.map((other) => line(other, native_name(other)))];
}
