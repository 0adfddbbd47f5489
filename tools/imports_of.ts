/**
 * @file The imports of a source in all forms: relative or by layer, of values or only of types.
 * @original
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as TypeScript from "typescript";
import { file_of } from "./codegen/module_path.ts";

export interface Import {
  /** The file's path in the repository, or a package's name. */
  readonly to: string;
  /** Whether only types are imported, so that nothing remains at run time. */
  readonly type_only: boolean;
}

/** `import … from "x"`, `import "x"`, `export … from "x"`: a declaration begins its line and contains no call or body. */
const DECLARATION = /^(?:import|export)\s+(?:(type)\s+(?!from\b))?(?:[\w\s{},*$]*?\bfrom\s*)?["']([^"'\n]+)["']/gm;
const EXPRESSION = /\bimport\s*\(/;

/** The imports of a file, in the order of its text; those in expressions and types come last. */
export function imports_of(path: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, type_only: boolean): void => {
    found.push({ to: file_of(path, specifier) ?? specifier, type_only });
  };
  for (const [, type, specifier] of text.matchAll(DECLARATION)) add(specifier as string, type !== undefined);
  if (EXPRESSION.test(text)) for_each_expression(path, text, add);
  return found;
}

/** `import("x")` as a type or as a call may be anywhere: the few files with one are parsed. */
function for_each_expression(path: string, text: string, add: (specifier: string, type_only: boolean) => void): void {
  const ts: typeof TypeScript = createRequire(import.meta.url)("typescript");
  const visit = (node: TypeScript.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
      add(node.argument.literal.text, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteral(specifier)) add(specifier.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
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
