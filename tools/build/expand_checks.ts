/**
 * @file Expansion of `TORCH_CHECK(cond, parts...)` to `if (!(cond)) TORCH_CHECK(false, parts...)`, as the C++
 * preprocessor does. A check that holds then costs only its condition: no call, no array of message parts.
 * `npm run build` applies it to JavaScript.
 * @original
 */
import { parse } from "@babel/parser";

const MACROS: ReadonlySet<string> = new Set([
  "TORCH_CHECK",
  "TORCH_CHECK_INDEX",
  "TORCH_CHECK_VALUE",
  "TORCH_CHECK_TYPE",
  "TORCH_CHECK_NOT_IMPLEMENTED",
  "TORCH_INTERNAL_ASSERT",
]);

interface Span {
  readonly start: number;
  readonly end: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a node of any type
type Node = any;

/** Lines keep their numbers, so source maps and stack traces stay correct. */
export function expand_checks(text: string): string {
  if (!text.includes("TORCH_")) return text;
  const edits: { statement: Span; condition: Span }[] = [];
  visit(parse(text, { sourceType: "module" }).program, (node) => {
    if (node.type !== "ExpressionStatement" || node.expression.type !== "CallExpression") return;
    const { callee, arguments: args } = node.expression;
    if (callee.type !== "Identifier" || !MACROS.has(callee.name) || args.length === 0) return;
    if (args[0].type === "BooleanLiteral" || args[0].type === "SpreadElement") return;
    edits.push({ statement: node, condition: args[0] });
  });
  let result = text;
  for (const { statement, condition } of edits.sort((a, b) => b.statement.start - a.statement.start)) {
    const cond = result.slice(condition.start, condition.end);
    const before = result.slice(statement.start, condition.start);
    result = `${result.slice(0, statement.start)}if (!(${cond})) ${before}false${result.slice(condition.end)}`;
  }
  return result;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const key in node) {
    if (key === "loc" || key === "extra") continue;
    const child = node[key];
    if (Array.isArray(child)) for (const item of child) if (item?.type) visit(item, see);
    if (child?.type) visit(child, see);
  }
}
