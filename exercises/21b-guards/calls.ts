/**
 * @file Functions whose compilations are counted, and the learner's functions, which must be one graph.
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

def shown(value):
    return f"{list(value.shape)}: " + " ".join(f"{number:.4f}" for number in value.flatten().tolist())

def whole(fn, values):
    torch._dynamo.reset()
    counter = CompileCounter()
    x = torch.tensor(values, dtype=torch.float32)
    with contextlib.redirect_stdout(io.StringIO()):
        result = torch.compile(fn, backend=counter)(x)
        torch._dynamo.reset()
        try:
            torch.compile(fn, backend="eager", fullgraph=True)(x)
            said = "whole"
        except Exception as error:
            said = str(error).splitlines()[0]
    return [said, f"{counter.frame_count} graph" + "s" * (counter.frame_count != 1), shown(result)]

def scale(x, n):
    return x * n

def activate(x, kind):
    return torch.relu(x) if kind == "relu" else torch.tanh(x)

def double(x):
    return x * 2

def total(xs):
    return sum(xs)

def by_sign(x):
    return x * 2 if x.sum() > 0 else x - 1

def by_size(x):
    return x * 2 if x.shape[0] > 8 else x - 1

def graphs(fn, *calls):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(fn, backend=counter)
    for args in calls:
        compiled(*args)
    return str(counter.frame_count)

x = torch.ones(3)
COUNTS = {
    "scale with four numbers": lambda: graphs(scale, *([x, n] for n in (2, 3, 4, 5))),
    "activate with four strings": lambda: graphs(activate, *([x, kind] for kind in ("relu", "tanh", "sigmoid", "relu"))),
    "double with five sizes": lambda: graphs(double, *([torch.ones(n)] for n in (4, 5, 1, 6, 1))),
    "total with four lists": lambda: graphs(total, *([[x + k for k in range(n)]] for n in (2, 3, 4, 2))),
    "by_sign with three signs": lambda: graphs(by_sign, [x], [-x], [x]),
    "by_size with five sizes": lambda: graphs(by_size, *([torch.ones(n)] for n in (4, 6, 8, 9, 100))),
}

def first_reason():
    torch._dynamo.reset()
    reasons = []
    compiled = torch._dynamo.optimize("eager", guard_fail_fn=lambda failure: reasons.append(failure.reason))(double)
    compiled(torch.ones(3))
    compiled(torch.ones(4, dtype=torch.float64))
    return "both" if "dtype" in reasons[0] and "size" in reasons[0] else "dtype" if "dtype" in reasons[0] else "size"

COUNTS["double with two changes"] = first_reason
`) as unknown as {
  readonly whole: (fn: unknown, values: unknown) => Iterable<unknown>;
  readonly COUNTS: ReadonlyMap<string, () => unknown>;
};

export function open(yours: Yours): Session {
  return {
    calls: {
      "your function, compiled": {
        inputs: () => ["rounds", [1, 2]],
        run: (name: string, values: unknown) => [...PROGRAMS.whole(yours[name], values)].map(String),
      },
      ...Object.fromEntries(
        [...PROGRAMS.COUNTS].map(([name, count]) => [name, { inputs: () => [], run: () => String(count()) }]),
      ),
    },
  };
}
