/**
 * @file An operator's signature: arguments, returns, defaults and alias annotations.
 * @mirrors aten/src/ATen/core/function_schema.h
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { AliasInfo } from "./alias_info.ts";
import type { IValue } from "./ivalue.ts";
import { fakeTypeOf, type Type } from "./jit_type.ts";
import type { OperatorName } from "./operator_name.ts";

export class Argument {
  private readonly name_: string;
  private readonly type_: Type;
  private readonly real_type_: Type;
  private readonly N_: number | null;
  private readonly default_value_: IValue | null;
  private readonly kwarg_only_: boolean;
  private readonly alias_info_: AliasInfo | null;

  constructor(
    name: string,
    real_type: Type,
    options: {
      type?: Type;
      N?: number | null;
      default_value?: IValue | null;
      kwarg_only?: boolean;
      alias_info?: AliasInfo | null;
    } = {},
  ) {
    this.name_ = name;
    this.real_type_ = real_type;
    this.type_ = options.type ?? fakeTypeOf(real_type);
    this.N_ = options.N ?? null;
    this.default_value_ = options.default_value ?? null;
    this.kwarg_only_ = options.kwarg_only ?? false;
    this.alias_info_ = options.alias_info ?? null;
  }

  name(): string {
    return this.name_;
  }
  /** The type of the value at run time; see Note [Fake and real types] in jit_type.ts. */
  type(): Type {
    return this.type_;
  }
  /** The type that the schema says. */
  real_type(): Type {
    return this.real_type_;
  }
  /** The 2 of `int[2]`: a single int is accepted and stands for that many. */
  N(): number | null {
    return this.N_;
  }
  default_value(): IValue | null {
    return this.default_value_;
  }
  kwarg_only(): boolean {
    return this.kwarg_only_;
  }
  alias_info(): AliasInfo | null {
    return this.alias_info_;
  }
  is_write(): boolean {
    return this.alias_info_?.isWrite() === true;
  }
  /** Whether it is written to and passed by keyword: `*, Tensor(a!) out`. */
  is_out(): boolean {
    return this.kwarg_only_ && this.is_write();
  }

  toString(): string {
    const optional = this.real_type_.kind() === "OptionalType";
    const unopt = optional ? this.real_type_.containedType() : this.real_type_;
    let text = unopt.str();
    if (unopt.kind() === "ListType") {
      // The element's annotation precedes the brackets: Tensor(a!)[].
      const contained = this.alias_info_?.containedTypes()[0];
      text = `${unopt.containedType().str()}${contained === undefined ? "" : String(contained)}[${this.N_ ?? ""}]`;
    }
    if (this.alias_info_ !== null && this.alias_info_.beforeSets().size > 0) text += String(this.alias_info_);
    if (optional) text += "?";
    if (this.name_ !== "") text += ` ${this.name_}`;
    if (this.default_value_ !== null) text += `=${this.default_toString(this.default_value_)}`;
    return text;
  }

  private default_toString(value: IValue): string {
    const unopt = this.type_.kind() === "OptionalType" ? this.type_.containedType() : this.type_;
    if (unopt.kind() === "StringType" && value.isString()) return printQuotedString(value.toStringRef());
    if (this.real_type_.kind() === "ListType" && this.real_type_.containedType().kind() === "IntType") {
      // The YAML writes `int[2] stride=1` for a list of equal ints; it is printed the same way.
      const list = value.toIntList();
      if (list.length > 1 && list.every((item) => item === list[0])) return String(list[0]);
    }
    return String(value);
  }
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** A string literal that the schema parser reads as the same string. */
export function printQuotedString(text: string): string {
  let out = "";
  for (const char of text) {
    const code = char.charCodeAt(0);
    out += escapes[char] ?? (code < 0x20 || code === 0x7f ? `\\${code.toString(8).padStart(3, "0")}` : char);
  }
  return `"${out}"`;
}

/** FROM_SCHEMA: the annotations say what aliases; CONSERVATIVE: anything may alias; PURE_FUNCTION: nothing aliases. */
export type AliasAnalysisKind = "INTERNAL_SPECIAL_CASE" | "CONSERVATIVE" | "FROM_SCHEMA" | "PURE_FUNCTION";

export class FunctionSchema {
  private readonly name_: OperatorName;
  private readonly arguments_: readonly Argument[];
  private readonly returns_: readonly Argument[];
  private readonly is_vararg_: boolean;
  private readonly is_varret_: boolean;
  private alias_kind_: AliasAnalysisKind | null = null;

  constructor(
    name: OperatorName,
    args: readonly Argument[],
    returns: readonly Argument[],
    is_vararg = false,
    is_varret = false,
  ) {
    this.name_ = name;
    this.arguments_ = args;
    this.returns_ = returns;
    this.is_vararg_ = is_vararg;
    this.is_varret_ = is_varret;
    this.checkSchema();
  }

  operator_name(): OperatorName {
    return this.name_;
  }
  name(): string {
    return this.name_.name;
  }
  overload_name(): string {
    return this.name_.overload_name;
  }
  getNamespace(): string | null {
    return this.name_.getNamespace();
  }
  arguments(): readonly Argument[] {
    return this.arguments_;
  }
  returns(): readonly Argument[] {
    return this.returns_;
  }
  is_vararg(): boolean {
    return this.is_vararg_;
  }
  is_varret(): boolean {
    return this.is_varret_;
  }
  /** Whether any argument is written to. */
  is_mutable(): boolean {
    return this.arguments_.some((arg) => arg.is_write());
  }
  argumentIndexWithName(name: string): number | null {
    const index = this.arguments_.findIndex((arg) => arg.name() === name);
    return index < 0 ? null : index;
  }

  isDefaultAliasAnalysisKind(): boolean {
    return this.alias_kind_ === null;
  }
  aliasAnalysis(): AliasAnalysisKind {
    return this.alias_kind_ ?? "CONSERVATIVE";
  }
  setAliasAnalysis(kind: AliasAnalysisKind): void {
    this.alias_kind_ = kind;
  }
  hasAnyAliasInfo(): boolean {
    return (
      this.arguments_.some((arg) => arg.alias_info() !== null) || this.returns_.some((ret) => ret.alias_info() !== null)
    );
  }

  /** The schema with namespace `ns` in its name, unless it already has a namespace. */
  withNamespaceIfNotSet(ns: string): FunctionSchema {
    const schema = new FunctionSchema(
      this.name_.withNamespaceIfNotSet(ns),
      this.arguments_,
      this.returns_,
      this.is_vararg_,
      this.is_varret_,
    );
    schema.alias_kind_ = this.alias_kind_;
    return schema;
  }

  toString(): string {
    const args: string[] = [];
    let seen_kwarg_only = false;
    for (const arg of this.arguments_) {
      if (arg.kwarg_only() && !seen_kwarg_only) {
        args.push("*");
        seen_kwarg_only = true;
      }
      args.push(String(arg));
    }
    if (this.is_vararg_) args.push("...");
    const returns = this.returns_.map(String);
    if (this.is_varret_) returns.push("...");
    return `${this.name_}(${args.join(", ")}) -> ${printReturns(returns)}`;
  }

  /**
   * Checks that defaults are a suffix of the positional arguments; as in PyTorch, lists are exempt, for old broadcasting schemas.
   */
  private checkSchema(): void {
    let seen_default_arg = false;
    for (const arg of this.arguments_) {
      if (arg.default_value() !== null) {
        seen_default_arg = true;
      } else if (seen_default_arg && !arg.kwarg_only() && arg.type().kind() !== "ListType") {
        TORCH_INTERNAL_ASSERT(
          false,
          `Non-default positional argument follows default argument. Parameter ${arg.name()} in ${this}`,
        );
      }
    }
  }
}

/** Prints returns: one return without parentheses, unless it begins with one itself; none or several with parentheses. */
function printReturns(returns: readonly string[]): string {
  const only = returns[0];
  const bare = returns.length === 1 && !only.startsWith("(");
  return bare ? only : `(${returns.join(", ")})`;
}
