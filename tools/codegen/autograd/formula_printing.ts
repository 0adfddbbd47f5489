/**
 * @file A typed formula as statements in PyTorch's evaluation order, which a trace shows: arguments of a function run
 * from the last to the first (as in the compiled PyTorch), the object of a method call before its arguments. `a * b`
 * counts as a function of two arguments.
 * @original In PyTorch the formula is copied into Functions.cpp.
 */
import { children, type Typed, type TypedCall } from "./typed_formula.ts";

/** The imports that the statements of a formula need. */
export interface FormulaImports {
  readonly helpers: Set<string>;
  readonly values: Set<string>;
  at: boolean;
}

/** Precedence levels of TypeScript; a part with a lower level than its place requires gets parentheses. */
const CONDITIONAL = 1;
const BINDS: Readonly<Record<string, number>> = {
  "??": 2,
  "||": 3,
  "&&": 4,
  "===": 8,
  "!==": 8,
  "<": 9,
  ">": 9,
  "<=": 9,
  ">=": 9,
  "+": 11,
  "-": 11,
  "*": 12,
  "/": 12,
  "%": 12,
};
const UNARY = 14;
const MEMBER = 17;

/** Statements that store the formula's value with `assign`. */
export function print_statements(root: Typed, assign: (value: string) => string, imports: FormulaImports): string[] {
  return new Printer(imports).assign_to(root, assign);
}

/** A single expression, without regard to order, for conditions, which call no operator. */
export function print_expression(root: Typed): string {
  return new Printer({ helpers: new Set(), values: new Set(), at: false }).print(root, []);
}

class Printer {
  private readonly imports: FormulaImports;
  private readonly once = new Map<Typed, string>();
  private temporaries = 0;

  constructor(imports: FormulaImports) {
    this.imports = imports;
  }

  assign_to(node: Typed, assign: (value: string) => string): string[] {
    const before: string[] = [];
    if (node.kind === "conditional" && this.needs_order(node)) {
      const test = this.print(node.test, before);
      const branch = (child: Typed): string[] => this.assign_to(child, assign).map((line) => `  ${line}`);
      return [...before, `if (${test}) {`, ...branch(node.yes), "} else {", ...branch(node.no), "}"];
    }
    const value = this.print(node, before);
    return [...before, assign(value)];
  }

  /** The text of `node`; calls that must run earlier are added to `before`. */
  print(node: Typed, before: string[]): string {
    switch (node.kind) {
      case "text":
        if (node.imports !== null) this.imports.values.add(node.imports);
        return node.text;
      case "call":
        return this.print_call(node, before);
      case "operator":
        return this.print_operator(node, before);
      case "conditional":
        return this.print_conditional(node, before);
      case "array":
      case "braces":
        return `[${node.items.map((item) => this.print(item, before)).join(", ")}]`;
      case "index":
        return `${this.print_in(node.object, MEMBER, before)}[${this.print(node.index, before)}]`;
      case "property":
        return `${this.print_in(node.object, MEMBER, before)}.${node.name}`;
      case "lambda":
        return `(${node.parameters.join(", ")}) => ${this.print_in(node.body, CONDITIONAL, before)}`;
      default:
        return this.print_once(node, before);
    }
  }

  /** The text of `node`, in parentheses if it binds more weakly than `place` requires. */
  private print_in(node: Typed, place: number, before: string[]): string {
    const text = this.print(node, before);
    return binds(node) < place && !/^\w+$/.test(text) ? `(${text})` : text;
  }

  private print_operator(node: Typed & { kind: "operator" }, before: string[]): string {
    const [left, right] = node.operands as [Typed, Typed?];
    if (right === undefined) return `${node.op}${this.print_in(left, UNARY + 1, before)}`;
    const own = BINDS[node.op] ?? CONDITIONAL;
    const inner = node.op === "??" ? UNARY : own; // `??` must not be beside `||`
    return `${this.print_in(left, inner, before)} ${node.op} ${this.print_in(right, inner + 1, before)}`;
  }

  private print_conditional(node: Typed & { kind: "conditional" }, before: string[]): string {
    if (this.needs_order(node)) {
      const name = this.temporary("value");
      before.push(`let ${name};`, ...this.assign_to(node, (value) => `${name} = ${value};`));
      return name;
    }
    const [test, yes, no] = [node.test, node.yes, node.no].map((part, i) =>
      this.print_in(part, i === 0 ? CONDITIONAL + 1 : CONDITIONAL, before),
    );
    return `${test} ? ${yes} : ${no}`;
  }

  private print_once(node: Typed & { kind: "once" }, before: string[]): string {
    const known = this.once.get(node);
    if (known !== undefined) return known;
    const name = this.keep(this.print(node.value, before), "once", before);
    this.once.set(node, name);
    return name;
  }

  /** The object first, then the arguments from the last to the first. */
  private print_call(node: TypedCall, before: string[]): string {
    const { object } = node;
    const operands = operands_of(node);
    const ordered = operands.filter((x) => this.acts(x)).length > 1;
    const texts = new Map<Typed, string>();
    if (object !== null && node.infix === null) {
      const text = this.print_in(object, MEMBER, before);
      texts.set(object, this.acts(object) && this.needs_order(node) ? this.keep(text, "object", before) : text);
    }
    for (const operand of this.needs_order(node) ? [...operands].reverse() : operands) {
      const text = operand === object ? this.print_in(operand, MEMBER, before) : this.print(operand, before);
      texts.set(operand, ordered && this.acts(operand) ? this.keep(text, "arg", before) : text);
    }
    const args = node.args.map((a) => texts.get(a)).join(", ");
    if (object !== null) return `${texts.get(object)}.${node.name}(${args})`;
    return node.name === "" ? `[${args}]` : `${this.callee(node)}(${args})`;
  }

  private callee(node: TypedCall): string {
    if (node.from === "helper") this.imports.helpers.add(node.name);
    if (node.from === "at") {
      this.imports.at = true;
      return `at.${node.name}`;
    }
    if (node.imports !== null) this.imports.values.add(node.imports);
    return node.name;
  }

  /** Whether some part needs statements of its own to be evaluated in PyTorch's order. */
  private needs_order(node: Typed): boolean {
    if (this.once.has(node)) return false;
    if (node.kind === "once") return node.value.kind !== "text";
    if (node.kind === "call" && operands_of(node).filter((x) => this.acts(x)).length > 1) return true;
    return children(node).some((child) => this.needs_order(child));
  }

  /** Whether it calls something that may call an operator. */
  private acts(node: Typed): boolean {
    if (this.once.has(node)) return false;
    return (node.kind === "call" && !node.reads) || children(node).some((child) => this.acts(child));
  }

  private keep(text: string, stem: string, before: string[]): string {
    if (/^\w+$/.test(text)) return text;
    const name = this.temporary(stem);
    before.push(`const ${name} = ${text};`);
    return name;
  }

  private temporary(stem: string): string {
    return `${stem}_${this.temporaries++}`;
  }
}

/** The operands that C++ evaluates from the last to the first. */
function operands_of(node: TypedCall): readonly Typed[] {
  return node.infix === null ? node.args : node.infix === "left" ? children(node) : [...children(node)].reverse();
}

function binds(node: Typed): number {
  if (node.kind === "conditional" || node.kind === "lambda") return CONDITIONAL;
  if (node.kind === "text") return node.text.startsWith("-") ? UNARY : MEMBER;
  if (node.kind !== "operator") return MEMBER;
  return node.operands.length === 1 ? UNARY : (BINDS[node.op] ?? CONDITIONAL);
}
