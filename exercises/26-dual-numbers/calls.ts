/**
 * @file Programs for the learner's dual numbers, and for the learner's function under PyTorch's forward mode.
 * @original
 */
import { python } from "glasstorch/python";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

const PROGRAMS = python(`import torch
import torch.autograd.forward_ad as fwAD
from torch.utils._python_dispatch import TorchDispatchMode

programs = {
    "x + y": lambda x, y: x + y,
    "x + 2.0": lambda x, y: x + 2.0,
    "x * y": lambda x, y: x * y,
    "x * 3.0": lambda x, y: x * 3.0,
    "x * x * x": lambda x, y: x * x * x,
    "x.sin()": lambda x, y: x.sin(),
    "y.exp() * x": lambda x, y: y.exp() * x,
    "(x * y).sin().exp() + x": lambda x, y: (x * y).sin().exp() + x,
}

def numbers(value):
    return " ".join(f"{number:.4f}" for number in value.tolist())

def arguments():
    return [torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.5, 0.25, -0.5])], [torch.tensor([1.0, 0.0, 2.0]), torch.tensor([0.0, 1.0, -1.0])]

def by_hand(Dual, name):
    values, tangents = arguments()
    result = programs[name](*(Dual(value, tangent) for value, tangent in zip(values, tangents)))
    tangent = result.tangent if isinstance(result.tangent, torch.Tensor) else torch.zeros(3) + result.tangent
    return [f"value {numbers(result.value)}", f"tangent {numbers(tangent)}"]

def under_forward_ad(Scaled, moves):
    values, tangents = arguments()
    with fwAD.dual_level():
        duals = [fwAD.make_dual(value, tangent) if name in moves else value for name, value, tangent in zip("xw", values, tangents)]
        value, tangent = fwAD.unpack_dual(Scaled.apply(*duals))
    return [f"value {numbers(value)}", f"tangent {numbers(tangent)}"]

class Log(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))

def where():
    values, tangents = arguments()
    with fwAD.dual_level():
        x = fwAD.make_dual(values[0], tangents[0])
        with Log() as log:
            x.sin()
    return [name for name in log.names if name in ("sin", "cos", "mul", "sin_backward")]

def nograd():
    values, tangents = arguments()
    with fwAD.dual_level(), torch.no_grad():
        result = fwAD.make_dual(values[0], tangents[0]).sin()
        return "no" if fwAD.unpack_dual(result).tangent is None else "yes"
`) as unknown as Readonly<Record<"by_hand" | "under_forward_ad" | "where" | "nograd", (...args: unknown[]) => unknown>>;

export function open(yours: Yours): Session {
  const lines = (found: unknown): string[] => [...(found as Iterable<unknown>)].map(String);
  return {
    calls: {
      "with your Dual": {
        inputs: () => ["x * y"],
        run: (name: string) => lines(PROGRAMS.by_hand(yours["Dual"], name)),
      },
      "your Scaled": {
        inputs: () => ["xw"],
        run: (moves: string) => lines(PROGRAMS.under_forward_ad(yours["Scaled"], moves)),
      },
      "sin of a dual tensor": { inputs: () => [], run: () => lines(PROGRAMS.where()) },
      "sin without grad mode": { inputs: () => [], run: () => String(PROGRAMS.nograd()) },
    },
  };
}
