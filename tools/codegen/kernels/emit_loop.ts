/**
 * @file The loops of a `@loop` scalar function: for each choice of dtypes one function of its own, because V8 optimizes by
 * function text and a loop shared by operators or dtypes runs ten to fifty times slower.
 *
 * A loop walks an n by m tile. Operand k is the array `xk`; element (i, j) sits at `ok + i * sk + j * tk`. Outputs come first.
 *
 *   if all sk are 1           one run of memory beside the other
 *   else if one input has 0   that input is one value, read once
 *   else                      any strides
 * @mirrors aten/src/ATen/native/cpu/Loops.h
 */
import type { ElementType } from "./element_types.ts";
import { type Kind, type Lowering, MATH } from "./lower.ts";
import { type FunctionText, type Node, walk } from "./source.ts";

interface Operand {
  readonly t: ElementType;
  /** Null for an output. */
  readonly name: string | null;
  /** int64 read or written as two int32, because kernel text wants (has) a plain number. */
  pairs: boolean;
}

const RESERVED = /^(?:[xostip]\d+|n|m|j|i)$/;

/** How many outputs the function has, from its return type. */
export function outputTypes(fn: FunctionText): string[] {
  const type = fn.returnType.trim();
  if (!type.startsWith("[")) return [type];
  return type
    .slice(1, -1)
    .split(",")
    .map((s) => s.trim());
}

export function isCaptured(type: string): boolean {
  return /^captured(_opmath)?\b/.test(type.trim());
}

/** One instance, as program text. */
export function emitLoop(fn: FunctionText, instance: string, low: Lowering): string {
  const operands: Operand[] = outputTypes(fn).map((type) => ({
    t: elementOf(type, fn, low),
    name: null,
    pairs: false,
  }));
  const outputs = operands.length;
  const captures: { name: string; ts: string }[] = [];
  for (const p of fn.params) {
    if (RESERVED.test(p.name))
      low.fail(p.node, `the parameter name "${p.name}" is taken by the loop`, "give it a longer name");
    const kind = low.kindOfType(p.type);
    if (isCaptured(p.type)) {
      low.scope.set(p.name, kind);
      captures.push({ name: p.name, ts: capturedType(p.type, kind, low) });
      continue;
    }
    const t = elementOf(p.type, fn, low);
    const pairs = t.name === "int64" && onlyCast(fn.node, p.name, low);
    low.scope.set(p.name, pairs ? { k: "number" } : { k: "element", t });
    operands.push({ t, name: p.name, pairs });
  }
  const statements = fn.node.body.body;
  const only = statements.length === 1 && statements[0].type === "ReturnStatement" ? statements[0].argument : null;
  if (outputs === 1 && operands[0]?.t.name === "int64" && only !== null && low.numberBehindCast(only) !== null) {
    operands[0].pairs = true;
  }
  const inputs = operands.length - outputs;
  const lines: string[] = [];
  const params = ["n: number", "m: number"];
  for (const [k, o] of operands.entries())
    params.push(`x${k}: ${o.t.array}, o${k}: number, s${k}: number, t${k}: number`);
  for (const c of captures) params.push(`${c.name}: ${c.ts}`);
  lines.push(`function ${instance}(${params.join(", ")}): void {`);
  for (const [k, o] of operands.entries()) {
    if (o.pairs) lines.push(`  const p${k} = ${low.uses.helper("int32_pairs", MATH)}(x${k});`);
  }
  const advance = operands.map((_, k) => `o${k} += t${k}`).join(", ");
  lines.push(`  for (let j = 0; j < m; j++, ${advance}) {`);
  const all = operands.map((_, k) => k);
  const contiguous = (loose: number): string => all.map((k) => `s${k} === ${k === loose ? 0 : 1}`).join(" && ");
  const body = (indent: string, scalar: number, index: (k: number) => string): string[] => {
    const out: string[] = [];
    for (const [k, o] of operands.entries()) {
      if (o.name !== null && k !== scalar) out.push(`${indent}const ${o.name} = ${loadOf(o, k, index(k), low)};`);
    }
    return out.concat(lowerBody(statements, indent, operands, index, low));
  };
  const dense = (scalar: number): void => {
    const o = scalar >= 0 ? operands[scalar] : undefined;
    if (o?.name) lines.push(`      const ${o.name} = ${loadOf(o, scalar, `o${scalar}`, low)};`);
    lines.push("      for (let i = 0; i < n; i++) {", ...body("        ", scalar, (k) => `o${k} + i`), "      }");
  };
  lines.push(`    if (${contiguous(-1)}) {`);
  dense(-1);
  if (inputs > 1) {
    for (let k = outputs; k < operands.length; k++) {
      lines.push(`    } else if (${contiguous(k)}) {`);
      dense(k);
    }
  }
  lines.push("    } else {");
  const start = all.map((k) => `i${k} = o${k}`).join(", ");
  const step = all.map((k) => `i${k} += s${k}`).join(", ");
  lines.push(`      for (let i = 0, ${start}; i < n; i++, ${step}) {`);
  lines.push(...body("        ", -1, (k) => `i${k}`), "      }", "    }", "  }", "}");
  return lines.join("\n");
}

function elementOf(type: string, fn: FunctionText, low: Lowering): ElementType {
  return (
    low.element(type) ??
    low.fail(fn.node, `"${type}" is no element type`, "annotate with scalar_t, a type variable, a dtype or captured")
  );
}

function capturedType(type: string, kind: Kind, low: Lowering): string {
  const own = low.typeScript(kind);
  if (own !== null) return own;
  return low.foreignType(type.trim().slice("captured<".length, -1).trim());
}

/** Whether every use of `name` is the argument of a cast to something else than int64. */
function onlyCast(root: Node, name: string, low: Lowering): boolean {
  let casts = 0;
  let others = 0;
  walk(root.body, (node, parent) => {
    if (node.type !== "Identifier" || node.name !== name) return;
    const type = (parent?.typeArguments ?? parent?.typeParameters)?.params[0];
    const isCast =
      parent?.type === "CallExpression" && parent.callee.name === "cast" && parent.arguments[0] === node && type;
    const text = isCast ? low.file.text.slice(type.start, type.end) : "";
    const to = text === "number" ? null : low.element(text);
    if (isCast && (to === null || to.class === "floating" || to.class === "reduced" || to.class === "bool")) casts++;
    else others++;
  });
  return casts > 0 && others === 0;
}

function loadOf(o: Operand, k: number, index: string, low: Lowering): string {
  if (o.pairs) return `${low.uses.helper("load_int64", MATH)}(p${k}, ${index})`;
  return low.loadText(`x${k}`, index, o.t);
}

/**
 * `if (c) return a; return b;` -> `if (c) { x0[i] = a; } else { x0[i] = b; }`: what follows an `if` that may return belongs to
 * its other branch, so that `return` becomes a store.
 */
function lowerBody(
  statements: readonly Node[],
  indent: string,
  operands: readonly Operand[],
  index: (k: number) => string,
  low: Lowering,
): string[] {
  const out: string[] = [];
  for (const [position, s] of statements.entries()) {
    const rest = statements.slice(position + 1);
    switch (s.type) {
      case "VariableDeclaration":
        if (s.kind !== "const")
          low.fail(s, `${s.kind} in a scalar function`, "use const; a loop over elements is a @template");
        for (const d of s.declarations) out.push(`${indent}${declare(d, low)}`);
        break;
      case "ExpressionStatement":
        out.push(`${indent}${low.expression(s.expression).text};`);
        break;
      case "ReturnStatement":
        return out.concat(stores(s, indent, operands, index, low));
      case "IfStatement": {
        const test = low.condition(s.test);
        const yes = blockOf(s.consequent);
        const no = s.alternate ? blockOf(s.alternate) : [];
        if (test === "true")
          return out.concat(lowerBody(returns(yes) ? yes : [...yes, ...rest], indent, operands, index, low));
        if (test === "false") return out.concat(lowerBody([...no, ...rest], indent, operands, index, low));
        const inner = `${indent}  `;
        out.push(`${indent}if (${test}) {`);
        out.push(...lowerBody(returns(yes) ? yes : [...yes, ...rest], inner, operands, index, low));
        out.push(`${indent}} else {`);
        out.push(...lowerBody(returns(no) ? no : [...no, ...rest], inner, operands, index, low));
        out.push(`${indent}}`);
        return out;
      }
      default:
        low.fail(
          s,
          `${s.type} in a scalar function`,
          "a scalar function has const, if and return; write a @template for more",
        );
    }
  }
  return out;
}

function blockOf(s: Node): readonly Node[] {
  return s.type === "BlockStatement" ? s.body : [s];
}

function returns(statements: readonly Node[]): boolean {
  const last = statements[statements.length - 1];
  if (last === undefined) return false;
  if (last.type === "ReturnStatement") return true;
  return (
    last.type === "IfStatement" &&
    last.alternate &&
    returns(blockOf(last.consequent)) &&
    returns(blockOf(last.alternate))
  );
}

/** `const x: acc_t = e`; the kind is the annotation's, or the initializer's. */
export function declare(d: Node, low: Lowering): string {
  const annotation = d.id.typeAnnotation?.typeAnnotation;
  const name: string = d.id.name;
  const value = low.expression(d.init);
  if (annotation) {
    const kind = low.kindOfType(low.file.text.slice(annotation.start, annotation.end));
    low.scope.set(name, kind);
    return `const ${name} = ${kind.k === "element" ? low.coerce(value, kind.t, d) : value.text};`;
  }
  low.scope.set(name, value.kind.k === "literal" ? { k: "number" } : value.kind);
  return `const ${name} = ${value.text};`;
}

function stores(
  s: Node,
  indent: string,
  operands: readonly Operand[],
  index: (k: number) => string,
  low: Lowering,
): string[] {
  const results: Node[] = s.argument.type === "ArrayExpression" ? s.argument.elements : [s.argument];
  return results.map((node, k) => {
    const o = operands[k];
    if (o.pairs)
      return `${indent}${low.uses.helper("store_int64", MATH)}(p${k}, ${index(k)}, ${low.numberBehindCast(node)});`;
    return `${indent}${low.storeText(`x${k}`, index(k), o.t, strip(low.coerce(low.expression(node), o.t, node)))};`;
  });
}

/** Drops parentheses around a whole right-hand side. */
function strip(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return text;
  }
  return text.slice(1, -1);
}
