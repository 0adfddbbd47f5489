"""
Programs for `torch.compile` with `torch.cond`, custom functions and checkpoint regions, which PyTorch and glasstorch both run.
`python tools/oracle/dynamo_higher_order_cases.py` records in test/fixtures/dynamo_higher_order.json.gz the graphs that PyTorch's Dynamo makes of
each, with the graphs inside, and results and gradients of three backends. test/torch/_dynamo/higher_order.test.ts compares.
"""
import contextlib
import io
import re
import warnings

import torch
import torch._dynamo

HEADER = """import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


"""
CASES = {}


def ramp(start, n):
    return (start + torch.arange(n) * 0.25 - 0.5).clone()


def case(name, text, *calls, **how):
    """`backends`: those besides `eager`; AOTAutograd of PyTorch refuses gradients of some branches as aliases."""
    CASES[name] = (text, calls or ([ramp(0, 3), ramp(1, 3)],), how)


case("cond_free_variable", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: x.sin() * w, lambda x: x.cos(), (x,))
""", [ramp(1, 3), ramp(1, 3)], [ramp(-1, 3), ramp(1, 3)], fullgraph=True)
case("cond_two_results", """def f(x, w):
    y = x * 2
    def t(a):
        return a * y, w * 2
    def g(a):
        return a.sin(), y * 3
    a, b = torch.cond(x.sum() > 0, t, g, (x,))
    return a + b
""", fullgraph=True, backends=())
case("cond_dict", """def f(x, w):
    def t(d):
        return {'a': d['x'] * d['w'][0], 'b': [d['x'] * 3]}
    def g(d):
        return {'a': d['x'] / d['w'][0], 'b': [d['w'][0].exp()]}
    out = torch.cond(w.sum() > 0, t, g, ({'x': x, 'w': [w]},))
    return out['a'] + out['b'][0]
""", fullgraph=True, backends=())
case("cond_nested", """def f(x, w):
    def inner(x):
        return torch.cond(x.mean() < 0, lambda x: x * w, lambda x: x / 2, (x,))
    return torch.cond(x.sum() > 0, inner, lambda x: x.neg(), (x,))
""", [ramp(1, 3), ramp(1, 3)], [ramp(-1, 3), ramp(1, 3)], fullgraph=True)
case("cond_module", """class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        with torch.no_grad():
            self.fc.weight.copy_(torch.arange(9.).reshape(3, 3) / 10)
            self.fc.bias.fill_(0.5)

    def forward(self, x, w):
        return torch.cond(x.sum() > 0, self.fc, lambda x: x * w, (x,))


f = M()
""", [ramp(1, 3), ramp(1, 3)])
case("cond_constant", """def f(x, w):
    return torch.cond(x.shape[0] > 2, lambda x: x.sin() * w, lambda x: x.cos(), (x,))
""")
case("cond_twice", """def f(x, w):
    for i in range(2):
        x = torch.cond(x.sum() > i, lambda x: x * w, lambda x: x / w, (x,))
    return x
""")
case("cond_other_structure", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: x.sin() * w, lambda x: (x.cos(), x * 2), (x,))
""")
case("cond_other_dtype", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: x.sin() * w, lambda x: x.cos().double(), (x,))
""")
case("cond_mutation", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: x.add_(1), lambda x: x.cos(), (x * 1,))
""")
case("cond_alias", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: x.view(-1), lambda x: x.cos(), (x,))
""")
case("cond_print", """def f(x, w):
    def t(x):
        print('inside')
        return x + 1
    return torch.cond(x.sum() > 0, t, lambda x: x.cos(), (x,))
""")
case("cond_side_effect", """def f(x, w):
    seen = []
    def t(x):
        seen.append(1)
        return x + 1
    return torch.cond(x.sum() > 0, t, lambda x: x.cos(), (x,))
""")
case("cond_wrong_operands", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x.cos(), x)
""")
case("cond_float_result", """def f(x, w):
    return torch.cond(x.sum() > 0, lambda x: (x + 1, 1.5), lambda x: (x.cos(), 1.5), (x,))
""")
case("closure_of_results", """def f(x, w):
    y = x + w
    def g():
        return y * 2
    return g() + y
""", fullgraph=True)
case("function", """class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return x.sin() * k

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * x.cos() * ctx.k * 3, None


def f(x, w):
    return Sin.apply(x, 2) + w
""", fullgraph=True)
case("function_two_results", """class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, unused):
        a = x.exp()
        ctx.save_for_backward(y, a)
        ctx.z = (x * y).cos()
        b = x > 1
        ctx.mark_non_differentiable(b)
        return a * y, b, x

    @staticmethod
    def backward(ctx, ga, gb, gx):
        y, a = ctx.saved_tensors
        if ctx.needs_input_grad[1]:
            return ga * a * y + gx * ctx.z, ga * a, None
        return ga * a * y * ctx.z, None, None


def f(x, w):
    a, b, c = Two.apply(x, w * 2, w)
    return a * b + c
""", fullgraph=True)
case("function_setup_context", """class Mul(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return x * w

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.k = 3

    @staticmethod
    def backward(ctx, *gs):
        x, w = ctx.saved_tensors
        return gs[0] * w * ctx.k, gs[0] * x


def f(x, w):
    return Mul.apply(x, w)
""", fullgraph=True)
case("function_without_gradients", """class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        return g * 2


def f(x, w):
    with torch.no_grad():
        return Sin.apply(x) + w
""", fullgraph=True)
case("function_global", """G = torch.full((3,), 2.)


class Scale(torch.autograd.Function):
    @classmethod
    def helper(cls, x):
        return x * G

    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return Scale.helper(x)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.x * G


def f(x, w):
    return Scale.apply(x) + Scale.apply(w)
""")
case("function_dirty", """class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 4


def f(x, w):
    y = x * 2
    return Add.apply(y) + w
""")
case("function_print", """class Print(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        print('back')
        return g * 7


def f(x, w):
    y = x + 1
    return Print.apply(y) + w
""", fullgraph=True)
case("checkpoint", """def f(x, w):
    return checkpoint(lambda a, b: (a * b).sin(), x, w, use_reentrant=False)
""", fullgraph=True)
case("checkpoint_free_variables", """def f(x, w):
    y = x.exp()
    def g(a, k=1):
        b = (a * w).sin()
        return {'a': b.cos() * k, 'b': [b, y]}
    d = torch.utils.checkpoint.checkpoint(g, x * 2, use_reentrant=False, k=3)
    return d['a'] + d['b'][0] * d['b'][1]
""", fullgraph=True)
case("checkpoint_modules", """class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
        with torch.no_grad():
            for k, p in enumerate(self.parameters()):
                p.copy_(torch.arange(p.numel()).reshape(p.shape) / 10 - k * 0.1)

    def forward(self, x, w):
        for layer in self.layers:
            x = checkpoint(lambda v: torch.relu(layer(v)).tanh(), x, use_reentrant=False)
        return x * w


f = M()
""", fullgraph=True)
case("checkpoint_print", """def f(x, w):
    def g(a):
        print('region')
        return a * 2
    return checkpoint(g, x, use_reentrant=False) + w
""", fullgraph=True)
case("checkpoint_of_function", """class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * x.cos() * 2


def f(x, w):
    return checkpoint(lambda a: Sin.apply(a * w) * 2, x, use_reentrant=False)
""", fullgraph=True)


def shown(value):
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), list(value.shape), [f"{v:.4g}" for v in value.detach().double().flatten().tolist()]]
    return [shown(v) for v in value] if isinstance(value, (tuple, list)) else repr(value)


def failure(error):
    """The text up to what only developers need."""
    text = re.sub(r"<bound method HigherOrderOperator.name of .*", "", str(error).split("\n\n  Developer debug context")[0])
    return [type(error).__name__, [line.rstrip() for line in text.split("\n") if "call_function cond" not in line]]


def compiled_with(name, backend):
    text, calls, how = CASES[name]
    torch._dynamo.reset()
    scope = {"__name__": name}
    exec(compile(HEADER + text, f"{name}.py", "exec"), scope)
    return torch.compile(scope["f"], backend=backend, fullgraph=how.get("fullgraph", False))


def outputs(name, backend):
    made = []
    fn = compiled_with(name, backend)
    for call in CASES[name][1]:
        given = [t.clone().requires_grad_() for t in call]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                out = fn(*given)
                flat = out if isinstance(out, (tuple, list)) else [out]
                total = sum(t.sum() for t in flat)
                if total.requires_grad:
                    total.backward()
                out = [shown(out), [None if t.grad is None else shown(t.grad) for t in given]]
            except Exception as error:
                out = failure(error)
        made.append([out, printed.getvalue()])
    return made


def run(name):
    graphs = []

    def backend(gm, example_inputs):
        graphs.append({key: module.code.strip() for key, module in gm.named_modules() if hasattr(module, "code")})
        return gm.forward
    found = {"eager": outputs(name, backend)}
    for other in CASES[name][2].get("backends", ("aot_eager", "inductor")):
        found[other] = outputs(name, other)
    torch._dynamo.reset()
    return {"graphs": graphs, "outputs": found}


if __name__ == "__main__":
    import gzip
    import json
    import pathlib

    made = {"torch": torch.__version__.split("+")[0], "script": "tools/oracle/dynamo_higher_order_cases.py", "cases": {name: run(name) for name in CASES}}
    fixture = pathlib.Path(__file__).resolve().parents[2] / "test/fixtures/dynamo_higher_order.json.gz"
    fixture.write_bytes(gzip.compress(json.dumps(made).encode(), mtime=0))
    print(len(made["cases"]), "cases")
