/** Pickles and copies of graph modules in Python programs. */
import "glasstorch/fx";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import type { Any } from "../../helpers/recorded.ts";

const program = python(`
import copy, pickle, torch, torch.fx
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 2)
        self.p = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("b", torch.ones(2), persistent=False)
    def forward(self, x):
        return torch.relu(self.l(x)) + self.p * self.b
m = M()
gm = torch.fx.symbolic_trace(m)
gm.meta["a"] = [1]
x = torch.linspace(-1, 1, 12).reshape(4, 3)
def same(g):
    return torch.equal(g(x), m(x)) and g.code == gm.code and sorted(g.state_dict()) == sorted(gm.state_dict())
def pickled():
    function, (body, imports) = gm.__reduce__()
    g = pickle.loads(pickle.dumps(gm))
    return same(g), g.meta, g.l is gm.l, function.__name__, "_graph" in body, imports.split("\\n")[-3:], str(g.graph) == str(gm.graph)
def deep():
    seen = []
    gm._register_deepcopy_hook(seen.append)
    g = copy.deepcopy(gm)
    g.meta["a"].append(2)
    return same(g), g.meta, gm.meta, g.l is gm.l, type(g).__name__, seen == [g], g.graph is gm.graph
def shallow():
    g = copy.copy(gm)
    return same(g), g.meta is gm.meta, g.l is gm.l, type(g).__name__
`) as Any;
const plain = (value: Any): Any =>
  value instanceof Map ? Object.fromEntries(value) : Array.isArray(value) ? [...value].map(plain) : value;

test("a pickle holds the code, and reading traces it again", () => {
  const imports = ["import torch", "import torch.fx._pytree as fx_pytree", "import torch.utils._pytree as pytree"];
  expect(plain(program.pickled())).toEqual([true, {}, false, "reduce_graph_module", false, imports, true]);
});

test("a deep copy shares nothing, and its hooks run", () => {
  expect(plain(program.deep())).toEqual([true, { a: [1, 2] }, { a: [1] }, false, "M", true, false]);
});

test("a copy shares what the graph names", () => {
  expect(plain(program.shallow())).toEqual([true, true, true, "GraphModule"]);
});
