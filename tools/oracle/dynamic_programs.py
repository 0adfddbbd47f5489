"""
Random programs over tensors whose sizes vary: compiled they give the values, gradients and changes of arguments that they give without a compiler,
for each of several sizes. It runs on PyTorch and on glasstorch: `python tools/oracle/dynamic_programs.py SEED COUNT [BACKEND]`.
test/torch/_dynamo/dynamic_programs.test.ts runs a part.
"""
import random
import sys

import torch
import torch._dynamo
import torch._dynamo.testing
import torch.nn.functional as F

# Every variable is a matrix with the rows of `x` and 4 columns. `n` is a number of the program, which may be a symbol.
STEPS = (
    "{a} + {b}", "{a} * {b}", "{a} - {b}.mean(0)", "{a}.sin() * {b}.cos()", "torch.maximum({a}, {b})", "{a} * {n}", "{a} + {n}", "{a} / (1 + {b} * {b})",
    "torch.relu({a})", "{a}.softmax(-1)", "{a}.softmax(0)", "{a} @ w", "F.linear({a}, w, v)", "F.layer_norm({a}, (4,), v, v)", "{a}.t().t() + 1",
    "{a}.reshape(-1).view({a}.size(0), 4)", "{a}.reshape(4, -1).t()", "{a}.view(-1, 2, 2).transpose(1, 2).flatten(1)", "torch.where({a} > 0, {a}, {b})",
    "torch.cat([{a}, {b}])[:{a}.size(0)]", "torch.cat([{a}, {b}], 1)[:, 2:6]", "{a}[torch.arange({a}.size(0) - 1, -1, -1)]", "{a}.flip(0)",
    "{a} + torch.arange({a}.size(0)).unsqueeze(1)", "{a} + torch.zeros({a}.size(0), 4)", "{a} * torch.ones_like({b})", "{a}.new_full({a}.shape, 2.0) + {b}",
    "{a}.sum(0, keepdim=True).expand({a}.size(0), 4)", "{a}.sum(1, keepdim=True) + {b}", "{a} - {a}.max(1, keepdim=True).values", "{a}.cumsum(0)",
    "({a} @ {b}.t()).softmax(-1) @ {b}", "torch.stack([{a}, {b}]).sum(0)", "torch.stack([{a}, {b}], 1).mean(1)", "{a}.unsqueeze(1).squeeze(1)",
    "F.pad({a}, (1, 1))[:, 1:5]", "F.dropout({a}, 0.5)", "F.gelu({a})", "{a}.clone().mul_({n})", "{a}.masked_fill({b} > 0, 0.5)", "{a}.split(2, 1)[1].repeat(1, 2)",
    "{a}.narrow(0, 0, {a}.size(0) // 2 + 1).sum(0) + {b}", "{a}[1:].sum(0) + {b}", "{a}[-1] + {b}", "{a}.view(-1)[: {a}.size(0)].unsqueeze(1) + {b}",
    "{a}.index_select(1, torch.tensor([3, 2, 1, 0]))", "{a}.norm(dim=1, keepdim=True) + {b}", "{a}.clamp(-1, 0.5)", "{a}.abs().sqrt() + {b}",
    "torch.bmm({a}.unsqueeze(0), w.unsqueeze(0)).squeeze(0)", "{a} + {a}.numel()", "{a}.transpose(0, 1).contiguous().transpose(0, 1)", "torch.tril({a})",
    "F.scaled_dot_product_attention({a}[None], {b}[None], {b}[None])[0]", "{a}.roll(1, 0)", "{a} + F.one_hot(torch.arange({a}.size(0)) % 4, 4)",
)
NUMBERS = ("2", "0.5", "x.size(0)", "n", "n // 2", "x.size(0) * 2 - 1", "x.numel()", "x.shape[1]", "len(x)", "max(n, 3)", "x.size(0) / 4")
CONDITIONS = ("x.size(0) > 4", "n > 2", "x.size(0) % 2 == 0", "x.shape[0] != 6", "x.numel() < 30", "x.requires_grad")
RESULTS = ("{a}", "{a}.sum()", "{a}.t()", "{a}[1:]", "{a}.size(0)", "x.view(-1)", "{a}.reshape(-1)", "{a}.mean(0)", "x.t()", "{a}.size(0) * 2 + 1", "{a}.unsqueeze(0)")
SIZES = ((3, 3), (5, 5), (8, 2), (6, 7), (2, 4))


def program(seed):
    pick = random.Random(seed)
    names = ["x", "y"]
    lines = []

    def value():
        return pick.choice(STEPS).format(a=pick.choice(names), b=pick.choice(names), n=pick.choice(NUMBERS))
    if pick.random() < 0.25:
        lines.append(pick.choice(("y.add_(1)", "y.mul_(x.size(0))", "y[0] = 2", "y.t().add_(x.detach().t())", "y.view(-1)[1:].zero_()")))
    for i in range(pick.randint(2, 6)):
        name = pick.choice((f"v{i}", "x"))
        if pick.random() < 0.15:
            lines += [f"if {pick.choice(CONDITIONS)}:", f"    {name} = {value()}", "else:", f"    {name} = {value()}"]
        else:
            lines.append(f"{name} = {value()}")
        if name not in names:
            names.append(name)
    results = [pick.choice(RESULTS).format(a=pick.choice(names[-2:])) for _ in range(pick.randint(1, 3))]
    lines.append(f"return [{', '.join(results)}]")
    return "def f(x, y, w, v, n):\n" + "\n".join("    " + line for line in lines) + "\n"


def arguments(seed, i):
    rows, n = SIZES[i]
    make = torch.Generator().manual_seed(seed * 10 + i)
    x, y, w, v = (torch.randn(*size, generator=make) for size in ((rows, 4), (rows, 4), (4, 4), (4,)))
    for t, bit in ((x, 1), (w, 2), (v, 4)):
        t.requires_grad_(seed & bit != 0)
    return [x, y, w, v, n]


def tensors(values):
    return [value for value in values if isinstance(value, torch.Tensor)]


def step(fn, given):
    torch.manual_seed(0)
    out = fn(*given)
    out = out if isinstance(out, list) else [out]
    losses = [(t * t).mean() for t in tensors(out) if t.requires_grad]
    if losses:
        sum(losses).backward()
    return [*out, *tensors(given), *[t.grad for t in tensors(given)]]


def steps(t):
    """Strides of the dimensions that have several elements."""
    return [stride for size, stride in zip(t.shape, t.stride()) if size > 1]


def same(a, b, strides=True):
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        alike = a.shape == b.shape and a.dtype == b.dtype and (not strides or steps(a) == steps(b)) and a.requires_grad == b.requires_grad
        return alike and torch.allclose(a, b, rtol=1e-4, atol=1e-4, equal_nan=True)
    return type(a) is type(b) and a == b


def compare(seed, backend="aot_eager", dynamic=None, sizes=4):
    """The number of graphs, and None if each size gives the same both ways; otherwise the program and what differs."""
    text = program(seed)
    scope = {"torch": torch, "F": F}
    exec(compile(text, f"program_{seed}.py", "exec"), scope)
    torch._dynamo.reset()
    counter = torch._dynamo.testing.CompileCounterWithBackend(backend)
    compiled = torch.compile(scope["f"], backend=counter, dynamic=dynamic)
    differences = None
    for i in range(sizes):
        try:
            expected = step(scope["f"], arguments(seed, i))
        except (RuntimeError, IndexError, ValueError):
            continue
        try:
            found = step(compiled, arguments(seed, i))
        except Exception as error:
            differences = [text, SIZES[i], f"{type(error).__name__}: {error}"]
            break
        wrong = [k for k, (a, b) in enumerate(zip(expected, found)) if not same(a, b, backend != "inductor")]
        if wrong:
            differences = [text, SIZES[i], [[str(expected[k]), str(found[k])] for k in wrong]]
            break
    torch._dynamo.reset()
    return [counter.frame_count, differences]


def mlp(x, w, v):
    return F.dropout(F.layer_norm(F.linear(x, w, v).relu(), (4,)), 0.5).softmax(-1).mean(0)


def count_for_sizes(backend, count):
    """How often a small network with its gradients is compiled for batches of different sizes."""
    torch._dynamo.reset()
    counter = torch._dynamo.testing.CompileCounterWithBackend(backend)
    compiled = torch.compile(mlp, backend=counter)
    for rows in range(2, 2 + count):
        given = [torch.linspace(-1, 1, rows * 4).reshape(rows, 4), *arguments(7, 0)[2:4]]
        for a, b in zip(step(compiled, given), step(mlp, [t.detach().requires_grad_(t.requires_grad) for t in given])):
            assert same(a, b, False)
        given[1].grad = given[2].grad = None
    torch._dynamo.reset()
    return counter.frame_count


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    backend = sys.argv[3] if len(sys.argv) > 3 else "aot_eager"
    graphs = differ = 0
    for seed in range(first, first + count):
        made, found = compare(seed, backend, [None, True][seed % 2])
        graphs += made
        if found is not None:
            differ += 1
            print(f"===== {seed}\n{found[0]}{found[1]}\n{str(found[2])[:1500]}", flush=True)
    print(f"{differ} of {count} differ; {graphs} graphs")
