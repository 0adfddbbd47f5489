"""
Programs that `torch.compile` compiles once for many sizes, traced by AOTAutograd. `python tools/oracle/aot_dynamic_cases.py` records the graphs
that PyTorch gives to compilers, and how many there are after each call, in test/fixtures/aot_dynamic.json.gz; test/torch/_functorch compares.
Sizes are symbols after the second call, in arguments that are marked, or with `dynamic=True`.
"""
import torch
import torch._dynamo
import torch.nn.functional as F
from functorch.compile import default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd

CASES = {}


def case(name, fn, *calls, **how):
    CASES[name] = (fn, calls, how)


def ramp(*size):
    n = 1
    for k in size:
        n *= k
    return torch.linspace(-1, 1, n).reshape(size)


def of_rows(*shapes, rows=(3, 5, 7, 4)):
    """Arguments for each number of rows, which a shape calls None; a shape that begins with "grad" needs gradients."""
    calls = []
    for n in rows:
        call = []
        for shape in shapes:
            if callable(shape):
                call.append(lambda shape=shape, n=n: shape(n))
                continue
            needs_grad = shape[0] == "grad"
            size = [n if k is None else k for k in shape[needs_grad:]]
            call.append(lambda size=size, needs_grad=needs_grad: ramp(*size).requires_grad_(needs_grad))
        calls.append(call)
    return calls


G = "grad"
case("pointwise", lambda x: x * 2 + 1, *of_rows((None, 4)))
case("pointwise_grad", lambda x: x.sin() * x, *of_rows((G, None, 4)))
case("size_in_arithmetic", lambda x: x * x.size(0) + x.shape[1] // 2, *of_rows((G, None, 4)))
case("size_returned", lambda x: (x.view(-1) * x.size(0), x.size(0) + 1, x.numel()), *of_rows((None, 4)))
case("reshape", lambda x: x.cos().reshape(-1), *of_rows((G, None, 4)))
case("reshape_rows", lambda x: x.sin().view(x.size(0) * 2, -1), *of_rows((G, None, 4)))
case("view_returned", lambda x: x.t(), *of_rows((None, 4)))
case("slice_returned", lambda x: (x[1:], x[:, -1]), *of_rows((None, 4)))
case("linear", lambda x, w, b: F.linear(x, w, b).relu().sum(0), *of_rows((G, None, 4), (G, 6, 4), (G, 6)))
case("matmul", lambda x, w: (x @ w).relu().mean(), *of_rows((None, 4), (G, 4, 5)))
case("batched", lambda x, y: torch.softmax(x @ y.transpose(1, 2), -1) @ y, *of_rows((G, 2, None, 4), (G, 2, None, 4)))
case("softmax", lambda x: x.softmax(-1), *of_rows((G, 2, None)))
case("cat", lambda x: torch.cat([x, x * 2]), *of_rows((G, None, 4)))
case("cat_arange", lambda x: torch.cat([x, torch.arange(x.size(0) * 2).float().expand(x.size(1), -1).t()]), *of_rows((G, None, 4)))
case("expand", lambda x: x.unsqueeze(0).expand(3, x.size(0), 4) * x.shape[0], *of_rows((G, None, 4)))
case("zeros_of_sizes", lambda x: torch.zeros(x.size(0), 3) + x.sum() + torch.ones_like(x)[:, :3], *of_rows((G, None, 4)))
case("mean_of_rows", lambda x: x - x.mean(0), *of_rows((G, None, 4)))
case("layer_norm", lambda x, w, b: F.layer_norm(x, (4,), w, b), *of_rows((G, None, 4), (G, 4), (G, 4)))
case("cross_entropy", lambda x, t: F.cross_entropy(x, t), *of_rows((G, None, 4), lambda n: torch.arange(n) % 4))
case("embedding", lambda i, w: F.embedding(i, w).sum(1), *of_rows(lambda n: torch.arange(2 * n).reshape(2, n) % 6, (G, 6, 3)))
case("convolution", lambda x, w, b: F.conv2d(x, w, b, padding=1).relu(), *of_rows((G, None, 2, 6, 6), (G, 3, 2, 3, 3), (G, 3)))
case("max_pool", lambda x: F.max_pool2d(x, 2), *of_rows((G, None, 2, 6, 6)))
case("in_place", lambda x: x.add_(1).sum(), *of_rows((None, 4)))
case("pad", lambda x: F.pad(x, (1, 2)), *of_rows((G, 2, None)))
case("where", lambda x: torch.where(x > 0, x, x * x.size(0)), *of_rows((G, None, 4)))
case("dropout", lambda x: F.dropout(x, 0.5), *of_rows((G, None, 4)))
case("branch", lambda x: x * 2 if x.size(0) > 4 else x + 1, *of_rows((G, None, 4)))
case("two_sizes", lambda x, y: (x @ y).sum(1), *of_rows((G, None, None), (G, None, 2)), dynamic=True)
case("marked", lambda x: x.exp().sum(0), *of_rows((G, None, 4)), mark=0)
case("marked_both", lambda x: (x * x.size(1)).sum(1), *of_rows((None, None)), mark=1)
case("whole_number", lambda x, k: x * k + k // 2, *[[lambda n=n: ramp(n, 4).requires_grad_(), lambda k=k: k] for n, k in ((3, 2), (5, 3), (7, 6))])
case("all_sizes", lambda x: x.t().reshape(-1) + x.numel(), *of_rows((G, None, 4)), dynamic=True)
case("norm", lambda x: torch.stack([x, x + 1], 1).flatten(1).norm(dim=1), *of_rows((G, None, 4)))
case("max_of_rows", lambda x: x.max(0).values, *of_rows((G, None, 4)))


def recording(graphs, kind):
    def compiler(gm, inputs):
        graphs.append([kind, gm.code.strip()])
        return make_boxed_func(gm.forward)
    return compiler


def tensors(value):
    return [each for each in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(each, torch.Tensor)]


def same(a, b):
    if isinstance(a, torch.Tensor):
        return a.shape == b.shape and a.requires_grad == b.requires_grad and torch.allclose(a, b, rtol=1.3e-6, atol=1e-5)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


def step(fn, call, mark):
    """Runs forward, and backward if there are gradients: results, arguments after the call, gradients."""
    given = [make() for make in call]
    if mark is not None:
        torch._dynamo.mark_dynamic(given[0], mark)
    torch.manual_seed(0)
    out = fn(*given)
    loss = [each.square().sum() for each in tensors(out) if each.requires_grad]
    if loss:
        sum(loss).backward()
    return [out, tensors(given), [each.grad for each in tensors(given) if each.grad is not None]]


def run(name, min_cut):
    fn, calls, how = CASES[name]
    torch._dynamo.reset()
    graphs = []
    backend = aot_autograd(
        fw_compiler=recording(graphs, "forward"),
        bw_compiler=recording(graphs, "backward"),
        inference_compiler=recording(graphs, "inference"),
        partition_fn=min_cut_rematerialization_partition if min_cut else default_partition,
    )
    options = {"dynamic": how["dynamic"]} if "dynamic" in how else {}
    compiled = torch.compile(fn, backend=backend, **options)
    counts, equal = [], []
    for call in calls:
        found = step(compiled, call, how.get("mark"))
        counts.append(len(graphs))
        equal.append(same(found, step(fn, call, None)))
    torch._dynamo.reset()
    return {"graphs": graphs, "counts": counts, "equal": equal}


if __name__ == "__main__":
    import gzip
    import json
    import pathlib

    cases = {f"{name}{' min_cut' if min_cut else ''}": run(name, min_cut) for name in CASES for min_cut in (False, True)}
    made = {"torch": torch.__version__.split("+")[0], "script": "tools/oracle/aot_dynamic_cases.py", "cases": cases}
    fixture = pathlib.Path(__file__).resolve().parents[2] / "test/fixtures/aot_dynamic.json.gz"
    fixture.write_bytes(gzip.compress(json.dumps(made).encode(), mtime=0))
    print(len(cases), "cases;", sum(not all(each["equal"]) for each in cases.values()), "of them differ from eager")
    print({name: each["counts"] for name, each in cases.items() if "min_cut" not in name})
