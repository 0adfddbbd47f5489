/**
 * @file The type of an interface: the schemas of methods that a class must have.
 * @mirrors aten/src/ATen/core/class_type.cpp#InterfaceType
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { ClassType } from "./class_type.ts";
import type { FunctionSchema } from "./function_schema.ts";
import { Type, type WhyNot } from "./jit_type.ts";

export class InterfaceType extends Type {
  private readonly name_: string;
  private readonly isModule_: boolean;
  private readonly methods_: FunctionSchema[] = [];

  constructor(name: string, is_module = false) {
    super("InterfaceType", name);
    this.name_ = name;
    this.isModule_ = is_module;
  }
  static create(name: string, is_module = false): InterfaceType {
    return new InterfaceType(name, is_module);
  }

  name(): string {
    return this.name_;
  }
  is_module(): boolean {
    return this.isModule_;
  }
  methods(): readonly FunctionSchema[] {
    return this.methods_;
  }
  getMethod(name: string): FunctionSchema | null {
    return this.methods_.find((method) => method.name() === name) ?? null;
  }
  addMethod(schema: FunctionSchema): void {
    TORCH_CHECK(this.getMethod(schema.name()) === null, "redefinition of method '", schema.name(), "'");
    this.methods_.push(schema);
  }

  /** Whether a class has each method with a schema that fits. */
  implementedBy(cls: ClassType, why_not: WhyNot): boolean {
    if (!cls.is_module() && this.isModule_) {
      why_not?.push(
        `Class '${cls.repr_str()}' is not a subtype of the module interface '${this.repr_str()}' , only ScriptModule class can be subtype of module interface.\n`,
      );
      return false;
    }
    for (const schema of this.methods_) {
      const method = cls.findMethod(schema.name());
      if (method === null) {
        why_not?.push(
          `Class '${cls.repr_str()}' does not have method '${schema.name()}' but '${this.repr_str()}' does.\n`,
        );
        return false;
      }
      if (!isSubtypeSchema(method.getSchema(), schema, why_not)) {
        why_not?.push(
          `Method on class '${cls.repr_str()}' (1) is not compatible with interface '${this.repr_str()}' (2)\n  (1) ${method.getSchema()}\n  (2) ${schema}\n`,
        );
        return false;
      }
    }
    return true;
  }

  override isSubtypeOfExt(rhs: Type, why_not: WhyNot): boolean {
    if (rhs instanceof InterfaceType && this !== rhs) return this.isSubtypeImpl(rhs, why_not);
    return this.isSubtypeOfAnyKind(rhs, why_not);
  }

  private isSubtypeImpl(rhs: InterfaceType, why_not: WhyNot): boolean {
    if (!this.isModule_ && rhs.isModule_) {
      why_not?.push(`Interface '${this.repr_str()}' is not a subtype of the module interface '${rhs.repr_str()}'.\n`);
      return false;
    }
    for (const schema of rhs.methods_) {
      const mine = this.getMethod(schema.name());
      if (mine === null) {
        why_not?.push(
          `Interface '${this.repr_str()}' does not have method '${schema.name()}' but interface '${rhs.repr_str()}' does.\n`,
        );
        return false;
      }
      if (!isSubtypeSchema(mine, schema, why_not)) {
        why_not?.push(
          `Method on interface '${this.repr_str()}' (1) is not compatible with interface '${rhs.repr_str()}' (2)\n  (1) ${mine}\n  (2) ${schema}\n`,
        );
        return false;
      }
    }
    return true;
  }
}

/**
 * Whether a method may stand for another: arguments of a wider type, a result of a narrower one. Both schemas have `self` first,
 * which is not compared.
 */
function isSubtypeSchema(mine: FunctionSchema, theirs: FunctionSchema, why_not: WhyNot): boolean {
  const a = mine.arguments();
  const b = theirs.arguments();
  if (a.length < b.length || mine.returns().length !== theirs.returns().length) return false;
  for (let i = 1; i < a.length; i++) {
    if (i >= b.length) {
      if (a[i].default_value() === null) return false;
      continue;
    }
    if (a[i].name() !== b[i].name() || a[i].kwarg_only() !== b[i].kwarg_only()) return false;
    if (!b[i].type().isSubtypeOfExt(a[i].type(), why_not)) return false;
  }
  return mine.returns().every((ret, i) => ret.type().isSubtypeOfExt(theirs.returns()[i].type(), why_not));
}
