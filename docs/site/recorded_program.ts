/**
 * @file The recording of a figure as a separate program: the call of one `recorded(…)` of a walkthrough with the lines that make what it uses.
 * @original
 */
import { parse } from "@babel/parser";
import { recordedCall } from "./python.ts";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The program, or null where the recording is not made by `recorded(name, …)`, or is one of another entry (a Python program). */
export function recordedProgram(text: string, record: string): string | null {
  const { program } = parse(text, { sourceType: "module", plugins: ["typescript"] });
  const statements = program.body as unknown as Node[];
  const at = statements.findIndex((s) => nameOfRecord(s) === record);
  if (at === -1) return null;
  const call = recordedCall(callIn(statements[at] as Node) as never);
  if (call === null) return null;
  const wanted = new Set<string>();
  const used = (node: unknown): void => names(node, wanted);
  used(call.fn);
  used(call.setup);
  const kept = neededBefore(text, statements.slice(0, at), wanted);
  if (statements.some((s) => imports_entry(s, wanted))) return null;
  const body = (call.fn as unknown as Node)["body"] as Node;
  const made = (((call.fn as unknown as Node)["params"] as Node[])[0]?.["name"] ?? null) as string | null;
  const lines = kept.map((s) => text.slice(s.start, s.end));
  if (call.setup !== null) lines.push(...setupLines(text, call.setup as unknown as Node, made));
  lines.push(...bodyLines(text, body));
  return `import torch from "glasstorch";\n\n${lines.join("\n")}`;
}

/**
 * A piece of a walkthrough as a separate program: the lines further up that make what it uses, then the piece.
 * @param line where the piece begins, from 1
 */
export function pieceProgram(text: string, line: number, piece: string): string {
  const parsed = (of: string): Node[] =>
    parse(of, { sourceType: "module", plugins: ["typescript"] }).program.body as unknown as Node[];
  const wanted = new Set<string>();
  const own = parsed(piece);
  for (const statement of own) names(statement, wanted);
  // What the piece declares it does not take from above.
  for (const statement of own) for (const name of declared(statement)) wanted.delete(name);
  const before = parsed(text).filter((statement) => lineAt(text, statement.end) < line);
  const kept = neededBefore(text, before, wanted).map((s) => text.slice(s.start, s.end));
  return `import torch from "glasstorch";\n\n${[...kept, piece].join("\n")}`;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The statements that make what is wanted. */
function neededBefore(text: string, before: readonly Node[], wanted: Set<string>): Node[] {
  const used = (node: unknown): void => names(node, wanted);
  const kept: Node[] = [];
  // A library that is there has its part in every call.
  const gone = new Set(before.flatMap((s) => destroyed(s) ?? []));
  for (const s of before)
    if (/\btorch\.library\./.test(text.slice(s.start, s.end)))
      for (const name of declared(s)) if (!gone.has(name)) wanted.add(name);
  // Backwards: what a kept line uses is made further up. A line that only acts counts where it acts on something wanted.
  for (const statement of [...before].reverse()) {
    if (nameOfRecord(statement) !== null || isClaim(statement)) continue;
    if (gone.has(destroyed(statement) ?? "")) continue;
    const makes = declared(statement);
    const acts = statement.type === "ExpressionStatement" && wanted.has(rootOf(statement["expression"] as Node) ?? "");
    if (!acts && !makes.some((name) => wanted.has(name))) continue;
    kept.unshift(statement);
    used(statement);
  }
  return kept;
}

/** `import { python } from "glasstorch/python"` of a name that is wanted. */
function imports_entry(statement: Node, wanted: ReadonlySet<string>): boolean {
  if (statement.type !== "ImportDeclaration") return false;
  const from = (statement["source"] as unknown as { readonly value: string }).value;
  const imported = (statement["specifiers"] as Node[]).map((each) => (each["local"] as { name: string }).name);
  return from.startsWith("glasstorch/") && imported.some((name) => wanted.has(name));
}

function setupLines(text: string, setup: Node, made: string | null): string[] {
  const body = setup["body"] as Node | undefined;
  const given = made === null ? "" : `const ${made} = `;
  // `setup: build` names the function that makes it.
  if (body === undefined) return [`${given}${text.slice(setup.start, setup.end)}();`];
  const give = (value: Node): string => `${given}${text.slice(value.start, value.end)};`;
  if (body.type !== "BlockStatement") return [give(body)];
  return (body["body"] as Node[]).map((each) =>
    each.type === "ReturnStatement" ? give(each["argument"] as Node) : text.slice(each.start, each.end),
  );
}

function bodyLines(text: string, body: Node): string[] {
  if (body.type !== "BlockStatement") return [`${text.slice(body.start, body.end)};`];
  return (body["body"] as Node[]).map((each) => text.slice(each.start, each.end).replace(/^return /, ""));
}

/** `recorded(…)` as the statement has it: alone, or as what a name is given. */
function callIn(statement: Node): Node | null {
  if (statement.type === "ExpressionStatement") return statement["expression"] as Node;
  if (statement.type !== "VariableDeclaration") return null;
  return ((statement["declarations"] as Node[])[0]?.["init"] ?? null) as Node | null;
}

function nameOfRecord(statement: Node): string | null {
  const call = callIn(statement);
  if (call?.type !== "CallExpression" || (call["callee"] as { name?: string }).name !== "recorded") return null;
  return ((call["arguments"] as Node[])[0] as unknown as { value: string }).value;
}

function isClaim(statement: Node): boolean {
  const name = ((callIn(statement)?.["callee"] ?? null) as { name?: string } | null)?.name;
  return name === "check" || name === "checkThrows" || name === "finish";
}

function declared(statement: Node): string[] {
  if (statement.type === "FunctionDeclaration") return [(statement["id"] as { name: string }).name];
  if (statement.type !== "VariableDeclaration") return [];
  const found = new Set<string>();
  for (const d of statement["declarations"] as Node[]) names(d["id"], found);
  return [...found];
}

/** `library` of `library._destroy();` */
function destroyed(statement: Node): string | null {
  const callee = callIn(statement)?.["callee"] as Node | undefined;
  return (callee?.["property"] as { name?: string } | undefined)?.name === "_destroy" ? rootOf(callee) : null;
}

/** `x` of `x.grad = null`, of `x.add_(1)`. */
function rootOf(node: Node | undefined): string | null {
  switch (node?.type) {
    case "Identifier":
      return node["name"] as string;
    case "AssignmentExpression":
      return rootOf(node["left"] as Node);
    case "CallExpression":
      return rootOf(node["callee"] as Node);
    case "MemberExpression":
      return rootOf(node["object"] as Node);
  }
  return null;
}

function names(node: unknown, into: Set<string>): void {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const each of node) names(each, into);
    return;
  }
  const { type, name, params } = node as { type?: string; name?: unknown; params?: Node[] };
  if (type === "ArrowFunctionExpression" || type === "FunctionExpression") {
    // What a function is given it does not take from outside.
    const inside = new Set<string>();
    names((node as { body: Node }).body, inside);
    for (const own of params ?? []) inside.delete(String(own["name"]));
    for (const each of inside) into.add(each);
    return;
  }
  if (type === "Identifier" && typeof name === "string" && name !== "torch") into.add(name);
  for (const [field, value] of Object.entries(node)) {
    const ofMember = field === "property" && (node as { computed?: boolean }).computed !== true;
    const ofKey = field === "key" && type === "ObjectProperty";
    if (!ofMember && !ofKey && field !== "loc" && !field.endsWith("Comments")) names(value, into);
  }
}
