/**
 * @file Programs in Python for the learner's mode and pass: they are captured here, and given to `Log` and `fuse`.
 * @original
 */
import torch from "glasstorch";
import "glasstorch/fx";
import { python } from "glasstorch/python";
import { type CapturedModule, captured_module } from "../../tools/learn/checks/captured.ts";
import type { Call, Session, Yours } from "../../tools/learn/checks/host.ts";

/** The functions to log. They print nothing; what they return is not looked at. */
const LOGGED = python(`import torch
import torch.nn.functional as F
x, w = torch.ones(2, 3), torch.ones(4, 3)
programs = {
    "x * 2 + 1": lambda: x * 2 + 1,
    "F.linear(x, w)": lambda: F.linear(x, w),
    "F.prelu(x, torch.ones(1))": lambda: F.prelu(x, torch.ones(1)),
    "x.sum(0, dtype=torch.float64)": lambda: x.sum(0, dtype=torch.float64),
    "torch.zeros(2, dtype=torch.int64)": lambda: torch.zeros(2, dtype=torch.int64),
    "x.clone().add_(1).view(-1)": lambda: x.clone().add_(1).view(-1),
    "torch.softmax(x, dim=1)": lambda: torch.softmax(x, dim=1),
}
def log(Log, name):
    with Log() as mode:
        result = programs[name]()
    return [*mode.names, f"returns {result.dtype} {list(result.shape)}"]
`)["log"] as (Log: unknown, name: string) => string[];

/** Programs to fuse; \`inputs\` tensors of each shape [2, 3] are made for it. */
const PROGRAMS = python(`import torch, torch.fx
from torch import nn

class Affine(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([2.0, -1.0, 0.5]))
        self.shift = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
    def forward(self, x):
        return x * self.scale + self.shift

class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = nn.Linear(3, 3), Affine()
        self.gate = nn.Parameter(torch.tensor([0.5, 1.5, 2.5]))
    def forward(self, x):
        return torch.relu(self.first(x)) * self.gate + self.second(x)

def shared(x, y, z):
    p = x * y
    return p + z, p

programs = {
    "x * y + z": lambda x, y, z: x * y + z,
    "z + x * y": lambda x, y, z: z + x * y,
    "torch.add(torch.mul(x, y), z)": lambda x, y, z: torch.add(torch.mul(x, y), z),
    "x * y + y * z": lambda x, y, z: x * y + y * z,
    "(x * y + z) * x + y": lambda x, y, z: (x * y + z) * x + y,
    "x - y * z": lambda x, y, z: x - y * z,
    "p = x * y; p + z, p": shared,
    "p = x * y; p + p": lambda x, y, z: (lambda p: p + p)(x * y),
    "torch.add(x * y, z, alpha=3)": lambda x, y, z: torch.add(x * y, z, alpha=3),
    "x * 2 + y": lambda x, y, z: x * 2 + y,
    "x * y + 1": lambda x, y, z: x * y + 1,
    "x * self.scale + self.shift": Affine(),
    "a network with three layers": Layers(),
}
def capture(name):
    return torch.fx.symbolic_trace(programs[name])
names = list(programs)
`) as unknown as { readonly names: readonly string[]; readonly capture: (name: string) => CapturedModule };

const BRANCH = python(`import torch, torch.fx
from torch.fx.experimental.proxy_tensor import make_fx
def branch(x):
    if x.shape[0] > 2:
        return x.sin()
    return x.cos()
gm = make_fx(branch)(torch.ones(3))
def how():
    try:
        torch.fx.symbolic_trace(branch)
    except Exception as error:
        return type(error).__name__
    return "a graph"
`) as unknown as { readonly gm: (x: unknown) => unknown; readonly how: () => string };

/** Tensors of both signs. */
function tensors(count: number): unknown[] {
  return Array.from({ length: count }, (_, i) =>
    torch
      .arange(6)
      .view([2, 3])
      .sub(2.5)
      .mul(i + 0.5)
      .add(i),
  );
}

export function open(yours: Yours): Session {
  const fused = (name: string): Call => ({
    inputs: () => {
      const program = captured_module(PROGRAMS.capture(name));
      return [program, ...tensors(program.parameters().length === 0 ? 3 : 1)];
    },
    run: (program) => {
      yours["fuse"](program.module);
      return program;
    },
  });
  return {
    calls: {
      "a program under Log": { inputs: () => ["x * 2 + 1"], run: (name: string) => log_of(yours, name) },
      "the graph, called with one element": { inputs: () => [torch.ones([1])], run: (x: unknown) => BRANCH.gm(x) },
      "torch.fx.symbolic_trace(branch)": { inputs: () => [], run: () => BRANCH.how() },
      ...Object.fromEntries(PROGRAMS.names.map((name) => [name, fused(name)])),
    },
  };
}

const log_of = (yours: Yours, name: string): string[] => [...LOGGED(yours["Log"], name)].map(String);
