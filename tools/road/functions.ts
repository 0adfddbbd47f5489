/**
 * @file The functions of a source: their names, their lines, and the text in which each of them reports its entry.
 * @original
 */
import { parse } from "@babel/parser";
import MagicString from "magic-string";

export interface FunctionPlace {
  /**
   * `f`, `Class.method`, `outer.inner`. An unnamed function has the name of the surrounding one, so one name may have
   * several places; an unnamed function at the top of a file is called `(unnamed)`.
   */
  readonly name: string;
  /** Line numbers from 1, both included: from the signature to the end of the body. */
  readonly from: number;
  readonly to: number;
}

export interface SourceFunctions {
  /** Functions in the order of the text: a function precedes those inside it. */
  readonly places: readonly FunctionPlace[];
  /** By line, from 1: whether it contains something other than a comment. */
  readonly is_code: readonly boolean[];
  /** The text with a call `__road(first + i)` at the entry of the function `places[i]`. */
  readonly told: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  // biome-ignore lint/suspicious/noExplicitAny: nodes are walked generically
  readonly [field: string]: any;
}

/** Fields of syntax nodes in which no function has a body. */
const WITHOUT_BODIES = new Set(["loc", "extra", "typeAnnotation", "returnType", "typeParameters", "errors"]);

/** Syntax nodes that leave a value as it is. */
const TRANSPARENT = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** @param first number of the file's first function; the numbers of all files make one list. */
export function functions_of(text: string, first = 0): SourceFunctions {
  const { program, comments } = parse(text, { sourceType: "module", plugins: ["typescript"], attachComment: false });
  const places: FunctionPlace[] = [];
  const told = new MagicString(text);

  /** @param owner name of the surrounding function or class; @param own whether the node may have that name itself */
  const walk = (node: Node, owner: string, own: boolean, inside: boolean): void => {
    let [name, within] = [owner, inside];
    if (node.type.startsWith("Class") && node["body"]?.type === "ClassBody") {
      if (!own || owner === "") name = joined(owner, node["id"]?.name ?? "");
    } else if (is_function(node)) {
      const named = node["key"] ?? node["id"];
      if (named !== undefined && named !== null && !own) name = joined(owner, name_of(named, node["computed"], text));
      tell(told, node, first + places.length);
      places.push({ name: name === "" ? "(unnamed)" : name, from: node.loc.start.line, to: node.loc.end.line });
      within = true;
    }
    for (const field in node) {
      if (WITHOUT_BODIES.has(field)) continue;
      const value: unknown = node[field];
      for (const child of Array.isArray(value) ? value : [value]) if (is_node(child)) step(node, child, name, within);
    }
  };

  const step = (parent: Node, child: Node, owner: string, inside: boolean): void => {
    const name = given_name(parent, child, text);
    let value = child;
    while (TRANSPARENT.has(value.type)) value = value["expression"];
    const own = is_function(value) || value.type === "ClassExpression" || value.type === "ObjectExpression";
    if (name === null || (inside && !own)) walk(value, owner, false, inside);
    else walk(value, joined(owner, name), own, inside);
  };

  walk(program as unknown as Node, "", false, false);
  return { places, is_code: code_lines(text, (comments ?? []) as readonly Node[]), told: told.toString() };
}

function is_node(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

function is_function(node: Node): boolean {
  return (
    node.type === "ArrowFunctionExpression" ||
    (node["body"]?.type === "BlockStatement" && Array.isArray(node["params"]))
  );
}

/**
 * The name that a variable or a property gives to its value. Inside a function it applies only if the value is itself a
 * function, a class or an object; at the top of a file it also applies to everything inside the value:
 * `const f = memo((x) => x)`.
 */
function given_name(parent: Node, child: Node, text: string): string | null {
  if (parent.type === "VariableDeclarator")
    return parent["init"] === child && parent["id"].type === "Identifier" ? parent["id"].name : null;
  const is_property = parent.type === "ObjectProperty" || /^Class\w*Property$/.test(parent.type);
  return is_property && parent["value"] === child ? name_of(parent["key"], parent["computed"], text) : null;
}

function joined(owner: string, name: string): string {
  if (owner === "" || name === "") return owner + name;
  return name.startsWith("[") ? owner + name : `${owner}.${name}`;
}

function name_of(key: Node, computed: unknown, text: string): string {
  if (computed === true) return `[${text.slice(key.start, key.end)}]`;
  if (key.type === "PrivateName") return `#${key["id"].name}`;
  return key["name"] ?? String(key["value"]);
}

function tell(told: MagicString, { body }: Node, id: number): void {
  if (body.type === "BlockStatement") {
    told.appendLeft(body.start + 1, ` __road(${id});`);
  } else {
    told.appendRight(body.start, `(__road(${id}), `);
    told.prependLeft(body.end, ")");
  }
}

function code_lines(text: string, comments: readonly Node[]): boolean[] {
  let code = "";
  let at = 0;
  for (const { start, end } of comments) {
    code += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, "");
    at = end;
  }
  code += text.slice(at);
  return [false, ...code.split("\n").map((line) => line.trim() !== "")];
}
