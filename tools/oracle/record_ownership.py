"""Records who steals a gradient and who copies it in PyTorch 2.13.0: the operator calls of backward, and whether memory is shared.

    python tools/oracle/record_ownership.py test/fixtures/autograd/ownership.json.gz

A case is Python in three parts: `setup`, `run` (whose operator calls and nodes are recorded, from the profiler), and `ask`, a list of
expressions whose values are recorded after it. `a`, `b` are leaves of shape (3, 4), `g` a gradient of ones that the caller holds,
`two` a 0-dim tensor. test/torch/csrc-equivalent/autograd/ownership.test.ts has the same cases in TypeScript.
"""

import gzip
import json
import sys

import torch
from torch.profiler import profile

SHARED = ["a.grad.data_ptr() == g.data_ptr()"]
CASES = {
    "the caller holds g": ["y = a + b", "y.backward(g)", [*SHARED, "b.grad.data_ptr() == g.data_ptr()"]],
    "the engine's own gradient for two leaves": ["y = (a + b) * two", "y.backward(g)", ["a.grad.data_ptr() == b.grad.data_ptr()"]],
    "a python number": ["y = (a + b) * 3", "y.backward(g)", ["a.grad.data_ptr() == b.grad.data_ptr()"]],
    "two gradients of the engine's own": ["y = a * two + a * two", "y.backward(g)", []],
    "two gradients by numbers": ["y = a * 2 + a * 3", "y.backward(g)", ["a.grad[0, 0].item()"]],
    "three gradients": ["y = a * two + a * two + a * two", "y.backward(g)", ["a.grad[0, 0].item()"]],
    "the same twice": ["y = a + a", "y.backward(g)", [*SHARED, "g[0, 0].item()"]],
    "the same three times": ["y = a + a + a", "y.backward(g)", [*SHARED, "g[0, 0].item()"]],
    "own and foreign": ["y = a + a * two", "y.backward(g)", ["g[0, 0].item()"]],
    "a hook keeps": ["kept = []; h = a.register_hook(lambda grad: kept.append(grad)); y = a * two", "y.backward(g)", ["a.grad.data_ptr() == kept[0].data_ptr()"]],
    "a hook of a result keeps": ["kept = []; z = a * two; h = z.register_hook(lambda grad: kept.append(grad)); y = z + b", "y.backward(g)", ["b.grad.data_ptr() == kept[0].data_ptr()"]],
    "a hook returns another": ["h = a.register_hook(lambda grad: grad * 2); y = a * two", "y.backward(g)", ["a.grad[0, 0].item()"]],
    "a post-accumulate hook": ["seen = []; h = a.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.data_ptr())); y = a * two", "y.backward(g)", ["seen[0] == a.grad.data_ptr()"]],
    "retain_grad": ["z = a * two; z.retain_grad(); y = z * two", "y.backward(g)", ["a.grad.data_ptr() == z.grad.data_ptr()"]],
    "a view of g": ["y = a.view(-1); g = torch.ones(12)", "y.backward(g)", SHARED],
    "a transposed g": ["y = a.t(); g = torch.ones(4, 3)", "y.backward(g)", [*SHARED, "a.grad.stride()"]],
    "a view of the engine's own": ["y = (a * two).view(-1); g = torch.ones(12)", "y.backward(g)", ["a.grad.stride()"]],
    "g is an expression": ["y = a + b", "y.backward(torch.ones(3, 4))", ["a.grad.data_ptr() == b.grad.data_ptr()"]],
    "g is an expression, one leaf": ["y = a.clone()", "y.backward(torch.ones(3, 4))", []],
    "no gradient given": ["y = (a * two).sum()", "y.backward()", ["a.grad.stride()"]],
    "sum of a leaf": ["y = a.sum()", "y.backward()", ["a.grad.stride()"]],
    "sum twice": ["y = a.sum() + a.sum()", "y.backward()", ["a.grad.stride()", "a.grad[0, 0].item()"]],
    "an expanded leaf": ["v = torch.ones(4, requires_grad=True); y = v.expand(3, 4)", "y.backward(g)", ["v.grad.stride()"]],
    "an expanded gradient": ["y = a * 1; g = torch.ones(1).expand(3, 4)", "y.backward(g)", ["a.grad.stride()"]],
    "an expanded gradient, straight": ["y = a.clone(); g = torch.ones(1).expand(3, 4)", "y.backward(g)", ["a.grad.stride()"]],
    "a gradient in columns": ["y = a * two; g = torch.ones(4, 3).t()", "y.backward(g)", ["a.grad.stride()"]],
    "a gradient in columns, straight": ["y = a.clone(); g = torch.ones(4, 3).t()", "y.backward(g)", ["a.grad.stride()"]],
    "a leaf in columns": ["c = torch.ones(4, 3).t().requires_grad_(); y = c * two", "y.backward(g)", ["c.grad.stride()"]],
    "a leaf in columns, sum": ["c = torch.ones(4, 3).t().requires_grad_(); y = c.sum()", "y.backward()", ["c.grad.stride()"]],
    "a leaf that overlaps itself": ["c = torch.ones(1).expand(3, 4).detach().requires_grad_(); y = c * two", "y.backward(g)", ["c.grad.stride()"]],
    "a leaf with gaps": ["c = torch.ones(3, 8)[:, ::2].detach().requires_grad_(); y = c * two", "y.backward(g)", ["c.grad.stride()"]],
    "a second backward": ["y = a * two; y.backward(g); first = a.grad; y = a * two", "y.backward(g)", ["a.grad is first", "first[0, 0].item()"]],
    "a second backward, g held": ["y = a + b; y.backward(g); first = a.grad; y = a + b", "y.backward(g)", ["a.grad is first", "g[0, 0].item()"]],
    "a second backward without gradient mode of the graph": ["a.grad = torch.ones(3, 4); first = a.grad; y = a * two", "y.backward(g)", ["a.grad is first", "first[0, 0].item()"]],
    "a second backward into .grad of columns": ["a.grad = torch.ones(4, 3).t(); y = a * two", "y.backward(g)", ["a.grad.stride()"]],
    "create_graph": ["y = a * b", "y.backward(g, create_graph=True)", ["a.grad.requires_grad", "a.grad.grad_fn is None"]],
    "create_graph of a sum": ["y = a + b", "y.backward(g, create_graph=True)", [*SHARED, "a.grad.requires_grad"]],
    "create_graph twice": ["y = a * b; y.backward(g, create_graph=True); first = a.grad; y = a * b", "y.backward(g, create_graph=True)", ["a.grad is first", "a.grad[0, 0].item()", "first[0, 0].item()"]],
    "create_graph, two branches": ["y = a * two + a * two", "y.backward(g, create_graph=True)", ["a.grad[0, 0].item()"]],
    "a graph kept": ["y = (a + b) * two", "y.backward(g, retain_graph=True)", ["a.grad.data_ptr() == b.grad.data_ptr()"]],
    "autograd.grad": ["y = (a + b) * two", "u, w = torch.autograd.grad(y, [a, b], g)", ["u.data_ptr() == w.data_ptr()", "a.grad is None"]],
    "autograd.grad of a sum": ["y = a + b", "u, w = torch.autograd.grad(y, [a, b], g)", ["u.data_ptr() == g.data_ptr()", "u is g"]],
    "autograd.grad by two ways": ["y = a * two + a * two", "u, = torch.autograd.grad(y, [a], g)", ["u[0, 0].item()"]],
    "reshape that copies": ["y = a.t().reshape(12); g = torch.ones(12)", "y.backward(g)", ["a.grad.stride()"]],
    "select": ["y = a[0]; g = torch.ones(4)", "y.backward(g)", ["a.grad.stride()"]],
    "two selects": ["y = a[0] + a[1]; g = torch.ones(4)", "y.backward(g)", ["a.grad[2, 0].item()"]],
    "unbind": ["p = a.unbind(); y = p[0] + p[2]; g = torch.ones(4)", "y.backward(g)", ["a.grad[1, 0].item()"]],
    "cat of the same": ["y = torch.cat([a, a]); g = torch.ones(6, 4)", "y.backward(g)", ["a.grad.stride()"]],
    "in place on a result": ["z = a * two; z.add_(b); y = z", "y.backward(g)", ["a.grad.data_ptr() == b.grad.data_ptr()"]],
    "in place on a view of a result": ["z = a * two; z[0].mul_(two); y = z", "y.backward(g)", ["a.grad[0, 0].item()", "g[0, 0].item()"]],
    "mm": ["w = torch.ones(4, 2, requires_grad=True); y = a @ w; g = torch.ones(3, 2)", "y.backward(g)", ["a.grad.stride()", "w.grad.stride()"]],
    "mm of a transposed weight": ["w = torch.ones(2, 4, requires_grad=True); y = a @ w.t(); g = torch.ones(3, 2)", "y.backward(g)", ["a.grad.stride()", "w.grad.stride()"]],
    "another dtype": ["y = a.double() * 1.0; g = torch.ones(3, 4, dtype=torch.float64)", "y.backward(g)", ["str(a.grad.dtype)"]],
    "broadcast": ["v = torch.ones(4, requires_grad=True); y = a + v", "y.backward(g)", [*SHARED, "v.grad.stride()"]],
    "detach between": ["y = a * two + (a * two).detach()", "y.backward(g)", []],
    "inputs": ["y = (a + b) * two", "y.backward(g, inputs=[b])", ["a.grad is None"]],
}


def run(case):
    setup, code, asked = case
    scope = {
        "torch": torch,
        "a": torch.ones(3, 4, requires_grad=True),
        "b": torch.ones(3, 4, requires_grad=True),
        "g": torch.ones(3, 4),
        "two": torch.tensor(2.0),
    }
    exec(setup, scope)
    with profile() as p:
        exec(code, scope)
    path = []
    for event in sorted(p.events(), key=lambda e: (e.time_range.start, -e.time_range.end)):
        name = event.name
        if name.startswith("aten::"):
            path.append(name)
        elif not name.startswith("autograd::engine") and name != "detach":
            path.append(name.split("::")[-1])
    return {"code": case, "path": path, "answers": [eval(q, scope) for q in asked]}


def main(path):
    cases = {}
    for name, case in CASES.items():
        run(case)
        cases[name] = run(case)
        print(f"{name:50} {cases[name]['path']} {cases[name]['answers']}")
    data = {"torch": torch.__version__, "script": "tools/oracle/record_ownership.py", "cases": cases}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
