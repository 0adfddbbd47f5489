/**
 * @file The printer of typed statements as JavaScript, one per line.
 * @original The C++ compiler generates code.
 */
import type { JsPrinter } from "./print_js.ts";
import type { Block, Declaration, Statement } from "./tree.ts";

export function printStatements(list: Block, indent: string, js: JsPrinter): string[] {
  return list.flatMap((s) => printStatement(s, indent, js));
}

function printStatement(s: Statement, indent: string, js: JsPrinter): string[] {
  const inner = (body: Block): string[] => printStatements(body, `${indent}  `, js);
  switch (s.node) {
    case "declare":
      return [`${indent}${declare(s, js)};`];
    case "expression":
      if (s.value.node === "assert") return [];
      return [`${indent}${s.value.node === "check" ? js.check(s.value) : js.expression(s.value)};`];
    case "return":
      return [`${indent}return${s.values.map((v) => ` ${js.expression(v)}`).join("")};`];
    case "if": {
      const yes = [`${indent}if (${js.expression(s.test)}) {`, ...inner(s.yes)];
      return [...yes, ...(s.no === null ? [] : [`${indent}} else {`, ...inner(s.no)]), `${indent}}`];
    }
    case "for": {
      const init = s.init === null ? "" : s.init.node === "declare" ? declare(s.init, js) : js.expression(s.init);
      const test = s.test === null ? "" : js.expression(s.test);
      const update = s.update.map((e) => js.expression(e)).join(", ");
      return [`${indent}for (${init}; ${test}; ${update}) {`, ...inner(s.body), `${indent}}`];
    }
    case "while":
      return [`${indent}while (${js.expression(s.test)}) {`, ...inner(s.body), `${indent}}`];
    case "do_while":
      return [`${indent}do {`, ...inner(s.body), `${indent}} while (${js.expression(s.test)});`];
    case "block":
      return [`${indent}{`, ...inner(s.body), `${indent}}`];
    case "labeled":
      return [`${indent}${s.label}:`, ...printStatements(s.body, indent, js)];
    case "jump":
      return [`${indent}${s.word}${s.label === null ? "" : ` ${s.label}`};`];
    case "switch": {
      const cases = s.cases.flatMap((c) => [
        `${indent}  ${c.test === null ? "default" : `case ${js.expression(c.test)}`}:`,
        ...printStatements(c.body, `${indent}    `, js),
      ]);
      return [`${indent}switch (${js.expression(s.value)}) {`, ...cases, `${indent}}`];
    }
  }
}

function declare(s: Statement & { readonly node: "declare" }, js: JsPrinter): string {
  const one = (d: Declaration): string => {
    const type = d.annotated ? `: ${js.typeText(d.type)}` : "";
    return `${d.name}${type}${d.value === null ? "" : ` = ${js.expression(d.value)}`}`;
  };
  return `${s.kind} ${s.declarations.map(one).join(", ")}`;
}
