/**
 * @file A program in readable form, in Python and in our TypeScript.
 * @original
 */
import type { Program, Step, Wire } from "./program.ts";

interface Language {
  readonly none: string;
  readonly true: string;
  readonly false: string;
  float(text: string): string;
  integer(text: string): string;
  tuple(items: readonly string[]): string;
  dict(items: readonly (readonly [string, string])[]): string;
  slice(items: readonly string[]): string;
  ellipsis: string;
  index(x: string, index: string): string;
  keywords(kwargs: readonly (readonly [string, string])[]): string;
  assign(names: string, call: string): string;
  scoped(scope: string, line: string): string;
}

const python: Language = {
  none: "None",
  true: "True",
  false: "False",
  float: (text) => (/^-?(inf|nan)$/.test(text) ? `float("${text}")` : text),
  integer: (text) => text,
  tuple: (items) => `(${items.join(", ")}${items.length === 1 ? "," : ""})`,
  dict: (items) => `{${items.map(([k, v]) => `"${k}": ${v}`).join(", ")}}`,
  slice: (items) => `slice(${items.join(", ")})`,
  ellipsis: "...",
  index: (x, index) => `${x}[${index}]`,
  keywords: (kwargs) => kwargs.map(([k, v]) => `${k}=${v}`).join(", "),
  assign: (names, call) => `${names} = ${call}`,
  scoped: (scope, line) => `with torch.${scope}(): ${line}`,
};

const typescript: Language = {
  none: "null",
  true: "true",
  false: "false",
  float: (text) => {
    const number = text.replace(/^(-?)inf$/, "$1Infinity").replace("nan", "NaN");
    return Number.isInteger(Number(number)) ? `new torch.Float(${number})` : number;
  },
  integer: (text) => `${text}n`,
  tuple: (items) => `tuple([${items.join(", ")}])`,
  dict: (items) => `{ ${items.map(([k, v]) => `${k}: ${v}`).join(", ")} }`,
  slice: (items) => `torch.slice(${items.join(", ")})`,
  ellipsis: '"..."',
  index: (x, index) => `${x}.__getitem__(${index})`,
  keywords: (kwargs) => `{ ${kwargs.map(([k, v]) => `${k}: ${v}`).join(", ")} }`,
  assign: (names, call) => `const ${names} = ${call}`,
  scoped: (scope, line) => `torch.${scope}(() => { ${line} })`,
};

function value(v: Wire, to: Language): string {
  if (v === null) return to.none;
  if (typeof v === "boolean") return v ? to.true : to.false;
  if (typeof v !== "object") return JSON.stringify(v);
  if (Array.isArray(v)) return `[${v.map((x) => value(x, to)).join(", ")}]`;
  const [mark, given] = Object.entries(v)[0] as [string, Wire];
  const items = Array.isArray(given) ? given.map((x) => value(x, to)) : [];
  switch (mark) {
    case "$v":
      return String(given);
    case "$storage":
      return `${given}.untyped_storage()`;
    case "$f":
      return to.float(String(given));
    case "$i":
      return to.integer(String(given));
    case "$tuple":
      return to.tuple(items);
    case "$slice":
      return to.slice(items);
    case "$ellipsis":
      return to.ellipsis;
    case "$torch":
      return `torch.${given}`;
    case "$state":
      return `${given}.state_dict()`;
    case "$dict":
      return to.dict(Object.entries(given as { [key: string]: Wire }).map(([k, v]) => [k, value(v, to)]));
    case "$closure":
      return `<${items[0].slice(1, -1)} of ${items[1]}>`;
    case "$lambda":
      return `<${given}>`;
    default:
      return `torch.device("${given}")`;
  }
}

function line(step: Step, to: Language): string {
  const args = step.args.map((a) => value(a, to));
  const kwargs = Object.entries(step.kwargs).map(([k, v]) => [k, value(v, to)] as const);
  const given = (list: readonly string[]): string =>
    [...list, ...(kwargs.length > 0 ? [to.keywords(kwargs)] : [])].join(", ");
  const [place, ...names] = step.call.split(".") as [string, ...string[]];
  const [x = "", second = "", third = ""] = args;
  const bare = second.replace(/^"(.*)"$/, "$1");
  const call = (): string => {
    switch (place) {
      case "torch":
        return `torch.${names[0]}(${given(args)})`;
      case "nn":
        return `${to === python ? "" : "new "}torch.nn.${names[0]}(${given(args.slice(1))})${args[0] === "[]" ? "" : `(${args[0].slice(1, -1)})`}`;
      case "F":
        return `torch.nn.functional.${names[0]}(${given(args)})`;
      case "aten":
        return `torch.ops.aten.${names.join(".")}(${given(args)})`;
      case "optim":
      case "lr_scheduler":
      case "swa_utils":
        return `${to === python ? "" : "new "}torch.optim.${place === "optim" ? "" : `${place}.`}${names[0]}(${given(args)})`;
      case "init":
      case "utils":
        return `torch.nn.${place}.${names[0]}(${given(args)})`;
      case "descend":
        return `<${x.slice(1, -1)} of ${second}>.backward()`;
      case "average":
        return `<average>(${given(args)})`;
      case "Optimizer":
      case "Scheduler":
      case "Tensor":
        return `${x}.${names[0]}(${given(args.slice(1))})`;
      case "getitem":
        return to.index(x, second);
      case "setitem":
        return to === python ? `${x}[${second}] = ${third}` : `${x}.__setitem__(${second}, ${third})`;
      case "get":
        return `${x}.${bare}`;
      case "set":
        return `${x}.${bare} = ${third}`;
      case "print":
        return to === python ? `repr(${x})` : `String(${x})`;
      case "grad":
        return `torch.autograd.grad(${given(args)})`;
      case "unhook":
        return `${x}.remove()`;
      case "saved":
        return `${x}.grad_fn._saved_*`;
      default:
        return `${x}.${place.replace("node_", "grad_fn.register_").replace(/^hook/, "register_hook")}(<${bare}>)`;
    }
  };
  const assigned = step.out.length > 0 ? to.assign(step.out.join(", "), call()) : call();
  const scoped = step.scope === null ? assigned : to.scoped(step.scope, assigned);
  const end = to === python ? "" : ";";
  return [`${scoped}${end}`, ...step.zeroed.map((n) => `${n}.untyped_storage().fill_(0)${end}`)].join("\n");
}

export function inPython({ seed, steps }: Program): string {
  return [`torch.manual_seed(${seed})`, ...steps.map((s) => line(s, python))].join("\n");
}

export function inTypeScript({ seed, steps }: Program): string {
  return [`torch.manual_seed(${seed});`, ...steps.map((s) => line(s, typescript))].join("\n");
}
