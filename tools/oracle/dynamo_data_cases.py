"""
Functions for `torch.compile` in which numbers and sizes depend on data: `item()`, `nonzero()`, masks. `python tools/oracle/dynamo_data_cases.py` records
in test/fixtures/dynamo_data.json.gz what PyTorch's Dynamo does with each, as dynamo_cases.py does. test/torch/_dynamo/dynamo.test.ts compares.
"""
import torch
from dynamo_cases import CASES, case, ramp, run

of_others = set(CASES)
whole = {"fullgraph": True}

case("item_scalar", """def f(x):
    n = x.sum().item()
    return x * n
""", [ramp(0, 3)], [ramp(1, 3)], **whole)
case("item_int", """def f(x, i):
    return x * i.item()
""", [ramp(0, 3), torch.tensor(3)], [ramp(1, 3), torch.tensor(5)], **whole)
case("item_bool", """def f(x):
    b = (x.sum() > 0).item()
    return x + b
""", [ramp(0, 3)], **whole)
case("item_branch", """def f(x):
    n = x.sum().item()
    if n > 0:
        return x + 1
    return x - 1
""", [ramp(0, 3)], **whole)
case("item_size", """def f(i):
    n = i.item()
    return torch.zeros(n) + 1
""", [torch.tensor(3)], [torch.tensor(5)], **whole)
case("item_size_check", """def f(i):
    n = i.item()
    torch._check(n >= 2)
    torch._check(n < 100)
    y = torch.arange(n)
    return y * 2
""", [torch.tensor(3)], [torch.tensor(5)], **whole)
case("int_of_tensor", """def f(x, i):
    return x + int(i)
""", [ramp(0, 3), torch.tensor(3)], **whole)
case("float_of_tensor", """def f(x):
    return x + float(x[0])
""", [ramp(0, 3)], **whole)
case("nonzero_sum", """def f(x):
    i = x.nonzero()
    return i.sum(), i.size(0)
""", [ramp(0, 3)], [ramp(1, 4)], **whole)
case("nonzero_shape", """def f(x):
    i = torch.nonzero(x)
    return i * 2
""", [ramp(0, 3)], [ramp(1, 3)], **whole)
case("mask_index", """def f(x):
    return x[x > 0]
""", [ramp(0, 7)], [ramp(1, 7)], **whole)
case("mask_index_sum", """def f(x, w):
    y = x[x > 0]
    return (y * 2 + 1).sum() * w
""", [ramp(0, 7), ramp(0, 1)], **whole)
case("mask_assign", """def f(x):
    x = x.clone()
    x[x > 0] = 5.
    return x
""", [ramp(0, 7)], **whole)
case("masked_select", """def f(x):
    return torch.masked_select(x, x > 0).mean()
""", [ramp(0, 7)], **whole)
case("unique", """def f(x):
    return torch.unique(x) + 1
""", [ramp(0, 7)], **whole)
case("narrow_item", """def f(x, i):
    n = i.item()
    torch._check(n >= 0)
    torch._check(n <= x.size(0))
    return x.narrow(0, 0, n)
""", [ramp(0, 7), torch.tensor(3)], **whole)
case("slice_item", """def f(x, i):
    n = i.item()
    return x[:n].sum()
""", [ramp(0, 7), torch.tensor(3)], **whole)
case("select_item", """def f(x, i):
    n = i.item()
    return x[n] + 1
""", [ramp(0, 7), torch.tensor(3)], **whole)
case("tolist_ints", """def f(x, sizes):
    a, b, c = sizes.tolist()
    return x * a + b * c
""", [ramp(0, 7), torch.tensor([1, 2, 4])], **whole)
case("split_tolist", """def f(x, sizes):
    return torch.split(x, sizes.tolist())
""", [ramp(0, 7), torch.tensor([1, 2, 4])], **whole)
case("item_arith", """def f(x, i):
    n = i.item() * 2 + 1
    m = n // 3
    return x * n + m
""", [ramp(0, 7), torch.tensor(3)], **whole)
case("repeat_interleave", """def f(x, r):
    return torch.repeat_interleave(x, r)
""", [ramp(0, 3), torch.tensor([1, 2, 3])], **whole)
case("item_returned", """def f(x):
    return x.sum().item()
""", [ramp(0, 3)], **whole)
case("item_int_returned", """def f(i):
    return i.item() + 1
""", [torch.tensor(3)], **whole)
case("item_print_break", """def f(x):
    n = x.sum().item()
    return x * n
""", [ramp(0, 3)])
case("cat_masked", """def f(x, y):
    return torch.cat([x[x > 0], y])
""", [ramp(0, 7), ramp(1, 7)], **whole)
case("two_masks", """def f(x):
    a = x[x > 0]
    b = x[x > 0]
    return a + b
""", [ramp(0, 7)], **whole)
case("same_mask", """def f(x):
    m = x > 0
    a = x[m]
    return a + a * 2
""", [ramp(0, 7)], **whole)
case("matmul_masked", """def f(x, w):
    y = x[x.sum(1) > 0]
    return torch.relu(y @ w)
""", [ramp(0, 4, 3), ramp(1, 3, 2)], **whole)
case("linear_masked", """l = torch.nn.Linear(3, 2)


def f(x):
    y = x[x.sum(1) > 0]
    return l(y).relu().sum()
""", [ramp(0, 4, 3)], **whole)
case("len_nonzero", """def f(x):
    i = x.nonzero()
    return x + len(i)
""", [ramp(0, 4)], **whole)
case("branch_nonzero", """def f(x):
    i = x.nonzero()
    if i.size(0) > 2:
        return x + 1
    return x
""", [ramp(0, 4)], **whole)
case("check_then_branch", """def f(x, i):
    n = i.item()
    torch._check(n > 2)
    if n > 1:
        return x + n
    return x
""", [ramp(0, 4), torch.tensor(3)], **whole)
case("view_item", """def f(x, i):
    n = i.item()
    torch._check(n == 2)
    return x.view(n, 3)
""", [ramp(0, 6), torch.tensor(2)], **whole)
case("expand_item", """def f(x, i):
    n = i.item()
    return x.expand(n, 3)
""", [ramp(0, 1, 3), torch.tensor(2)], **whole)
case("math_item", """def f(x):
    n = x.sum().item()
    return x * math.sqrt(n * n + 1)
""", [ramp(0, 3)], **whole)
case("item_eq", """def f(x, i):
    return x + (i.item() == 3)
""", [ramp(0, 3), torch.tensor(2)], **whole)
case("full_item", """def f(x):
    return torch.full((3,), x.sum().item())
""", [ramp(0, 3)], **whole)
case("where_one", """def f(x):
    (i,) = torch.where(x > 0)
    return x[i] * 2
""", [ramp(0, 7)], **whole)
case("topk_item", """def f(x, k):
    return x.topk(k.item()).values
""", [ramp(0, 7), torch.tensor(3)], **whole)
case("item_grad", """def f(x):
    s = x.sum()
    return (x * s.item()).sum()
""", [ramp(0, 7).requires_grad_()], **whole)
case("range_item", """def f(x, i):
    for k in range(i.item()):
        x = x + 1
    return x
""", [ramp(0, 7), torch.tensor(3)], **whole)
case("bincount", """def f(i):
    return torch.bincount(i) + 1
""", [torch.tensor([1, 2, 2])], **whole)
case("argwhere", """def f(x):
    return torch.argwhere(x > 0).float().mean(0)
""", [ramp(0, 2, 4)], **whole)
case("index_put_mask", """def f(x, y):
    x = x.clone()
    m = x > 0
    x[m] = y[m]
    return x
""", [ramp(0, 7), ramp(2, 7)], **whole)
case("numel_mask", """def f(x):
    y = x[x > 0]
    return y.sum() / y.numel()
""", [ramp(0, 7)], **whole)
case("reshape_mask", """def f(x):
    y = x[x > 0]
    return y.reshape(-1, 1) * 2
""", [ramp(0, 7)], **whole)
case("unsqueeze_mask", """def f(x):
    y = x[x > 0]
    return y[:, None] + y[None, :]
""", [ramp(0, 7)], **whole)
case("zeros_like_mask", """def f(x):
    y = x[x > 0]
    return torch.zeros_like(y), torch.ones(y.shape[0], 2)
""", [ramp(0, 7)], **whole)
case("item_str", """def f(x, i):
    d = {1: 2}
    return x + d[i.item()]
""", [ramp(0, 7), torch.tensor(1)], **whole)
case("promised_sum", """def f(x, i, j):
    n, m = i.item(), j.item()
    torch._check(n + m == 7)
    a, b = torch.split(x, [n, m])
    return a.sum() * b.sum()
""", [ramp(0, 7), torch.tensor(3), torch.tensor(4)], **whole)
case("promise_broken", """def f(x):
    n = x.sum().to(torch.int64).item()
    torch._check(n > 3)
    return x + n
""", [ramp(1, 7)], [ramp(0, 7)], **whole)
case("sizes_of_elements", """def f(x, s):
    a, b = s.tolist()
    return x.view(a, b).sum(0)
""", [ramp(0, 6), torch.tensor([2, 3])], **whole)
case("mask_of_varying", """def f(x):
    return x[x > 0] * 2
""", [ramp(0, 7)], [ramp(0, 9)], [ramp(1, 5)], **whole)
case("dynamic_nonzero", """def f(x):
    i = x.nonzero()
    return x + i.size(0)
""", [ramp(0, 7)], [ramp(0, 9)], dynamic=True, **whole)
case("no_elements", """def f(x):
    return x[x > 9], x.new_zeros(0).nonzero()
""", [ramp(0, 7)], **whole)
case("two_dims", """def f(x):
    i, j = torch.where(x > 0)
    return i + j, x[i, j]
""", [ramp(0, 3, 4)], **whole)
case("rows_of_mask", """def f(x, m):
    y = x[m]
    return y.mean(0), y.shape[1], y.T @ y
""", [ramp(0, 4, 3), torch.tensor([True, False, True, True])], **whole)
case("min_max_items", """def f(x, i, j):
    return x + max(i.item(), j.item()) + min(i.item(), 3)
""", [ramp(0, 3), torch.tensor(2), torch.tensor(5)], **whole)
case("float_functions", """def f(x):
    s = x.abs().sum().item()
    return x * math.sin(s) + math.log2(s + 1) - abs(s)
""", [ramp(0, 3)], **whole)
case("masks_in_a_loop", """def f(x):
    out = []
    for k in (0.0, 0.25):
        out.append(x[x > k].sum())
    return torch.stack(out)
""", [ramp(0, 7)], **whole)
case("unique_of", """def f(x):
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    return values[inverse], counts.sum()
""", [torch.tensor([3, 1, 3, 2])], **whole)

names = [name for name in CASES if name not in of_others]

if __name__ == "__main__":
    import gzip
    import json
    import pathlib

    made = {"torch": torch.__version__.split("+")[0], "script": "tools/oracle/dynamo_data_cases.py", "cases": {name: run(name) for name in names}}
    fixture = pathlib.Path(__file__).resolve().parents[2] / "test/fixtures/dynamo_data.json.gz"
    fixture.write_bytes(gzip.compress(json.dumps(made).encode(), mtime=0))
    print(len(made["cases"]), "cases")
