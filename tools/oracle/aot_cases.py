"""
Programs for functionalization and AOTAutograd that PyTorch and glasstorch both run. `python tools/oracle/aot_cases.py` records what PyTorch
makes of them in test/fixtures/aot.json.gz; test/torch/_functorch compares.
"""
import torch
import torch.fx
import torch.nn.functional as F
from functorch.compile import aot_function, default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch.func import functionalize
from torch.fx.experimental.proxy_tensor import make_fx


def ramp(*size):
    n = 1
    for k in size:
        n *= k
    return torch.linspace(-1, 1, n).reshape(size)


def grad(*size):
    return ramp(*size).requires_grad_()


# Functions of one tensor (2, 3) with mutation ------------------------------------------------------------------------------


def base_and_view(x):
    y = x.clone()
    y.add_(1)
    y[0] = 0
    y.mul_(x)
    return y


def split_views(x):
    a, b = x.split(1)
    a.add_(1)
    c = x.t()
    c.mul_(2)
    return a + b, x


def views_in_place(x):
    y = x + 1
    y.transpose_(0, 1)
    y.unsqueeze_(0)
    return y, y.view(-1)[2:].fill_(3), y.sum()


def out_argument(x):
    y = torch.zeros(3)
    y.copy_(x[0])
    torch.add(x[0], x[1], out=y)
    return y


def scattered(x):
    y = x.expand(2, 3).clone()
    y.diagonal().zero_()
    y.select(1, 2).normal_()
    y[:, 0:2].bernoulli_(0.5)
    return y


def argument_changed(x):
    x.relu_()
    y = x.view(3, 2)
    y[1].add_(torch.ones(2))
    return x.sigmoid_().sum()


def running_statistics(x):
    return F.batch_norm(x, torch.zeros(3), torch.ones(3), training=True), F.linear(x, torch.ones(2, 3))


def lists(x):
    l = [x + 1, x + 2]
    torch._foreach_add_(l, 1.0)
    torch._foreach_mul_(l, l)
    return l


def views_of_views(x):
    y = x.clone()
    v = y.view(-1)
    w = v[1:3]
    y.add_(1)
    w.mul_(2)
    return v.sum(), w, y.unfold(1, 2, 1)


def strided(x):
    y = x.clone()
    y.squeeze_()
    z = y.as_strided((2, 2), (1, 1))
    z.add_(1)
    return y, z


MUTATION = [base_and_view, split_views, views_in_place, out_argument, scattered, argument_changed, running_statistics, lists, views_of_views, strided]


def functionalized(index, remove):
    torch.manual_seed(0)
    try:
        return make_fx(functionalize(MUTATION[index], remove=remove))(ramp(2, 3)).code
    except RuntimeError as e:
        return str(e)


# Functions with gradients ---------------------------------------------------------------------------------------------------


def linear_gelu(x, w, b):
    return F.gelu(F.linear(x, w, b))


def layer_norm(x, w, b):
    return F.layer_norm(x, (3,), w, b).relu()


def cross_entropy(x, t):
    return F.cross_entropy(x, t)


def convolution(x, w, b):
    return F.max_pool2d(F.relu(F.conv2d(x, w, b)), 2)


def batch_norm(x, w, b, m, v):
    return F.batch_norm(x, m, v, w, b, True)


def no_gradient(x, y):
    return x * y + 1, x.sum()


def buffer_changed(x, buf):
    buf.add_(x.detach().abs())
    return x * buf


def aliases(x):
    return x, x.t(), x * 2


def batched(x, y):
    return (x @ y).tanh().exp()


def indexed(x):
    return x[1:3, 0] * x[2, 1], x[torch.tensor([0, 2])].pow(2)


def dropped(x):
    return F.dropout(x, 0.5, True) * 2


def structure(x):
    return {'a': x + 1, 'b': [x * 2, 3]}


def chain(x, w):
    for _ in range(3):
        x = torch.relu(x @ w) + x
    return x


def attention(x):
    return F.scaled_dot_product_attention(x, x, x)


def numbers(x, n, a):
    return x * n + a


GRADIENTS = [
    (linear_gelu, lambda: (grad(2, 3), grad(4, 3), grad(4))),
    (layer_norm, lambda: (grad(2, 3), grad(3), grad(3))),
    (cross_entropy, lambda: (grad(2, 4), torch.tensor([1, 3]))),
    (convolution, lambda: (grad(1, 2, 4, 4), grad(3, 2, 3, 3), grad(3))),
    (batch_norm, lambda: (grad(3, 2, 2), grad(2), grad(2), torch.zeros(2), torch.ones(2))),
    (no_gradient, lambda: (ramp(2, 3), ramp(3))),
    (buffer_changed, lambda: (grad(2, 3), ramp(2, 3))),
    (aliases, lambda: (grad(2, 3),)),
    (batched, lambda: (grad(2, 3, 4), grad(2, 4, 3))),
    (indexed, lambda: (grad(4, 3),)),
    (dropped, lambda: (grad(4),)),
    (structure, lambda: (grad(2, 3),)),
    (chain, lambda: (grad(2, 3), grad(3, 3))),
    (attention, lambda: (grad(2, 2, 4),)),
    (numbers, lambda: (grad(2, 3), 2, 0.5)),
]


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [t for each in value for t in tensors(each)]
    return []


def close(a, b):
    return len(a) == len(b) and all([x.shape == y.shape and torch.allclose(x, y, rtol=1e-4, atol=1e-5) for x, y in zip(a, b)])


def compiled(index, smallest):
    """The graphs, and whether results, changed arguments and gradients are those of the function."""
    f, make = GRADIENTS[index]
    part = min_cut_rematerialization_partition if smallest else default_partition
    graphs = {}

    def keep(name):
        def compiler(gm, inputs):
            graphs[name] = gm.code.strip()
            return make_boxed_func(gm.forward)
        return compiler

    def partition(joint, *args, **kwargs):
        graphs['joint'] = joint.code.strip()
        return part(joint, *args, **kwargs)

    g = aot_function(f, fw_compiler=keep('forward'), bw_compiler=keep('backward'), partition_fn=partition, inference_compiler=keep('inference'))
    ours, theirs = make(), make()
    torch.manual_seed(0)
    out = tensors(g(*ours))
    torch.manual_seed(0)
    eager = tensors(f(*theirs))
    equal = [f is dropped or close(out, eager), close(tensors(ours), tensors(theirs))]
    out = [t for t in out if t.requires_grad]
    eager = [t for t in eager if t.requires_grad]
    graphs['nodes'] = [t.grad_fn.name() for t in out if t.grad_fn is not None]
    if out:
        torch.autograd.backward(out, [torch.ones_like(t) for t in out])
        torch.autograd.backward(eager, [torch.ones_like(t) for t in eager])
        grads = [[t.grad for t in tensors(args) if t.grad is not None] for args in (ours, theirs)]
        equal.append(f is dropped or close(grads[0], grads[1]))
    graphs['equal'] = equal
    return graphs


if __name__ == '__main__':
    import gzip
    import json
    import os
    import warnings
    warnings.simplefilter('ignore')
    facts = {
        'functionalized': {f.__name__ + ' ' + r: functionalized(i, r) for i, f in enumerate(MUTATION) for r in ('mutations', 'mutations_and_views')},
        'compiled': {f.__name__ + (' min_cut' if s else ''): compiled(i, s) for i, (f, _) in enumerate(GRADIENTS) for s in (False, True)},
    }
    path = os.path.join(os.path.dirname(__file__), '../../test/fixtures/aot.json.gz')
    with gzip.GzipFile(path, 'wb', mtime=0) as out:
        out.write(json.dumps(facts).encode())
