/**
 * @file Batches for the learner's rule; what arrives at the backend is counted.
 * @original
 */
import "glasstorch/func";
import { python } from "glasstorch/python";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

const PROGRAMS = python(`import warnings
import torch
from torch.func import grad, vmap
from torch._C._functorch import TransformType, get_interpreter_stack
from torch.utils._python_dispatch import TorchDispatchMode

class Count(TorchDispatchMode):
    def __init__(self, name):
        super().__init__()
        self.name, self.count = name, 0
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func.overloadpacket.__name__ == self.name
        return func(*args, **(kwargs or {}))

def made(shape, start):
    count = 1
    for size in shape:
        count *= size
    return ((torch.arange(count) * 7 + start) % 5 - 1.5).view(shape)

def batched(RunningSum, x_shape, w_shape, in_dims, twice):
    x, w = made(x_shape, 1), made(w_shape, 3)
    dims = tuple(None if dim == "None" else dim for dim in in_dims)
    fn = lambda x, w: RunningSum.apply(x, w)
    if twice:
        fn = vmap(fn, in_dims=(0, None))
    with Count("cumsum") as mode:
        result = vmap(fn, in_dims=dims)(x, w)
    return [f"{mode.count} cumsum", f"{list(result.shape)}: " + " ".join(f"{number:g}" for number in result.flatten().tolist())]

def top():
    seen = []
    def f(x):
        seen.append("Grad" if get_interpreter_stack()[-1].key() == TransformType.Grad else "Vmap")
        return x.sum()
    vmap(grad(f))(torch.ones(2, 3))
    return seen[0]

def fallback():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Count("histc") as mode:
            vmap(lambda x: torch.histc(x, 4))(torch.ones(8, 3))
    return str(mode.count)
`) as unknown as Readonly<Record<"batched" | "top" | "fallback", (...args: unknown[]) => unknown>>;

export function open(yours: Yours): Session {
  return {
    calls: {
      "vmap with your rule": {
        inputs: () => [[2, 3], [2, 3], [0, 0], false],
        run: (x: unknown, w: unknown, dims: unknown, twice: unknown) =>
          [...(PROGRAMS.batched(yours["RunningSum"], x, w, dims, twice) as Iterable<unknown>)].map(String),
      },
      "the top layer": { inputs: () => [], run: () => String(PROGRAMS.top()) },
      "an operator without a rule": { inputs: () => [], run: () => String(PROGRAMS.fallback()) },
    },
  };
}
