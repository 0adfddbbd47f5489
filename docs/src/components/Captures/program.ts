/**
 * @file The program behind the live table of captures; a reader could write it. It prints a line of JSON for each capture.
 * @original
 */

/** Lines that the captured function may have, by the name of their switch. */
export const SWITCHES = {
  data: { label: "a branch on a value", lines: ["if y.sum() > 0:", "    y = y * 2"] },
  shape: { label: "a branch on a size", lines: ["if x.shape[0] > 3:", "    y = y - 1"] },
  print: { label: "a print", lines: ['print("ran")'] },
  loop: { label: "a loop of Python", lines: ["for i in range(x.shape[0]):", "    y = y + i"] },
} as const;

export type Switch = keyof typeof SWITCHES;

/** One capture, as the program reports it. */
export interface Captured {
  readonly capture: string;
  /** The graph or graphs as text; empty if nothing was captured. */
  readonly recorded: string;
  /** The first line of the error with which the capture refuses; null if it does not. */
  readonly refused: string | null;
  /** How often the line `print("ran")` ran: at the capture, at a call with the same values, at a call with others. */
  readonly ran: readonly number[];
  /** Whether the call with other values gives what the function gives; an error's class if it stops. */
  readonly second: "right" | "wrong" | string;
}

/** The function with these lines. */
export function functionText(on: ReadonlySet<Switch>): string {
  const lines = (Object.keys(SWITCHES) as Switch[]).flatMap((name) => (on.has(name) ? SWITCHES[name].lines : []));
  return ["def f(x):", ...["y = x + 1", ...lines, "return y"].map((line) => `    ${line}`)].join("\n");
}

/** How many elements the second call has: others only if the function asks for its size. */
export const elementsOf = (on: ReadonlySet<Switch>): number => (on.has("shape") || on.has("loop") ? 5 : 3);

export function program(on: ReadonlySet<Switch>): string {
  return `import contextlib
import io
import json
import warnings

import torch
import torch._dynamo
import torch._lazy.ts_backend
import torch.export
import torch.fx
import torch.jit
from torch.fx.experimental.proxy_tensor import make_fx

warnings.filterwarnings("ignore")
torch._lazy.ts_backend.init()
same, other = torch.tensor([1.0, 2.0, 3.0]), torch.full([${elementsOf(on)}], -4.0)
graphs = []


${functionText(on)}


def keep(gm, example_inputs):
    graphs.append(gm.code.strip())
    return gm.forward


def by_export(fn, x):
    class Module(torch.nn.Module):
        def forward(self, x):
            return fn(x)
    return torch.export.export(Module(), (x,)).module()


def lazy(x):
    y = f(x.to("lazy"))
    graphs.append(torch._C._lazy._get_tensors_text([y]))
    return y.cpu()


CAPTURES = {
    "eager": (lambda: f, lambda made: ""),
    "torch.jit.script": (lambda: torch.jit.script(f), lambda made: made.code),
    "torch.jit.trace": (lambda: torch.jit.trace(f, (same,), check_trace=False), lambda made: made.code),
    "torch.fx": (lambda: torch.fx.symbolic_trace(f), lambda made: made.code),
    "make_fx": (lambda: make_fx(f)(same), lambda made: made.code),
    "torch.export": (lambda: by_export(f, same), lambda made: made.code),
    "torch.compile": (lambda: torch.compile(f, backend=keep), lambda made: "\\n\\n".join(graphs)),
    "torch._lazy": (lambda: lazy, lambda made: graphs[-1]),
}


def printed(run):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            result, error = run(), None
        except Exception as raised:
            result, error = None, raised
    return result, error, out.getvalue().count("ran")


expected = printed(lambda: f(other))[0]
for capture, (make, text) in CAPTURES.items():
    torch._dynamo.reset()
    graphs.clear()
    made, error, at_capture = printed(make)
    row = {"capture": capture, "recorded": "", "refused": None, "ran": [at_capture], "second": ""}
    if error is not None:
        row["refused"] = type(error).__name__ + ": " + (str(error).strip().splitlines() or [""])[0]
    else:
        row["ran"].append(printed(lambda: made(same))[2])
        row["recorded"] = text(made).strip()
        second, error, at_call = printed(lambda: made(other))
        row["ran"].append(at_call)
        row["second"] = type(error).__name__ if error is not None else "right" if torch.equal(second, expected) else "wrong"
    print(json.dumps(row))
`;
}

/** The loss of a capture in words: the last column of the table. */
export function lost({ refused, ran, second }: Captured, on: ReadonlySet<Switch>): string {
  if (refused !== null) return `Refused. ${refused}`;
  const silent = on.has("print") && (ran.at(-1) ?? 0) === 0 ? " The print is lost." : "";
  if (second === "right") return silent === "" ? "Nothing." : silent.trim();
  if (second === "wrong") return `The other way: the result is wrong, and nothing says so.${silent}`;
  return `The other way; the call stops with ${second}.${silent}`;
}
