/**
 * @file The imports of a source in all forms: relative or by layer, of values or only of types.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { file_of } from "./codegen/module_path.ts";

export interface Import {
  /** The file's path in the repository, or a package's name. */
  readonly to: string;
  /** Whether only types are imported, so that nothing remains at run time. */
  readonly type_only: boolean;
}

/** The imports of a file, in the order of its text. */
export function imports_of(path: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node, type_only: boolean): void => {
    if (ts.isStringLiteral(specifier)) found.push({ to: file_of(path, specifier.text) ?? specifier.text, type_only });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    // `import("x")` may be anywhere; the other forms are at the top.
    if (ts.isSourceFile(node) || text.includes("import(")) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

/** The TypeScript sources below some folders, by path from `root`. */
export function read_sources(root: string, folders: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of folders)
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort())
      if (entry.endsWith(".ts")) {
        const path = `${folder}/${entry.replaceAll("\\", "/")}`;
        files.set(path, readFileSync(join(root, path), "utf8"));
      }
  return files;
}
