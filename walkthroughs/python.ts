/**
 * @file The way of one Python line, `y = F.prelu(x, weight)`: text, tokens, syntax tree, names, instructions, frame, binding, dispatcher, kernel.
 */
import torch from "glasstorch";
import { DEF, get_instructions, parse, python, Scope, symtable, TokenType, tokenize } from "glasstorch/python";
import { laneOf, type TraceEvent } from "glasstorch/trace";
import { check, drawn, finish, recorded } from "./support/walkthrough.ts";

const text = `import torch.nn.functional as F

def call(x, weight):
    y = F.prelu(x, weight)
    return y
`;
/** The number of the line that this walkthrough is about, and its text. */
const number = 4;
const line = (text.split("\n")[number - 1] as string).trim();

// ## Step 1. Tokens
// The tokenizer cuts the text into tokens. Blanks are gone; the end of the line is a token of its own.
// Ours: src/python/Parser/tokenizer.ts     CPython: Parser/tokenizer.c
const kinds = new Map(Object.entries(TokenType).map(([name, value]) => [value, name]));
const tokens = [...tokenize(text)]
  .filter((token) => token.lineno === number && token.type !== TokenType.INDENT)
  .map((token) => ({ text: token.text.replace("\n", "↵") || "↵", type: kinds.get(token.type) as string }));
check(
  tokens.map((token) => token.text),
  ["y", "=", "F", ".", "prelu", "(", "x", ",", "weight", ")", "↵"],
);
check(tokens.filter((token) => token.type === "NAME").length, 5);
const cell = (text: string, i: number): string =>
  text.padEnd(Math.max(...Object.values(tokens[i] as object).map((t) => t.length)) + 2);
drawn("tokens", "1. Text to tokens", { line, tokens }, [
  ` ${line}`,
  "",
  ` ${tokens.map((token, i) => cell(token.text, i)).join("")}`,
  ` ${tokens.map((token, i) => cell(token.type, i)).join("")}`,
]);

// ## Step 2. Syntax tree
// The parser makes a tree of the classes of CPython's module `ast`. Each node knows its place in the text.
// Ours: src/python/Parser/statements.ts     CPython: Parser/parser.c, Python/Python-ast.c
interface Node {
  readonly [field: string]: unknown;
  readonly constructor: { readonly name: string; readonly _fields: readonly string[] };
}
const is_node = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "_fields" in value.constructor;
const lines = text.split("\n");
const place = (node: Node): string =>
  typeof node["lineno"] !== "number"
    ? ""
    : (lines[node["lineno"] - 1] as string).slice(node["col_offset"] as number, node["end_col_offset"] as number);

interface Branch {
  readonly tree: string;
  readonly text: string;
}
function branches(node: Node, label: string, first: string, rest: string): Branch[] {
  const fields = node.constructor._fields.map((field) => [field, node[field]] as const);
  const own = fields.filter(([, value]) => typeof value === "string").map(([, value]) => ` ${value as string}`);
  const below = fields.flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each): each is Node => is_node(each) && each["lineno"] !== undefined)
      .map((each) => [field, each] as const),
  );
  return [
    { tree: `${first}${label}${node.constructor.name}${own.join("")}`, text: place(node) },
    ...below.flatMap(([field, each], i) => {
      const last = i === below.length - 1;
      return branches(each, `${field}: `, `${rest}${last ? "└ " : "├ "}`, `${rest}${last ? "  " : "│ "}`);
    }),
  ];
}
// biome-ignore lint/suspicious/noExplicitAny: a program of the shape above
const module = parse(text, "line.py") as any;
const statement = module.body[1].body[0] as Node;
const tree = branches(statement, "", "", "");
check(
  tree.map((branch) => branch.tree.replace(/^[│├└ ]*/, "")),
  [
    "Assign",
    "targets: Name y",
    "value: Call",
    "func: Attribute prelu",
    "value: Name F",
    "args: Name x",
    "args: Name weight",
  ],
);
check(tree[2]?.text, "F.prelu(x, weight)");
const width = Math.max(...tree.map((branch) => branch.tree.length)) + 4;
drawn(
  "tree",
  "2. Tokens to a syntax tree",
  tree,
  tree.map((branch) => ` ${branch.tree.padEnd(width)}${branch.text}`),
);

// ## Step 3. Names
// Before it writes instructions, the compiler decides where the value of each name lives. What a function assigns is local to it;
// what it only reads and nobody around it binds is looked up in the module when the line runs.
// Ours: src/python/compiler/symtable.ts     CPython: Python/symtable.c
const scope = symtable(text, "line.py").children[0] as ReturnType<typeof symtable>;
const homes = new Map<Scope, string>([
  [Scope.LOCAL, "in the frame"],
  [Scope.GLOBAL_IMPLICIT, "in the module"],
]);
const uses = [
  [DEF.PARAM, "parameter"],
  [DEF.LOCAL, "assigned"],
  [DEF.USE, "read"],
] as const;
const table = [...scope.symbols].map(([name, flags]) => ({
  name,
  use: uses
    .filter(([flag]) => (flags & flag) !== 0)
    .map(([, word]) => word)
    .join(", "),
  home: homes.get(scope.scope_of(name)) as string,
}));
check(
  table.map(({ name, home }) => [name, home]),
  [
    ["x", "in the frame"],
    ["weight", "in the frame"],
    ["y", "in the frame"],
    ["F", "in the module"],
  ],
);
drawn(
  "names",
  "3. Where each name lives",
  table,
  table.map(({ name, use, home }) => ` ${name.padEnd(9)}${use.padEnd(18)}${home}`),
);

// ## Step 4. Instructions, and the frame that runs them
// A code object has bytes; `dis` names them. The machine has no registers: an instruction takes its operands from the frame's stack
// of values and leaves its result there. A hook sees the frame before each instruction.
// Ours: src/python/vm/ceval.ts     CPython: Python/ceval.c
const program = python(text, { filename: "line.py" });
const x = torch.tensor([-2.5, 3]);
const weight = torch.tensor([0.25]);

const { functional } = torch.nn;
const names = new Map<unknown, string>([
  [undefined, "NULL"],
  [functional, "F"],
  [functional.prelu, "prelu"],
  [x, "x"],
  [weight, "weight"],
]);
const shown = (value: unknown): string => names.get(value) ?? "y";
interface Step {
  readonly offset: number;
  readonly instruction: string;
  readonly stack: readonly string[];
}
const steps: Step[] = [];
let variables: string[] = [];
python.hooks.instruction = (frame, pc) => {
  if (frame.f_code.co_name !== "call") return;
  const instruction = get_instructions(frame.f_code)[pc] as ReturnType<typeof get_instructions>[number];
  const { offset, opname, argrepr, positions } = instruction;
  if (positions.lineno !== number) return;
  steps.push({ offset, instruction: `${opname} ${argrepr}`.trim(), stack: frame.stack.map(shown) });
  if (opname === "CALL") variables = [...frame.f_locals].map(([name, value]) => `${name} = ${value}`);
};
const y = program["call"](x, weight);
python.hooks.instruction = null;
check(y.tolist(), [-0.625, 3]);
check(
  steps.map((step) => step.instruction),
  ["LOAD_GLOBAL NULL + F", "LOAD_ATTR prelu", "LOAD_FAST x", "LOAD_FAST weight", "PRECALL", "CALL", "STORE_FAST y"],
);
drawn("steps", "4. Instructions, and the frame's stack of values before each", steps, [
  ...steps.map(
    ({ offset, instruction, stack }) => ` ${String(offset).padStart(4)}  ${instruction.padEnd(22)}${stack.join("  ")}`,
  ),
  "",
  ` variables at the call: ${variables.join("   ")}`,
]);
// At the call both arguments lie on the stack, above the function. `y` has no value yet.
check(steps.at(-2)?.stack.slice(-2), ["x", "weight"]);
check(steps.at(-1)?.stack, ["y"]);
check(variables.length, 2);

// ## Step 5. Through the library
// CALL enters the library: `torch.prelu` is no Python function. The recording has the frame, its line, and below it each layer.
const trace = recorded("python", "The path of y = F.prelu(x, weight)", () => program["call"](x, weight), {
  note: "x: float32 [2], weight: float32 [1]",
});
check(
  trace.events.slice(0, 4).map((event) => event.name),
  ["call", line, "torch::autograd::THPVariable_prelu", "at::_ops::prelu::call"],
);
check(trace.events[1]?.source, { file: "line.py", line: number });
check(trace.keysOf("aten::_prelu_kernel"), ["AutogradCPU", "CPU"]);

// Below the line, this is the way of the same call in TypeScript.
const typescript = recorded(
  "typescript",
  "The path of F.prelu(x, weight) in TypeScript",
  () => functional.prelu(x, weight),
  {
    quiet: true,
  },
);
check(
  trace.events.slice(2).map((event) => event.name),
  typescript.events.map((event) => event.name),
);

// With every function, the recording also shows the machine's own: from the instruction CALL down to the loop over the elements.
const whole = recorded(
  "functions",
  "y = F.prelu(x, weight) with every function in between",
  () => program["call"](x, weight),
  {
    detail: "full",
    quiet: true,
  },
);
const loop = whole.events.filter((event) => event.kind === "loop").at(-1) as TraceEvent;
const down: TraceEvent[] = [];
for (let at: TraceEvent | null = loop; at !== null; at = whole.parent(at)) down.unshift(at);
const from = down.findIndex((event) => event.kind === "frame");
const way = down.slice(from).map((event) => ({
  lane: laneOf(event, whole.parent(event)),
  name: event.name,
  file: event.source?.file ?? "",
}));
check(way[2]?.name, "CALL");
check(
  way.slice(0, 3).every(({ lane }) => lane === "python"),
  true,
);
check(way.at(-1)?.lane, "loop");
drawn("way", "5. From the line down to the loop: every function on the way", way, [
  ...way.map(
    ({ lane, name, file }, i) => ` ${(lane === way[i - 1]?.lane ? "" : lane).padEnd(12)}${name.padEnd(52)}${file}`,
  ),
]);

finish({
  next: "npx tsx walkthroughs/prelu.ts",
  tableOf: torch._C._dispatch_dump_table,
  python: `
import ast, dis, torch, torch.nn.functional as F
def call(x, weight):
    y = F.prelu(x, weight)
    return y
print(ast.dump(ast.parse("y = F.prelu(x, weight)"), indent=2))
dis.dis(call)
with torch.profiler.profile(with_stack=True) as prof: call(torch.tensor([-2.5, 3]), torch.tensor([0.25]))
print(prof.key_averages(group_by_stack_n=3))`,
});
