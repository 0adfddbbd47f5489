"""Records which operators each backward node of PyTorch 2.13.0 calls, in order, and the gradients it gives.

    python tools/oracle/record_backward_ops.py test/fixtures/autograd/backward_ops.json.gz

One case is one expression over the inputs below. `nodes` holds, per node that ran, the operators it called itself (not those called by
these), by base name, from the profiler's events. The output gradient is 1, 2, 3, ... in float64, so that sums are exact.
"""

import gzip
import json
import sys

import torch
from torch.profiler import ProfilerActivity, profile


def leaf(shape, values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype).reshape(shape).requires_grad_()


INPUTS = {
    "x": ((2, 3), [0.5, -1.25, 2.0, -0.75, 1.5, -2.5]),
    "y": ((2, 3), [1.5, 0.25, -2.0, -0.75, 3.0, 0.5]),
    "p": ((2, 3), [0.5, 1.25, 2.0, 0.75, 1.5, 2.5]),
    "q": ((2, 3), [0.25, 1.0, 1.75, 2.5, 0.0, 1.25]),
    "v": ((3,), [1.5, -0.5, 2.0]),
    "w": ((3,), [0.25, 2.0, -1.0]),
    "s": ((), [1.5]),
    "a": ((2, 2, 3), [0.5, -1.0, 2.0, 1.5, -0.5, 1.0, 3.0, 0.25, -2.0, -1.5, 2.5, 0.75]),
    "b": ((2, 3, 2), [1.0, 0.5, -1.5, 2.0, 0.25, -0.75, 1.25, 3.0, -2.0, 1.5, 0.5, -1.0]),
    "c": ((2, 2, 2), [0.5, 1.0, -1.0, 2.0, 1.5, -0.5, 0.25, 3.0]),
    "k": ((2, 2), [0.5, 1.0, -1.0, 2.0]),
    "one": ((1, 3, 1), [0.5, 1.0, -1.0]),
}
ZERO = "torch.tensor([[0.0, 1.0, 0.0], [2.0, 0.0, -1.0]], dtype=torch.float64)"
MASK = "torch.tensor([[True, False, True], [False, False, True]])"
ROWS = "torch.tensor([1, 0, 1])"
TARGET = "torch.tensor([2, 0])"

CASES = {
    "abs": "x.abs()",
    "add": "torch.add(x, y, alpha=2)",
    "add.Scalar": "x + 2",
    "addmm": "torch.addmm(k, x, p.detach().t().contiguous(), beta=2, alpha=3)",
    "addmm column-major": "torch.addmm(k, x, p.t())",
    "addmv": "torch.addmv(k[0], x, v, beta=2, alpha=3)",
    "amax": "x.amax(1)",
    "amin all": "x.amin()",
    "as_strided": "x.as_strided((2, 2), (3, 1), 1)",
    "as_strided expanded": "x.as_strided((2, 3, 1), (0, 1, 1))",
    "baddbmm": "torch.baddbmm(c, a, b, beta=2, alpha=3)",
    "bmm": "torch.bmm(a, b)",
    "cat": "torch.cat([x, y, x], 1)",
    "cat with an empty": "torch.cat([torch.empty(0, dtype=torch.float64, requires_grad=True), v])",
    "chunk": "x.chunk(2, 1)[1]",
    "clamp": "x.clamp(-1, 1)",
    "clamp min": "x.clamp(min=0)",
    "clamp max": "x.clamp(max=0.5)",
    "clamp.Tensor": "torch.clamp(x, y, p)",
    "clamp.Tensor min": "torch.clamp(x, min=y)",
    "clamp_min": "torch.clamp_min(x, 0.25)",
    "clamp_min.Tensor": "torch.clamp_min(x, y)",
    "clamp_max": "torch.clamp_max(x, 0.25)",
    "clamp_max.Tensor": "torch.clamp_max(x, y)",
    "clone": "x.clone()",
    "div": "x / p",
    "div.Scalar": "x / 4",
    "div floor": "torch.div(x, p, rounding_mode='floor')",
    "dot": "torch.dot(v, w)",
    "eq_": "x.clone().eq_(y)",
    "exp": "x.exp()",
    "expand": "v.expand(2, 3)",
    "fill": "torch.fill(x, s)",
    "fill_": "x.clone().fill_(s)",
    "index": "x[:, " + ROWS + "]",
    "index_put": "torch.index_put(x, (" + TARGET + ".clamp(max=1),), v)",
    "index_put accumulate": "torch.index_put(x, (" + TARGET + ".clamp(max=1),), v, accumulate=True)",
    "log": "p.log()",
    "log_softmax": "x.log_softmax(1)",
    "masked_fill": "x.masked_fill(" + MASK + ", 2.0)",
    "masked_fill.Tensor": "x.masked_fill(" + MASK + ", s)",
    "masked_select": "x.masked_select(" + MASK + ")",
    "max": "x.max()",
    "max.dim": "x.max(1)[0]",
    "min.dim keepdim": "x.min(0, keepdim=True)[0]",
    "maximum": "torch.maximum(x, y)",
    "mean": "x.mean()",
    "mean.dim": "x.mean(1)",
    "mean.dim keepdim": "a.mean((0, 2), keepdim=True)",
    "minimum": "torch.minimum(x, y)",
    "mm": "torch.mm(x, p.detach().t().contiguous().requires_grad_())",
    "mm column-major": "torch.mm(x, p.t())",
    "mul": "x * y",
    "mul.Scalar": "x * 3",
    "mul, one wanted": "x * p.detach()",
    "mul_": "x.clone().mul_(y)",
    "mv": "torch.mv(x, v)",
    "narrow": "x.narrow(1, 1, 2)",
    "neg": "-x",
    "nll_loss": "torch.nn.functional.nll_loss(x, " + TARGET + ")",
    "nll_loss weighted": "torch.nn.functional.nll_loss(x, " + TARGET + ", v.detach().abs(), reduction='sum')",
    "permute": "a.permute(2, 0, 1)",
    "pow": "p ** 3",
    "pow 0": "p ** 0",
    "pow.Tensor": "torch.pow(p, y)",
    "pow.Tensor zero base": "torch.pow(" + ZERO + ".requires_grad_(), q)",
    "pow.Scalar": "torch.pow(2, x)",
    "pow.Scalar 0": "torch.pow(0, q)",
    "prelu": "torch.nn.functional.prelu(x, v)",
    "reciprocal": "p.reciprocal()",
    "relu": "x.relu()",
    "reshape": "x.t().reshape(6)",
    "rsqrt": "p.rsqrt()",
    "rsub": "torch.rsub(x, y, alpha=2)",
    "select": "x[1]",
    "sigmoid": "x.sigmoid()",
    "slice": "x[:, 1:]",
    "softmax": "x.softmax(0)",
    "split": "x.split(2, 1)[1]",
    "split_with_sizes": "x.split([1, 2], 1)[0]",
    "sqrt": "p.sqrt()",
    "squeeze": "one.squeeze()",
    "squeeze.dim": "one.squeeze(0)",
    "squeeze.dims": "one.squeeze((0, 2))",
    "stack": "torch.stack([x, y], 1)",
    "sub": "torch.sub(x, y, alpha=2)",
    "sum": "x.sum()",
    "sum.dim": "x.sum(0)",
    "sum.dim two": "a.sum((0, 2))",
    "sum.dim keepdim": "a.sum(1, keepdim=True)",
    "t": "x.t()",
    "tanh": "x.tanh()",
    "threshold": "torch.nn.functional.threshold(x, 0.25, -1)",
    "_to_copy": "x.to(torch.float32)",
    "transpose": "a.transpose(0, 2)",
    "unbind": "x.unbind(1)[1]",
    "unsqueeze": "x.unsqueeze(1)",
    "vdot": "torch.vdot(v, w)",
    "view": "x.view(3, 2)",
    "where": "torch.where(" + MASK + ", x, y)",
    "zero_": "x.clone().zero_()",
    # in place on a view: CopySlices
    "view, mul_": "(lambda z: (z[0].mul_(2), z)[1])(x.clone())",
    "view, copy_": "(lambda z: (z[:, 1].copy_(v[:2]), z)[1])(x.clone())",
    # double backward: the gradient of a gradient
    "double prelu": "grad_of(torch.nn.functional.prelu, x, v)",
    "double sigmoid": "grad_of(torch.sigmoid, x)",
    "double tanh": "grad_of(torch.tanh, x)",
    "double softmax": "grad_of(lambda t: t.softmax(1), x)",
    "double log_softmax": "grad_of(lambda t: t.log_softmax(1), x)",
    "double relu": "grad_of(torch.relu, x)",
    "double select": "grad_of(lambda t: t[1] * t[0], x)",
    "double mul": "grad_of(lambda t: t * t, x)",
}


def grad_of(f, *inputs):
    """The gradient of f with respect to its first input, for an output gradient that is a leaf and wanted, too."""
    out = f(*inputs)
    seed = torch.arange(1, out.numel() + 1, dtype=torch.float64).reshape(out.shape).requires_grad_()
    SEEDS.append(seed)
    return torch.autograd.grad(out, inputs[0], seed, create_graph=True)[0]


SEEDS = []


def run(code):
    SEEDS.clear()
    inputs = {name: leaf(*spec) for name, spec in INPUTS.items()}
    out = eval(code, {"torch": torch, "grad_of": grad_of, **inputs})
    seed = torch.arange(1, out.numel() + 1, dtype=out.dtype).reshape(out.shape)
    with profile(activities=[ProfilerActivity.CPU]) as p:
        out.backward(seed)
    nodes = []

    def visit(event):
        children = sorted(event.cpu_children, key=lambda e: e.time_range.start)
        name = event.name
        if name.endswith("AccumulateGrad") or name.startswith("autograd::engine::evaluate_function"):
            for child in children:
                if not child.name.startswith("aten::"):  # those are validate_outputs and the input buffer
                    visit(child)
        elif not name.startswith("aten::"):
            nodes.append([name, [c.name.removeprefix("aten::") for c in children if c.name.startswith("aten::")]])
            for child in children:  # CopySlices runs another node
                if not child.name.startswith("aten::"):
                    visit(child)

    for event in sorted((e for e in p.events() if e.cpu_parent is None), key=lambda e: e.time_range.start):
        visit(event)
    used = {n: t.grad for n, t in inputs.items() if t.grad is not None}
    grads = {n: [g.contiguous().flatten().tolist(), list(g.stride())] for n, g in used.items()}
    return {"code": code, "nodes": nodes, "grads": grads}


cases = {}
for name, code in CASES.items():
    run(code)
    cases[name] = run(code)
with open(sys.argv[1], "wb") as f:
    data = {"torch": torch.__version__, "script": "tools/oracle/record_backward_ops.py", "inputs": INPUTS, "cases": cases}
    f.write(gzip.compress(json.dumps(data).encode(), mtime=0))
