/**
 * @file A program of ours as the Python it mirrors: one trailing object is keyword arguments, a callback under `no_grad` is a `with` block, a
 * whole number is an int. Lines that have no Python form (a question to a recording, for example) are left out; a program without any other
 * line gives null. A test runs the results in real PyTorch.
 * @original
 */
import { type ParserPlugin, parse } from "@babel/parser";

/** The parts of Babel's nodes that are looked at here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly leadingComments?: readonly Comment[] | null;
  readonly [field: string]: unknown;
}

interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly loc: Node["loc"];
}

/** Says which construct stopped a line. */
export class NoPython extends Error {}

/** A line about a name that has no Python itself. */
class OfRecording extends NoPython {}

/** Arrays of numbers that only JavaScript has. */
const TYPED_ARRAY = /^(?:Big)?(?:Uint|Int|Float)(?:8|16|32|64)(?:Clamped)?Array$/;

const plugins: ParserPlugin[] = ["typescript", "explicitResourceManagement"];

export interface PythonOptions {
  /** Names that an earlier part made and that have no Python: what holds a recording. */
  readonly without?: ReadonlySet<string>;
  /** All of it or nothing; but claims, and what is asked of a recording, may go. */
  readonly whole?: boolean;
}

/** The program in Python, or null if nothing of it can be said there. */
export function toPython(text: string, options: PythonOptions = {}): string | null {
  const { program } = parse(text, { sourceType: "module", plugins, attachComment: true });
  const printer = new Printer(new Set(options.without));
  printer.statements(program.body as unknown as Node[]);
  if (options.whole === true && printer.dropped > 0) return null;
  return printer.said === 0 ? null : printer.text();
}

/** Names of a whole program that have no Python, for its parts. */
export function namesWithoutPython(text: string): ReadonlySet<string> {
  const { program } = parse(text, { sourceType: "module", plugins, attachComment: true });
  const printer = new Printer(new Set());
  printer.statements(program.body as unknown as Node[]);
  return printer.lost;
}

/** Modes that take a callback here and open a block in Python. */
/** Numbers that JavaScript has names for, as Python's `float` reads them; `Number` has them, too. */
const NUMBERS: Readonly<Record<string, string>> = {
  Infinity: "inf",
  NaN: "nan",
  POSITIVE_INFINITY: "inf",
  NEGATIVE_INFINITY: "-inf",
};

const MODES = new Set(["no_grad", "enable_grad", "inference_mode", "set_grad_enabled"]);

class Printer {
  /** Statements that became Python, imports aside. */
  said = 0;
  dropped = 0;
  private readonly lines: string[] = [];
  readonly lost: Set<string>;
  private indent = "";

  constructor(lost: Set<string>) {
    this.lost = lost;
  }

  text(): string {
    return this.lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }

  statements(list: readonly Node[]): void {
    let last = 0;
    for (const node of list) {
      const comments = (node.leadingComments ?? []).filter(
        (c) => c.type === "CommentLine" && c.loc.start.line > last && !/^\s*#/.test(c.value),
      );
      const first = comments[0]?.loc.start.line ?? node.loc.start.line;
      const before = this.lines.length;
      try {
        const made = this.quietly(() => this.statement(node));
        if (last !== 0 && first > last + 1) this.lines.push("");
        for (const c of comments) if (made.length > 0) this.put(`#${c.value}`);
        for (const line of made) this.lines.push(line);
        const told = sideNote(node);
        if (told !== "" && made.length === 1 && !made[0]?.includes("  # "))
          this.lines[this.lines.length - 1] += `  # ${told}`;
      } catch (error) {
        // Half a block would be another program.
        if (!(error instanceof NoPython) || this.indent !== "") throw error;
        this.lines.length = before;
        if (!isClaim(node) && !(error instanceof OfRecording)) this.dropped++;
        for (const name of declared(node)) this.lost.add(name);
        if (last !== 0 && first > last + 1) this.lines.push("");
      }
      last = node.loc.end.line;
    }
  }

  /** The lines a statement adds, kept aside until its comments stand. */
  private quietly(print: () => void): string[] {
    const from = this.lines.length;
    print();
    return this.lines.splice(from);
  }

  private put(line: string): void {
    this.lines.push(line === "" ? "" : this.indent + line);
  }

  private say(line: string): void {
    this.put(line);
    this.said++;
  }

  private block(head: string, body: () => void): void {
    this.put(head);
    const outer = this.indent;
    this.indent += "    ";
    try {
      body();
    } finally {
      this.indent = outer;
    }
  }

  private statement(node: Node): void {
    switch (node.type) {
      case "ImportDeclaration":
        if ((node["source"] as { value: string }).value === "glasstorch") this.put("import torch");
        // `record`, `check` and their like are known below; anything else imported is ours alone.
        else for (const s of node["specifiers"] as Node[]) this.lost.add((s["local"] as { name: string }).name);
        return;
      case "VariableDeclaration":
        for (const d of node["declarations"] as Node[]) this.declaration(d);
        return;
      case "ExpressionStatement":
        this.expressionStatement(node["expression"] as Node);
        return;
      case "BlockStatement":
        this.statements(node["body"] as Node[]);
        return;
      case "ForOfStatement": {
        const left = (node["left"] as Node)["declarations"] as Node[];
        this.block(`for ${this.target(left[0]?.["id"] as Node)} in ${this.expression(node["right"] as Node)}:`, () =>
          this.statement(node["body"] as Node),
        );
        return;
      }
      case "ForStatement": {
        const times = this.counted(node);
        this.block(`for ${times.name} in range(${times.to}):`, () => this.statement(node["body"] as Node));
        return;
      }
      case "TryStatement": {
        this.block("try:", () => this.statement(node["block"] as Node));
        const caught = ((node["handler"] as Node)["body"] as Node)["body"] as Node[];
        this.block("except Exception:", () => (caught.length === 0 ? this.put("pass") : this.statements(caught)));
        return;
      }
      case "ReturnStatement":
        this.say(`return ${this.expression(node["argument"] as Node)}`);
        return;
      case "FunctionDeclaration":
        this.block(
          `def ${(node["id"] as { name: string }).name}(${(node["params"] as Node[]).map((p) => this.target(p)).join(", ")}):`,
          () => this.statement(node["body"] as Node),
        );
        return;
      case "ExportNamedDeclaration":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
        return;
    }
    throw new NoPython(node.type);
  }

  /** `for (let i = 0; i < n; i++)` */
  private counted(node: Node): { name: string; to: string } {
    const init = ((node["init"] as Node | null)?.["declarations"] as Node[] | undefined)?.[0];
    const test = node["test"] as Node | null;
    const name = (init?.["id"] as { name?: string } | undefined)?.name;
    const plain =
      name !== undefined &&
      (init?.["init"] as { value?: unknown } | null)?.value === 0 &&
      test?.["operator"] === "<" &&
      (test["left"] as { name?: string }).name === name &&
      (node["update"] as Node)["operator"] === "++";
    if (!plain || test === null) throw new NoPython("a loop that does not count from 0");
    return { name, to: this.expression(test["right"] as Node) };
  }

  private declaration({ id, init }: Node): void {
    const value = init as Node | null;
    const target = id as Node;
    if (value === null) throw new NoPython("a name without a value");
    if (target.type === "ObjectPattern") {
      for (const property of target["properties"] as Node[]) {
        const name = (property["value"] as { name: string }).name;
        this.say(`${name} = ${this.expression(value)}.${(property["key"] as { name: string }).name}`);
      }
      return;
    }
    const call = recordedCall(value);
    if (call !== null) {
      // The name would hold the recording, which Python has not got; the call itself it has.
      this.lost.add((target as unknown as { name: string }).name);
      this.called(call);
      return;
    }
    const mode = this.mode(value);
    if (mode !== null) {
      this.block(`with ${mode.head}:`, () => this.say(`${this.target(target)} = ${this.expression(mode.body)}`));
      return;
    }
    if (isFunction(value) && (value["body"] as Node).type === "BlockStatement") {
      this.block(
        `def ${this.target(target)}(${(value["params"] as Node[]).map((p) => this.target(p)).join(", ")}):`,
        () => this.statement(value["body"] as Node),
      );
      return;
    }
    this.say(`${this.target(target)} = ${this.expression(value)}`);
  }

  private expressionStatement(node: Node): void {
    const call = recordedCall(node);
    if (call !== null) {
      this.called(call);
      return;
    }
    const mode = this.mode(node);
    if (mode !== null) {
      this.block(`with ${mode.head}:`, () => this.bodyOf(mode.body));
      return;
    }
    if (node.type === "AssignmentExpression") {
      const target = this.expression(node["left"] as Node);
      this.say(`${target} ${node["operator"] as string} ${this.expression(node["right"] as Node)}`);
      return;
    }
    if (node.type === "AwaitExpression") {
      this.expressionStatement(node["argument"] as Node);
      return;
    }
    if (node.type === "CallExpression") {
      const name = (node["callee"] as { name?: string }).name;
      const args = node["arguments"] as Node[];
      if (name === "check") {
        // A claim becomes what a reader of Python would try: print it, and see.
        const [shown, expected] = [this.printed(args[0] as Node), this.expression(args[1] as Node)];
        // Only a value tells something; an expression would have to be worked out first.
        const told = /^(True|False|None)$|^["[\d-]/.test(expected) && !/[a-z]\(/.test(expected);
        this.say(`print(${shown})${told ? `  # ${expected.replace(/^"(.*)"$/, "$1")}` : ""}`);
        return;
      }
      if (name === "finish") throw new NoPython(name);
      if (name === "checkThrows") {
        this.block("try:", () => this.bodyOf((args[0] as Node)["body"] as Node));
        this.block("except Exception as error:", () =>
          this.say(`print(error)  # ${JSON.parse(this.expression(args[1] as Node)) as string}`),
        );
        return;
      }
    }
    this.say(this.expression(node));
  }

  private called({ setup, fn }: { setup: Node | null; fn: Node }): void {
    const made = (fn["params"] as Node[])[0];
    if (setup !== null && made !== undefined) {
      const body = setup["body"] as Node | undefined;
      if (body === undefined) this.say(`${this.target(made)} = ${this.expression(setup)}()`);
      else if (body.type !== "BlockStatement") this.say(`${this.target(made)} = ${this.expression(body)}`);
      else
        for (const each of body["body"] as Node[])
          if (each.type === "ReturnStatement")
            this.say(`${this.target(made)} = ${this.expression(each["argument"] as Node)}`);
          else this.statement(each);
    }
    this.bodyOf(fn["body"] as Node);
  }

  /** The body of a callback as statements. */
  private bodyOf(body: Node): void {
    if (body.type === "BlockStatement") this.statement(body);
    else this.expressionStatement(body);
  }

  /** `torch.no_grad(() => …)` */
  private mode(node: Node): { head: string; body: Node } | null {
    if (node.type !== "CallExpression") return null;
    const callee = node["callee"] as Node;
    const name = (callee["property"] as { name?: string } | undefined)?.name;
    const args = node["arguments"] as Node[];
    const fn = args.at(-1);
    if (name === undefined || !MODES.has(name) || fn === undefined || !isFunction(fn)) return null;
    const head = `${this.expression(callee)}(${args
      .slice(0, -1)
      .map((a) => this.expression(a))
      .join(", ")})`;
    return { head, body: fn["body"] as Node };
  }

  private target(node: Node): string {
    switch (node.type) {
      case "Identifier":
        return node["name"] as string;
      case "ArrayPattern": {
        const elements = (node["elements"] as (Node | null)[]).map((e) => {
          // An array of two may be taken apart as one here, but not in Python.
          if (e?.type === "ArrayPattern") throw new NoPython("a pattern in a pattern");
          return e === null ? "_" : this.target(e);
        });
        // Python takes a list of one apart only with a comma behind the name.
        return elements.length === 1 ? `${elements[0]},` : elements.join(", ");
      }
    }
    throw new NoPython(node.type);
  }

  private expression(node: Node): string {
    switch (node.type) {
      case "Identifier": {
        const name = node["name"] as string;
        if (this.lost.has(name)) throw new OfRecording(name);
        if (TYPED_ARRAY.test(name)) throw new NoPython(name);
        if (Object.hasOwn(NUMBERS, name)) return `float("${NUMBERS[name]}")`;
        return name === "undefined" ? "None" : name;
      }
      case "NumericLiteral":
        // A number without a fraction is an int here, however it is written.
        return Number.isInteger(node["value"]) ? String(node["value"]) : (node["extra"] as { raw: string }).raw;
      case "BigIntLiteral":
        return String(node["value"]);
      case "StringLiteral":
        return JSON.stringify(node["value"]);
      case "BooleanLiteral":
        return node["value"] === true ? "True" : "False";
      case "NullLiteral":
        return "None";
      case "TemplateLiteral":
        return this.template(node);
      case "ArrayExpression":
        return `[${(node["elements"] as Node[]).map((e) => this.expression(e)).join(", ")}]`;
      case "SpreadElement":
        return `*${this.expression(node["argument"] as Node)}`;
      case "ObjectExpression":
        return `{${this.properties(node)
          .map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
          .join(", ")}}`;
      case "TSAsExpression":
      case "TSNonNullExpression":
      case "ParenthesizedExpression":
        return this.expression(node["expression"] as Node);
      case "UnaryExpression":
        return this.unary(node);
      case "BinaryExpression":
      case "LogicalExpression":
        return this.binary(node);
      case "ConditionalExpression":
        return `${this.expression(node["consequent"] as Node)} if ${this.expression(node["test"] as Node)} else ${this.expression(node["alternate"] as Node)}`;
      case "ArrowFunctionExpression": {
        const body = node["body"] as Node;
        if (body.type === "BlockStatement") throw new NoPython("a function with statements");
        const params = (node["params"] as Node[]).map((p) => this.target(p)).join(", ");
        return `lambda${params === "" ? "" : ` ${params}`}: ${this.expression(body)}`;
      }
      case "OptionalMemberExpression":
      case "MemberExpression":
        return this.member(node);
      case "NewExpression":
      case "CallExpression":
      case "OptionalCallExpression":
        return this.call(node);
    }
    throw new NoPython(node.type);
  }

  private template(node: Node): string {
    const texts = (node["quasis"] as { value: { cooked: string } }[]).map((q) => q.value.cooked);
    const parts = (node["expressions"] as Node[]).map((e) => this.expression(e));
    if (parts.length === 0) return JSON.stringify(texts[0]);
    const body = texts.map((t, i) => t.replace(/[{}]/g, "$&$&") + (i < parts.length ? `{${parts[i]}}` : "")).join("");
    return `f${JSON.stringify(body)}`;
  }

  private unary(node: Node): string {
    const operator = node["operator"] as string;
    const argument = this.expression(node["argument"] as Node);
    if (operator === "!") return `not ${argument}`;
    if (operator === "-" || operator === "+" || operator === "~") return operator + argument;
    throw new NoPython(operator);
  }

  private binary(node: Node): string {
    const [left, right] = [node["left"] as Node, node["right"] as Node];
    const operator = node["operator"] as string;
    // Objects are compared by identity, as `===` does; what a call or a literal gives may be a number.
    const named = (side: Node): boolean => side.type === "MemberExpression" || side.type === "Identifier";
    const identity = named(left) && named(right);
    const words: Readonly<Record<string, string>> = {
      "===": identity ? "is" : "==",
      "!==": identity ? "is not" : "!=",
      "&&": "and",
      "||": "or",
    };
    if (operator === "??" || operator === "instanceof") throw new NoPython(operator);
    return `${this.operand(left)} ${words[operator] ?? operator} ${this.operand(right)}`;
  }

  private operand(node: Node): string {
    const text = this.expression(node);
    return node.type === "BinaryExpression" || node.type === "LogicalExpression" ? `(${text})` : text;
  }

  private member(node: Node): string {
    const { name: of } = node["object"] as { name?: string };
    const number = of === "Number" ? NUMBERS[(node["property"] as { name: string }).name] : undefined;
    if (number !== undefined) return `float("${number}")`;
    const object = this.expression(node["object"] as Node);
    const key = (node["property"] as { value?: unknown }).value;
    // Python's namespaces of operators are attributes.
    if (node["computed"] === true && object === "torch.ops" && typeof key === "string") return `${object}.${key}`;
    if (node["computed"] === true) return `${object}[${this.expression(node["property"] as Node)}]`;
    const name = (node["property"] as { name: string }).name;
    return name === "length" ? `len(${object})` : `${object}.${name}`;
  }

  private call(node: Node): string {
    const callee = node["callee"] as Node;
    const args = node["arguments"] as Node[];
    if (callee.type === "Identifier" || callee.type === "MemberExpression") {
      const name = (callee["name"] ?? (callee["property"] as { name?: string })?.name) as string;
      const object = callee.type === "MemberExpression" ? (callee["object"] as Node) : null;
      if (object === null && name === "String") return `str(${this.expression(args[0] as Node)})`;
      if ((object as { name?: string } | null)?.name === "console")
        return `print(${args.map((a) => this.printed(a)).join(", ")})`;
      if (name === "Float" && (object as { name?: string } | null)?.name === "torch")
        return this.float(args[0] as Node);
      if (name === "slice" && (object as { name?: string } | null)?.name === "torch")
        return `slice(${args.map((a) => this.expression(a)).join(", ")})`;
      if (object !== null && name === "at")
        return `${this.expression(object)}[${args.map((a) => this.index(a)).join(", ")}]`;
      if (object !== null && name === "__getitem__") {
        const [of] = args as [Node];
        const list = of.type === "ArrayExpression" ? (of["elements"] as Node[]) : [of];
        return `${this.expression(object)}[${list.map((a) => this.index(a)).join(", ")}]`;
      }
      if (object !== null && name === "set_at")
        return `${this.expression(object)}.__setitem__(${args.map((a) => this.expression(a)).join(", ")})`;
      if (name === "save" && (object as { name?: string } | null)?.name === "torch" && args.length === 1)
        throw new NoPython("torch.save to nowhere, for the bytes");
      if (object !== null && name === "toString") return `str(${this.expression(object)})`;
      if (object !== null && ["map", "filter", "some", "every", "includes", "startsWith", "slice"].includes(name))
        throw new NoPython(`.${name}()`);
      const mode = this.mode(node);
      // A `with` block is no expression; the mode as a decorator of the function is.
      if (mode !== null) return `${mode.head}(lambda: ${this.expression(mode.body)})()`;
    }
    const last = args.at(-1);
    const words =
      last?.type === "ObjectExpression" ? this.properties(last).map(([key, value]) => `${key}=${value}`) : [];
    const plain = (words.length > 0 || last?.type === "ObjectExpression" ? args.slice(0, -1) : args).map((a) =>
      this.expression(a),
    );
    const fn = callee.type === "ArrowFunctionExpression" ? `(${this.expression(callee)})` : this.expression(callee);
    return `${fn}(${[...plain, ...words].join(", ")})`;
  }

  /** Python prints a tensor as it is; here a number of the console would be coloured, so programs write `String(x)`. */
  private printed(node: Node): string {
    const inner = node.type === "CallExpression" && (node["callee"] as { name?: string }).name === "String";
    return this.expression(inner ? ((node["arguments"] as Node[])[0] as Node) : node);
  }

  private float(node: Node): string {
    const text = this.expression(node);
    return /^-?\d+$/.test(text) ? `${text}.0` : `float(${text})`;
  }

  /** `torch.slice(1, 3)` between brackets is `1:3`, and `torch.slice(3)` is `:3`. */
  private index(node: Node): string {
    const text = this.expression(node);
    const parts = /^slice\((.*)\)$/.exec(text)?.[1]?.split(", ");
    if (parts === undefined) return text;
    return (parts.length === 1 ? ["", ...parts] : parts).map((p) => (p === "None" ? "" : p)).join(":");
  }

  private properties(node: Node): [string, string][] {
    return (node["properties"] as Node[]).map((p) => {
      const key = p["key"] as { name?: string; value?: string } | undefined;
      const name = key?.name ?? key?.value;
      if (p.type !== "ObjectProperty" || name === undefined) throw new NoPython(p.type);
      return [name, this.expression(p["value"] as Node)];
    });
  }
}

const isFunction = (node: Node): boolean =>
  node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression";

/** `record(fn)`, `recorded(name, title, fn, { setup })`: what is called, and what is made before. */
export function recordedCall(node: Node): { setup: Node | null; fn: Node } | null {
  if (node.type !== "CallExpression") return null;
  const name = (node["callee"] as { name?: string }).name;
  if (name !== "record" && name !== "recorded") return null;
  const fn = (node["arguments"] as Node[]).find(isFunction);
  if (fn === undefined) return null;
  const more = (node["arguments"] as Node[]).find((a) => a.type === "ObjectExpression");
  const setup = ((more?.["properties"] as Node[] | undefined) ?? []).find(
    (p) => (p["key"] as { name?: string } | undefined)?.name === "setup",
  );
  return { fn, setup: (setup?.["value"] as Node | undefined) ?? null };
}

/** Names a statement would have made. */
function declared(node: Node): string[] {
  if (node.type === "FunctionDeclaration") return [(node["id"] as { name: string }).name];
  if (node.type !== "VariableDeclaration") return [];
  const names: string[] = [];
  const walk = (target: Node | null): void => {
    if (target === null) return;
    if (target.type === "Identifier") names.push(target["name"] as string);
    for (const e of (target["elements"] as Node[] | undefined) ?? []) walk(e);
    for (const p of (target["properties"] as Node[] | undefined) ?? []) walk(p["value"] as Node);
  };
  for (const d of node["declarations"] as Node[]) walk(d["id"] as Node);
  return names;
}

/** The comment behind a statement: what it gives, in Python's words. */
function sideNote(node: Node): string {
  const comments = (node["trailingComments"] ?? []) as Comment[];
  const own = comments.find((c) => c.type === "CommentLine" && c.loc.start.line === node.loc.end.line);
  return (own?.value ?? "")
    .trim()
    .replace(/\btrue\b/g, "True")
    .replace(/\bfalse\b/g, "False")
    .replace(/\bnull\b/g, "None");
}

function isClaim(node: Node): boolean {
  const call = node["expression"] as Node | undefined;
  const name = (call?.["callee"] as { name?: string } | undefined)?.name;
  return name === "check" || name === "checkThrows" || name === "finish";
}
