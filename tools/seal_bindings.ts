/**
 * @file What the engine may take for granted once everything is one file: nobody assigns to a function or a class (TypeScript
 * refuses it), and no variable is read before its line has run. `function f() {}` becomes `const f = function () {};` at the
 * file's head, whose value the compiler folds into the callers; `class X {}` becomes `const X = class X {};` where it stands;
 * `let x` becomes `var x`, which is not asked at every read whether it exists yet. Together a fifth of a small operator's time.
 * Comments go (the source map leads to them), and what is left is ASCII: a text with one other letter is kept at twice the size.
 * @original
 */
import { parse } from "@babel/parser";
import MagicString, { type SourceMap } from "magic-string";

/** Only declarations at the top level are touched. */
export function seal_bindings(text: string): { code: string; map: SourceMap } {
  const sealed = new MagicString(text);
  const { program, comments } = parse(text, { sourceType: "module" });
  const { body } = program;
  const head = body.find((node) => node.type !== "ImportDeclaration")?.start ?? 0;
  for (const node of body) {
    const { start, end } = node as { start: number; end: number };
    if (node.type === "FunctionDeclaration" && node.id) {
      const { name, start: name_start, end: name_end } = node.id as { name: string; start: number; end: number };
      const keyword = text.slice(start, name_start).trimEnd(); // `async function`, `function*`
      sealed.overwrite(start, name_end, `const ${name} = ${keyword}`);
      sealed.appendLeft(end, ";\n");
      sealed.move(start, end, head);
    } else if (node.type === "ClassDeclaration" && node.id) {
      sealed.prependRight(start, `const ${node.id.name} = `);
      sealed.appendLeft(end, ";");
    } else if (node.type === "VariableDeclaration" && node.kind === "let") {
      sealed.overwrite(start, start + "let".length, "var");
    }
  }
  let code_from = 0;
  for (const comment of [...(comments ?? []), { start: text.length, end: text.length }]) {
    const start = comment.start as number;
    for (const { 0: letter, index } of text.slice(code_from, start).matchAll(/[\u0080-\uffff]/g)) {
      const escape = `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
      sealed.overwrite(code_from + index, code_from + index + 1, escape);
    }
    code_from = comment.end as number;
    if (start < code_from) sealed.remove(start, code_from);
  }
  return { code: sealed.toString(), map: sealed.generateMap({ hires: "boundary" }) };
}
