"""Frozen modules, and passes on graphs with types. PyTorch runs this file, and so does the test; `describe` gives texts by name."""

import re

import torch
from torch import nn


class Sub(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.ones(2)
        self.version = 1
        self.register_buffer("b", torch.ones(2))
        self.cfg = [1, 2]

    def forward(self, x):
        self.version += 1
        self.b.add_(1)
        return x * self.a + self.b + self.cfg[0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.s1 = Sub()
        self.s2 = Sub()
        self.p = nn.Parameter(torch.tensor([1.0, 2.0]))
        self.t = (torch.ones(1), "x")
        self.name = "n"

    @torch.jit.export
    def other(self, x):
        return self.p + x

    def forward(self, x):
        return self.s1(x) + self.s2(x) + self.p, self.t, self.name


class Conv(nn.Module):
    def __init__(self, bias, k):
        super().__init__()
        self.c = nn.Conv2d(2, 3, 1, bias=bias)
        self.bn = nn.BatchNorm1d(2)
        self.l = nn.Linear(3, 2)
        self.drop = nn.Dropout(0.5)
        self.k = k

    def forward(self, x):
        x = self.c(x)
        x = x * 2.0
        x = x + 3
        x = x / self.k
        x = x - self.k
        return self.bn(self.l(self.drop(x.mean([2, 3]))))


class Fork(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        self.w = torch.ones(1)

    def forward(self, x):
        f = torch.jit.fork(self.s, x)
        return torch.jit.wait(f) + self.w


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Add(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.ones(1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.w


class Interfaces(nn.Module):
    step: Step

    def __init__(self):
        super().__init__()
        self.step = Add()

    def forward(self, x):
        return self.step(x)


GRAPHS = {
    "linear": """
graph(%x : Tensor, %w : Tensor, %b : Tensor):
  %one : int = prim::Constant[value=1]()
  %wt : Tensor = aten::t(%w)
  %r : Tensor = aten::addmm(%b, %x, %wt, %one, %one)
  %m : Tensor = aten::matmul(%x, %wt)
  %m2 : Tensor = aten::matmul(%x, %wt)
  %a : Tensor = aten::add_(%m2, %b, %one)
  %two : int = prim::Constant[value=2]()
  %r2 : Tensor = aten::addmm(%b, %x, %wt, %two, %one)
  return (%r, %m, %a, %r2)
""",
    "transposed": """
graph(%x : Tensor, %w : Tensor, %b : Tensor):
  %one : int = prim::Constant[value=1]()
  %wt : Tensor = aten::t(%w)
  %r : Tensor = aten::matmul(%x, %wt)
  %q : Tensor = aten::add(%r, %b, %one)
  return (%q)
""",
    "types": """
graph(%x : Float(*, *, device=cpu), %y : Long(*, *, device=cpu), %n : int, %z : Tensor):
  %one : int = prim::Constant[value=1]()
  %f : float = prim::Constant[value=1.5]()
  %a : Tensor = aten::add(%x, %y, %one)
  %b : Tensor = aten::mul(%y, %n)
  %d : Tensor = aten::mul(%y, %f)
  %e : Tensor = aten::relu(%d)
  %g : Tensor = aten::mul(%z, %x)
  %h : Tensor = aten::cuda(%x)
  %v : Tensor = aten::gt(%x, %f)
  return (%a, %b, %d, %e, %g, %h, %v)
""",
    "branch": """
graph(%x : Float(*, *, device=cpu), %c : bool):
  %one : int = prim::Constant[value=1]()
  %r : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::add(%x, %one, %one)
      -> (%a)
    block1():
      %b : Tensor = aten::relu(%x)
      -> (%b)
  return (%r)
""",
    "loop": """
graph(%x : Float(*, *, device=cpu), %n : int):
  %t : bool = prim::Constant[value=1]()
  %r : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %a : Tensor):
      %b : Tensor = aten::relu(%a)
      -> (%t, %b)
  return (%r)
""",
}


def scrub(text):
    text = re.sub(r" # [^\n#\"]*:\d+:\d+$", "", text, flags=re.M)
    text = re.sub(r"___torch_mangle_\d+\.", "", text)
    # The recorded type of a constant is PyTorch's name of the class of tensors, which a test of ours has under another name.
    return re.sub(r"0x[0-9a-f]+", "0x0", text.replace("torch.FloatTensor", "CPUFloatType"))


def failure(run):
    try:
        return str(run())
    except Exception as error:
        return type(error).__name__ + ": " + str(error).split("\n")[0]


def frozen(module, preserved, **options):
    f = torch.jit.freeze(torch.jit.script(module.eval()), preserved, **options)
    return scrub(f._c.dump_to_str(True, False, False)), f


def constant(module):
    """Weights that do not depend on random numbers."""
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 5 - 2 + i) * 0.25)
    return module


def describe():
    found = {}
    for name, preserved in (("plain", []), ("preserved", ["other", "s1.cfg", "name"])):
        text, f = frozen(Net(), preserved)
        found["net." + name] = [text, str(f(torch.ones(2)))]
    x = torch.arange(12.0).reshape(1, 2, 2, 3) * 0.5
    for bias in (True, False):
        for numerics in (True, False):
            text, f = frozen(constant(Conv(bias, torch.full((1, 3, 1, 1), 2.0))), [], optimize_numerics=numerics)
            found["conv.%s.%s" % (bias, numerics)] = [text, str(f(x).detach())]
    text, f = frozen(constant(Fork()), [])
    found["fork"] = [text, str(f(torch.ones(2)))]
    text, f = frozen(Interfaces(), [])
    found["interfaces"] = [text, str(f(torch.ones(2)))]
    net = torch.jit.script(Net().eval())
    found["refused"] = [
        failure(lambda: torch.jit.freeze(1)),
        failure(lambda: torch.jit.freeze(torch.jit.script(Net()))),
        failure(lambda: torch.jit.freeze(net, ["nope"])),
        failure(lambda: torch.jit.freeze(net, ["s1.nope.x"])),
    ]
    for name, text in GRAPHS.items():
        for passed in ("fuse_linear", "propagate_dtype", "propagate_device"):
            graph = torch._C.parse_ir(text)
            run = getattr(torch._C, "_jit_pass_" + passed)
            found["pass.%s.%s" % (name, passed)] = [failure(lambda: run(graph)), scrub(str(graph))]
    return found
