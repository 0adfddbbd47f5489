/**
 * @file Programs in Python that are compiled with the learner's backend, and called through the learner's forms and guards.
 * @original
 */
import "glasstorch/compile";
import { python } from "glasstorch/python";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

const PROGRAMS = python(`import contextlib
import io

import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounter

def scale(x, n):
    return x * n + 1

def by_size(x):
    return x.sum() if x.shape[0] > 3 else x * 2

def by_rows(x):
    return x.t().contiguous().view(-1) if x.stride(0) > 1 else x.contiguous().view(-1)

def in_two(x):
    y = x * 2
    print(y.shape)
    return y + 1

def asks(x):
    return x * 2 if x.sum() > 0 else x - 1

def loop(x):
    for k in range(3):
        x = torch.sin(x) * k
    return x

def twice(x):
    return x * 2 + 1

PROGRAMS = {fn.__name__: fn for fn in (scale, by_size, by_rows, in_two, asks, loop, twice)}

def shown(value):
    if not isinstance(value, torch.Tensor):
        return str(value)
    return f"{list(value.shape)}: " + " ".join(f"{number:.4f}" for number in value.flatten().tolist())

def made(arg):
    if not isinstance(arg, dict):
        return arg
    shape = arg["shape"]
    count = 1
    for size in shape:
        count *= size
    x = (torch.arange(count, dtype=getattr(torch, arg.get("dtype", "float32"))) + arg.get("start", 1)).view(shape)
    if arg.get("transposed"):
        x = x.t()
    return x.requires_grad_() if arg.get("grad") else x

def quietly(run):
    with contextlib.redirect_stdout(io.StringIO()):
        return run()

def count(Counting, name, calls):
    torch._dynamo.reset()
    backend = Counting()
    compiled = torch.compile(PROGRAMS[name], backend=backend)
    results = [shown(quietly(lambda: compiled(*map(made, args)))) for args in calls]
    return [*(f"graph {i}: {' '.join(names)}" for i, names in enumerate(backend.graphs)), *results]

class Numbered:
    """A backend whose code says which form it belongs to."""
    def __init__(self):
        self.made = 0
        self.ran = None
    def __call__(self, gm, example_inputs):
        number = self.made
        self.made += 1
        def run(*args):
            self.ran = number
            return gm.forward(*args)
        return run

def forms(Compiled, name, calls):
    backend = Numbered()
    compiled = Compiled(PROGRAMS[name], backend)
    says = []
    for args, grad in calls:
        with torch.set_grad_enabled(grad):
            result = compiled(*map(made, args))
        says.append(f"form {backend.ran}: {shown(result.detach())}")
    return says

def graphs(name, *calls):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(PROGRAMS[name], backend=counter)
    for args in calls:
        quietly(lambda: compiled(*args))
    return counter.frame_count

def sizes():
    return graphs("twice", *([torch.ones(n)] for n in (3, 4, 5, 6)))

def dtypes():
    return graphs("twice", *([torch.ones(3, dtype=dtype)] for dtype in (torch.float32, torch.float64) * 2))

def pieces():
    return graphs("in_two", [torch.ones(3)])

def reason():
    try:
        torch.compile(asks, backend="eager", fullgraph=True)(torch.ones(3))
    except Exception as error:
        return str(error).splitlines()[0]
`) as unknown as Readonly<
  Record<"count" | "forms" | "sizes" | "dtypes" | "pieces" | "reason", (...args: unknown[]) => unknown>
>;

export function open(yours: Yours): Session {
  const lines = (found: unknown): string[] => [...(found as Iterable<unknown>)].map(String);
  const truth = (name: "sizes" | "dtypes" | "pieces" | "reason") => ({
    inputs: () => [],
    run: () => String(PROGRAMS[name]()),
  });
  return {
    calls: {
      "torch.compile with your backend": {
        inputs: () => ["twice", [[{ shape: [3] }]]],
        run: (name: string, calls: unknown) => lines(PROGRAMS.count(yours["Counting"], name, calls)),
      },
      "your Compiled": {
        inputs: () => ["scale", [[[{ shape: [3] }, 2], true]]],
        run: (name: string, calls: unknown) => lines(PROGRAMS.forms(yours["Compiled"], name, calls)),
      },
      "torch.compile, four sizes": truth("sizes"),
      "torch.compile, two dtypes": truth("dtypes"),
      "torch.compile, a print": truth("pieces"),
      "torch.compile, fullgraph": truth("reason"),
    },
  };
}
