/**
 * @file Operator names: base name, in-place mark, overload.
 * @mirrors torchgen/model.py#OperatorName
 */
import { SchemaError } from "./errors.ts";

const AUGMENTED_ASSIGNMENT_NAMES = new Set([
  "add",
  "sub",
  "mul",
  "div",
  "mod",
  "pow",
  "lshift",
  "rshift",
  "and",
  "xor",
  "or",
]);

/** The name without its overload, divided into parts: `add_`, `__iand__`, `and`. */
export class BaseOperatorName {
  readonly base: string;
  readonly inplace: boolean;
  readonly dunder_method: boolean;
  /** True in the functional variant generated for a mutable operator; prints as `_functional`. */
  readonly functional_overload: boolean;

  constructor(base: string, inplace: boolean, dunder_method: boolean, functional_overload = false) {
    this.base = base;
    this.inplace = inplace;
    this.dunder_method = dunder_method;
    this.functional_overload = functional_overload;
    Object.freeze(this);
  }

  static parse(op: string): BaseOperatorName {
    if (!/^[A-Za-z_]\w*$/.test(op)) throw new SchemaError(`bad operator name '${op}'`, "letters, digits and '_' only");
    const dunder = /^__(.+)__$/.exec(op);
    if (dunder !== null) {
      const inner = dunder[1];
      const inplace = inner.startsWith("i") && AUGMENTED_ASSIGNMENT_NAMES.has(inner.slice(1));
      return new BaseOperatorName(inplace ? inner.slice(1) : inner, inplace, true);
    }
    const functional = op.endsWith("_functional");
    const plain = functional ? op.slice(0, -"_functional".length) : op;
    const inplace = plain.endsWith("_") && plain !== "_";
    return new BaseOperatorName(inplace ? plain.slice(0, -1) : plain, inplace, false, functional);
  }

  toString(): string {
    if (this.dunder_method) return `__${this.inplace ? "i" : ""}${this.base}__`;
    return this.base + (this.inplace ? "_" : this.functional_overload ? "_functional" : "");
  }
}

/** `name` as an identifier in TypeScript; among PyTorch's operators only `var` is a keyword. */
export function identifier(name: string): string {
  return name === "var" ? "var_" : name;
}

export class OperatorName {
  readonly name: BaseOperatorName;
  readonly overload_name: string;

  constructor(name: BaseOperatorName, overload_name: string) {
    this.name = name;
    this.overload_name = overload_name;
    Object.freeze(this);
  }

  static parse(text: string): OperatorName {
    const dot = text.indexOf(".");
    if (dot < 0) return new OperatorName(BaseOperatorName.parse(text), "");
    const overload = text.slice(dot + 1);
    if (!/^\w+$/.test(overload)) throw new SchemaError(`bad overload name '${overload}'`, "write name.overload");
    return new OperatorName(BaseOperatorName.parse(text.slice(0, dot)), overload);
  }

  /** `add.Tensor` -> `add_Tensor`: one identifier per operator, used by `at::_ops`. */
  unambiguous_name(): string {
    return this.overload_name === "" ? identifier(String(this.name)) : `${this.name}_${this.overload_name}`;
  }

  remove_inplace(): OperatorName {
    return new OperatorName(new BaseOperatorName(this.name.base, false, this.name.dunder_method), this.overload_name);
  }

  with_overload(overload: string): OperatorName {
    return new OperatorName(this.name, overload);
  }

  toString(): string {
    return this.overload_name === "" ? String(this.name) : `${this.name}.${this.overload_name}`;
  }
}
