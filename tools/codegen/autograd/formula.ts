/**
 * @file A formula of derivatives.yaml: checks its names and turns it into statements that evaluate in PyTorch's order.
 * @original In PyTorch a formula is C++ text that the compiler checks. Here nobody would look before the node runs, so we do.
 */
import { parseExpression } from "@babel/parser";
import { CodegenError, type Place } from "../errors.ts";

/** What a formula may name, besides the classes below. */
export interface FormulaScope {
  /** Exported by FunctionsManual.ts. */
  readonly helpers: ReadonlySet<string>;
  /** Unambiguous names in `at`. */
  readonly at_functions: ReadonlySet<string>;
  /** Methods of Tensor. */
  readonly methods: ReadonlySet<string>;
}

/** Names of a formula that are values: what was saved, and the gradients. */
export interface FormulaVariables {
  readonly tensors: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** What the statements of a formula need from other files. */
export interface FormulaImports {
  readonly helpers: Set<string>;
  readonly values: Set<string>;
  at: boolean;
}

/** Classes and constants in scope of every formula, and where they come from. */
export const FORMULA_VALUES: Readonly<Record<string, string>> = {
  Tensor: "src/aten/generated/core/TensorBody.ts",
  TensorGeometry: "src/aten/TensorGeometry.ts",
  TensorOptions: "src/c10/core/TensorOptions.ts",
  Scalar: "src/c10/core/Scalar.ts",
  ScalarType: "src/c10/core/ScalarType.ts",
  MemoryFormat: "src/c10/core/MemoryFormat.ts",
  Layout: "src/c10/core/Layout.ts",
  GradMode: "src/c10/core/GradMode.ts",
};
const GLOBALS = new Set(["Math", "Infinity", "NaN", "undefined", "Number"]);

/** Methods that read and call no operator; when they run does not show in a path. */
export const READING_METHODS: ReadonlySet<string> = new Set([
  "conj",
  "options",
  "scalar_type",
  "dtype",
  "dim",
  "numel",
  "sym_numel",
  "sizes",
  "sym_sizes",
  "strides",
  "sym_strides",
  "size",
  "stride",
  "layout",
  "device",
  "defined",
  "is_complex",
  "is_floating_point",
  "requires_grad",
  "storage_offset",
]);

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const EXPRESSIONS = new Set([
  "CallExpression",
  "NewExpression",
  "MemberExpression",
  "Identifier",
  "NumericLiteral",
  "StringLiteral",
  "BooleanLiteral",
  "NullLiteral",
  "ConditionalExpression",
  "LogicalExpression",
  "UnaryExpression",
  "BinaryExpression",
  "ArrayExpression",
  "ParenthesizedExpression",
  "TSAsExpression",
  "TSNonNullExpression",
  "SpreadElement",
]);
const OPERATOR_METHODS: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "**": "pow",
};

/** `field` names the YAML line's key in messages. */
export class Formula {
  private readonly text: string;
  private readonly root: AstNode;
  private readonly scope: FormulaScope;
  private readonly variables: FormulaVariables;
  private readonly place: Place;
  private readonly field: string;
  private temporaries = 0;

  constructor(text: string, scope: FormulaScope, variables: FormulaVariables, place: Place, field: string) {
    this.text = text;
    this.scope = scope;
    this.variables = variables;
    this.place = place;
    this.field = field;
    try {
      this.root = parseExpression(text, {
        plugins: ["typescript"],
        createParenthesizedExpressions: true,
      }) as unknown as AstNode;
    } catch (error) {
      throw this.error(
        `not a TypeScript expression: ${(error as Error).message}`,
        "write one expression; longer work belongs into FunctionsManual.ts",
      );
    }
    this.check(this.root);
  }

  private error(message: string, way_out: string): CodegenError {
    return new CodegenError(this.place, this.field, `in '${this.text}': ${message}`, way_out);
  }

  private check(node: AstNode): void {
    if (!EXPRESSIONS.has(node.type) && !node.type.startsWith("TS"))
      throw this.error(`${node.type} is not allowed in a formula`, "move it to a function in FunctionsManual.ts");
    if (node.type === "Identifier") this.check_name(String(node["name"]), false);
    else if (node.type === "MemberExpression") this.check_member(node);
    else if (node.type === "CallExpression") this.check_call(node);
    else {
      if (node.type === "BinaryExpression" || node.type === "UnaryExpression") this.check_operator(node);
      if (node.type === "BinaryExpression" || node.type === "LogicalExpression") this.check_absent(node);
      if (!node.type.startsWith("TS") || node["expression"] !== undefined)
        for (const child of children(node)) this.check(child);
    }
  }

  private check_name(name: string, called: boolean): void {
    if (
      this.variables.tensors.has(name) ||
      this.variables.others.has(name) ||
      name in FORMULA_VALUES ||
      GLOBALS.has(name)
    )
      return;
    if (this.scope.helpers.has(name) || (called && this.scope.at_functions.has(name))) return;
    const known = [...this.variables.tensors, ...this.variables.others].join(", ");
    throw this.error(
      called ? `no function '${name}'` : `unknown name '${name}'`,
      called
        ? `${similar(name, this.scope.at_functions)}export it from src/torch/csrc-equivalent/autograd/FunctionsManual.ts, or name an at:: function with its overload`
        : `names in scope: ${known}`,
    );
  }

  private check_member(node: AstNode): void {
    const object = node["object"] as AstNode;
    this.check(object);
    if (node["computed"] === true) this.check(node["property"] as AstNode);
    else if (this.is_tensor(object)) {
      const name = String((node["property"] as AstNode)["name"]);
      if (!this.scope.methods.has(name))
        throw this.error(
          `Tensor has no method '${name}'`,
          `${similar(name, this.scope.methods)}methods carry the overload in their name: self.mul_Tensor(other)`,
        );
    }
  }

  private check_call(node: AstNode): void {
    const callee = node["callee"] as AstNode;
    if (callee.type === "Identifier") this.check_name(String(callee["name"]), true);
    else this.check(callee);
    for (const argument of node["arguments"] as AstNode[]) this.check(argument);
  }

  private check_operator(node: AstNode): void {
    const operator = String(node["operator"]);
    const method = OPERATOR_METHODS[operator];
    const operands =
      node.type === "UnaryExpression"
        ? [node["argument"] as AstNode]
        : [node["left"] as AstNode, node["right"] as AstNode];
    if (method === undefined && !["<", ">", "<=", ">=", "==="].includes(operator)) return;
    if (operator === "===" || !operands.some((o) => this.is_tensor(o))) return;
    const way_out =
      node.type === "UnaryExpression"
        ? "write grad.neg()"
        : method === undefined
          ? "write self.ge_Scalar(x), self.eq_Tensor(other)"
          : `write a.${method}_Tensor(b) or a.${method}_Scalar(s)`;
    throw this.error(`'${operator}' on a tensor: TypeScript cannot overload it`, way_out);
  }

  /** An absent `Tensor?` is an undefined tensor in a formula, as in C++: `null` would never be found. */
  private check_absent(node: AstNode): void {
    const left = node["left"] as AstNode;
    const right = node["right"] as AstNode;
    const tensor = this.is_tensor(left) ? left : this.is_tensor(right) ? right : null;
    if (tensor === null || !(node["operator"] === "??" || left.type === "NullLiteral" || right.type === "NullLiteral"))
      return;
    const text = this.text.slice(tensor.start, tensor.end);
    throw this.error("a tensor that was not given is undefined here, not null", `write ${text}.defined()`);
  }

  /** Certainly a tensor, as far as the text shows. */
  private is_tensor(node: AstNode): boolean {
    switch (node.type) {
      case "Identifier":
        return this.variables.tensors.has(String(node["name"]));
      case "MemberExpression":
        return node["computed"] === true && is_name(node["object"], "grads");
      case "ParenthesizedExpression":
        return this.is_tensor(node["expression"] as AstNode);
      case "CallExpression": {
        const callee = node["callee"] as AstNode;
        if (callee.type !== "MemberExpression" || callee["computed"] === true) return false;
        const method = String((callee["property"] as AstNode)["name"]);
        return this.is_tensor(callee["object"] as AstNode) && (method === "conj" || !READING_METHODS.has(method));
      }
      default:
        return false;
    }
  }

  /** Statements that leave the formula's value where `assign` puts it. */
  statements(assign: (value: string) => string, imports: FormulaImports): string[] {
    return this.assign_to(this.root, assign, imports);
  }

  private assign_to(node: AstNode, assign: (value: string) => string, imports: FormulaImports): string[] {
    const inner = unwrap(node);
    if (inner.type === "ConditionalExpression" && this.needs_order(inner)) {
      const before: string[] = [];
      const test = this.print(inner["test"] as AstNode, before, imports);
      const branch = (child: unknown): string[] =>
        this.assign_to(child as AstNode, assign, imports).map((line) => `  ${line}`);
      return [
        ...before,
        `if (${test}) {`,
        ...branch(inner["consequent"]),
        "} else {",
        ...branch(inner["alternate"]),
        "}",
      ];
    }
    const before: string[] = [];
    const value = this.print(inner, before, imports);
    return [...before, assign(value)];
  }

  /** Does evaluation in PyTorch's order need statements of its own somewhere below? */
  private needs_order(node: AstNode): boolean {
    if (is_call(node) && (node["arguments"] as AstNode[]).filter((a) => this.acts(a)).length > 1) return true;
    return children(node).some((child) => this.needs_order(child));
  }

  /** Calls something that may call an operator. */
  private acts(node: AstNode): boolean {
    if (node.type === "CallExpression") {
      const callee = node["callee"] as AstNode;
      const reads =
        callee.type === "MemberExpression" &&
        (READING_METHODS.has(String((callee["property"] as AstNode)["name"])) ||
          is_name(callee["object"], "Scalar") ||
          is_name(callee["object"], "TensorOptions"));
      if (!reads) return true;
    }
    return children(node).some((child) => this.acts(child));
  }

  /** The text of `node`; calls that must run earlier go to `before`. */
  private print(node: AstNode, before: string[], imports: FormulaImports): string {
    if (node.type === "Identifier") return this.print_name(String(node["name"]), imports);
    if (is_call(node) && this.needs_order(node)) return this.print_ordered_call(node, before, imports);
    if (node.type === "ConditionalExpression" && this.needs_order(node)) {
      const name = this.temporary("value");
      before.push(`let ${name};`, ...this.assign_to(node, (value) => `${name} = ${value};`, imports));
      return name;
    }
    let text = "";
    let at = node.start;
    for (const child of children(node)) {
      text += this.text.slice(at, child.start);
      text +=
        node.type === "MemberExpression" && child === node["property"] && node["computed"] !== true
          ? this.text.slice(child.start, child.end)
          : this.print(child, before, imports);
      at = child.end;
    }
    text += this.text.slice(at, node.end);
    return text;
  }

  /** The object first, then the arguments from the last to the first. */
  private print_ordered_call(node: AstNode, before: string[], imports: FormulaImports): string {
    const callee = node["callee"] as AstNode;
    let callee_text: string;
    if (callee.type === "MemberExpression") {
      const object = callee["object"] as AstNode;
      let object_text = this.print(object, before, imports);
      if (this.acts(object)) object_text = this.keep(object_text, "object", before);
      callee_text = object_text + this.text.slice(object.end, callee.end);
    } else callee_text = this.print(callee, before, imports);
    const arguments_ = node["arguments"] as AstNode[];
    const several = arguments_.filter((a) => this.acts(a)).length > 1;
    const printed = arguments_.map(() => "");
    for (let i = arguments_.length - 1; i >= 0; i--) {
      const argument = arguments_[i];
      const text = this.print(argument, before, imports);
      printed[i] = several && this.acts(argument) ? this.keep(text, "arg", before) : text;
    }
    return `${node.type === "NewExpression" ? "new " : ""}${callee_text}(${printed.join(", ")})`;
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

  private print_name(name: string, imports: FormulaImports): string {
    if (this.variables.tensors.has(name) || this.variables.others.has(name)) return name;
    if (name in FORMULA_VALUES) {
      imports.values.add(name);
      return name;
    }
    if (this.scope.helpers.has(name)) {
      imports.helpers.add(name);
      return name;
    }
    if (!this.scope.at_functions.has(name)) return name;
    imports.at = true;
    return `at.${name}`;
  }
}

function is_call(node: AstNode): boolean {
  return node.type === "CallExpression" || node.type === "NewExpression";
}

function is_name(node: unknown, name: string): boolean {
  return (node as AstNode).type === "Identifier" && (node as AstNode)["name"] === name;
}

function unwrap(node: AstNode): AstNode {
  return node.type === "ParenthesizedExpression" ? unwrap(node["expression"] as AstNode) : node;
}

/** The parts of a node in the order of the text. */
function children(node: AstNode): AstNode[] {
  const found: AstNode[] = [];
  for (const [field, value] of Object.entries(node)) {
    if (field === "loc" || field === "extra" || field === "typeAnnotation") continue;
    for (const item of Array.isArray(value) ? value : [value])
      if (typeof item === "object" && item !== null && typeof (item as AstNode).type === "string")
        found.push(item as AstNode);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "did you mean add_Tensor, add_Scalar? " for an overloaded base name, else nothing. */
function similar(name: string, names: ReadonlySet<string>): string {
  const close = [...names].filter((n) => n.startsWith(`${name}_`) && !n.startsWith(`${name}__`)).slice(0, 5);
  return close.length === 0 ? "" : `did you mean ${close.join(", ")}? `;
}
