/**
 * @file The text of `Lower`: the node's call in a graph of TorchScript.
 * @mirrors torchgen/dest/lazy_ts_lowering.py
 */
import type { LazyArgument } from "../api/lazy.ts";
import { is_list_like, type Type } from "../types.ts";

/** The type of an attribute in TorchScript, where dtypes, layouts and memory formats are numbers. */
export function attribute_type(type: Type): string {
  const list = is_list_like(type);
  const base = (list?.elem ?? type).toString().replace(/\?$/, "");
  const scalar = ["ScalarType", "Layout", "MemoryFormat", "SymInt", "DeviceIndex"].includes(base) ? "int" : base;
  return list === null ? scalar : `${scalar}[]`;
}

export function lowering_body(args: readonly LazyArgument[]): string {
  const optional = args.some((arg) => arg.operand !== null && arg.is_optional);
  let next = 0;
  const operand = ({ name, is_optional }: LazyArgument): string => {
    if (!optional) return `loctx.GetOutputOp(this.operand(${next++}))`;
    const output = "loctx.GetOutputOp(this.operand(i++))";
    return is_optional ? `this.has_${name} ? ${output} : null` : output;
  };
  const attribute = ({ name, argument }: LazyArgument): string =>
    `attribute("${argument.name}", "${attribute_type(argument.type)}", this.${name})`;
  const positional = args
    .filter((arg) => !arg.is_keyword)
    .map((arg) => (arg.operand === null ? attribute(arg) : operand(arg)));
  const keywords = args.filter((arg) => arg.is_keyword);
  const kwargs = [
    ...keywords.filter((arg) => arg.operand !== null).map((arg) => `keyword("${arg.argument.name}", ${operand(arg)})`),
    ...keywords.filter((arg) => arg.operand === null).map(attribute),
  ];
  const lines = [
    ...(optional ? ["let i = 0;"] : []),
    `const args = [${positional.join(", ")}];`,
    ...(kwargs.length === 0 ? [] : [`const kwargs = [${kwargs.join(", ")}];`]),
    `return LowerTSBuiltin(loctx, this.op(), args${kwargs.length === 0 ? "" : ", kwargs"});`,
  ];
  return lines.map((line) => `    ${line}`).join("\n");
}
