/**
 * @file The public API as the sources declare it: what a module exports, with its signatures and its doc comment, and the line of each.
 * Read from the syntax alone, so that it takes a second.
 * @original
 */
import ts from "typescript";
import { file_of } from "../../tools/codegen/module_path.ts";
import { fileText, mirrorsOf, upstreamPath } from "./repository.ts";

export interface ApiItem {
  readonly name: string;
  readonly kind: "function" | "class" | "property" | "type";
  readonly signatures: readonly string[];
  readonly doc: ApiDoc;
  readonly file: string;
  readonly line: number;
  /** PyTorch's file, as its repository has it; empty where PyTorch has no such thing. */
  readonly mirrors: string;
  /** The members of a class: methods that one calls and properties that one reads. */
  readonly members: readonly ApiItem[];
  /** Its call does nothing but raise (src/torch/_not_built.ts). */
  readonly refuses?: true;
}

export interface ApiDoc {
  readonly text: string;
  readonly params: readonly { readonly name: string; readonly text: string }[];
  readonly returns: string;
  readonly throws: readonly string[];
  readonly examples: readonly string[];
}

const parsed = new Map<string, ts.SourceFile>();

function sourceOf(file: string): ts.SourceFile {
  let source = parsed.get(file);
  if (source === undefined) {
    const text = fileText(file);
    if (text === null) throw new Error(`api: there is no file ${file}`);
    source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    parsed.set(file, source);
  }
  return source;
}

const isPrivate = (name: string): boolean => name.startsWith("_");

/** Everything a module exports under its own names, re-exports followed; namespaces it exports are left to pages of their own. */
export function exportsOf(file: string): ApiItem[] {
  const source = sourceOf(file);
  const items: ApiItem[] = [];
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause === undefined) {
      const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
      items.push(...exportsOf(file_of(file, specifier) ?? specifier));
    } else if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause)
    ) {
      for (const each of statement.exportClause.elements) {
        if (statement.isTypeOnly || each.isTypeOnly) continue;
        const local = (each.propertyName ?? each.name).text;
        const from = statement.moduleSpecifier as ts.StringLiteral | undefined;
        const found = from === undefined ? imported(file, local) : named(file_of(file, from.text) ?? from.text, local);
        if (found !== null) items.push({ ...found, name: each.name.text });
      }
    }
  }
  for (const name of ownExports(source)) {
    const found = named(file, name);
    if (found !== null) items.push(found);
  }
  const seen = new Set<string>();
  return items.filter((item) => !isPrivate(item.name) && !seen.has(item.name) && seen.add(item.name));
}

function ownExports(source: ts.SourceFile): string[] {
  const names: string[] = [];
  for (const statement of source.statements) {
    const exported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
    if (!exported) continue;
    if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name !== undefined)
      names.push(statement.name.text);
    if (ts.isVariableStatement(statement))
      for (const d of statement.declarationList.declarations) if (ts.isIdentifier(d.name)) names.push(d.name.text);
  }
  return [...new Set(names)];
}

/** A name that the file imports, followed to its declaration. */
function imported(file: string, name: string): ApiItem | null {
  for (const statement of sourceOf(file).statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    for (const each of bindings.elements)
      if (each.name.text === name) {
        const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
        return named(file_of(file, specifier) ?? specifier, (each.propertyName ?? each.name).text);
      }
  }
  return named(file, name);
}

/** The declaration `name` of a file: function with its overloads, class, constant. */
export function named(file: string, name: string): ApiItem | null {
  const source = sourceOf(file);
  const functions: ts.FunctionDeclaration[] = [];
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) functions.push(statement);
    if (ts.isClassDeclaration(statement) && statement.name?.text === name) return classItem(file, statement);
    if (ts.isVariableStatement(statement))
      for (const d of statement.declarationList.declarations)
        if (ts.isIdentifier(d.name) && d.name.text === name) return constant(file, name, d, statement);
  }
  if (functions.length > 0) return functionItem(file, name, functions);
  // Re-exported once more.
  for (const statement of source.statements)
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause)
    )
      for (const each of statement.exportClause.elements)
        if (each.name.text === name && statement.moduleSpecifier !== undefined) {
          const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
          return named(file_of(file, specifier) ?? specifier, (each.propertyName ?? each.name).text);
        }
  return null;
}

function place(file: string, node: ts.Node): Pick<ApiItem, "file" | "line" | "mirrors"> {
  const source = sourceOf(file);
  const own = /@mirrors\s+(\S+)/.exec(commentOf(node))?.[1];
  return {
    file,
    line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    mirrors: upstreamPath(own ?? mirrorsOf(file) ?? ""),
  };
}

function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((d) => d.getText())
    .join("\n");
}

type Callable =
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.MethodSignature
  | ts.ConstructorDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction;

/** `name(a: T, b?: U): R`, on one line; a body or an arrow is left out, what has a default is marked. */
function signature(name: string, node: Callable): string {
  const types = node.typeParameters === undefined ? "" : `<${node.typeParameters.map((t) => t.getText()).join(", ")}>`;
  const parameters = node.parameters.map((p) => {
    const given = p.initializer === undefined ? "" : ` = ${flat(p.initializer.getText())}`;
    const optional = p.questionToken === undefined ? "" : "?";
    const type = p.type === undefined ? "" : `: ${flat(p.type.getText())}`;
    const dots = p.dotDotDotToken === undefined ? "" : "...";
    return `${dots}${flat(p.name.getText())}${optional}${type}${given}`;
  });
  const returns = node.type === undefined || ts.isConstructorDeclaration(node) ? "" : `: ${flat(node.type.getText())}`;
  return `${name}${types}(${parameters.join(", ")})${returns}`;
}

function flat(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/\( /g, "(")
    .replace(/ \)/g, ")")
    .replace(/,\)/g, ")")
    .trim();
}

function functionItem(file: string, name: string, nodes: readonly Callable[]): ApiItem {
  const overloads = nodes.length > 1 ? nodes.filter((n) => !("body" in n) || n.body === undefined) : nodes;
  const shown = overloads.length > 0 ? overloads : nodes;
  const documented = nodes.find((n) => commentOf(n) !== "") ?? nodes[0];
  return {
    name,
    kind: "function",
    signatures: shown.map((n) => signature(name, n)),
    doc: docOf(documented),
    ...place(file, nodes[0]),
    members: [],
  };
}

/** A constant: an arrow function, another name of a function, or a value. */
function constant(file: string, name: string, d: ts.VariableDeclaration, statement: ts.VariableStatement): ApiItem {
  const value = d.initializer;
  const own = docOf(statement);
  if (value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)))
    return { ...functionItem(file, name, [value]), doc: own, ...place(file, statement) };
  const declared = value === undefined ? null : python_signature(value);
  if (declared !== null)
    return { name, kind: "function", signatures: [declared], doc: own, ...place(file, statement), members: [] };
  if (value !== undefined && refuses(file, value)) return { ...valueItem(file, name, d, statement), refuses: true };
  const alias = value === undefined ? null : aliased(value.getText());
  if (alias !== null) return { ...alias, name, doc: own.text === "" ? alias.doc : own, ...place(file, statement) };
  return valueItem(file, name, d, statement);
}

function valueItem(file: string, name: string, d: ts.VariableDeclaration, statement: ts.VariableStatement): ApiItem {
  const type = d.type === undefined ? "" : `: ${flat(d.type.getText())}`;
  const doc = docOf(statement);
  return { name, kind: "property", signatures: [`${name}${type}`], doc, ...place(file, statement), members: [] };
}

/** `not_built(...)`, `needs_cuda("init()")`: what the called function returns is declared. */
function refuses(file: string, value: ts.Expression): boolean {
  if (!ts.isCallExpression(value) || !ts.isIdentifier(value.expression)) return false;
  const maker = DEF.has(value.expression.text) ? null : imported(file, value.expression.text);
  return maker?.signatures[0]?.endsWith(": NotBuilt") === true;
}

/** The functions that declare a signature. `def_overridable` marks tensors in it, which the page does not show. */
const DEF: ReadonlySet<string> = new Set(["def", "def_overridable"]);

/** `def("grad(outputs, inputs, ...)", fn)`: what is Python in PyTorch is declared by its Python signature (src/torch/_signature.ts). */
function python_signature(value: ts.Expression): string | null {
  let call = value;
  while (ts.isAsExpression(call)) call = call.expression;
  if (!ts.isCallExpression(call) || !DEF.has(call.expression.getText())) return null;
  const [text] = call.arguments;
  return text !== undefined && ts.isStringLiteralLike(text) ? text.text.replaceAll(": Tensor", "") : null;
}

const GENERATED = "src/torch/_C/generated/";

/** `_VF.prelu`, `_C._nn.linear`: the typed declaration that codegen wrote. */
function aliased(text: string): ApiItem | null {
  const found = /^(?:_C\.)?(_VF|_VariableFunctions|_nn|_special)\.(\w+)$/.exec(text);
  if (found === null) return null;
  const file = `${GENERATED}${/^_(?:nn|special)$/.test(found[1]) ? found[1] : "_VariableFunctions"}.ts`;
  return interfaceItems(file).find((item) => item.name === found[2]) ?? null;
}

/** The members of all interfaces of a file, overloads together: how codegen and the hand-written typings declare functions. */
export function interfaceItems(file: string, wanted?: string): ApiItem[] {
  const items: ApiItem[] = [];
  for (const statement of sourceOf(file).statements)
    if (ts.isInterfaceDeclaration(statement) && (wanted === undefined || statement.name.text === wanted))
      items.push(...memberItems(file, statement.members));
  return items;
}

function memberItems(file: string, members: ts.NodeArray<ts.TypeElement | ts.ClassElement>): ApiItem[] {
  const methods = new Map<string, Callable[]>();
  const items: ApiItem[] = [];
  const position = new Map<string, number>();
  for (const member of members) {
    if (ts.isConstructorDeclaration(member) || member.name === undefined) continue;
    const name = member.name.getText();
    if (isPrivate(name) || name.startsWith("[") || name.startsWith("#")) continue;
    const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
    if (modifiers.some((m) => m.kind === ts.SyntaxKind.PrivateKeyword || m.kind === ts.SyntaxKind.ProtectedKeyword))
      continue;
    if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) {
      const known = methods.get(name);
      if (known === undefined) {
        methods.set(name, [member]);
        position.set(name, items.length);
        items.push({} as ApiItem);
      } else known.push(member);
    } else if (!ts.isSetAccessorDeclaration(member) && !position.has(name)) {
      position.set(name, items.length);
      items.push(propertyItem(file, name, member));
    }
  }
  for (const [name, nodes] of methods) items[position.get(name) as number] = functionItem(file, name, nodes);
  return items;
}

function propertyItem(
  file: string,
  name: string,
  member: ts.TypeElement | ts.ClassElement | ts.GetAccessorDeclaration,
): ApiItem {
  const type = (member as ts.PropertySignature | ts.GetAccessorDeclaration).type;
  const text = type === undefined ? "" : `: ${flat(type.getText())}`;
  return {
    name,
    kind: "property",
    signatures: [`${name}${text}`],
    doc: docOf(member),
    ...place(file, member),
    members: [],
  };
}

function classItem(file: string, node: ts.ClassDeclaration): ApiItem {
  const name = node.name?.text as string;
  const constructors = node.members.filter(ts.isConstructorDeclaration);
  const overloads = constructors.length > 1 ? constructors.filter((c) => c.body === undefined) : constructors;
  const inherits = node.heritageClauses?.find((h) => h.token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.getText();
  const own = docOf(node);
  const of = overloads.find((c) => commentOf(c) !== "");
  return {
    name,
    kind: "class",
    signatures:
      overloads.length > 0
        ? overloads.map((c) => `new ${python_arguments(file, name, c) ?? signature(name, c)}`)
        : [`class ${name}${inherits === undefined ? "" : ` extends ${flat(inherits)}`}`],
    doc: of === undefined ? own : merged(own, docOf(of)),
    ...place(file, node),
    members: memberItems(file, node.members),
  };
}

/** `...args: GRUArgs`, where `type GRUArgs = Args<"(self, input_size, ...)", ...>`. */
function python_arguments(file: string, name: string, constructor: ts.ConstructorDeclaration): string | null {
  const type = constructor.parameters[0]?.type?.getText();
  for (const statement of sourceOf(file).statements) {
    if (!ts.isTypeAliasDeclaration(statement) || statement.name.text !== type) continue;
    const found = /^Args<\s*"\((?:self, )?(.*)\)"/.exec(statement.type.getText());
    if (found !== null) return `${name}(${found[1]})`;
  }
  return null;
}

function merged(a: ApiDoc, b: ApiDoc): ApiDoc {
  return {
    text: [a.text, b.text].filter((t) => t !== "").join("\n\n"),
    params: [...a.params, ...b.params],
    returns: a.returns || b.returns,
    throws: [...a.throws, ...b.throws],
    examples: [...a.examples, ...b.examples],
  };
}

const MACHINE_TAGS = new Set(["mirrors", "original", "differs", "symbol", "file", "see", "source"]);

/** A doc comment in parts. */
function docOf(node: ts.Node): ApiDoc {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const last = comments.at(-1);
  const doc = {
    text: "",
    params: [] as { name: string; text: string }[],
    returns: "",
    throws: [] as string[],
    examples: [] as string[],
  };
  // The header of a file stands before its first declaration, but is not about it.
  if (last === undefined || /@file\b/.test(last.getText())) return doc;
  const raw = last
    .getText()
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n");
  const parts = raw.split(/^\s*@(?=\w+)/m);
  doc.text = paragraph(parts[0] ?? "");
  for (const part of parts.slice(1)) {
    const tag = /^\w+/.exec(part)?.[0] as string;
    const body = part.slice(tag.length).trim();
    if (tag === "param") {
      const name = /^[\w.$]+/.exec(body)?.[0] ?? "";
      doc.params.push({ name, text: paragraph(body.slice(name.length).replace(/^\s*-\s*/, "")) });
    } else if (tag === "returns") doc.returns = paragraph(body);
    else if (tag === "throws") doc.throws.push(paragraph(body));
    else if (tag === "example") doc.examples.push(body.replace(/^```\w*\n|\n```$/g, ""));
    else if (!MACHINE_TAGS.has(tag)) doc.text += ` @${part}`;
  }
  return doc;
}

function paragraph(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((p) => p.replace(/\s*\n\s*/g, " "))
    .join("\n\n");
}

/** The entries of an object literal `name` of a file: `no_grad: autograd.no_grad`, methods, arrows, values. */
export function objectItems(file: string, name: string): ApiItem[] {
  const source = sourceOf(file);
  const spaces = namespaces(file);
  const items: ApiItem[] = [];
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const d of statement.declarationList.declarations) {
      if (
        !ts.isIdentifier(d.name) ||
        d.name.text !== name ||
        d.initializer === undefined ||
        !ts.isObjectLiteralExpression(d.initializer)
      )
        continue;
      for (const property of d.initializer.properties) {
        const key = property.name?.getText() ?? "";
        if (isPrivate(key)) continue;
        if (ts.isMethodDeclaration(property)) items.push(functionItem(file, key, [property]));
        else if (ts.isGetAccessorDeclaration(property)) items.push(propertyItem(file, key, property));
        else if (ts.isShorthandPropertyAssignment(property)) {
          const found = imported(file, key);
          if (found !== null) items.push({ ...found, name: key });
        } else if (ts.isPropertyAssignment(property)) {
          const value = property.initializer;
          const dotted = /^(\w+)\.(\w+)$/.exec(value.getText());
          const space = dotted === null ? undefined : spaces.get(dotted[1]);
          const declared = python_signature(value);
          if (declared !== null) {
            const at = { doc: docOf(property), ...place(file, property), members: [] };
            items.push({ name: key, kind: "function", signatures: [declared], ...at });
          } else if (ts.isArrowFunction(value))
            items.push({ ...functionItem(file, key, [value]), doc: docOf(property), ...place(file, property) });
          else if (space !== undefined) {
            const found = named(space, dotted?.[2] as string);
            if (found !== null) items.push({ ...found, name: key });
          } else if (ts.isIdentifier(value)) {
            const found = imported(file, value.text);
            if (found !== null) items.push({ ...found, name: key });
          }
        }
      }
    }
  }
  return items;
}

/** `import * as nn from "./nn/index.ts"`: nn -> its file. */
function namespaces(file: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of sourceOf(file).statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    const target = file_of(file, (statement.moduleSpecifier as ts.StringLiteral).text);
    if (target !== null && bindings !== undefined && ts.isNamespaceImport(bindings))
      found.set(bindings.name.text, target);
  }
  return found;
}
