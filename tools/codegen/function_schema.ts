/**
 * @file One `func:` line as a record. `String(FunctionSchema.parse(line)) === line`.
 * @mirrors torchgen/model.py#FunctionSchema
 */
import { Arguments, Return, same_annotation, split_top_level } from "./arguments.ts";
import { SchemaError } from "./errors.ts";
import { BaseOperatorName, OperatorName } from "./operator_name.ts";

/** How a schema returns its result: new, in `self`, in `out=` arguments, or by writing to other arguments. */
export type SchemaKind = "functional" | "inplace" | "out" | "mutable" | "scratch";

export class FunctionSchema {
  readonly name: OperatorName;
  readonly arguments: Arguments;
  readonly returns: readonly Return[];

  constructor(name: OperatorName, arguments_: Arguments, returns: readonly Return[]) {
    this.name = name;
    this.arguments = arguments_;
    this.returns = returns;
    Object.freeze(this);
  }

  static parse(text: string): FunctionSchema {
    const m = /^([^(]+)\((.*)\) -> (.+)$/.exec(text);
    if (m === null) throw new SchemaError(`bad schema '${text}'`, "write name.overload(Type arg, ...) -> Type");
    const returns = m[3];
    const inner = /^\((.*)\)$/.exec(returns);
    const schema = new FunctionSchema(
      OperatorName.parse(m[1]),
      Arguments.parse(m[2]),
      split_top_level(inner === null ? returns : inner[1]).map((r) => Return.parse(r)),
    );
    schema.check();
    if (String(schema) !== text)
      throw new SchemaError(`the schema's printed form differs: '${schema}'`, "write it in the printed form");
    return schema;
  }

  /** Checks the rules by which variants of one operator are recognized. */
  private check(): void {
    const { out, post_self_positional, self_arg, tensor_options } = this.arguments;
    const names = this.arguments.flat_all.map((a) => a.name);
    const twice = names.find((n, i) => names.indexOf(n) !== i);
    if (twice !== undefined) throw new SchemaError(`argument '${twice}' occurs twice`, "rename one of them");
    out.forEach((a, i) => {
      const r = this.returns[i];
      if (r !== undefined && !same_annotation(a.annotation, r.annotation))
        throw new SchemaError(
          `out argument '${a.name}' and return ${i} do not share an annotation`,
          "give both the same (a!)",
        );
    });
    for (const a of post_self_positional)
      if (a.is_write && this.returns.some((r) => same_annotation(a.annotation, r.annotation)))
        throw new SchemaError(
          `written positional argument '${a.name}' is also returned`,
          "return only self or out arguments",
        );
    const written = this.returns.filter((r) => r.is_write);
    if (written.length > 0 && written.length < this.returns.length)
      throw new SchemaError("some returns are written arguments and some are not", "return only one kind");
    for (const r of written)
      if (![...out, ...(self_arg === null ? [] : [self_arg])].some((a) => same_annotation(a.annotation, r.annotation)))
        throw new SchemaError(
          `return ${r} aliases neither self nor a keyword-only argument`,
          "put '*' before the out argument",
        );
    if (out.length > 0) {
      const results = out.filter((a) => !a.name.startsWith("_scratch_")).length;
      const lists = out.some((a) => String(a.type) !== "Tensor");
      if (lists ? this.returns.length > 0 : results !== this.returns.length)
        throw new SchemaError(
          `${results} out arguments but ${this.returns.length} returns`,
          lists ? "an operator that writes tensor lists returns ()" : "return each out argument once, in order",
        );
    }
    if (this.name.name.inplace) {
      if (self_arg === null || !self_arg.is_write)
        throw new SchemaError("an in-place operator must write self", "write Tensor(a!) self");
      const returns_self =
        this.returns.length === 1 && same_annotation(this.returns[0].annotation, self_arg.annotation);
      if (String(self_arg.type) === "Tensor" ? !returns_self : this.returns.length > 0)
        throw new SchemaError(
          "an in-place operator on a Tensor returns the Tensor; on anything else it returns nothing",
          "-> Tensor(a!) or -> ()",
        );
    }
    if (tensor_options !== null && this.kind() !== "functional")
      throw new SchemaError(
        "only functional operators take dtype, layout, device, pin_memory",
        "drop them from this variant",
      );
  }

  kind(): SchemaKind {
    if (this.name.name.inplace) return "inplace";
    if (this.arguments.out.some((a) => a.name.startsWith("_scratch_"))) return "scratch";
    if (this.arguments.out.length > 0) return "out";
    return this.arguments.post_self_positional.some((a) => a.is_write) ? "mutable" : "functional";
  }

  is_out_fn(): boolean {
    return this.arguments.out.length > 0;
  }

  has_symint(): boolean {
    return this.arguments.has_symint_arg;
  }

  /** The argument that each return aliases, or null. */
  aliased_return_names(): (string | null)[] {
    return this.returns.map((r) => {
      if (r.annotation === null) return null;
      return this.arguments.flat_all.find((a) => same_annotation(a.annotation, r.annotation))?.name ?? null;
    });
  }

  /** The functional signature that all variants of an operator share; with return names it is the functional variant itself. */
  signature(options: { strip_default?: boolean; keep_return_names?: boolean } = {}): FunctionSchema {
    const keep = options.keep_return_names ?? false;
    const { self_arg, out, post_self_positional } = this.arguments;
    // Self, then out, then the rest: in-place, out and mutable variants then list their written arguments in the same order.
    const returns_from_written = [...(self_arg === null ? [] : [self_arg]), ...out, ...post_self_positional]
      .filter((a) => a.is_write && !this.returns.some((r) => same_annotation(a.annotation, r.annotation)))
      .map((a) => new Return(keep ? `${a.name}_out` : null, a.type, null));
    return new FunctionSchema(
      new OperatorName(new BaseOperatorName(this.name.name.base, false, this.name.name.dunder_method), ""),
      this.arguments.signature(options.strip_default ?? false),
      [...this.returns.map((r) => new Return(keep ? r.name : null, r.type, null)), ...returns_from_written],
    );
  }

  with_name(name: OperatorName): FunctionSchema {
    return new FunctionSchema(name, this.arguments, this.returns);
  }

  toString(): string {
    const returns = this.returns.length === 1 ? String(this.returns[0]) : `(${this.returns.map(String).join(", ")})`;
    return `${this.name}(${this.arguments}) -> ${returns}`;
  }
}
