import { parse } from "@babel/parser";
import { expect, test } from "vitest";
import { outline } from "#trace/outline";
import { ROOT, read_tree } from "../../../tools/codegen/file_system.ts";
import { parameters_at } from "../../../tools/codegen/parameters.ts";

interface Node {
  type: string;
  loc: { start: { line: number }; end: { line: number } };
  declaration?: Node | null;
  declarations?: Node[];
  id?: { name?: string; typeAnnotation?: unknown } | null;
  init?: Node | null;
  expression?: Node;
  properties?: Node[];
  key?: { name?: string };
  computed?: boolean;
  params?: (Node & { optional?: boolean })[];
  body?: { body?: Node[] };
}

/** `name line required parameters`, as the parser sees it. */
function parsed(text: string): string[] {
  const found = new Map<string, string>();
  const add = (name: string, node: Node, params: Node["params"]): void => {
    const list = params ?? [];
    const required = list.filter(
      (p) => p.type !== "AssignmentPattern" && p.type !== "RestElement" && p.optional !== true,
    ).length;
    const rest = list.some((p) => p.type === "RestElement");
    if (!found.has(name))
      found.set(name, `${name} ${node.loc.start.line} ${required} ${rest ? Infinity : list.length}`);
  };
  const program = parse(text, { sourceType: "module", plugins: ["typescript"] }).program as unknown as { body: Node[] };
  for (const statement of program.body) {
    const node = statement.declaration ?? statement;
    if (node.type === "FunctionDeclaration" && node.id?.name) add(node.id.name, statement, node.params);
    else if (node.type === "ClassDeclaration" && node.id?.name) {
      add(node.id.name, statement, []);
      for (const member of node.body?.body ?? [])
        if (member.type === "ClassMethod" && !member.computed && member.key?.name)
          add(`${node.id.name}.${member.key.name}`, member, member.params);
    } else if (
      node.type === "VariableDeclaration" &&
      text.split("\n")[statement.loc.start.line - 1]?.match(/^(export )?const /)
    )
      for (const d of node.declarations?.slice(0, 1) ?? []) {
        if (!d.id?.name) continue;
        add(d.id.name, statement, []);
        for (const member of members_below(d))
          if (member.type === "ObjectMethod" && !member.computed && member.key?.name)
            add(`${d.id.name}.${member.key.name}`, member, member.params);
      }
  }
  return [...found.values()].sort();
}

/** Members, on lines of their own, of an object without a type: `const x = {`. */
function members_below({ id, init }: Node): Node[] {
  const value = init?.type === "TSAsExpression" || init?.type === "TSSatisfiesExpression" ? init.expression : init;
  if (value?.type !== "ObjectExpression" || id?.typeAnnotation) return [];
  return value.loc.start.line === value.loc.end.line ? [] : (value.properties ?? []);
}

test("the line scanner sees in every source what the parser sees", () => {
  for (const [path, text] of read_tree(ROOT)) {
    if (!path.endsWith(".ts") || path.includes("/generated/")) continue;
    const scanned = outline(text).map((d) => {
      const { required, parameters } =
        d.kind === "function" || d.kind === "method" ? parameters_at(text, d.line) : { required: 0, parameters: 0 };
      return `${d.name} ${d.line} ${required} ${parameters}`;
    });
    expect(scanned.sort(), path).toEqual(parsed(text));
  }
}, 120_000);

test("a declaration carries the comment above it", () => {
  const [f, g] = outline("/** Adds one. */\nexport function f(): void {}\n\nfunction g(): void {}\n");
  expect(f).toMatchObject({ name: "f", line: 2, comment: "/** Adds one. */" });
  expect(g?.comment).toBe("");
});
