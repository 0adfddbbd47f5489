"""Functions for torch.jit.trace: each `case_NAME` returns what is traced, the example inputs, keywords of `trace`, and inputs for runs."""
import torch
import torch.nn.functional as F
from typing import NamedTuple


def t(*size):
    n = 1
    for s in size:
        n = n * s
    return (torch.arange(n).float() / 4 - 1).view(*size)


def case_sizes():
    def f(x):
        b, c = x.shape
        half = x.size(1) // 2
        return x.view(b * c), x[:, :half], x.reshape(-1, c // 2), torch.zeros(b, 2), x.expand(3, b, c), x.numel() * x
    return f, (t(2, 4),), {}, [(t(2, 4),), (t(3, 6),)]


def case_size_arguments():
    def f(x, y):
        n = y.shape[-1]
        return x.unflatten(0, (n, -1)), x.narrow(0, 0, n), torch.arange(n), x.repeat(y.size(0), 1), F.pad(y, (0, n - 1))
    return f, (t(6), t(2, 3)), {}, [(t(6), t(2, 3)), (t(8), t(1, 2))]


def case_inplace():
    def f(x):
        y = x.clone()
        y += 1
        y.mul_(x).clamp_(min=0)
        y[1:] = 3
        y[..., 0] -= x[..., 0]
        torch.add(y, 1, out=y)
        z = torch.empty_like(y)
        z.copy_(y)
        return z, y.sigmoid_()
    return f, (t(3, 2),), {}, [(t(3, 2),), (t(2, 2),)]


def case_indexing():
    def f(x, i, m):
        return x[i], x[:, None, ::2], x[1, ..., -1], x[m], x[i, i], x[-1:], x[True], torch.where(m, x, -x), x[i[0]]
    return f, (t(3, 4), torch.tensor([0, 2]), t(3, 4) > 0), {}, [(t(3, 4), torch.tensor([1, 0]), t(3, 4) > 0.5)]


def case_lists():
    def f(xs, d):
        a, b = xs
        parts = torch.cat([a, b]).split(2)
        return torch.stack(parts), torch.meshgrid(a, b, indexing='ij'), d['k'] + d['j'], parts[0].unbind()
    return f, ([t(2), t(2)], {'k': t(2), 'j': t(1)}), {}, [([t(2), t(2)], {'k': t(2), 'j': t(1)})]


def case_nested_outputs():
    def f(x):
        values, indices = torch.topk(x, 2)
        return (values, (indices, x.max(0))), torch.sort(x, descending=True)
    return f, (t(2, 3),), {}, [(t(2, 3),)]


def case_loop():
    def f(x, h):
        for step in range(x.size(0)):
            h = torch.tanh(x[step] + h * 0.5)
        return h
    return f, (t(3, 2), t(2)), {}, [(t(3, 2), t(2))]


def case_branch():
    def f(x):
        if x.sum() > 0:
            return x * 2
        return x - 1
    return f, (t(3) + 2,), {}, [(t(3) + 2,), (t(3) - 2,)]


def case_numbers():
    def f(x):
        scale = float(x.max()) / int(x.numel())
        shift = x.min().item()
        rows = x.tolist()
        return x * scale + shift, x + len(rows), x - x[:, None].tolist()[0][0]
    return f, (t(4) + 2,), {}, [(t(4) + 2,)]


def case_shape_branch():
    def f(x):
        if x.shape[0] > 1 and x.size() == (2, 3):
            x = x.t()
        assert x.dim() == 2
        for row in x:
            x = x + row.sum()
        return x
    return f, (t(2, 3),), {}, [(t(2, 3),)]


def case_constants():
    weight = torch.tensor([1.0, 2.0])

    def f(x):
        bias = torch.tensor([0.5, 1.5])
        return x * weight + bias, torch.ones(2) + x, torch.full((2,), 3.0) * x, torch.eye(2) @ x, x.new_ones(2) - x
    return f, (t(2),), {}, [(t(2),)]


def case_dtypes():
    def f(x):
        return x.double(), x.to(torch.int64), x.type_as(x.long()), x.to(x), x.bool(), x.float().half(), x.cpu(), x.to('cpu', torch.float64)
    return f, (t(2, 2),), {}, [(t(2, 2),)]


def case_functional():
    def f(x, w, b):
        y = F.linear(x, w, b)
        y = F.layer_norm(y, (2,))
        y = F.gelu(y) + F.softmax(y, dim=-1) - F.log_softmax(y, -1)
        z = F.cross_entropy(y, torch.tensor([0, 1])) + F.mse_loss(y, y * 2)
        return z, F.one_hot(torch.tensor([0, 1]), 3), F.cosine_similarity(y, y)
    return f, (t(2, 3), t(2, 3), t(2)), {}, [(t(2, 3), t(2, 3), t(2))]


def case_pooling():
    def f(x):
        return F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, (1, 1)), F.max_pool2d(x, 2, return_indices=True), F.unfold(x, 2)
    return f, (t(1, 2, 4, 4),), {}, [(t(1, 2, 4, 4),)]


def case_einsum():
    def f(x, y):
        return torch.einsum('ij,jk->ik', x, y), torch.matmul(x, y), torch.baddbmm(x[None], x[None], y[None]), torch.tensordot(x, y, 1)
    return f, (t(2, 2), t(2, 2)), {}, [(t(2, 2), t(2, 2))]


def case_gradients():
    def f(x, y):
        return (x * y).exp().sum(), x.detach() * y
    return f, (t(3).requires_grad_(), t(3)), {}, [(t(3).requires_grad_(), t(3))]


def case_same_tensor_twice():
    def f(x, y):
        return x + y, x - y
    x = t(2)
    return f, (x, x), {}, [(t(2), t(2) * 2)]


def case_single_tensor():
    def f(x, scale=2.0):
        return x * scale
    return f, t(3), {}, [(t(3),)]


def case_keyword_inputs():
    def f(a, b, c=None):
        return a + b if c is None else a + b * c
    return f, None, {'example_kwarg_inputs': {'c': t(2), 'a': t(2), 'b': t(2)}}, [(t(2), t(2), t(2))]


def case_list_output():
    def f(x):
        return [x + 1, x * 2]
    return f, (t(2),), {}, [(t(2),)]


def case_dict_output():
    def f(x):
        return {'a': x + 1, 'b': {'c': x}['c'] * 2}
    return f, (t(2),), {'strict': False}, [(t(2),)]


def case_dict_output_strict():
    def f(x):
        return {'a': x + 1}
    return f, (t(2),), {}, []


def case_no_output():
    def f(x):
        x + 1
    return f, (t(2),), {}, []


def case_number_output():
    def f(x):
        return x + 1, 3
    return f, (t(2),), {}, []


def case_object_output():
    def f(x):
        return object
    return f, (t(2),), {}, []


def case_number_input():
    def f(x, n):
        return x * n
    return f, (t(2), 2.5), {}, []


def case_captured_gradient():
    w = t(2).requires_grad_()

    def f(x):
        return x * w
    return f, (t(2),), {}, []


def case_unrelated_output():
    y = t(2)

    def f(x):
        return y
    return f, (t(2),), {}, []


def case_random():
    def f(x):
        return x + torch.rand(3), torch.bernoulli(x)
    return f, (torch.full((3,), 0.5),), {}, []


def case_different_graphs():
    calls = []

    def f(x):
        calls.append(1)
        return x + 1 if len(calls) % 2 else x.mul(2).sub(1)
    return f, (t(2),), {}, []


def case_different_constants():
    calls = []

    def f(x):
        calls.append(1)
        return x + torch.full((), float(len(calls))).item() * 0 + torch.tensor([float(len(calls)), 2.0])
    return f, (t(2),), {}, []


def case_failing_check():
    def f(x):
        return x.view(2, 3) if x.numel() == 6 else x.view(2, 2)
    return f, (t(6),), {'check_inputs': [(t(4),)]}, []


def case_scripted_callee():
    @torch.jit.script
    def g(x, n: int):
        if bool(x.sum() > 0):
            return x * n
        return x - n

    def f(x):
        return g(x + 1, 3).relu()
    return f, (t(3),), {}, [(t(3),), (t(3) - 4,)]


def case_script_if_tracing():
    @torch.jit.script_if_tracing
    def repeated(x):
        y = x
        for _ in range(x.size(0)):
            y = y + x
        return y

    def f(x):
        return repeated(x) * 2
    return f, (t(2),), {}, [(t(2),), (t(4),)]


def case_is_tracing():
    def f(x):
        return x * 2 if torch.jit.is_tracing() else x * 3
    return f, (t(2),), {'check_trace': False}, [(t(2),)]


def case_autograd_inside():
    def f(x):
        with torch.no_grad():
            y = x * 2
        return y + x, x.sum(dim=0, keepdim=True), x.pow(2).mean().sqrt()
    return f, (t(2, 2).requires_grad_(),), {}, [(t(2, 2).requires_grad_(),)]


def case_named_tuple():
    class Pair(NamedTuple):
        a: torch.Tensor
        b: torch.Tensor

    def f(x):
        return Pair(x + 1, x - 1)
    return f, (t(2),), {}, [(t(2),)]


def case_printing():
    def f(x):
        text = f'{x.sum():.2f} {x}'
        return x * len(text)
    return f, (t(3),), {}, [(t(3),)]


def case_closure_and_lambda():
    k = 3
    return (lambda x: torch.clamp(x * k, -1, 1)), (t(3),), {}, [(t(3),)]
