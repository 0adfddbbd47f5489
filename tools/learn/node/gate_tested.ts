/**
 * @file Whether a test file calls an operator: by a name of its own, by the public name of a module's function, or by a name in
 * quotation marks that it looks up. The title of a test and a comment call nothing.
 * @original
 */
import ts from "typescript";
import type { PublicName } from "../../new_op/plan.ts";

const TITLED = new Set(["test", "it", "describe"]);

/**
 * @param base `special_i1`
 * @param known its public name, `i1` of `special`; null if it has none
 */
export function callsOperator(text: string, base: string, known: PublicName | null): boolean {
  const module = known?.module ?? null;
  const name = known?.name ?? base;
  if (!text.includes(base) && (module === null || !text.includes(name))) return false;
  const spellings = new Set([base, `${base}_`]);
  let called = false;
  const visit = (node: ts.Node): void => {
    if (called) return;
    if (ts.isPropertyAccessExpression(node)) called = isCall(node.name.text, node.expression);
    else if (ts.isStringLiteralLike(node)) called = !isTitle(node) && isQuoted(node.text);
    else if (ts.isIdentifier(node)) called = module !== null && node.text === name && isTakenFrom(node, module);
    ts.forEachChild(node, visit);
  };
  const isCall = (member: string, object: ts.Expression): boolean =>
    spellings.has(member) || (module !== null && member === name && lastName(object) === module);
  const isQuoted = (quoted: string): boolean => {
    const [short] = quoted.replace(/^aten::/, "").split(".");
    return spellings.has(short as string) || (module !== null && quoted === `${module}.${name}`);
  };
  visit(ts.createSourceFile("a.test.ts", text, ts.ScriptTarget.Latest, true));
  return called;
}

/** `special` of `torch.special` and of `special`. */
function lastName(object: ts.Expression): string {
  if (ts.isPropertyAccessExpression(object)) return object.name.text;
  return ts.isIdentifier(object) ? object.text : "";
}

/** `const { i1 } = torch.special`. */
function isTakenFrom(node: ts.Identifier, module: string): boolean {
  if (!ts.isBindingElement(node.parent)) return false;
  const declaration = node.parent.parent.parent;
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return false;
  return lastName(declaration.initializer) === module;
}

/** The first argument of `test(...)`, `test.skip(...)`, `test.each(rows)(...)`. */
function isTitle(node: ts.Node): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  let callee: ts.Expression = call.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && TITLED.has(callee.text);
}
