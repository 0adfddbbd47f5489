/**
 * @file The instances of a `@template` function: its own statements, printed anew with every expression lowered for the chosen
 * dtypes. Comments stay with the source.
 * @original The C++ compiler instantiates function templates.
 */
import { type Kind, type Lowering, MATH } from "./lower.ts";
import type { FunctionText, Node } from "./source.ts";

export function emitTemplate(fn: FunctionText, instance: string, low: Lowering): string {
  const params = fn.params.map((p) => {
    const kind = low.kindOfType(p.type);
    low.scope.set(p.name, kind);
    return `${p.name}: ${low.typeScript(kind) ?? low.foreignType(/^captured<(.*)>$/s.exec(p.type.trim())?.[1] ?? p.type)}`;
  });
  const arrays = new Set(fn.params.map((p) => p.name));
  low.canPair = (name) => arrays.has(name);
  const returns = low.kindOfType(fn.returnType);
  const body = fn.node.body.body.flatMap((s: Node) => statement(s, "  ", returns, low));
  const pairs = [...low.pairs].map((x) => `  const ${x}_pairs = ${low.uses.helper("int32_pairs", MATH)}(${x});`);
  return [
    `function ${instance}(${params.join(", ")}): ${low.typeScript(returns) ?? fn.returnType} {`,
    ...pairs,
    ...body,
    "}",
  ].join("\n");
}

function block(s: Node, indent: string, returns: Kind, low: Lowering): string[] {
  const list = s.type === "BlockStatement" ? s.body : [s];
  return list.flatMap((x: Node) => statement(x, `${indent}  `, returns, low));
}

function statement(s: Node, indent: string, returns: Kind, low: Lowering): string[] {
  switch (s.type) {
    case "VariableDeclaration":
      return [`${indent}${declaration(s, low)};`];
    case "ExpressionStatement":
      return [`${indent}${low.expression(s.expression).text};`];
    case "ReturnStatement": {
      if (!s.argument) return [`${indent}return;`];
      const value = low.expression(s.argument);
      return [`${indent}return ${returns.k === "element" ? low.coerce(value, returns.t, s) : value.text};`];
    }
    case "IfStatement":
      return ifStatement(s, indent, returns, low);
    case "ForStatement": {
      const init =
        s.init === null
          ? ""
          : s.init.type === "VariableDeclaration"
            ? declaration(s.init, low)
            : low.expression(s.init).text;
      const test = s.test === null ? "" : low.condition(s.test);
      const update = s.update === null ? "" : sequence(s.update, low);
      return [`${indent}for (${init}; ${test}; ${update}) {`, ...block(s.body, indent, returns, low), `${indent}}`];
    }
    case "WhileStatement":
      return [`${indent}while (${low.condition(s.test)}) {`, ...block(s.body, indent, returns, low), `${indent}}`];
    case "DoWhileStatement":
      return [`${indent}do {`, ...block(s.body, indent, returns, low), `${indent}} while (${low.condition(s.test)});`];
    case "BlockStatement":
      return [`${indent}{`, ...block(s, indent, returns, low), `${indent}}`];
    case "LabeledStatement":
      return [`${indent}${s.label.name}:`, ...statement(s.body, indent, returns, low)];
    case "BreakStatement":
    case "ContinueStatement": {
      const word = s.type === "BreakStatement" ? "break" : "continue";
      return [`${indent}${word}${s.label ? ` ${s.label.name}` : ""};`];
    }
    case "SwitchStatement": {
      const lines = [`${indent}switch (${low.expression(s.discriminant).text}) {`];
      for (const c of s.cases) {
        lines.push(`${indent}  ${c.test ? `case ${low.expression(c.test).text}` : "default"}:`);
        for (const x of c.consequent) lines.push(...statement(x, `${indent}    `, returns, low));
      }
      return [...lines, `${indent}}`];
    }
    case "EmptyStatement":
      return [];
    default:
      return low.fail(
        s,
        `${s.type} in a template`,
        "use const, let, for, while, if, switch, return, break, continue; no closures, classes or try",
      );
  }
}

function ifStatement(s: Node, indent: string, returns: Kind, low: Lowering): string[] {
  const test = low.condition(s.test);
  if (test === "true") return flat(s.consequent, indent, returns, low);
  if (test === "false") return s.alternate ? flat(s.alternate, indent, returns, low) : [];
  const lines = [`${indent}if (${test}) {`, ...block(s.consequent, indent, returns, low)];
  if (!s.alternate) return [...lines, `${indent}}`];
  return [...lines, `${indent}} else {`, ...block(s.alternate, indent, returns, low), `${indent}}`];
}

/** The branch that a folded condition leaves. */
function flat(s: Node, indent: string, returns: Kind, low: Lowering): string[] {
  return s.type === "BlockStatement"
    ? [`${indent}{`, ...block(s, indent, returns, low), `${indent}}`]
    : statement(s, indent, returns, low);
}

function sequence(node: Node, low: Lowering): string {
  if (node.type === "SequenceExpression") return node.expressions.map((e: Node) => low.expression(e).text).join(", ");
  return low.expression(node).text;
}

function declaration(s: Node, low: Lowering): string {
  const parts = s.declarations.map((d: Node) => {
    const annotation = d.id.typeAnnotation?.typeAnnotation;
    const name: string = d.id.name;
    const value = d.init ? low.expression(d.init) : null;
    if (!annotation) {
      if (value === null) return low.fail(d, `${name} has neither type nor value`, "annotate it");
      low.scope.set(name, value.kind.k === "literal" ? { k: "number" } : value.kind);
      return `${name} = ${value.text}`;
    }
    const written = low.file.text.slice(annotation.start, annotation.end);
    const kind = low.kindOfType(written);
    low.scope.set(name, kind);
    const type = low.typeScript(kind) ?? low.foreignType(written);
    if (value === null) return `${name}: ${type}`;
    return `${name}: ${type} = ${initializer(d.init, value.text, kind, low)}`;
  });
  return `${s.kind} ${parts.join(", ")}`;
}

function initializer(node: Node, text: string, kind: Kind, low: Lowering): string {
  if (kind.k === "element") return low.coerce(low.expression(node), kind.t, node);
  if (kind.k === "array" && node.type === "ArrayExpression") {
    return `[${node.elements.map((e: Node) => low.coerce(low.expression(e), kind.t, e)).join(", ")}]`;
  }
  return text;
}
