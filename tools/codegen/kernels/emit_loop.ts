/**
 * @file The loops of a `@loop` scalar function: one function for each combination of dtypes, because V8 optimizes each
 * function text separately, and a loop shared by operators or dtypes runs ten to fifty times slower.
 *
 * A loop walks an n by m tile. Operand k is the array `xk`; element (i, j) is at `ok + i * sk + j * tk`. Outputs come first.
 *
 *   if all sk are 1        contiguous rows
 *   if one input has 0     that input is one value, read once
 *   else                   any strides
 *
 * The first case is worth its text (it saves a twentieth of the time) only if elements are floats that need no
 * conversion. The second saves a third, and exists only if no vector loop handles such rows.
 * @mirrors aten/src/ATen/native/cpu/Loops.h
 */
import { CodegenError } from "../errors.ts";
import { braced } from "../layout.ts";
import { isCaptured } from "./annotations.ts";
import { type ElementType, MATH } from "./element_types.ts";
import { JsPrinter } from "./print_js.ts";
import { printStatements } from "./print_js_statements.ts";
import type { FunctionText } from "./source.ts";
import { type Block, type Declaration, type Expression, eachExpression, type TypedFunction } from "./tree.ts";
import { returns } from "./typing_statements.ts";
import type { Uses } from "./uses.ts";

interface Operand {
  readonly t: ElementType;
  /** The parameter's name; null for an output. */
  readonly name: string | null;
  /** Whether an int64 is read or written as two int32, because kernel text needs (or has) a plain number. */
  readonly pairs: boolean;
}

const RESERVED = /^(?:[xostip]\d+|n|m|j|i)$/;

/** Throws if a parameter has the name of one of the loop's own variables. */
export function checkLoopNames(file: string, fn: FunctionText): void {
  for (const p of fn.params) {
    if (!RESERVED.test(p.name)) continue;
    const message = `the parameter name "${p.name}" is used by the generated loop`;
    throw new CodegenError({ file, line: p.node.loc.start.line }, "kernel text", message, "give it a longer name");
  }
}

/**
 * One instance as program text. `fn` is typed, `text` is the author's; `short`: one loop for all strides, because
 * vectors handle dense rows or speed does not matter.
 */
export function emitLoop(fn: TypedFunction, text: FunctionText, uses: Uses, short: boolean): string {
  const captured = new Set(text.params.filter((p) => isCaptured(p.type)).map((p) => p.name));
  return new LoopText(fn, captured, uses).print(short);
}

class LoopText {
  private readonly fn: TypedFunction;
  private readonly uses: Uses;
  private readonly printer: JsPrinter;
  private readonly operands: readonly Operand[];
  private readonly captures: TypedFunction["params"];

  constructor(fn: TypedFunction, captured: ReadonlySet<string>, uses: Uses) {
    this.fn = fn;
    this.uses = uses;
    this.captures = fn.params.filter((p) => captured.has(p.name));
    const inputs = fn.params.filter((p) => !captured.has(p.name));
    const asNumbers = new Set(inputs.filter((p) => isOnlyCast(fn, p.name)).map((p) => p.name));
    this.printer = new JsPrinter(uses, new Set(), asNumbers);
    const [only] = fn.body.length === 1 && fn.body[0]?.node === "return" ? fn.body[0].values : [];
    const storesNumber = fn.returns.length === 1 && only && this.printer.numberBehindCast(only) !== null;
    this.operands = [
      ...fn.returns.map((type): Operand => ({ t: elementOf(type), name: null, pairs: storesNumber === true })),
      ...inputs.map((p): Operand => ({ t: elementOf(p.type), name: p.name, pairs: asNumbers.has(p.name) })),
    ];
  }

  print(short: boolean): string {
    const { operands } = this;
    const outputs = this.fn.returns.length;
    const params = ["n: number", "m: number"];
    for (const [k, o] of operands.entries())
      params.push(`x${k}: ${o.t.js.array}, o${k}: number, s${k}: number, t${k}: number`);
    for (const c of this.captures) params.push(`${c.name}: ${this.printer.typeText(c.type)}`);
    const lines = [`function ${this.fn.name}(${params.join(", ")}): void {`];
    for (const [k, o] of operands.entries()) {
      if (o.pairs) lines.push(`  const p${k} = ${this.uses.helper("int32_pairs", MATH)}(x${k});`);
    }
    const advance = operands.map((_, k) => `o${k} += t${k}`).join(", ");
    lines.push(`  for (let j = 0; j < m; j++, ${advance}) {`);
    const rows: number[] = operands.every((o) => o.t.class === "floating") ? [-1] : [];
    if (operands.length > outputs + 1 && !short) for (let k = outputs; k < operands.length; k++) rows.push(k);
    const strides = (loose: number): string => operands.map((_, k) => `s${k} === ${k === loose ? 0 : 1}`).join(" && ");
    for (const [i, loose] of rows.entries())
      lines.push(`    ${i === 0 ? "" : "} else "}if (${strides(loose)}) {`, ...this.dense(loose));
    const start = operands.map((_, k) => `i${k} = o${k}`).join(", ");
    const step = operands.map((_, k) => `i${k} += s${k}`).join(", ");
    const head = `for (let i = 0, ${start}; i < n; i++, ${step})`;
    const strided = this.body(-1, (k) => `i${k}`);
    if (rows.length === 0) lines.push(...braced(head, strided, "    "));
    else lines.push("    } else {", ...braced(head, strided, "      "), "    }");
    return [...lines, "  }", "}"].join("\n");
  }

  /** The loop over contiguous rows; operand `scalar` (if not -1) is one value for the whole row. */
  private dense(scalar: number): string[] {
    const o = this.operands[scalar];
    const first = o ? [`      const ${o.name} = ${this.load(o, scalar, `o${scalar}`)};`] : [];
    const body = this.body(scalar, (k) => `o${k} + i`);
    return [...first, ...braced("for (let i = 0; i < n; i++)", body, "      ")];
  }

  private body(scalar: number, index: (k: number) => string): string[] {
    const loads = this.operands.flatMap((o, k) =>
      o.name === null || k === scalar ? [] : [`const ${o.name} = ${this.load(o, k, index(k))};`],
    );
    return [...loads, ...this.statements(this.fn.body, "", index)];
  }

  private load(o: Operand, k: number, index: string): string {
    if (o.pairs) return `${this.uses.helper("load_int64", MATH)}(p${k}, ${index})`;
    return this.printer.loadText(`x${k}`, index, o.t);
  }

  /**
   * `if (c) return a; return b;` -> `if (c) { x0[i] = a; } else { x0[i] = b; }`: statements after an `if` that may
   * return move to its other branch, so that `return` becomes a store.
   */
  private statements(list: Block, indent: string, index: (k: number) => string): string[] {
    const out: string[] = [];
    for (const [position, s] of list.entries()) {
      const rest = list.slice(position + 1);
      const andRest = (branch: Block): Block => (branch.some(returns) ? branch : [...branch, ...rest]);
      switch (s.node) {
        case "declare":
          for (const d of s.declarations) out.push(`${indent}${this.declare(d)}`);
          break;
        case "expression":
          out.push(...printStatements([s], indent, this.printer));
          break;
        case "return":
          return out.concat(s.values.map((value, k) => `${indent}${this.store(value, k, index(k))};`));
        case "block":
          return out.concat(this.statements(andRest(s.body), indent, index));
        case "if":
          return [
            ...out,
            `${indent}if (${this.printer.expression(s.test)}) {`,
            ...this.statements(andRest(s.yes), `${indent}  `, index),
            `${indent}} else {`,
            ...this.statements(andRest(s.no ?? []), `${indent}  `, index),
            `${indent}}`,
          ];
      }
    }
    return out;
  }

  private declare(d: Declaration): string {
    return `const ${d.name} = ${this.printer.expression(d.value as Expression)};`;
  }

  private store(value: Expression, k: number, index: string): string {
    const o = this.operands[k];
    if (o.pairs)
      return `${this.uses.helper("store_int64", MATH)}(p${k}, ${index}, ${this.printer.numberBehindCast(value)})`;
    return this.printer.storeText(`x${k}`, index, o.t, this.printer.expression(value));
  }
}

function elementOf(type: TypedFunction["returns"][number]): ElementType {
  return (type as { readonly t: ElementType }).t;
}

/** Whether `name` is an int64 that is only used in casts to types other than integers: it can then be read as a number. */
function isOnlyCast(fn: TypedFunction, name: string): boolean {
  let casts = 0;
  let others = 0;
  eachExpression(fn.body, (e, parent) => {
    if (e.node !== "name" || e.name !== name) return;
    const pairs = e.type.k === "element" && e.type.t.js.pairs;
    const to = parent?.node === "cast" ? parent.type : null;
    if (pairs && to !== null && !(to.k === "element" && to.t.class === "integral")) casts++;
    else others++;
  });
  return casts > 0 && others === 0;
}
