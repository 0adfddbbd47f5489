/**
 * @file Names, and the compilation of an expression's tree to a function that computes it. Types are checked by WGSL's
 * rules before anything runs.
 * @original
 */
import type { Invocation, Scalar } from "./memory.ts";
import {
  ANY_FUNCTIONS,
  comparisons,
  FLOAT_FUNCTIONS,
  floating,
  isNumber,
  isWhole,
  literal,
  rounders,
  show,
  signed,
  type Type,
  type Value,
  whole,
} from "./types.ts";
import {
  type Expression,
  type Function,
  KernelError,
  type Module,
  type Place,
  type Statement,
  type Struct,
  type Variable,
  type WrittenType,
} from "./wgsl.ts";

/** A step of an invocation; it yields the barrier at which it waits. */
export type Steps = Generator<Place, Signal, void>;
export type Code = (on: Invocation) => Steps;
export type Signal = { readonly kind: "break" | "continue" | "return"; readonly value?: unknown } | null;

export type Named =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "slot"; readonly slot: number; readonly type: Type; readonly writable: boolean }
  | { readonly kind: "memory"; readonly memory: number; readonly type: Type; readonly variable: Variable };

/** A function of the kernel; its code is set when all functions are known by name. */
export interface Callee {
  readonly written: Function;
  readonly result: Type;
  code: Code | null;
}

export class Expressions {
  protected readonly module: Module;
  /** Meanings of names, the innermost block last. */
  private readonly scopes: Map<string, Named>[] = [new Map()];
  protected readonly functions = new Map<string, Callee>();

  constructor(module: Module) {
    this.module = module;
  }

  // Names and types ----------------------------------------------------------------------------------------------------

  protected declare(name: string, named: Named, place: Place): void {
    const scope = this.scopes.at(-1) as Map<string, Named>;
    if (scope.has(name)) throw new KernelError(place, `'${name}' is declared twice`);
    scope.set(name, named);
  }

  protected find(name: string, place: Place): Named {
    const found = this.scopes.findLast((scope) => scope.has(name))?.get(name);
    if (found === undefined) throw new KernelError(place, `there is no '${name}'`);
    return found;
  }

  protected within<T>(what: () => T): T {
    this.scopes.push(new Map());
    try {
      return what();
    } finally {
      this.scopes.pop();
    }
  }

  protected typeOf(written: WrittenType): Type {
    const { name, of, size } = written;
    if (name === "f32" || name === "u32" || name === "i32" || name === "bool") return name;
    if (name === "vec3" && of?.name === "u32") return "vec3";
    if (name === "vec3u") return "vec3";
    const struct = this.module.structs.find((each) => each.name === name);
    if (struct !== undefined) return struct;
    if (name !== "array" || of === null)
      throw new KernelError(
        written,
        `type '${name}' is not supported by the simulator; there are f32, i32, u32, bool, array<..., n> and structs of these`,
      );
    const element = this.typeOf(of);
    if (typeof element !== "string" || element === "vec3")
      throw new KernelError(
        of,
        "an array of arrays is not supported by the simulator; way out: one array, and the index computed, row * width + column",
      );
    return { of: element as Scalar, size: size === null ? null : this.known(size) };
  }

  protected lengthOf(type: Type, place: Place): number {
    if (typeof type === "string") return 1;
    if ("members" in type) return type.members.length;
    if (type.size === null) throw new KernelError(place, "its length must be written: array<f32, 64>");
    return type.size;
  }

  /** A number that is known before anything runs. */
  protected known(expression: Expression): number {
    const { type, get } = this.expression(expression);
    let value: unknown;
    try {
      value = isWhole(type) ? get({ slots: [], memories: [], number: 0, touched: 0, builtins: {} }) : undefined;
    } catch {
      value = undefined;
    }
    if (typeof value !== "number")
      throw new KernelError(expression, "a constant whole number was expected: a literal or a const");
    return value;
  }

  protected constant(statement: Statement): void {
    if (statement.kind !== "const" || statement.value === null) return;
    const given = this.expression(statement.value);
    const value = statement.type === null ? given : this.as(given, this.typeOf(statement.type), statement);
    this.declare(statement.name, { kind: "value", value }, statement);
  }

  /** A value as `type`: a literal takes the type, any other value must have it. */
  protected as(value: Value, type: Type, place: Place): Value {
    if (value.type === type) return value;
    const fits =
      (value.type === "int" && isNumber(type)) || (value.type === "float" && (type === "f32" || type === "float"));
    if (!fits) {
      const way = isNumber(value.type) && isNumber(type) ? `; way out: ${show(type)}(...)` : "";
      throw new KernelError(place, `${show(value.type)} where ${show(type)} is wanted${way}`);
    }
    const round = rounders[type as string];
    return { type, get: (on) => round(value.get(on) as number) };
  }

  // Expressions --------------------------------------------------------------------------------------------------------

  protected expression(expression: Expression): Value {
    switch (expression.kind) {
      case "number":
        return literal(expression.text);
      case "bool": {
        const { value } = expression;
        return { type: "bool", get: () => value };
      }
      case "name":
        return this.named(expression, expression.name);
      case "index":
      case "member":
        return this.part(expression);
      case "unary":
        return this.unary(expression.operator, this.expression(expression.operand), expression);
      case "binary":
        return this.binary(
          expression.operator,
          this.expression(expression.left),
          this.expression(expression.right),
          expression,
        );
      case "call":
        return this.call(expression);
      case "address":
        throw new KernelError(expression, "& stands only in arrayLength(&...)");
    }
  }

  private named(place: Place, name: string): Value {
    const found = this.find(name, place);
    if (found.kind === "value") return found.value;
    if (found.kind === "slot") return { type: found.type, get: (on) => on.slots[found.slot] };
    if (typeof found.type !== "string")
      throw new KernelError(place, `'${name}' is ${show(found.type)}; an index or a member is missing`);
    const scalar = found.type as Scalar;
    return { type: scalar, get: (on) => on.memories[found.memory].read(scalar, 0, on, place) };
  }

  /** `x[i]`, `params.n`, `id.x` */
  private part(expression: Expression & { kind: "index" | "member" }): Value {
    if (expression.kind === "member") {
      const { of, name } = expression;
      const found = of.kind === "name" ? this.find(of.name, of) : null;
      const type = found !== null && found.kind !== "value" ? found.type : null;
      const component = ["x", "y", "z"].indexOf(name);
      if (found?.kind === "slot" && type === "vec3" && component >= 0)
        return { type: "u32", get: (on) => (on.slots[found.slot] as readonly number[])[component] };
      const member =
        found?.kind === "memory" && typeof type === "object" && type !== null && "members" in type
          ? type.members.findIndex((each) => each.name === name)
          : -1;
      if (found?.kind !== "memory" || member === -1) throw new KernelError(expression, `there is no member '${name}'`);
      const scalar = this.typeOf((type as Struct).members[member].type) as Scalar;
      return { type: scalar, get: (on) => on.memories[found.memory].read(scalar, member, on, expression) };
    }
    const { found, element, index } = this.indexed(expression);
    if (found.kind === "slot")
      return {
        type: element,
        get: (on) => (on.slots[found.slot] as number[])[bounded(index(on), found.type, expression)],
      };
    return { type: element, get: (on) => on.memories[found.memory].read(element, index(on), on, expression) };
  }

  protected indexed({ of, index }: Expression & { kind: "index" }): {
    found: Exclude<Named, { kind: "value" }>;
    element: Scalar;
    index: (on: Invocation) => number;
  } {
    const found = of.kind === "name" ? this.find(of.name, of) : null;
    if (found === null || found.kind === "value" || typeof found.type === "string" || !("of" in found.type))
      throw new KernelError(of, "only an array by its name has an index here");
    const at = this.expression(index);
    if (!isWhole(at.type)) throw new KernelError(index, `${show(at.type)} as an index; u32 or i32 was expected`);
    return { found, element: found.type.of, index: at.get as (on: Invocation) => number };
  }

  private unary(operator: string, operand: Value, place: Place): Value {
    const { type, get } = operand;
    if (operator === "!" && type === "bool") return { type, get: (on) => get(on) !== true };
    if (operator === "-" && isNumber(type) && type !== "u32") {
      const round = rounders[type as string];
      return { type, get: (on) => round(-(get(on) as number)) };
    }
    throw new KernelError(place, `'${operator}' of ${show(type)}`);
  }

  protected binary(operator: string, a: Value, b: Value, place: Place): Value {
    const type = this.common(operator, a, b, place);
    const left = this.as(a, type, place).get as (on: Invocation) => number;
    const shift = operator === "<<" || operator === ">>";
    const right = this.as(b, shift ? "u32" : type, place).get as (on: Invocation) => number;
    const compare = comparisons[operator];
    if (compare !== undefined) {
      if (type === "bool" && operator !== "==" && operator !== "!=")
        throw new KernelError(place, `'${operator}' of bool`);
      return { type: "bool", get: (on) => compare(left(on), right(on)) };
    }
    if (operator === "&&" || operator === "||") {
      if (type !== "bool") throw new KernelError(place, `'${operator}' of ${show(type)}`);
      return { type, get: operator === "&&" ? (on) => left(on) && right(on) : (on) => left(on) || right(on) };
    }
    const compute = (type === "i32" && operator === ">>" ? signed : isWhole(type) ? whole : floating)[operator];
    if (compute === undefined || type === "bool") throw new KernelError(place, `'${operator}' of ${show(type)}`);
    const round = rounders[type as string];
    return { type, get: (on) => round(compute(left(on), right(on))) };
  }

  private common(operator: string, { type: a }: Value, { type: b }: Value, place: Place): Type {
    if (a === b) return a;
    if (operator === "<<" || operator === ">>") return a;
    if (a === "int" && isNumber(b)) return b;
    if (b === "int" && isNumber(a)) return a;
    if ((a === "float" && b === "f32") || (b === "float" && a === "f32")) return "f32";
    const way = isNumber(a) && isNumber(b) ? `; way out: ${show(a)}(...) or ${show(b)}(...) around one of them` : "";
    throw new KernelError(place, `${show(a)} ${operator} ${show(b)}: both must be of one type${way}`);
  }

  private call(expression: Expression & { kind: "call" }): Value {
    const { name, args } = expression;
    if (name === "arrayLength") return this.arrayLength(expression);
    const values = args.map((arg) => this.expression(arg));
    if (name === "f32" || name === "u32" || name === "i32") {
      const { type, get } = only(values, expression);
      if (!isNumber(type) && type !== "bool") throw new KernelError(expression, `${name} of ${show(type)}`);
      return {
        type: name,
        get: (on) => rounders[name](name === "f32" ? Number(get(on)) : Math.trunc(Number(get(on)))),
      };
    }
    if (name === "select") return this.select(values, expression);
    const compute = FLOAT_FUNCTIONS[name] ?? ANY_FUNCTIONS[name];
    if (compute !== undefined) return this.computed(name, compute, values, expression);
    return this.called(name, values, expression);
  }

  private arrayLength(expression: Expression & { kind: "call" }): Value {
    const [arg] = expression.args;
    const found = arg?.kind === "address" && arg.of.kind === "name" ? this.find(arg.of.name, arg) : null;
    if (found?.kind !== "memory")
      throw new KernelError(expression, "arrayLength is asked as arrayLength(&x), of a buffer x");
    return { type: "u32", get: (on) => on.memories[found.memory].length };
  }

  private select([no, yes, which]: readonly Value[], place: Place): Value {
    if (which?.type !== "bool") throw new KernelError(place, "select(if false, if true, condition)");
    const type = this.common("select", no, yes, place);
    const [a, b] = [this.as(no, type, place), this.as(yes, type, place)];
    return { type, get: (on) => [a.get(on), b.get(on)][Number(which.get(on))] }; // both sides are computed, as in WGSL
  }

  private computed(
    name: string,
    compute: (...args: number[]) => number,
    values: readonly Value[],
    place: Place,
  ): Value {
    if (compute.length > 0 && compute.length !== values.length && !(name in ANY_FUNCTIONS))
      throw new KernelError(place, `${name} takes ${compute.length} arguments`);
    const type = values.reduce<Type>(
      (t, value) => this.common(name, { ...value, type: t }, value, place),
      values[0]?.type ?? "void",
    );
    const own = name in FLOAT_FUNCTIONS && type === "int" ? "float" : type;
    if (!isNumber(own) || (name in FLOAT_FUNCTIONS && isWhole(own)))
      throw new KernelError(place, `${name} of ${show(type)}`);
    const gets = values.map((value) => this.as(value, own, place).get as (on: Invocation) => number);
    const round = rounders[own as string];
    return { type: own, get: (on) => round(compute(...gets.map((get) => get(on)))) };
  }

  /** A call of the kernel's own function. It has no barrier, so it runs to its end at once. */
  private called(name: string, values: readonly Value[], place: Place): Value {
    const callee = this.functions.get(name);
    if (callee === undefined || callee.written.workgroup_size !== null)
      throw new KernelError(place, `there is no function '${name}' that could be called`);
    const { parameters } = callee.written;
    if (parameters.length !== values.length)
      throw new KernelError(place, `${name} takes ${parameters.length} arguments`);
    const gets = values.map((value, i) => this.as(value, this.typeOf(parameters[i].type), place).get);
    return {
      type: callee.result,
      get: (on) => {
        const slots = gets.map((get) => get(on));
        return (callee.code as Code)({ ...on, slots }).next().value;
      },
    };
  }
}

function only(values: readonly Value[], place: Place): Value {
  if (values.length !== 1) throw new KernelError(place, "one argument was expected");
  return values[0];
}

export function bounded(i: number, type: Type, place: Place): number {
  const { size } = type as { size: number };
  if (i < 0 || i >= size) throw new KernelError(place, `index ${i} into ${show(type)}`);
  return i;
}
