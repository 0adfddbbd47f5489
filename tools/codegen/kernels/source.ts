/**
 * @file The reader of hand-written kernel files: functions with `@loop` or `@template`, their parameters, their bodies
 * for particular dtypes (`x$int64`), and the signatures of helpers that they may call.
 * @original PyTorch needs no such reader: the C++ compiler instantiates lambdas inside AT_DISPATCH.
 */
import { parse } from "@babel/parser";
import { at, CodegenError, type Place } from "../errors.ts";
import type { ElementType } from "./element_types.ts";
import { parseTypeList } from "./type_lists.ts";

/** An AST node, typed loosely enough to be walked. */
// biome-ignore lint/suspicious/noExplicitAny: nodes are walked generically
export type Node = any;

export interface Param {
  readonly name: string;
  /** The text of the type annotation: `scalar_t`, `data<acc_t>`, `captured<Foo>`. */
  readonly type: string;
  readonly node: Node;
}

export interface TypeVariable {
  readonly name: string;
  readonly types: readonly ElementType[];
}

export interface KernelFunction {
  readonly kind: "loop" | "template";
  readonly name: string;
  /** The scalar function itself: `name` without the part that distinguishes its sets of loops. */
  readonly symbol: string;
  /** Its name in PyTorch's errors: `mul_cpu`. */
  readonly label: string;
  readonly variables: readonly TypeVariable[];
  readonly body: FunctionText;
  /** Bodies for particular dtypes, by suffix (`int64`, `integral`). */
  readonly overrides: ReadonlyMap<string, FunctionText>;
}

export interface FunctionText {
  readonly name: string;
  readonly params: readonly Param[];
  readonly returnType: string;
  readonly node: Node;
  readonly line: number;
}

export interface KernelFile {
  readonly path: string;
  readonly text: string;
  readonly kernels: readonly KernelFunction[];
  /** Module specifier of each imported or exported type, for types in the annotations of captured parameters. */
  readonly imports: ReadonlyMap<string, string>;
  /** Module-level constants with a literal value; kernel text may use them. */
  readonly constants: ReadonlyMap<string, string>;
}

export function parseModule(path: string, text: string): Node[] {
  try {
    return parse(text, { sourceType: "module", plugins: ["typescript"] }).program.body;
  } catch (error) {
    const line = (error as { loc?: { line: number } }).loc?.line ?? 0;
    throw new CodegenError({ file: path, line }, "syntax", (error as Error).message, "mend the TypeScript syntax");
  }
}

const TYPE_DECLARATIONS = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "ClassDeclaration"]);
const TAG = /@(loop|template)\s+([\w$]+)\s*(.*)/;
const MARK = /^\s*(?:\/\*)?\*+\s*.*@(?:loop|template)\s/m;

/** Whether the file holds kernels: a cheap test before parsing. */
export function hasKernels(text: string): boolean {
  return MARK.test(text);
}

export function readKernelFile(path: string, text: string): KernelFile {
  const kernels: KernelFunction[] = [];
  const imports = new Map<string, string>();
  const constants = new Map<string, string>();
  const own = `./${path.slice(path.lastIndexOf("/") + 1)}`;
  const functions = new Map<string, FunctionText>();
  const tagged: { fn: FunctionText; tag: RegExpExecArray }[] = [];
  for (const node of parseModule(path, text)) {
    if (node.type === "ImportDeclaration") {
      for (const s of node.specifiers) imports.set(s.local.name, node.source.value);
      continue;
    }
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (node.type === "ExportNamedDeclaration" && TYPE_DECLARATIONS.has(declaration?.type))
      imports.set(declaration.id.name, own);
    if (declaration?.type === "VariableDeclaration" && declaration.kind === "const") {
      for (const d of declaration.declarations) {
        if (d.id.type === "Identifier" && d.init && isConstantExpression(d.init)) {
          constants.set(d.id.name, text.slice(d.init.start, d.init.end));
        }
      }
    }
    if (declaration?.type !== "FunctionDeclaration") continue;
    const fn = readFunction(declaration, text);
    functions.set(fn.name, fn);
    for (const comment of node.leadingComments ?? []) {
      const tag = TAG.exec(comment.value.replace(/\n\s*\*/g, " ").replace(/\s+/g, " "));
      if (tag !== null) tagged.push({ fn, tag });
    }
  }
  for (const { fn, tag } of tagged) {
    const place: Place = { file: path, line: fn.line };
    const overrides = new Map<string, FunctionText>();
    for (const [name, other] of functions) {
      if (name.startsWith(`${fn.name}$`)) overrides.set(name.slice(fn.name.length + 1), other);
    }
    // `bool | scalar_t`: loops that store truth values, and, named `<name>_scalar_t`, loops that store them as elements.
    for (const [k, returnType] of fn.returnType
      .split("|")
      .map((s) => s.trim())
      .entries()) {
      kernels.push({
        kind: tag[1] as "loop" | "template",
        name: k === 0 ? fn.name : `${fn.name}_${returnType}`,
        symbol: fn.name,
        ...at(place, `@${tag[1]}`, () => readTag(tag[2], tag[3])),
        body: { ...fn, returnType },
        overrides: new Map([...overrides].map(([suffix, o]) => [suffix, { ...o, returnType }])),
      });
    }
  }
  return { path, text, kernels, imports, constants };
}

function isConstantExpression(node: Node): boolean {
  switch (node.type) {
    case "NumericLiteral":
      return true;
    case "UnaryExpression":
      return isConstantExpression(node.argument);
    case "BinaryExpression":
      return isConstantExpression(node.left) && isConstantExpression(node.right);
    case "MemberExpression":
      return node.object.type === "Identifier" && (node.object.name === "Math" || node.object.name === "Number");
    default:
      return false;
  }
}

/** `mul_cpu: Bool, all types` or `copy_kernel dst_t: Bool; src_t: all types`. */
function readTag(label: string, rest: string): { label: string; variables: TypeVariable[] } {
  const text = rest.replace(/@.*$/, "").trim();
  if (text.startsWith(":")) return { label, variables: [{ name: "scalar_t", types: parseTypeList(text.slice(1)) }] };
  const variables = text.split(";").map((part) => {
    const colon = part.indexOf(":");
    return { name: part.slice(0, colon).trim(), types: parseTypeList(part.slice(colon + 1)) };
  });
  return { label, variables };
}

export function readFunction(node: Node, text: string): FunctionText {
  const params: Param[] = node.params.map((p: Node) => {
    const id = p.type === "AssignmentPattern" ? p.left : p;
    const annotation = id.typeAnnotation?.typeAnnotation;
    return { name: id.name, type: annotation ? text.slice(annotation.start, annotation.end) : "number", node: p };
  });
  const returns = node.returnType?.typeAnnotation;
  return {
    name: node.id.name,
    params,
    returnType: returns ? text.slice(returns.start, returns.end) : "void",
    node,
    line: node.loc.start.line,
  };
}

export interface Helper {
  readonly name: string;
  /** Repository path of the module that exports the helper. */
  readonly module: string;
  readonly params: readonly string[];
  readonly returnType: string;
  readonly body: FunctionText;
  /** The text of `e` if the body is only `return e;` over parameters, numbers and `Math`: such a helper is inlined. */
  readonly inline: string | null;
  /** The ranges in `inline` where each parameter is used. */
  readonly uses: readonly (readonly (readonly [number, number])[])[];
}

/** The exported functions of a module that kernel text may call. */
export function readHelpers(path: string, text: string): Helper[] {
  const helpers: Helper[] = [];
  for (const node of parseModule(path, text)) {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : null;
    if (declaration?.type !== "FunctionDeclaration") continue;
    const fn = readFunction(declaration, text);
    const names = fn.params.map((p) => p.name);
    const only = declaration.body.body.length === 1 ? declaration.body.body[0] : null;
    let inline: string | null = null;
    const uses: [number, number][][] = names.map(() => []);
    if (only?.type === "ReturnStatement" && only.argument) {
      const expression = only.argument;
      inline = text.slice(expression.start, expression.end);
      walk(expression, (n, parent) => {
        if (
          n.type !== "Identifier" ||
          (parent?.type === "MemberExpression" && parent.property === n && !parent.computed)
        )
          return;
        const k = names.indexOf(n.name);
        if (k >= 0) uses[k]?.push([n.start - expression.start, n.end - expression.start]);
        else if (n.name !== "Math" && n.name !== "Number") inline = null;
      });
    }
    helpers.push({ name: fn.name, module: path, params: names, returnType: fn.returnType, body: fn, inline, uses });
  }
  return helpers;
}

/** Calls `visit` for `node` and every node below it. */
export function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  visit(node, parent);
  for (const key of Object.keys(node)) {
    if (key === "loc" || key === "leadingComments" || key === "trailingComments" || key === "innerComments") continue;
    const child = node[key];
    if (Array.isArray(child)) {
      for (const c of child) if (c && typeof c.type === "string") walk(c, visit, node);
    } else if (child && typeof child.type === "string") walk(child, visit, node);
  }
}
