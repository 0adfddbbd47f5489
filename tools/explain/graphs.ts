/**
 * @file `npm run explain -- --graph FILE.py#f`: one function of a Python program, captured in each way that is built here. Its arguments are guessed:
 * tensors of a few shapes, until the function runs.
 * @original
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import torch from "glasstorch";
import "glasstorch/fx";
import "glasstorch/jit";
import { format_exception, python } from "glasstorch/python";
import { record, type Trace, type TraceEvent } from "glasstorch/trace";

type Tensor = ReturnType<typeof torch.tensor>;

/** One capture: how it was taken, and its text or the refusal. */
export interface CaptureReport {
  readonly title: string;
  readonly how: string;
  readonly text: string | null;
  readonly refused: string | null;
}

/** The ways, as a Python program takes them; each is a function of `f` and its arguments that returns a text. */
const WAYS = `import torch, torch.fx
import inspect
from functorch.compile import aot_function, make_boxed_func, min_cut_rematerialization_partition
from torch.fx.experimental.proxy_tensor import make_fx
from torch.func import functionalize

NUMBERS = {"int": 2, "float": 0.5, "bool": True}

def parameters(f):
    """The annotation of each parameter without a default, as a text."""
    if is_script(f):
        listed = str(f.schema).split("(", 1)[1].split(") ->")[0]
        return [each.split(" ")[0] for each in listed.split(", ") if each != "" and "=" not in each]
    needed = [p.annotation for p in inspect.signature(f).parameters.values() if p.default is inspect.Parameter.empty]
    return [getattr(a, "__name__", str(a)) for a in needed]

def is_script(f):
    import torch.jit
    return isinstance(f, torch.jit.ScriptFunction)

def arguments(f):
    """Tensors for the parameters of f, or small numbers where it is annotated; the first shapes with which it runs."""
    wanted = parameters(f)
    refused = None
    for shape in ((3, 3), (3,), (2, 3, 4, 4), ()):
        torch.manual_seed(0)
        given = [NUMBERS[name] if name in NUMBERS else torch.rand(shape) for name in wanted]
        try:
            f(*[x.clone() if isinstance(x, torch.Tensor) else x for x in given])
            return given
        except Exception as error:
            refused = refused or error
    raise refused

def fx(f, args):
    return str(torch.fx.symbolic_trace(f).graph)

def below_autograd(f, args):
    return make_fx(lambda *given: f(*given))(*args).code

def functional(f, args):
    return make_fx(functionalize(lambda *given: f(*given)))(*args).code

def aot(f, args):
    parts = []
    def keep(name):
        def compiler(gm, inputs):
            parts.append(f"{name}: {gm.code.strip()}")
            return make_boxed_func(gm.forward)
        return compiler
    given = [x.requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in args]
    out = aot_function(f, keep("forward"), keep("backward"))(*given)
    total = sum(x.sum() for x in (out if isinstance(out, (tuple, list)) else (out,)) if x.requires_grad)
    if isinstance(total, torch.Tensor):
        total.backward()
    return "\\n\\n".join(parts)

def script(f, args):
    import torch.jit
    return str((f if is_script(f) else torch.jit.script(f)).graph)

def trace(f, args):
    import torch.jit
    return str(torch.jit.trace(f, tuple(args)).inlined_graph)

def plan(f, args):
    """The graph that runs from the second call on."""
    import torch.jit
    compiled = f if is_script(f) else torch.jit.script(f)
    for _ in range(2):
        compiled(*[x.clone() if isinstance(x, torch.Tensor) else x for x in args])
    return str(torch.jit.last_executed_optimized_graph())

def instructions(f, args):
    import torch.jit
    graph = (f if is_script(f) else torch.jit.script(f)).inlined_graph
    table = dict(torch._C._compile_graph_to_code_table("f", graph))
    operators = [f"{name}.{overload}".rstrip(".") for name, overload, _ in table["operators"]]
    notes = {"OP": lambda x: operators[x], "LOADC": lambda x: repr(table["constants"][x])}
    rows = [(f"{i:<3} {op} {x} {n}", notes[op](x) if op in notes else "") for i, (op, x, n) in enumerate(table["instructions"])]
    return "\\n".join(f"{row:18} {note}".rstrip() for row, note in rows)
`;

type PythonFunction = (...args: unknown[]) => unknown;

interface Ways {
  readonly arguments: PythonFunction;
  readonly [way: string]: PythonFunction;
}

const CAPTURES: readonly (readonly [way: string, title: string, how: string])[] = [
  ["fx", "torch.fx.symbolic_trace", "run once with proxies; __torch_function__ and Python's operators record"],
  ["below_autograd", "make_fx", "run once with tensors under a dispatch mode, below autograd"],
  ["functional", "make_fx of functionalize", "the same, with writes and views replaced by values"],
  ["aot", "AOTAutograd", "forward and backward traced together, then cut; tensors require gradients"],
  ["trace", "torch.jit.trace", "run once with tensors; a dispatch key above autograd records"],
  ["script", "torch.jit.script", "compiled from the source text; nothing runs"],
  ["plan", "the executor's plan", "the script's graph as it runs from the second call on"],
  ["instructions", "instructions", "what the script's interpreter runs"],
];

/** @throws {Error} if the file has no such function, or nothing fits its parameters */
export function captures_of(path: string, name: string): CaptureReport[] {
  const text = readFileSync(path, "utf8");
  const program = python(text, { filename: basename(path), stdout: () => {} }) as unknown as Record<string, unknown>;
  const f = program[name];
  if (typeof f !== "function") throw new Error(`${path} has no function ${name}`);
  const ways = python(WAYS, { filename: "captures.py", stdout: () => {} }) as unknown as Ways;
  const copies = (): unknown[] => [...given].map((x) => (torch.is_tensor(x) ? (x as Tensor).clone() : x));
  const given = ways.arguments(f) as unknown[];
  const own = copies();
  const eager = record(() => (f as PythonFunction)(...own));
  const shapes = given
    .map((x) => (torch.is_tensor(x) ? `[${[...(x as Tensor).shape].join(", ")}]` : String(x)))
    .join(", ");
  return [
    {
      title: "eager",
      how:
        given.length === 0
          ? "called; no graph"
          : `called with ${given.every((x) => torch.is_tensor(x)) ? "tensors of shape " : ""}${shapes}; no graph`,
      text: operators(eager).join("\n"),
      refused: null,
    },
    ...CAPTURES.map(([way, title, how]) => ({ title, how, ...captured(ways[way] as PythonFunction, f, copies()) })),
  ];
}

function captured(way: PythonFunction, f: unknown, args: readonly unknown[]): Pick<CaptureReport, "text" | "refused"> {
  try {
    return { text: String(way(f, [...args])).trim(), refused: null };
  } catch (error) {
    const said = format_exception(error).trimEnd().split("\n");
    // The error's own line follows the traceback's last indented one.
    const last = said.findLastIndex((line) => line.startsWith("  ")) + 1;
    const refusal = said.slice(last).find((line) => line.trim() !== "") ?? said.at(-1) ?? "";
    return { text: null, refused: refusal.trim() };
  }
}

/** The operators that reached a kernel of a backend, in order, as a dispatch mode would see them. */
function operators(trace: Trace): string[] {
  const below = (event: TraceEvent): boolean => {
    for (let at = trace.parent(event); at !== null; at = trace.parent(at))
      if (at.kind === "op" && is_kernel(at)) return true;
    return false;
  };
  return trace.events
    .filter((event) => event.kind === "op" && is_kernel(event) && !below(event))
    .map((e) => String(e.op));
}

const is_kernel = (event: TraceEvent): boolean => event.key === "CPU" && !/math kernel/.test(event.origin ?? "");

/** The report for a terminal. */
export function captures_report(
  captures: readonly CaptureReport[],
  { bold, dim }: { readonly bold: (text: string) => string; readonly dim: (text: string) => string },
): string {
  return captures
    .map(({ title, how, text, refused }) => {
      const body = refused === null ? indented(text as string) : `  refused: ${refused}`;
      return `${bold(title)}   ${dim(how)}\n${body}`;
    })
    .join("\n\n");
}

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
