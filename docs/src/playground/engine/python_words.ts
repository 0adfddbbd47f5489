/**
 * @file Python habits in a TypeScript program: they are recognised in the line that failed, and the message says what to write instead.
 * @original
 */
import type { Failure, Program } from "./protocol.ts";

/** Python's own functions and constants that have another name here. */
const BUILTINS: Readonly<Record<string, string>> = {
  print: "console.log(…)",
  len: "x.size(0) of a tensor, .length of a list",
  range: "for (let i = 0; i < n; i++), or torch.arange(n)",
  enumerate: "for (const [i, x] of list.entries())",
  zip: "a.map((x, i) => [x, b[i]])",
  None: "null",
  True: "true",
  False: "false",
  float: "x.item() of a tensor, Number(x) of a text",
  int: "Math.trunc(x)",
  str: "String(x)",
  repr: "String(x)",
  bool: "Boolean(x)",
  list: "[…x], or x.tolist() of a tensor",
  tuple: "[…]",
  dict: "{ … } or new Map()",
  set: "new Set()",
  abs: "x.abs() of a tensor, Math.abs(x) of a number",
  max: "x.max() of a tensor, Math.max(a, b) of numbers",
  min: "x.min() of a tensor, Math.min(a, b) of numbers",
  sum: "x.sum() of a tensor",
  round: "x.round() of a tensor, Math.round(x) of a number",
  isinstance: "x instanceof C",
  type: "x.constructor, or typeof x",
  super: "super.forward(x) or super()",
  self: "this",
  nn: "torch.nn",
  np: "tensors: x.tolist() gives numbers",
  F: "torch.nn.functional",
  optim: "torch.optim",
  Tensor: "torch.Tensor",
  slice: "x.at({ start: 1, stop: 3 })",
  math: "Math",
};

/** Lines that are Python and no TypeScript, each with what TypeScript writes. The first that fits is meant. */
const LINES: readonly (readonly [python: RegExp, typescript: string | ((...found: string[]) => string)])[] = [
  [/^\s*import\s+torch\s*;?\s*(?:#.*)?$/, 'import torch from "glasstorch";'],
  [/^\s*import\s+torch((?:\.\w+)+)(?:\s+as\s+(\w+))?\s*$/, (_, path, name) => importOf(path, name)],
  [/^\s*from\s+torch((?:\.\w+)*)\s+import\s+([^"';]+?)\s*$/, (_, path, names) => `const { ${names} } = torch${path};`],
  [
    /^\s*(?:import\s+[\w.]+(?:\s+as\s+\w+)?|from\s+[\w.]+\s+import\s+[^"']+)\s*$/,
    "only glasstorch can be imported here",
  ],
  [/^\s*#/, "// a comment"],
  [/^\s*(?:async\s+)?def\s+__init__\s*\(/, (line) => `constructor${parametersIn(line)} { super(); … }`],
  [/^\s*(?:async\s+)?def\s+(\w+)\s*\(/, (line, name) => `function ${name}${parametersIn(line)} { … }`],
  [/^\s*class\s+(\w+)\s*\(([\w.]+)\)\s*:/, (_, name, base) => `class ${name} extends ${base} { … }`],
  [/^\s*class\s+(\w+)\s*:/, (_, name) => `class ${name} { … }`],
  [/^\s*for\s+(\w+)\s+in\s+range\((\w+)\)\s*:/, (_, i, n) => `for (let ${i} = 0; ${i} < ${n}; ${i}++) { … }`],
  [
    /^\s*for\s+(.+?)\s+in\s+(.+?)\s*:/,
    (_, x, list) => `for (const ${x.includes(",") ? `[${x}]` : x} of ${list}) { … }`,
  ],
  [/^\s*with\s+(torch\.\w+)\(\)\s*:/, (_, scope) => `${scope}(() => { … });`],
  [/^\s*with\s+(.+?)(?:\s+as\s+(\w+))?\s*:\s*$/, (_, made, name) => `{ using ${name ?? "scope"} = ${made}; … }`],
  [/^\s*elif\s+(.+?)\s*:\s*$/, (_, test) => `} else if (${test}) { … }`],
  [/^\s*(if|while)\s+([^({].*?|\(.*?\))\s*:\s*$/, (_, word, test) => `${word} (${test}) { … }`],
  [/^\s*(else|try|finally)\s*:\s*$/, (_, word) => `${word} { … }`],
  [/^\s*except\b.*:/, "} catch (error) { … }"],
  [/^\s*raise\s+(.+)$/, (_, error) => `throw new ${error};`],
  [/^\s*del\s+(\w+)/, "nothing: unused memory is freed by itself"],
  [/^\s*pass\s*$/, "{}"],
  [/^\s*(assert)\s+(.+)$/, (_, __, test) => `if (!(${test})) throw new Error();`],
  [
    /\blambda\s*([\w, ]*):\s*([^,()]+(?:\([^)]*\)[^,()]*)*)/,
    (_, parameters, body) => `(${parameters.trim()}) => ${body.trim()}`,
  ],
  [/(?<![\w$.])[fF](["'])(.*?)\1/, (_, __, text) => `\`${text.replace(/\{/g, "${")}\``],
  [/\[\s*([^[\]{}?"'`]*:[^[\]{}?"'`]*)\]/, (_, indices) => `.at(${indices.split(",").map(indexOf).join(", ")})`],
  [/([\w.\])]+)\s+@\s+([\w.]+)/, (_, a, b) => `${a}.matmul(${b})`],
  [/([\w.\])]+)\s+if\s+(.+?)\s+else\s+(.+)$/, (_, yes, test, no) => `${test} ? ${yes} : ${no}`],
  [/(?<![\w$.])not\s+(?=[\w(])/, "!x"],
  [/[\w)\]]\s+and\s+[\w(]/, "a && b"],
  [/[\w)\]]\s+or\s+[\w(]/, "a || b"],
  [/[\w)\]]\s+is\s+not\s+[\w(]/, "a !== b"],
  [/[\w)\]]\s+is\s+[\w(]/, "a === b"],
];

const importOf = (path: string, name: string | undefined): string =>
  name === undefined ? 'import torch from "glasstorch";' : `const ${name} = torch${path};`;
/** `1:` -> `{ start: 1 }` */
function indexOf(python: string): string {
  if (!python.includes(":")) return python.trim();
  const bounds = python.split(":").map((bound) => bound.trim());
  const fields = ["start", "stop", "step"].flatMap((name, i) =>
    (bounds[i] ?? "") === "" ? [] : [`${name}: ${bounds[i]}`],
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** `def f(self, x: Tensor = None):` -> `(x = null)`: what TypeScript has between the same parentheses. */
function parametersIn(line: string): string {
  const list = /\(([^)]*)\)/.exec(line)?.[1] ?? "";
  const names = list.split(",").map((part) => part.replace(/:[^=]*/, "").trim());
  return `(${names.filter((name) => name !== "" && name !== "self").join(", ")})`;
}

/** Advice where the text has a line of Python: for the line at fault if it is one, otherwise for the first. */
export function wayOutOfSyntax(text: string, line: number): string | null {
  const lines = text.split("\n");
  const order = [line - 1, line - 2, ...lines.keys()];
  for (const at of order) {
    const written = lines[at];
    if (written === undefined || /^\s*(?:\/\/|\*|\/\*)/.test(written)) continue;
    for (const [python, typescript] of LINES) {
      const found = python.exec(written);
      if (found === null) continue;
      const there =
        typeof typescript === "string" ? typescript : typescript(...([written, ...found.slice(1)] as string[]));
      return `line ${at + 1} is Python. TypeScript writes: ${there}`;
    }
  }
  return null;
}

/** Advice for a run-time error that comes from a Python habit. */
export function wayOutOf(failure: Failure, program: Program): string | null {
  const place = failure.stack.find(({ file }) => file === program.path);
  const line = program.text.split("\n")[(place?.line ?? 0) - 1] ?? "";
  const missing = /^(?:Can't find variable: )?([\w$]+)(?: is not defined)?$/.exec(failure.message)?.[1];
  if (failure.name !== "ReferenceError" || missing === undefined) return null;
  if (new RegExp(`[(,]\\s*${missing}\\s*=[^=>]`).test(line))
    return `keyword arguments are one object: f(x, { ${missing}: … })`;
  if (new RegExp(`^\\s*${missing}\\s*(?:,[\\w\\s,]*)?=[^=]`).test(line))
    return `declare a name where it is first used: const ${missing} = …, or let if it changes`;
  const here = Object.hasOwn(BUILTINS, missing) ? BUILTINS[missing] : undefined;
  return here === undefined ? null : `Python’s ${missing} is ${here}`;
}
