/**
 * @file Typed statements and functions. Branches that the dtypes exclude and statements after a return are not in the tree.
 * @original The C++ compiler's `if constexpr`.
 */
import { type Bindings, elementNamed, isCaptured, typeNamed } from "./annotations.ts";
import { declareRow, parts, rowOf } from "./rows.ts";
import type { FunctionText, Node } from "./source.ts";
import {
  type Block,
  type Case,
  type Declaration,
  type Expression,
  element,
  NUMBER,
  type Statement,
  type TypedFunction,
  type ValueType,
} from "./tree.ts";
import { type Surroundings, Typing } from "./typing.ts";

/** A `@template` function: it may have any statements. */
export function typeTemplate(fn: FunctionText, instance: string, surroundings: Surroundings): TypedFunction {
  const params = fn.params.map((p) => ({ name: p.name, type: typeNamed(p.type, surroundings.bindings) }));
  return new StatementTyping(surroundings, "template", [typeNamed(fn.returnType, surroundings.bindings)]).function(
    fn,
    instance,
    params,
  );
}

/** The scalar function of a `@loop`: `const`, `if` and `return`; its parameters and results are single elements. */
export function typeScalarFunction(fn: FunctionText, instance: string, surroundings: Surroundings): TypedFunction {
  const { bindings } = surroundings;
  const typing = new StatementTyping(
    surroundings,
    "scalar function",
    outputTypes(fn).map((type) => elementOf(type, fn.node)),
  );
  const params = fn.params.map((p) => {
    const type = isCaptured(p.type) ? typeNamed(p.type, bindings) : elementOf(p.type, fn.node);
    return { name: p.name, type };
  });
  return typing.function(fn, instance, params);

  function elementOf(type: string, node: Node): ValueType {
    const t = elementNamed(type, bindings);
    if (t !== null) return element(t);
    const wayOut = "annotate with scalar_t, a type variable, a dtype or captured";
    return new Typing(surroundings).fail(node, `"${type}" is not an element type`, wayOut);
  }
}

/** The types of the function's results, as they are written. */
export function outputTypes(fn: FunctionText): string[] {
  const type = fn.returnType.trim();
  if (!type.startsWith("[")) return [type];
  return type
    .slice(1, -1)
    .split(",")
    .map((s) => s.trim());
}

class StatementTyping {
  private readonly typing: Typing;
  private readonly bindings: Bindings;
  private readonly subset: "template" | "scalar function";
  private readonly returns: readonly ValueType[];

  constructor(surroundings: Surroundings, subset: "template" | "scalar function", returns: readonly ValueType[]) {
    this.typing = new Typing(surroundings);
    this.bindings = surroundings.bindings;
    this.subset = subset;
    this.returns = returns;
  }

  function(fn: FunctionText, name: string, params: TypedFunction["params"]): TypedFunction {
    for (const p of params) this.typing.declare(p.name, p.type, p.type.k === "data", fn.node);
    const expanded = params.flatMap((p) => {
      const row = this.typing.rows.get(p.name);
      if (row === undefined) return [p];
      return parts(row).flatMap((e) => (e.node === "name" ? [{ name: e.name, type: e.type }] : []));
    });
    return { name, params: expanded, returns: this.returns, body: this.block(fn.node.body.body) };
  }

  private block(nodes: readonly Node[]): Block {
    const out: Statement[] = [];
    for (const node of nodes) {
      const s = this.statement(node);
      if (s === null || (s.node === "declare" && s.declarations.length === 0)) continue;
      out.push(s);
      if (returns(s)) break;
    }
    return out;
  }

  private body(node: Node): Block {
    return this.block(node.type === "BlockStatement" ? node.body : [node]);
  }

  private statement(s: Node): Statement | null {
    const line: number = s.loc.start.line;
    const { typing } = this;
    switch (s.type) {
      case "VariableDeclaration":
        if (this.subset === "scalar function" && s.kind !== "const")
          typing.fail(s, `${s.kind} in a scalar function`, "use const; a loop over elements is a @template");
        return this.declare(s);
      case "ExpressionStatement":
        return { node: "expression", line, value: typing.expression(s.expression) };
      case "ReturnStatement":
        return { node: "return", line, values: this.results(s) };
      case "IfStatement": {
        const test = typing.condition(s.test);
        if (test.node === "truth") return this.decided(test.value ? s.consequent : s.alternate);
        const no = s.alternate ? this.body(s.alternate) : null;
        return { node: "if", line, test, yes: this.body(s.consequent), no };
      }
      case "EmptyStatement":
        return null;
    }
    if (this.subset === "scalar function") {
      const wayOut = "a scalar function has const, if and return; write a @template for more";
      return typing.fail(s, `${s.type} in a scalar function`, wayOut);
    }
    return this.templateStatement(s);
  }

  private templateStatement(s: Node): Statement {
    const line: number = s.loc.start.line;
    const { typing } = this;
    switch (s.type) {
      case "ForStatement": {
        const init =
          s.init === null
            ? null
            : s.init.type === "VariableDeclaration"
              ? this.declare(s.init)
              : typing.expression(s.init);
        const test = s.test === null ? null : typing.condition(s.test);
        const steps = s.update === null ? [] : (s.update.expressions ?? [s.update]);
        return { node: "for", line, init, test, update: typing.expressions(steps), body: this.body(s.body) };
      }
      case "WhileStatement":
        return { node: "while", line, test: typing.condition(s.test), body: this.body(s.body) };
      case "DoWhileStatement": {
        const body = this.body(s.body);
        return { node: "do_while", line, test: typing.condition(s.test), body };
      }
      case "BlockStatement":
        return { node: "block", line, body: this.block(s.body) };
      case "LabeledStatement":
        return { node: "labeled", line, label: s.label.name, body: this.block([s.body]) };
      case "BreakStatement":
        return { node: "jump", line, word: "break", label: s.label?.name ?? null };
      case "ContinueStatement":
        return { node: "jump", line, word: "continue", label: s.label?.name ?? null };
      case "SwitchStatement": {
        const value = typing.expression(s.discriminant);
        const cases = s.cases.map((c: Node): Case => {
          return { test: c.test ? typing.expression(c.test) : null, body: this.block(c.consequent) };
        });
        return { node: "switch", line, value, cases };
      }
      default:
        return typing.fail(
          s,
          `${s.type} in a template`,
          "use const, let, for, while, if, switch, return, break, continue; no closures, classes or try",
        );
    }
  }

  /** The branch that remains if the condition is decided. */
  private decided(node: Node | null): Statement | null {
    if (node === null) return null;
    return node.type === "BlockStatement"
      ? { node: "block", line: node.loc.start.line, body: this.block(node.body) }
      : this.statement(node);
  }

  private results(s: Node): Expression[] {
    if (!s.argument) return [];
    const nodes: readonly Node[] =
      this.subset === "scalar function" && s.argument.type === "ArrayExpression" ? s.argument.elements : [s.argument];
    return nodes.map((node, k) => {
      const type = this.returns[k];
      const value = this.typing.expression(node);
      return type.k === "element" ? this.typing.convert(value, type.t, s) : value;
    });
  }

  private declare(s: Node): Statement & { readonly node: "declare" } {
    const declarations = s.declarations.flatMap((d: Node) => this.rowDeclaration(s, d) ?? this.declaration(s, d));
    return { node: "declare", line: s.loc.start.line, kind: s.kind, declarations };
  }

  private rowDeclaration(s: Node, d: Node): Declaration[] | null {
    const row = d.init ? rowOf(d.init, this.typing) : null;
    if (row === null) return null;
    const wayOut = "use const: row_at and row_from make a new row from it";
    if (s.kind !== "const") return this.typing.fail(d, "a row that is assigned to", wayOut);
    return declareRow(d.id.name, row, this.typing, d.loc.start.line);
  }

  /** `const x: acc_t = e`; the type is the annotation's, or the initializer's. */
  private declaration(s: Node, d: Node): Declaration {
    const { typing } = this;
    const annotation = d.id.typeAnnotation?.typeAnnotation;
    const name: string = d.id.name;
    if (!annotation) {
      if (!d.init) return typing.fail(d, `${name} has neither type nor value`, "annotate it");
      const value = typing.expression(d.init);
      const type = value.type.k === "literal" ? NUMBER : value.type;
      typing.declare(name, type, s.kind === "const", d);
      return { name, type, annotated: false, value };
    }
    const type = typeNamed(typing.text(annotation), this.bindings);
    const value = d.init ? this.initializer(d, type) : null;
    typing.declare(name, type, s.kind === "const", d);
    return { name, type, annotated: true, value };
  }

  private initializer(d: Node, type: ValueType): Expression {
    const value = this.typing.expression(d.init);
    if (type.k === "element") return this.typing.convert(value, type.t, d.init);
    if (type.k !== "array" || value.node !== "list") return value;
    const elements = value.elements.map((e, k) => this.typing.convert(e, type.t, d.init.elements[k]));
    return { ...value, type, elements };
  }
}

/** Whether control never continues after `s`. */
export function returns(s: Statement): boolean {
  switch (s.node) {
    case "return":
      return true;
    case "block":
      return s.body.some(returns);
    case "if":
      return s.no !== null && s.yes.some(returns) && s.no.some(returns);
    default:
      return false;
  }
}
