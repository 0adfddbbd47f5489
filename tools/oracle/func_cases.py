"""
Programs with torch.func that PyTorch and glasstorch both run. `python tools/oracle/func_cases.py` records what PyTorch makes of them in
test/fixtures/func.json.gz; test/torch/func/programs.test.ts compares.
"""
import warnings

import torch
from torch import nn
from torch.func import (functional_call, functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, stack_module_state, vjp,
                        vmap)

F = nn.functional


def wave(*shape, shift=0.0):
    """Numbers without a pattern that a mistake could hide in."""
    n = 1
    for size in shape:
        n *= size
    return (torch.arange(n) * 0.7 + shift).sin().reshape(shape)


x, y, A, B = wave(3), wave(3, shift=1.0), wave(3, 3), wave(4, 3)
X3 = wave(4, 2, 3)
DATA, TARGETS = wave(6, 4, shift=0.3), torch.tensor([0, 2, 1, 1, 0, 2])


def model(shift=0.0):
    net = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3))
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(wave(*p.shape, shift=i + shift) * 0.5)
    return net


def sample_loss(net):
    def loss(params, sample, target):
        out = functional_call(net, params, (sample.unsqueeze(0),))
        return F.cross_entropy(out, target.unsqueeze(0))
    return loss


def params_of(net):
    return {k: v.detach() for k, v in net.named_parameters()}


def newton():
    f = lambda w: (w.cosh() + (w * w[0]).sin()).sum()
    w = x
    for _ in range(4):
        w = w - torch.linalg.solve(hessian(f)(w), grad(f)(w))
    return w, grad(f)(w).abs().max() < 1e-3


def ensemble(in_dims=(0, 0, None)):
    nets = [model(i * 0.1) for i in range(3)]
    params, buffers = stack_module_state(nets)
    base = nets[0]
    data = DATA if in_dims[2] is None else torch.stack([DATA, DATA * 2, DATA - 1])
    return vmap(lambda p, b, d: functional_call(base, (p, b), (d,)), in_dims=in_dims)(params, buffers, data)


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x ** 3, 3 * x ** 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0], output[1])

    @staticmethod
    def backward(ctx, g, dg):
        x, dx = ctx.saved_tensors
        return g * dx + dg * 6 * x


def inplace(x):
    z = x.clone()
    z[0] = 5
    z.mul_(x).add_(1)
    return z


def mlp(w1, w2, x):
    return (w2 @ (w1 @ x).tanh()).sin().sum()


W1, W2 = wave(4, 3, shift=2.0), wave(2, 4, shift=3.0)

programs = {
    'grad': lambda: grad(lambda x: x.sin().sum())(x),
    'grad of grad': lambda: grad(grad(torch.sin))(torch.tensor(0.5)),
    'grad three times': lambda: grad(grad(grad(lambda x: x ** 5)))(torch.tensor(0.5)),
    'grad argnums': lambda: grad(lambda a, b: (a * b.exp()).sum(), argnums=(0, 1))(x, y),
    'grad argnums -1': lambda: grad(lambda a, b: (a * b.exp()).sum(), argnums=-1)(x, y),
    'grad has_aux': lambda: grad(lambda x: ((x ** 2).sum(), x.cos()), has_aux=True)(x),
    'grad of a dict': lambda: grad(lambda p: (p['w'] * p['b']).sum())({'w': x, 'b': y}),
    'grad_and_value': lambda: grad_and_value(lambda x: (x ** 3).sum())(x),
    'grad and no_grad inside': lambda: grad(lambda x: (x * no_grad_square(x)).sum())(x),
    'grad inside no_grad': lambda: torch.no_grad()(lambda: grad(lambda x: (x ** 2).sum())(x))(),
    'grad with kwargs': lambda: grad(lambda x, scale: (x * scale).sum())(x, scale=3.0),
    'grad of captured': lambda: grad(lambda a: grad(lambda b: (a * b * b).sum())(y).sum())(x),
    'grad inplace': lambda: grad(lambda x: inplace(x).sum())(x),
    'vjp': lambda: apply_vjp(lambda x: x.sin(), (x,), y),
    'vjp of two': lambda: apply_vjp(lambda a, b: (a * b, a + b), (x, y), (y, x)),
    'vjp has_aux': lambda: vjp(lambda x: (x.sin(), x.cos()), x, has_aux=True)[2],
    'vmap of vjp': lambda: vmap(lambda c: vjp(torch.sin, x)[1](c)[0])(A),
    'jvp': lambda: jvp(lambda x: x.sin(), (x,), (y,)),
    'jvp of two': lambda: jvp(lambda a, b: a * b, (x, y), (y, x)),
    'jvp has_aux': lambda: jvp(lambda x: (x.sin(), x.cos()), (x,), (y,), has_aux=True),
    'jvp of jvp': lambda: jvp(lambda x: jvp(torch.sin, (x,), (torch.ones(3),))[1], (x,), (torch.ones(3),)),
    'jvp of grad': lambda: jvp(grad(lambda x: (x ** 3).sum()), (x,), (y,)),
    'grad of jvp': lambda: grad(lambda x: jvp(torch.exp, (x,), (y,))[1].sum())(x),
    'jacrev': lambda: jacrev(lambda x: A @ x.sin())(x),
    'jacrev of two outputs': lambda: jacrev(lambda x: (x ** 2, x.sum()))(x),
    'jacrev of two inputs': lambda: jacrev(lambda a, b: a * b.sin(), argnums=(0, 1))(x, y),
    'jacrev chunks': lambda: [jacrev(lambda x: A @ x.sin(), chunk_size=n)(x) for n in (1, 2, 3)],
    'jacrev has_aux': lambda: jacrev(lambda x: (x ** 2, x.cos()), has_aux=True)(x),
    'jacfwd': lambda: jacfwd(lambda x: A @ x.sin())(x),
    'jacfwd of two inputs': lambda: jacfwd(lambda a, b: a * b.sin(), argnums=(0, 1))(x, y),
    'jacfwd of a matrix': lambda: jacfwd(lambda a: a @ x)(A),
    'jacrev of jacfwd': lambda: jacrev(jacfwd(lambda x: (x ** 3).sum() * x[0]))(x),
    'jacfwd of jacfwd': lambda: jacfwd(jacfwd(lambda x: (x ** 3).sum() * x[0]))(x),
    'jacrev of jacrev': lambda: jacrev(jacrev(lambda x: (x ** 3).sum() * x[0]))(x),
    'hessian': lambda: hessian(lambda x: x @ A @ x + (x ** 4).sum())(x),
    'hessian of an mlp': lambda: hessian(mlp, argnums=2)(W1, W2, x),
    'vmap of hessian': lambda: vmap(hessian(lambda x: (x ** 3).sum() * x[0]))(B),
    'hessian vector product': lambda: jvp(grad(lambda x: x @ A @ x), (x,), (y,))[1],
    'newton': newton,
    'vmap': lambda: vmap(torch.dot)(B, B * 2),
    'vmap in_dims 1': lambda: vmap(torch.dot, in_dims=1)(B, B * 2),
    'vmap in_dims None': lambda: vmap(torch.dot, in_dims=(0, None))(B, x),
    'vmap in_dims -1': lambda: vmap(lambda t: t.sum(0), in_dims=-1)(X3),
    'vmap in_dims nested': lambda: vmap(lambda d: d['a'] * d['b'][0], in_dims=({'a': 0, 'b': [None]},))({'a': B, 'b': [x]}),
    'vmap out_dims': lambda: vmap(lambda t: t * 2, out_dims=1)(X3),
    'vmap out_dims of two': lambda: vmap(lambda t: (t * 2, t.sum(0)), out_dims=(-1, 1))(X3),
    'vmap of a tuple': lambda: vmap(lambda t: {'s': t.sum(), 'm': t.max(-1)})(X3),
    'vmap of an unbatched result': lambda: vmap(lambda t: x)(B),
    'vmap twice': lambda: vmap(vmap(lambda a, b: a * b, in_dims=(None, 0)), in_dims=(0, None))(x, y),
    'vmap of vmap': lambda: vmap(vmap(torch.sum))(X3),
    'vmap chunk_size': lambda: [vmap(lambda t: t.cumsum(0), chunk_size=n)(B) for n in (1, 3, 9)],
    'vmap inplace': lambda: vmap(inplace)(B),
    'vmap of where': lambda: vmap(lambda t: torch.where(t > 0, t, torch.zeros_like(t)))(B),
    'vmap of grad': lambda: vmap(grad(lambda x: x.sin().prod()))(B),
    'grad of vmap': lambda: grad(lambda b: vmap(lambda t: t.sin().prod())(b).sum())(B),
    'vmap of jacrev': lambda: vmap(jacrev(lambda x: A @ x.sin()))(B),
    'vmap of jacfwd': lambda: vmap(jacfwd(lambda x: A @ x.sin()))(B),
    'vmap of conv': lambda: vmap(lambda i, w: F.conv1d(i, w, padding=1))(wave(3, 1, 2, 5), wave(3, 4, 2, 3)),
    'vmap of norm': lambda: vmap(lambda t: F.layer_norm(t, (3,), x, y))(X3),
    'vmap of attention': lambda: vmap(F.scaled_dot_product_attention)(wave(2, 3, 4), wave(2, 3, 4, shift=1.), wave(2, 3, 4, shift=2.)),
    'vmap of index': lambda: vmap(lambda t, i: t[i])(X3, torch.tensor([0, 1, 1, 0])),
    'vmap of sort': lambda: vmap(lambda t: t.sort(descending=True))(B),
    'vmap of einsum': lambda: vmap(lambda t: torch.einsum('ij,kj->ik', t, t))(X3),
    'per-sample gradients': lambda: vmap(grad(sample_loss(model())), in_dims=(None, 0, 0))(params_of(model()), DATA, TARGETS),
    'per-sample norms': lambda: {k: g.flatten(1).norm(dim=1) for k, g in
                                 vmap(grad(sample_loss(model())), in_dims=(None, 0, 0))(params_of(model()), DATA, TARGETS).items()},
    'ensemble': ensemble,
    'ensemble on data of its own': lambda: ensemble((0, 0, 0)),
    'Function': lambda: [grad(lambda x: Cube.apply(x)[0].sum())(x), vmap(lambda t: Cube.apply(t)[0])(B),
                         vmap(grad(lambda t: Cube.apply(t)[0].sum()))(B), grad(lambda b: vmap(Cube.apply)(b)[0].sum())(B),
                         grad(lambda x: grad(lambda x: Cube.apply(x)[0].sum())(x).sum())(x)],
    'functionalize': lambda: [functionalize(inplace)(x), vmap(functionalize(inplace))(B)],
    'linearize': lambda: linearize(lambda x: A @ x.sin(), x)[1](y),
    'is_grads_batched': lambda: batched_grads(),
    'vectorized jacobian': lambda: torch.autograd.functional.jacobian(lambda a, b: (a * b, a.sum()), (x, y), vectorize=True),
    'vectorized hessian': lambda: torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), x, vectorize=True),
    'shapes inside': lambda: shapes_inside(),
    'numbers inside': lambda: numbers_inside(),
    'random: same': lambda: vmap(lambda t: torch.rand(2), randomness='same')(B).std(0),
    'random: different': lambda: vmap(lambda t: torch.rand(2), randomness='different')(B).std(0) > 0,
    'dropout in eval mode': lambda: vmap(lambda t: F.dropout(t, training=False))(B),
}


def no_grad_square(x):
    with torch.no_grad():
        return x ** 2


def apply_vjp(f, primals, cotangents):
    out, fn = vjp(f, *primals)
    return out, fn(cotangents)


def batched_grads():
    a = x.clone().requires_grad_()
    return torch.autograd.grad(a.sin(), a, torch.eye(3), is_grads_batched=True)


def shapes_inside():
    seen = []

    def f(t):
        seen.append([list(t.shape), list(t.stride()), t.dim(), t.is_contiguous()])
        return t.sum()
    vmap(f, in_dims=1)(wave(2, 3, 4))
    vmap(vmap(f, in_dims=2))(wave(2, 3, 4, 5))
    return seen


printed = {
    'batched': lambda show: vmap(lambda t: show(t), in_dims=1)(A),
    'twice batched': lambda show: vmap(vmap(lambda t: show(t)))(A),
    'tracking': lambda show: grad(lambda t: show(t).sum())(x),
    'grad in vmap': lambda show: vmap(grad(lambda t: show(t).sum()))(A),
    'vmap in grad': lambda show: grad(lambda a: vmap(lambda t: show(t).sum())(a).sum())(A),
    'twice tracking': lambda show: grad(grad(lambda t: show(t * 2)))(torch.tensor(0.5)),
    'integers': lambda show: vmap(lambda t: show(t))(torch.arange(4).reshape(2, 2)),
    'escaped': lambda show: show(escaped()),
}


def escaped():
    kept = []
    grad(lambda t: (kept.append(t), t.sum())[1])(x)
    return kept[0]


def numbers_inside():
    """What a function may read of a tensor inside a transform: its numbers, if it stands for one tensor."""
    seen = []

    def ask(what):
        def f(x):
            try:
                seen.append(str(what(x)))
            except Exception as e:
                seen.append(f'{type(e).__name__}: {e}')
            return (x * x).sum()
        return f

    for what in (lambda x: x.tolist(), lambda x: x.detach().tolist(), lambda x: x.numpy()):
        grad(ask(what))(wave(2))
        vmap(ask(what))(wave(2, 2))
        jvp(ask(what), (wave(2),), (wave(2),))
    return seen


def keep(kept):
    def f(x):
        kept.append(x)
        return x
    return f


wide = torch.ones(3)
refused = {
    'nonzero': lambda: vmap(lambda t: t.nonzero())(B),
    'item': lambda: vmap(lambda t: t.sum().item())(B),
    'if': lambda: vmap(lambda t: t if t.sum() > 0 else -t)(B),
    'allclose': lambda: vmap(lambda t: torch.allclose(t, t))(B),
    'unique': lambda: vmap(torch.unique)(B),
    'mask': lambda: vmap(lambda t, m: t[m])(B, B > 0),
    'masked_select': lambda: vmap(lambda t: torch.masked_select(t, t > 0))(B),
    'equal': lambda: vmap(lambda t: torch.equal(t, t))(B),
    'data': lambda: vmap(lambda t: t.data)(B),
    'randn': lambda: vmap(lambda t: torch.randn(2) + t.sum())(B),
    'bernoulli_': lambda: vmap(lambda t: t.bernoulli_())(B.clone()),
    'dropout': lambda: vmap(lambda t: F.dropout(t))(B),
    'randperm': lambda: vmap(lambda t: torch.randperm(3))(B),
    'same randomness of a batch': lambda: vmap(lambda t: torch.bernoulli(t.sigmoid()), randomness='same')(B),
    'different randomness in place': lambda: vmap(lambda a, b: a.bernoulli_() + b, in_dims=(None, 0), randomness='different')(wide.clone(), B),
    'randomness': lambda: vmap(torch.sin, randomness='no')(B),
    'chunk_size': lambda: vmap(torch.sin, chunk_size=0)(B),
    'in-place mul': lambda: vmap(lambda a, b: a.mul_(b), in_dims=(None, 0))(wide.clone(), B),
    'in-place copy': lambda: vmap(lambda a, b: a.copy_(b), in_dims=(None, 0))(wide.clone(), B),
    'in-place add': lambda: vmap(lambda a, b: a.add_(b), in_dims=(None, 0))(wide.clone(), B),
    'in-place index_put': lambda: vmap(lambda a, b: a.index_put_((torch.tensor([0]),), b), in_dims=(None, 0))(wide.clone(), B[:, 0]),
    'sizes': lambda: vmap(torch.add)(A, B),
    'no inputs': lambda: vmap(lambda: x)(),
    'nothing batched': lambda: vmap(torch.sin, in_dims=None)(B),
    'all None': lambda: vmap(torch.add, in_dims=(None, None))(B, B),
    'in_dims too many': lambda: vmap(torch.sin, in_dims=(0, 0))(B),
    'in_dims out of range': lambda: vmap(torch.sin, in_dims=2)(B),
    'in_dims of a number': lambda: vmap(torch.add)(B, 1),
    'in_dims a text': lambda: vmap(torch.sin, in_dims=('a',))(B),
    'out_dims': lambda: vmap(torch.sin, out_dims=(0, 0))(B),
    'out_dims a text': lambda: vmap(torch.sin, out_dims='a')(B),
    'a number returned': lambda: vmap(lambda t: 3)(B),
    'None returned': lambda: vmap(lambda t: None)(B),
    'mm': lambda: vmap(torch.mm)(B, B),
    'dot': lambda: vmap(lambda t: torch.dot(t.sum(), t))(B),
    'bmm': lambda: vmap(torch.bmm)(B, B),
    'mv': lambda: vmap(torch.mv)(B, B),
    'trace': lambda: vmap(torch.trace)(B),
    'permute': lambda: vmap(lambda t: t.permute(1, 0))(B),
    'sum': lambda: vmap(lambda t: t.sum(3))(B),
    'squeeze': lambda: vmap(lambda t: t.squeeze(3))(B),
    'unsqueeze': lambda: vmap(lambda t: t.unsqueeze(3))(B),
    'expand': lambda: vmap(lambda t: t.expand(()))(B),
    'repeat': lambda: vmap(lambda t: t.repeat(()))(B),
    'batch_norm': lambda: vmap(lambda t: F.batch_norm(t, torch.zeros(3), torch.ones(3), training=True))(X3),
    'requires_grad_': lambda: grad(lambda t: t.requires_grad_().sum())(x),
    'retain_grad': lambda: grad(lambda t: t.sum().retain_grad())(x),
    'backward': lambda: grad(lambda t: t.sum().backward())(x),
    'captured': lambda: grad(lambda t: wide.add_(t).sum())(x),
    'not a scalar': lambda: grad(lambda t: t)(x),
    'not a tensor': lambda: grad(lambda t: 3)(x),
    'a number': lambda: grad(lambda t: t)(3),
    'argnums': lambda: grad(lambda t: t.sum(), argnums=2)(x),
    'argnums twice': lambda: grad(lambda t: t.sum(), argnums=(0, 0))(x),
    'no argnums': lambda: grad(lambda t: t.sum(), argnums=())(x),
    'aux': lambda: grad(lambda t: t.sum(), has_aux=True)(x),
    'integers': lambda: grad(lambda t: t.sum())(torch.arange(3)),
    'vjp aux': lambda: vjp(lambda t: t.sum(), x, has_aux=True),
    'vjp of integers': lambda: vjp(lambda t: t.argmax(), x),
    'cotangents': lambda: vjp(lambda t: (t, t), x)[1](x),
    'jvp structure': lambda: jvp(torch.sin, (x,), (x, x)),
    'jvp primals': lambda: jvp(torch.sin, x, x),
    'jvp strict': lambda: jvp(lambda t: y, (x,), (x,), strict=True),
    'jacrev chunk_size': lambda: jacrev(torch.sin, chunk_size=0),
    'functionalize': lambda: functionalize(inplace, remove='nothing'),
}
warned = {name: f for name, f in {
    'histc': lambda: vmap(lambda t: torch.histc(t, 4, -1, 1))(B),
}.items()}


def plain(value):
    """A result as JSON holds it."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), list(value.shape), [round(float(v), 4) + 0.0 for v in value.detach().reshape(-1).tolist()]]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def run(name):
    return plain(programs[name]())


def texts(name):
    shown = []

    def show(t):
        shown.append(repr(t))
        return t
    printed[name](show)
    return shown


def refusal(name):
    try:
        refused[name]()
    except Exception as e:
        return [type(e).__name__, str(e)]
    return None


def warnings_of(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        result = warned[name]()
    return [plain(result), [str(w.message).split(' (Triggered')[0] for w in caught]]


if __name__ == '__main__':
    import gzip
    import json
    from pathlib import Path
    warnings.simplefilter('ignore')
    result = {
        'torch': torch.__version__,
        'programs': {name: run(name) for name in programs},
        'printed': {name: texts(name) for name in printed},
        'refused': {name: refusal(name) for name in refused},
        'warned': {name: warnings_of(name) for name in warned},
    }
    path = Path(__file__).parents[2] / 'test/fixtures/func.json.gz'
    with open(path, 'wb') as f, gzip.GzipFile(filename='func.json', mode='wb', fileobj=f, mtime=0) as g:
        g.write(json.dumps(result, indent=1).encode())
    print(path, {k: len(v) for k, v in result.items() if k != 'torch'})
