"""torch.jit.trace: a graph of one run, and the branch that it loses.

With its recording, here:  npm run python -- --trace trace.json walkthroughs/trace.py
In your own PyTorch:       python walkthroughs/trace.py
"""

import re
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", category=DeprecationWarning)


def text(graph):
    return re.sub(" # .*", "", str(graph)).strip()


# ## Step 1. The function runs, and the operators are noted
# `trace` calls the function with real tensors. A dispatch key, `Tracer`, is switched on meanwhile. Its kernel for each operator adds a node to a graph, and
# then calls the operator. So what is noted has passed Python already: functions, loops and classes are gone.
def scale(x, y):
    for _ in range(2):
        x = x * y
    return x.sum(0)


x, y = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([2.0, 0.5])
traced = torch.jit.trace(scale, (x, y))
print(text(traced.graph))
assert [node.kind() for node in traced.graph.nodes()].count("aten::mul") == 2  # the loop is unrolled
assert traced(x + 1, y).equal(scale(x + 1, y))


# ## Step 2. The lost branch
# `if` asks for a number of Python. The operator that gives it is in the graph for nobody: Python took the answer and went one way. The other way was never
# run, so it cannot be in the graph. PyTorch can only warn.
def signed(x):
    if x.sum() > 0:
        return x
    return -x


with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    one_way = torch.jit.trace(signed, (x,))
said = [each for each in said if each.category is torch.jit.TracerWarning]
print(said[0].category.__name__ + ":", str(said[0].message).split(". ")[0])
print("nodes:", [node.kind() for node in one_way.graph.nodes()])
assert signed(-x).equal(x)
assert one_way(-x).equal(-x)  # wrong, without an error


# ## Step 3. The trace is checked, but with the inputs that it knows
# After a trace the function is traced again and the results are compared. That finds randomness, not a branch: the same input goes the same way. Other
# inputs must be given.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        torch.jit.trace(signed, (x,), check_inputs=[(-x,)])
    except torch.jit.TracingCheckError as error:
        print("checked:", str(error).strip().splitlines()[0])
    else:
        raise AssertionError("the lost branch was not noticed")

# ## Step 4. A script keeps both sides
# The compiler reads the text, so both ways are there. A traced function may call a script: the call becomes part of the graph with its branch.
both = torch.jit.script(signed)
assert both(-x).equal(x) and both.graph.findNode("prim::If") is not None


def mixed(x):
    return both(x * 2)


joined = torch.jit.trace(mixed, (x,))
print("mixed:", [node.kind() for node in joined.inlined_graph.nodes()])
assert joined(-x).equal(mixed(-x))


# ## Step 5. What else one run decides
# A size is noted as an operator. But a number that Python took out of a tensor is a constant of the graph.
def by_largest(x):
    return x / float(x.max()) + x.size(0)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    fixed = torch.jit.trace(by_largest, (x,))
print("largest was 4:", fixed(torch.ones(3)), "and not", by_largest(torch.ones(3)))
assert fixed(torch.ones(3)).equal(torch.full([3], 1 / 4 + 3))


# ## Step 6. A module keeps its structure
# Each call of a submodule is noted with its place. So the result is a module too: it has the parameters, and one graph for each submodule.
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return torch.relu(self.inner(x))


torch.manual_seed(0)
net = Net()
module = torch.jit.trace(net, (x,))
print("kinds:", [node.kind() for node in module.graph.nodes()])
print("scope:", next(node.scopeName() for node in module.inlined_graph.nodes() if node.kind() == "aten::linear"))
assert module.inner.weight.equal(net.inner.weight)
