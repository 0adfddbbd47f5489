"""Records what random small programs do in PyTorch 2.13.0: which node each tensor has, which steps are refused and with what words, which
operators and nodes a backward runs in which order, and the gradients.

    python tools/oracle/record_backward_programs.py test/fixtures/autograd/backward_programs.json.gz

A program is a list of steps `[kind, i, j, k]`. A step takes tensors i and j (modulo how many there are), and what it makes joins the list,
which begins with two 2x2 leaves. Views, in-place changes, detached and unrecorded tensors are among the kinds, so the graphs have
CopySlices, regenerated view nodes and saved tensors that were changed. Then one of six ways to differentiate the last tensor with history:

    0 backward   1 grad   2 backward twice   3 backward(inputs=[first leaf])   4 grad of an intermediate and a leaf   5 grad of grads

`path` is the profiler's events in order: nodes by name, operators by base name. A direct child of the same name is one event there.
"""

import gzip
import json
import random
import sys

import torch
from torch.profiler import profile

torch.set_num_threads(1)
PROGRAMS = 400
KINDS = [
    "add", "mul", "sub", "view", "t", "sumexp", "row", "neg", "exp", "detach", "sq", "id", "mm", "mul_", "add_", "copy_", "rowmul_",
    "rowadd_", "zero_", "clone", "ng", "bcast", "split", "cat", "retain",
]  # fmt: skip
C01 = torch.tensor(0.1, dtype=torch.float64)
C2 = torch.tensor(2.0, dtype=torch.float64)


class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * a

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * a


class Id(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.clone()

    @staticmethod
    def backward(ctx, g):
        return g * C2


def step(tensors, kind, i, j, k):
    a = tensors[i % len(tensors)]
    b = tensors[j % len(tensors)]
    made = {
        "add": lambda: a + b,
        "mul": lambda: a * b,
        "sub": lambda: a - b,
        "view": lambda: a.view(4).view(2, 2),
        "t": lambda: a.t(),
        "sumexp": lambda: a.sum(0, keepdim=True).expand(2, 2),
        "row": lambda: a[k].expand(2, 2),
        "neg": lambda: a.neg(),
        "exp": lambda: (a * C01).exp(),
        "detach": lambda: a.detach(),
        "sq": lambda: Sq.apply(a),
        "id": lambda: Id.apply(a),
        "mm": lambda: torch.mm(a, b),
        "cat": lambda: torch.cat([a, b])[:2],
        "clone": lambda: a.clone(),
        "bcast": lambda: a * b[0],
        "split": lambda: torch.cat(list(a.split(1))[::-1]),
    }
    if kind in made:
        return [made[kind]()]
    if kind == "ng":
        with torch.no_grad():
            return [a * b]
    if kind == "mul_":
        a.mul_(b.detach().clone())
    elif kind == "add_":
        a.add_(b)
    elif kind == "copy_":
        a.copy_(b)
    elif kind == "rowmul_":
        a[k].mul_(C2)
    elif kind == "rowadd_":
        a[k].add_(b[0])
    elif kind == "zero_":
        a.zero_()
    elif kind == "retain" and a.requires_grad:
        a.retain_grad()
    return []


def values(t):
    return None if t is None else t.detach().tolist()


def differentiate(mode, mid, out, tensors, leaves, g):
    if mode == 0:
        out.backward(g)
    elif mode == 1:
        return torch.autograd.grad(out, leaves, g, allow_unused=True)
    elif mode == 2:
        out.backward(g, retain_graph=True)
        out.backward(g)
    elif mode == 3:
        out.backward(g, inputs=[leaves[0]])
    elif mode == 4:
        wanted = [t for t in tensors if t.requires_grad]
        return torch.autograd.grad(out, [wanted[mid % len(wanted)], leaves[1]], g, allow_unused=True)
    else:
        first = torch.autograd.grad(out, leaves, g, allow_unused=True, create_graph=True)
        again = [t.sum() for t in first if t is not None and t.requires_grad]
        if not again:
            return first
        return [*first, *torch.autograd.grad(again, leaves, allow_unused=True)]
    return None


def run(steps, mode, mid):
    leaves = [
        torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in ([[1.0, 2.0], [3.0, 4.0]], [[0.5, -1.0], [0.25, 2.0]])
    ]
    tensors = list(leaves)
    refused = []
    for n, s in enumerate(steps):
        try:
            tensors += step(tensors, *s)
        except RuntimeError as e:
            refused.append([n, str(e)])
    with_history = [t for t in tensors if t.requires_grad and t.grad_fn is not None]
    if not with_history:
        return None
    nodes = [None if t.grad_fn is None else t.grad_fn.name() for t in tensors]
    g = torch.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=torch.float64)
    error = result = None
    with profile() as p:
        try:
            result = differentiate(mode, mid, with_history[-1], tensors, leaves, g)
        except RuntimeError as e:
            error = str(e)
    path = [e.name for e in p.events() if not e.name.startswith("autograd::") and e.name != "detach"]
    return {
        "refused": refused,
        "nodes": nodes,
        "path": " ".join(name.replace("aten::", "").replace("torch::autograd::", "") for name in path),
        "error": error,
        "grads": [values(leaf.grad) for leaf in leaves],
        "result": None if result is None else [values(t) for t in result],
        "grad_is_g": [leaf.grad is not None and leaf.grad.data_ptr() == g.data_ptr() for leaf in leaves],
    }


def main():
    rng = random.Random(2130)
    programs = []
    while len(programs) < PROGRAMS:
        steps = [[rng.choice(KINDS), rng.randrange(64), rng.randrange(64), rng.randrange(2)] for _ in range(rng.randint(2, 12))]
        mode, mid = rng.randrange(6), rng.randrange(64)
        recorded = run(steps, mode, mid)
        if recorded is not None:
            programs.append({"steps": steps, "mode": mode, "mid": mid, **recorded})
    document = {"torch": torch.__version__, "script": "tools/oracle/record_backward_programs.py", "programs": programs}
    with open(sys.argv[1], "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as out:
        out.write(json.dumps(document, separators=(",", ":")).encode())


if __name__ == "__main__":
    main()
