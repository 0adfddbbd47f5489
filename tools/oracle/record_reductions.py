"""Records what PyTorch's reductions, matrix products, softmax and losses give for random tensors of many shapes, strides and dtypes.

    python tools/oracle/record_reductions.py test/fixtures/native/reductions.json.gz

A case is `{f: function, a: arguments, r: results | e: error text}`; a tensor is dtype, sizes, strides and its elements in row-major order.
"""

import gzip
import json
import sys

import torch

torch.manual_seed(0)
torch.set_num_threads(1)
A = torch.ops.aten
cases = []


def number(v, dtype):
    if dtype == torch.int64:
        return str(v)
    if isinstance(v, float):
        return "nan" if v != v else str(v) if v in (float("inf"), float("-inf")) else v
    return int(v)


def encode(x):
    if isinstance(x, torch.Tensor):
        flat = x.contiguous().reshape(-1)
        values = flat.double().tolist() if x.is_floating_point() else flat.tolist()
        return {"t": str(x.dtype)[6:], "s": list(x.shape), "st": list(x.stride()), "d": [number(v, x.dtype) for v in values]}
    if isinstance(x, torch.dtype):
        return {"dt": str(x)[6:]}
    if isinstance(x, (list, tuple)):
        return {"l": [encode(v) for v in x]}
    return x


def case(name, op, *args):
    record = {"f": name, "a": [encode(v) for v in args]}
    try:
        record["r"] = encode(op(*args))
    except Exception as error:
        record["e"] = str(error).split("\n")[0]
    cases.append(record)


def make(shape, dtype):
    if dtype == torch.bool:
        return torch.rand(shape) > 0.4
    if not dtype.is_floating_point:
        return torch.randint(0 if dtype == torch.uint8 else -9, 10, shape).to(dtype)
    # Few significant bits, so that the fixture compresses; sums of them still round.
    return (torch.randint(-512, 512, shape).double() / 37).to(dtype)


DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool]
for dtype in DTYPES:
    for shape in [(), (7,), (3, 4), (2, 3, 5), (0, 3), (300,), (5, 70), (70, 5)]:
        views = [make(shape, dtype)]
        if len(shape) == 2:
            views.append(make((shape[1], shape[0]), dtype).t())
        if len(shape) == 3:
            views.append(make((shape[2], shape[0], shape[1]), dtype).permute(1, 2, 0))
        for x in views:
            for d in range(len(shape)):
                case("sum_dim_IntList", A.sum.dim_IntList, x, [d], False)
                case("mean_dim", A.mean.dim, x, [d], True)
                case("amax", A.amax, x, [d], True)
                case("argmin", A.argmin, x, d, True)
                case("max_dim", A.max.dim, x, d, False)
                case("min_dim", A.min.dim, x, d, True)
                case("all_dim", A.all.dim, x, d, False)
                case("any_dims", A.any.dims, x, [d], True)
                if x.numel() < 100:
                    case("_softmax", A._softmax, x, d, False)
                    case("_log_softmax", A._log_softmax, x, d, False)
            case("sum", A.sum.default, x)
            case("max", A.max.default, x)
            case("argmax", A.argmax, x)
            case("all", A.all.default, x)
            if len(shape) >= 2:
                case("sum_dim_IntList", A.sum.dim_IntList, x, [0, -1], False)
    for m, n, k in [(3, 4, 2), (1, 1, 1), (17, 5, 9), (3, 2, 0), (0, 2, 3)]:
        a, b, c = make((m, k), dtype), make((k, n), dtype), make((m, n), dtype)
        for left, right in [(a, b), (make((k, m), dtype).t(), make((n, k), dtype).t()), (make((m, 2 * k), dtype)[:, ::2], b)]:
            case("mm", A.mm, left, right)
            case("addmm", A.addmm, c, left, right)
        case("mv", A.mv, a, make((k,), dtype))
        case("addmv", A.addmv, make((m,), dtype), a, make((k,), dtype))
        case("dot", A.dot, make((k,), dtype), make((k,), dtype))
        case("bmm", A.bmm, make((2, m, k), dtype), make((2, n, k), dtype).mT)
        case("baddbmm", A.baddbmm, make((n,), dtype), make((2, m, k), dtype), make((2, k, n), dtype))
for dtype in [torch.float32, torch.int64]:
    shapes = [(), (4,), (3, 4), (2, 3, 4), (4, 5), (2, 4, 5), (1, 4, 5), (2, 1, 4, 5)]
    for left in shapes:
        for right in shapes:
            case("matmul", A.matmul, make(left, dtype), make(right, dtype))
    case("matmul", A.matmul, make((3, 2, 4), dtype).transpose(0, 1), make((4, 5), dtype))
    for shape in [(4,), (3, 4), (2, 3, 4)]:
        case("linear", A.linear, make(shape, dtype), make((5, 4), dtype))
        case("linear", A.linear, make(shape, dtype), make((5, 4), dtype), make((5,), dtype))
    case("linear", A.linear, make((3, 2, 4), dtype).transpose(0, 1), make((5, 4), dtype), make((5,), dtype))
for dtype in [torch.float32, torch.float64, torch.float16]:
    x = make((20, 4), dtype).float().log_softmax(1).to(dtype)
    for t in [torch.randint(0, 4, (20,)), torch.randint(0, 4, (20,)).byte(), torch.randint(0, 9, (20,))]:
        for weight in (None, torch.rand(4).to(dtype)):
            for reduction in (0, 1, 2):
                case("nll_loss_forward", A.nll_loss_forward, x, t, weight, reduction, 1)
                case("cross_entropy_loss", A.cross_entropy_loss, x, t, weight, reduction, -100, 0.0)
    for reduction in (0, 1, 2):
        t = torch.randint(0, 4, (20,))
        loss, total = A.nll_loss_forward(x, t, None, reduction, 1)
        case("nll_loss_backward", A.nll_loss_backward, torch.ones_like(loss), x, t, None, reduction, 1, total)
    case("cross_entropy_loss", A.cross_entropy_loss, make((2, 3, 4), dtype), torch.randint(0, 3, (2, 4)), None, 1, -100, 0.0)
    for d in (0, 1):
        y = make((3, 4), dtype).float().softmax(d).to(dtype)
        case("_softmax_backward_data", A._softmax_backward_data, make((3, 4), dtype), y, d, dtype)
        case("_log_softmax_backward_data", A._log_softmax_backward_data, make((3, 4), dtype), y.log(), d, dtype)
nan, inf = float("nan"), float("inf")
special = torch.tensor([[1.0, nan, 3.0], [-inf, -inf, -inf], [1.0, inf, 3.0], [2.0, 2.0, 1.0]])
for name, op in [("max_dim", A.max.dim), ("min_dim", A.min.dim), ("argmax", A.argmax), ("_softmax", A._softmax)]:
    case(name, op, special, 1, False)
case("sum_to_size", lambda x, size: x.sum_to_size(size), make((3, 4), torch.float32), [3, 1])
case("sum_to_size", lambda x, size: x.sum_to_size(size), make((3, 4), torch.float32), [2, 4])
for p, train in [(0.0, True), (1.0, True), (0.5, False), (1.5, True)]:
    case("dropout", A.dropout, make((3, 4), torch.float32), p, train)

# Batches of small products: 5 * 11 * 6 multiply-adds an item.
for dtype in DTYPES:
    batch1, batch2 = make((3, 5, 11), dtype), make((3, 11, 6), dtype)
    case("bmm", A.bmm, batch1, batch2)
    case("baddbmm", A.baddbmm, make((5, 6), dtype), batch1, batch2)

with open(sys.argv[1], "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as stream:
    stream.write((json.dumps({"torch": torch.__version__, "cases": cases}, separators=(",", ":")) + "\n").encode())
print(len(cases), "cases")
