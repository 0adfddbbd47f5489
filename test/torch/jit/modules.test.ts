/**
 * Modules of Python programs as scripts: types, methods, attributes, code. The expected texts are those of PyTorch 2.13.0.
 */
import torch, { jit } from "glasstorch/jit";
import { python } from "glasstorch/python";
import { describe, expect, test } from "vitest";

const HEAD = `
import torch
from torch import nn, Tensor
import torch.nn.functional as F
from typing import Dict, Final, List, Optional, Tuple
`;

let files = 0;
/** The module that \`make()\` of a program returns, scripted. */
function scripted(text: string): jit.RecursiveScriptModule {
  const program = python(HEAD + text, { filename: `modules_${files++}.py`, name: "__main__" });
  return jit.script((program as unknown as { make(): unknown }).make()) as jit.RecursiveScriptModule;
}
const x = torch.linspace(-1, 1, 6).reshape(2, 3);

describe("code", () => {
  test("a loop over modules is unrolled, and constants stand in the code", () => {
    const m = scripted(`
class Net(nn.Module):
    k: Final[int]
    def __init__(self):
        super().__init__()
        self.k = 3
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Tanh()])
    def helper(self, x, n: int):
        return x + n * self.k
    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = self.helper(layer(x), i)
        return x, len(self.layers)
def make():
    return Net()
`);
    expect(m.code).toBe(`def forward(self,
    x: Tensor) -> Tuple[Tensor, int]:
  layers = self.layers
  _0 = getattr(layers, "0")
  _1 = getattr(layers, "1")
  x0 = (self).helper((_0).forward(x, ), 0, )
  x1 = (self).helper((_1).forward(x0, ), 1, )
  layers0 = self.layers
  return (x1, (layers0).__len__())
`);
    expect(m._c._method_names()).toEqual(["forward", "helper"]);
    expect([...m.named_parameters()].map(([name]) => name)).toEqual(["layers.0.weight", "layers.0.bias"]);
  });
  test("long expressions get lines of their own, and what runs before them too", () => {
    const unit = new jit.CompilationUnit(`
def f(x, y):
    z = x.relu() + (torch.sigmoid(x) * torch.tanh(y) - torch.relu(x) * torch.cos(y))
    return z
`) as unknown as { f: jit.ScriptFunction };
    expect(unit.f.code).toBe(`def f(x: Tensor,
    y: Tensor) -> Tensor:
  _0 = torch.relu(x)
  _1 = torch.mul(torch.sigmoid(x), torch.tanh(y))
  _2 = torch.mul(torch.relu(x), torch.cos(y))
  return torch.add(_0, torch.sub(_1, _2))
`);
  });
});

describe("attributes", () => {
  const m = scripted(`
class Attrs(nn.Module):
    table: Dict[str, List[int]]
    def __init__(self):
        super().__init__()
        self.n = 3
        self.table = {"x": [1], "y": []}
        self.register_buffer("count", torch.zeros(1))
    def forward(self, x):
        self.n += 1
        self.count += self.n
        return x * self.n, self.table["x"]
    @torch.jit.export
    def get(self, key: str, default: int = -1) -> int:
        v = self.table.get(key)
        if v is not None and len(v) > 0:
            return v[0]
        return default
    @torch.jit.ignore
    def plain(self, x: Tensor) -> Tensor:
        return x + 1
def make():
    return Attrs()
`) as jit.RecursiveScriptModule & { n: number; get(key: string): number; plain(x: unknown): unknown };
  test("a script changes them", () => {
    m(x);
    expect(m.n).toBe(4);
    expect([...m.buffers()][0].tolist()).toEqual([4]);
    m.n = 7;
    expect(m._c.getattr("n")).toBe(7);
  });
  test("exported methods are compiled, ignored ones stay Python", () => {
    expect(m.get("x")).toBe(1);
    expect(m.get("y")).toBe(-1);
    expect(m._c._method_names()).toEqual(["forward", "get"]);
    expect((m.plain(x) as typeof x).tolist()).toEqual(x.add(1).tolist());
  });
  test("the types of attributes are those of annotations or values", () => {
    const types = m._c._type().getAttributes();
    expect(types.map(({ name, type }) => `${name}: ${type.annotation_str()}`)).toEqual([
      "count: Tensor",
      "training: bool",
      "_is_full_backward_hook: NoneType",
      "n: int",
      "table: Dict[str, List[int]]",
    ]);
  });
});

test("modules whose attributes have equal types and constants share a type", () => {
  const m = scripted(`
def make():
    return nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2), nn.Linear(2, 2))
`);
  const [a, b, c] = [...m._c.module.named_children()].map(([, child]) => child.type());
  expect(a).not.toBe(b);
  expect(b).toBe(c);
});

test("an attribute that cannot be converted is an error where it is used", () => {
  const text = `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = object()
    def forward(self, x):
        return x + self.q
def make():
    return Net()
`;
  expect(() => scripted(text)).toThrow(
    "Module 'Net' has no attribute 'q' (This attribute exists on the Python module, but we failed to convert Python type: 'object' to a TorchScript type.",
  );
});

test("methods from a text", () => {
  const m = scripted(`
class S(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
def make():
    m = S()
    m.define("""
def forward(self, x, n: int):
    y = x * self.w
    if n > 1:
        y = self.more(y, n)
    return y

def more(self, x, n: int):
    return x + n
""")
    return m
`) as unknown as (input: typeof x, n: number) => typeof x;
  expect(m(torch.ones(1, 3), 2).tolist()).toEqual([[3, 4, 5]]);
});
