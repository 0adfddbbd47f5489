/**
 * @file The instances of a `@template` function: its statements, printed for the chosen dtypes. Comments stay in the source.
 * @original The C++ compiler instantiates function templates.
 */
import { MATH } from "./element_types.ts";
import { JsPrinter } from "./print_js.ts";
import { printStatements } from "./print_js_statements.ts";
import { type TypedFunction, VOID } from "./tree.ts";
import type { Uses } from "./uses.ts";

export function emitTemplate(fn: TypedFunction, uses: Uses): string {
  const printer = new JsPrinter(uses, new Set(fn.params.map((p) => p.name)));
  const params = fn.params.map((p) => `${p.name}: ${printer.typeText(p.type)}`).join(", ");
  const body = printStatements(fn.body, "  ", printer);
  const pairs = [...printer.pairs].map((x) => `  const ${x}_pairs = ${uses.helper("int32_pairs", MATH)}(${x});`);
  const head = `function ${fn.name}(${params}): ${printer.typeText(fn.returns[0] ?? VOID)} {`;
  return [head, ...pairs, ...body, "}"].join("\n");
}
