"""Records what checkpointed regions of PyTorch 2.13.0 compute, how often they run, and what is said of those that go wrong.

    python tools/oracle/record_checkpoint.py test/fixtures/testing/checkpoint.json.gz

Rows [TypeScript, Python, outcome, warnings]. The outcome is a list of numbers, or [error, message]. `runs` counts how often a region ran.
test/torch/utils/checkpoint.test.ts runs the TypeScript.
"""

import gzip
import json
import os
import sys
import warnings

import torch
from torch.autograd.graph import save_on_cpu
from torch.utils.checkpoint import GraphExecGroup, checkpoint, checkpoint_sequential, set_checkpoint_early_stop

PRELUDE = """
torch.manual_seed(3)
x = torch.tensor([0.5, 1.5, 2.5], requires_grad=True)
w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
log = []
def region(a): log.append(1); return (a * w).sin().exp()
def noisy(a): log.append(1); return torch.nn.functional.dropout(a * w, 0.5).sin()
def pair(a, b): log.append(1); return (a * b, b.exp())
def named(a, scale=1): log.append(1); return (a * scale).sin()
def matmul(a): log.append(1); return torch.mm(a.reshape(1, 3), w.reshape(3, 1) / 3).sin()
def failing(a): raise ValueError("no")
def changing(a): log.append(1); return a.sin() if len(log) == 1 else a.sin().cos()
def fewer(a): log.append(1); return a.sin().cos().exp() if len(log) == 1 else a * 1
def wider(a): log.append(1); return (a if len(log) == 1 else torch.cat([a, a])).sin().sum()
def inner_grad(a): log.append(1); y = a.sin(); return y * torch.autograd.grad(y.cos().sum(), a)[0]
def nested(a): log.append(2); return checkpoint(region, a.cos(), use_reentrant=False).sin()
"""

# (TypeScript, Python): statements; `result` is a list of tensors and numbers
PROGRAMS = []


def both(python, ts):
    PROGRAMS.append((ts, python))


for reentrant in (False, True):
    name = str(reentrant).lower()
    for fn in ("region", "noisy"):
        both(
            f"y = checkpoint({fn}, x, use_reentrant={reentrant}); y.sum().backward(); result = [y, x.grad, w.grad, len(log), torch.rand(1)]",
            f"const y = checkpoint({fn}, x, {{use_reentrant: {name}}}); y.sum().backward(); result = [y, x.grad, w.grad, log.length, torch.rand(1)]",
        )
        both(
            f"y = checkpoint({fn}, x, use_reentrant={reentrant}, preserve_rng_state=False); y.sum().backward(); result = [y, x.grad, w.grad, len(log), torch.rand(1)]",
            f"const y = checkpoint({fn}, x, {{use_reentrant: {name}, preserve_rng_state: false}}); y.sum().backward(); result = [y, x.grad, w.grad, log.length, torch.rand(1)]",
        )
    both(
        f"a, b = checkpoint(pair, x, w, use_reentrant={reentrant}); (a + b).sum().backward(); result = [x.grad, w.grad, len(log)]",
        f"const [a, b] = checkpoint(pair, x, w, {{use_reentrant: {name}}}); a.add(b).sum().backward(); result = [x.grad, w.grad, log.length]",
    )
    both(
        f"y = checkpoint(region, x, use_reentrant={reentrant}); result = torch.autograd.grad(y.sum(), [x, w])",
        f"const y = checkpoint(region, x, {{use_reentrant: {name}}}); result = torch.autograd.grad(y.sum(), [x, w])",
    )
    both(
        f"y = checkpoint(region, x.detach(), use_reentrant={reentrant}); result = [y.requires_grad]",
        f"const y = checkpoint(region, x.detach(), {{use_reentrant: {name}}}); result = [y.requires_grad]",
    )
    both(f"checkpoint(failing, x, use_reentrant={reentrant})", f"checkpoint(failing, x, {{use_reentrant: {name}}})")
    both(
        f"y = checkpoint(lambda a: a.detach(), x, use_reentrant={reentrant}); y.sum().backward()",
        f"const y = checkpoint((a) => a.detach(), x, {{use_reentrant: {name}}}); y.sum().backward()",
    )
    both(
        f"y = checkpoint(region, x, use_reentrant={reentrant}); y.sum().backward(retain_graph=True); y.sum().backward(); result = [x.grad, len(log)]",
        f"const y = checkpoint(region, x, {{use_reentrant: {name}}}); y.sum().backward({{retain_graph: true}}); y.sum().backward(); result = [x.grad, log.length]",
    )
    both(
        f"y = checkpoint(region, x, use_reentrant={reentrant}); y.sum().backward(); y.sum().backward()",
        f"const y = checkpoint(region, x, {{use_reentrant: {name}}}); y.sum().backward(); y.sum().backward()",
    )
    both(
        f"y = checkpoint_sequential([region, torch.sin, torch.cos, torch.exp, torch.tanh], 2, x, use_reentrant={reentrant}); y.sum().backward(); result = [y, x.grad, len(log)]",
        f"const y = checkpoint_sequential([region, torch.sin, torch.cos, torch.exp, torch.tanh], 2, x, {{use_reentrant: {name}}}); y.sum().backward(); result = [y, x.grad, log.length]",
    )
    both(
        f"m = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2), torch.nn.Dropout(0.5)); y = checkpoint_sequential(m, 3, x, use_reentrant={reentrant}); y.sum().backward(); result = [y, x.grad, m[0].weight.grad]",
        f"const m = new torch.nn.Sequential(new torch.nn.Linear(3, 4), new torch.nn.Tanh(), new torch.nn.Linear(4, 2), new torch.nn.Dropout(0.5)); const y = checkpoint_sequential(m, 3, x, {{use_reentrant: {name}}}); y.sum().backward(); result = [y, x.grad, m.__getitem__(0).weight.grad]",
    )
    both(f"checkpoint(region, x, bogus=1, use_reentrant={reentrant})", f"checkpoint((a) => region(a), x, {{bogus: 1, use_reentrant: {name}}})") if reentrant else None
    both(
        f"y = checkpoint(region, x, use_reentrant={reentrant})\nwith torch.no_grad(): x.add_(1)\ny.sum().backward()",
        f"const y = checkpoint(region, x, {{use_reentrant: {name}}}); torch.no_grad(() => x.add_(1)); y.sum().backward()",
    )
both("y = checkpoint(region, x); result = [y]", "const y = checkpoint(region, x); result = [y]")
both("y = checkpoint_sequential([torch.sin], 1, x); result = [y]", "const y = checkpoint_sequential([torch.sin], 1, x); result = [y]")
both("checkpoint_sequential([torch.sin], 2, x, use_reentrant=False)", "checkpoint_sequential([torch.sin], 2, x, {use_reentrant: false})")
both("checkpoint_sequential([torch.sin], 1, x, use_reentrant=False, bogus=1)", "checkpoint_sequential([torch.sin], 1, x, {use_reentrant: false, bogus: 1})")
both("checkpoint(region, x, use_reentrant=True, debug=True)", "checkpoint(region, x, {use_reentrant: true, debug: true})")
both("checkpoint(region, x, use_reentrant=False, determinism_check='all')", "checkpoint(region, x, {use_reentrant: false, determinism_check: 'all'})")
both(
    "y = checkpoint(named, x, scale=2, use_reentrant=False); y.sum().backward(); result = [y, x.grad, len(log)]",
    "const y = checkpoint(named, x, {scale: 2, use_reentrant: false}); y.sum().backward(); result = [y, x.grad, log.length]",
)
for fn in ("changing", "fewer", "wider"):
    for early_stop in (True, False):
        for check in ("default", "none"):
            both(
                f"y = checkpoint({fn}, x, use_reentrant=False, early_stop={early_stop}, determinism_check='{check}'); y.sum().backward(); result = [y, x.grad, len(log)]",
                f"const y = checkpoint({fn}, x, {{use_reentrant: false, early_stop: {str(early_stop).lower()}, determinism_check: '{check}'}}); y.sum().backward(); result = [y, x.grad, log.length]",
            )
for early_stop in (True, False):
    e = str(early_stop).lower()
    both(
        f"y = checkpoint(inner_grad, x, use_reentrant=False, early_stop={early_stop}); y.sum().backward(); result = [y, x.grad, len(log)]",
        f"const y = checkpoint(inner_grad, x, {{use_reentrant: false, early_stop: {e}}}); y.sum().backward(); result = [y, x.grad, log.length]",
    )
    both(
        f"y = checkpoint(nested, x, use_reentrant=False, early_stop={early_stop}); y.sum().backward(); result = [y, x.grad, w.grad, len(log)]",
        f"const y = checkpoint(nested, x, {{use_reentrant: false, early_stop: {e}}}); y.sum().backward(); result = [y, x.grad, w.grad, log.length]",
    )
    both(
        f"g = set_checkpoint_early_stop({early_stop}); g.__enter__(); y = checkpoint(nested, x, use_reentrant=False); g.__exit__(None, None, None); y.sum().backward(); result = [y, x.grad, len(log)]",
        f"const y = set_checkpoint_early_stop({e}, () => checkpoint(nested, x, {{use_reentrant: false}})); y.sum().backward(); result = [y, x.grad, log.length]",
    )
both(
    "y = checkpoint(region, x, use_reentrant=False); gx = torch.autograd.grad(y.sum(), x, create_graph=True)[0]; gx.sum().backward(); result = [x.grad, w.grad, len(log)]",
    "const y = checkpoint(region, x, {use_reentrant: false}); const gx = torch.autograd.grad(y.sum(), x, {create_graph: true})[0]; gx.sum().backward(); result = [x.grad, w.grad, log.length]",
)
both(
    "y = checkpoint(pair, x, w, use_reentrant=False); g = GraphExecGroup(); g.__enter__(); y[0].sum().backward(retain_graph=True); y[1].sum().backward(); g.__exit__(); result = [x.grad, w.grad, len(log)]",
    "const y = checkpoint(pair, x, w, {use_reentrant: false}); const g = new GraphExecGroup(); g.__enter__(); y[0].sum().backward({retain_graph: true}); y[1].sum().backward(); g.__exit__(); result = [x.grad, w.grad, log.length]",
)
both(
    "y = checkpoint(pair, x, w, use_reentrant=False); y[0].sum().backward(retain_graph=True); y[1].sum().backward(); result = [x.grad, w.grad, len(log)]",
    "const y = checkpoint(pair, x, w, {use_reentrant: false}); y[0].sum().backward({retain_graph: true}); y[1].sum().backward(); result = [x.grad, w.grad, log.length]",
)
both(
    "y = checkpoint(region, x, use_reentrant=False)\ny.grad_fn._saved_result; result = [len(log)]",
    "const y = checkpoint(region, x, {use_reentrant: false}); y.grad_fn._saved_result; result = [log.length]",
)
for reentrant in (False, True):
    r = str(reentrant).lower()
    both(
        f"c = torch.autocast('cpu'); c.__enter__(); y = checkpoint(matmul, x, use_reentrant={reentrant}); c.__exit__(None, None, None); y.sum().backward(); result = [y.float(), x.grad, len(log)]",
        f"const y = torch.autocast('cpu', () => checkpoint(matmul, x, {{use_reentrant: {r}}})); y.sum().backward(); result = [y.float(), x.grad, log.length]",
    )
for pin in (False, True):
    p = str(pin).lower()
    both(
        f"c = save_on_cpu(pin_memory={pin}); c.__enter__(); y = region(x); c.__exit__(); y.sum().backward(); result = [y, x.grad, w.grad]",
        f"const y = save_on_cpu({{pin_memory: {p}}}, () => region(x)); y.sum().backward(); result = [y, x.grad, w.grad]",
    )


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.tolist()
    return value


def run(python):
    scope = {name: globals()[name] for name in ("torch", "checkpoint", "checkpoint_sequential", "set_checkpoint_early_stop", "GraphExecGroup", "save_on_cpu")}
    exec(PRELUDE, scope)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(python, scope)
            outcome = [plain(v) for v in scope.get("result", [])]
        except Exception as error:  # whatever it is, it is the answer
            outcome = {"error": type(error).__name__, "message": str(error)}
    return outcome, [str(w.message) for w in caught]


def main(path):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    rows = [[ts, python, *run(python)] for ts, python in PROGRAMS]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_checkpoint.py", "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows")


if __name__ == "__main__":
    main(sys.argv[1])
