"""
Typical modules for torch.export, which PyTorch and glasstorch both run. `python tools/oracle/export_modules.py` records what PyTorch makes of them in
test/fixtures/export_modules.json.gz. `export_modules.py NAME...` prints what comes of some of them.
"""
import math
import re
import sys
import warnings
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim, export


def ramp(*size):
    n = 1
    for k in size:
        n *= k
    return torch.linspace(-1, 1, n).reshape(size)


CASES = {}


def case(*args, dynamic=None, kwargs=None, train=False, **options):
    """Registers a module: its class, and how it is called."""
    def register(make):
        count = sum(other[0] is make for other in CASES.values())
        name = make.__name__ if count == 0 else f'{make.__name__}{count}'
        CASES[name] = (make, args, kwargs or {}, dynamic, {'train': train, **options})
        return make
    return register


batch, length, width = Dim('batch'), Dim('length', max=512), Dim('width')
D, A = Dim.DYNAMIC, Dim.AUTO


# Networks --------------------------------------------------------------------------------------------------------------


@case(ramp(2, 3), dynamic=({0: batch},))
@case(ramp(2, 3))
class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(3, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


@case(ramp(2, 3, 8, 8), dynamic=({0: batch},))
@case(ramp(2, 3, 8, 8), train=True)
class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2))
        self.classifier = nn.Linear(4 * 4 * 4, 2)

    def forward(self, x):
        x = self.features(x)
        return self.classifier(torch.flatten(x, 1))


@case(ramp(1, 4, 6, 6))
class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(4, 4, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 4, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(4)
        self.down = nn.Sequential(nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += self.down(x)
        return F.adaptive_avg_pool2d(F.relu(out), (1, 1)).flatten(1)


@case(ramp(1, 2, 4, 4))
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.mid = nn.Conv2d(2, 4, 3, stride=2, padding=1), nn.Conv2d(4, 4, 3, padding=1)
        self.up, self.out = nn.ConvTranspose2d(4, 2, 2, stride=2), nn.Conv2d(4, 1, 1)

    def forward(self, x):
        d = F.leaky_relu(self.down(x), 0.1)
        u = self.up(F.silu(self.mid(d)))
        return torch.sigmoid(self.out(torch.cat([u, x], dim=1)))


@case(ramp(2, 5, 8), dynamic=({0: batch, 1: length},))
@case(ramp(2, 5, 8))
class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.proj = nn.Linear(8, 24), nn.Linear(8, 8)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (y.view(b, t, 2, c // 2).transpose(1, 2) for y in (q, k, v))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(c // 2)
        mask = torch.tril(torch.ones(t, t)).bool()
        att = att.masked_fill(~mask, float('-inf')).softmax(-1)
        return self.proj((att @ v).transpose(1, 2).reshape(b, t, c))


@case(ramp(2, 4, 8), dynamic=({0: batch},))
@case(ramp(2, 4, 8))
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(8), nn.LayerNorm(8)
        self.attn = nn.MultiheadAttention(8, 2, batch_first=True)
        self.mlp = nn.Sequential(OrderedDict(up=nn.Linear(8, 16), act=nn.GELU('tanh'), down=nn.Linear(16, 8), drop=nn.Dropout(0.1)))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


@case(torch.tensor([[1, 2, 3], [4, 5, 0]]), dynamic=({0: batch, 1: length},))
@case(torch.tensor([[1, 2, 3], [4, 5, 0]]))
class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(10, 8), nn.Embedding(1024, 8)
        self.ln, self.head = nn.LayerNorm(8), nn.Linear(8, 10, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, idx):
        pos = torch.arange(idx.shape[1], device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        x = F.scaled_dot_product_attention(x, x, x, is_causal=True)
        return self.head(self.ln(x))


@case(ramp(3, 2, 4))
class RnnLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 3)

    def forward(self, xs):
        h = torch.zeros(xs.shape[1], 3)
        outs = []
        for x in xs:
            h = self.cell(x, h)
            outs.append(h)
        return torch.stack(outs), h


@case(ramp(3, 2, 4))
class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3, num_layers=2)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return out[-1], h, c


@case(ramp(2, 6, 4), dynamic=({1: D},))
class Conv1dText(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(4, 2, k, padding=k // 2) for k in (1, 3))

    def forward(self, x):
        x = x.transpose(1, 2)
        return torch.cat([F.relu(conv(x)).amax(dim=2) for conv in self.convs], dim=1)


@case(ramp(2, 3))
class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(3, 4), nn.Linear(2, 3)

    def forward(self, x):
        mu, logvar = self.enc(x).split(2, dim=1)
        return torch.tanh(self.dec(mu + torch.exp(0.5 * logvar))), mu, logvar


@case(torch.tensor([1, 0, 3]), torch.tensor([0, 2]))
class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(5, 3, mode='sum')

    def forward(self, tokens, offsets):
        return self.bag(tokens, offsets)


@case(ramp(2, 4))
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.experts = nn.ModuleDict({name: nn.Linear(4, 4) for name in ('a', 'b', 'c')})

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        outs = torch.stack([expert(x) for expert in self.experts.values()], dim=1)
        top, index = weights.topk(2, dim=-1)
        chosen = outs.gather(1, index.unsqueeze(-1).expand(-1, -1, outs.size(-1)))
        return (chosen * top.unsqueeze(-1)).sum(1)


@case(ramp(2, 4), torch.tensor([1, 0]), train=True)
class WithLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.loss = nn.Linear(4, 3), nn.CrossEntropyLoss()

    def forward(self, x, y):
        return self.loss(self.fc(x), y)


@case(ramp(2, 3), train=True)
class Dropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x).sum(0), F.dropout(x, 0.25, training=False)


@case(ramp(1, 1, 4, 4))
class Upsampled(nn.Module):
    def forward(self, x):
        up = F.interpolate(x, scale_factor=2, mode='nearest')
        return F.interpolate(up, size=(3, 3), mode='bilinear', align_corners=False), F.pixel_shuffle(x.expand(1, 4, 4, 4), 2)


@case(ramp(2, 4, 3), dynamic=({0: batch},))
class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.gn, self.inorm, self.rms = nn.GroupNorm(2, 4), nn.InstanceNorm1d(4), nn.RMSNorm(3)

    def forward(self, x):
        return self.rms(self.gn(x)) + self.inorm(x)


# Arguments, results, state ----------------------------------------------------------------------------------------------------

Point = namedtuple('Point', ['x', 'y'])


class Typed(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


@dataclass
class Batch:
    tokens: torch.Tensor
    mask: Optional[torch.Tensor] = None
    scale: float = 2.0


torch.export.register_dataclass(Batch, serialized_type_name='Batch')


@case({'a': ramp(2), 'b': [ramp(2), ramp(2, 1)]}, (ramp(1), None))
class Nested(nn.Module):
    def forward(self, tree, pair):
        return {'sum': tree['a'] + tree['b'][0], 'list': [tree['b'][1], pair[0]], 'none': pair[1], 'one': 1}


@case(Point(ramp(2), ramp(2)))
class Named(nn.Module):
    def forward(self, p):
        return Point(p.x + 1, p.y * p.x)


@case(Typed(ramp(2), ramp(3)))
class NamedTyped(nn.Module):
    def forward(self, p):
        return Typed(p.second, p.first.sin())


@case(OrderedDict(z=ramp(2), a=ramp(2)))
class Ordered(nn.Module):
    def forward(self, d):
        return OrderedDict((k, v + 1) for k, v in d.items())


@case(Batch(ramp(2, 3)), dynamic=None)
@case(Batch(ramp(2, 3), ramp(2, 3)), dynamic=({'tokens': {0: batch}, 'mask': {0: batch}, 'scale': None},))
@case(Batch(ramp(2, 3), ramp(2, 3)), dynamic=([{0: batch}, {0: batch}, None],))
class Dataclass(nn.Module):
    def forward(self, data):
        out = data.tokens * data.scale
        return Batch(out if data.mask is None else out * data.mask, data.tokens)


@case(ramp(2), kwargs={'scale': ramp(1), 'flag': True})
@case(ramp(2), ramp(2), kwargs={'flag': False})
class Keywords(nn.Module):
    def forward(self, x, y=None, *, scale=None, flag=False):
        out = x if y is None else x + y
        if scale is not None:
            out = out * scale
        return out.neg() if flag else out


@case(ramp(2), ramp(2), ramp(2), kwargs={'k': ramp(2), 'm': ramp(2)})
class Varied(nn.Module):
    def forward(self, x, *args, **kwargs):
        return x + args[0] * args[1] + kwargs['k'] / kwargs['m']


@case(ramp(2), 3, 2.5, 'sum', True, None)
class Plain(nn.Module):
    def forward(self, x, n, f, mode, flag, nothing):
        y = x * n + f
        return y.sum() if mode == 'sum' and flag and nothing is None else y


@case(ramp(2))
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('n', torch.tensor(0))
        self.register_buffer('history', torch.zeros(2), persistent=False)
        self.step = torch.tensor(1)

    def forward(self, x):
        self.n += self.step
        self.history.mul_(0.9).add_(x, alpha=0.1)
        return x / self.n, self.history.clone()


@case(ramp(2, 3), ramp(2, 3))
class InPlace(nn.Module):
    def forward(self, x, y):
        x[0] = 1
        x.t()[1].mul_(2)
        y.add_(x)
        return x.sum() + y.sum(), y


@case(ramp(2))
class ReturnsInputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(ramp(2))
        self.register_buffer('b', ramp(2))

    def forward(self, x):
        return x, self.w, self.b, x.view(2, 1), 5, 'text', None, (x,)


@case(ramp(2))
class Constants(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = [torch.tensor([1.0, 2.0]), torch.tensor(3.0)]
        self.inner = nn.Module()
        self.inner.t = torch.tensor([1, 2])

    def forward(self, x):
        return x * self.table[0] + self.table[1] + self.inner.t + torch.tensor([0.5, 0.25])


@case(ramp(2, 2))
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = self.a
        self.c = nn.Linear(2, 2)
        self.c.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x)) + self.c(x)


@case(ramp(2, 2))
class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)
        self.a.requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            y = self.a(x)
        z = self.b(y)
        with torch.no_grad():
            z = z.relu()
            with torch.enable_grad():
                w = z * 2
            w = w + 1
        return w.detach()


@case(ramp(2, 2))
class Autocast(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

    def forward(self, x):
        y = x + 1
        with torch.autocast('cpu', dtype=torch.bfloat16):
            z = self.a(y)
            with torch.autocast('cpu', enabled=False):
                z = z.float() @ x
        return z + y


@case(ramp(2, 2))
class AutocastWhole(nn.Module):
    def forward(self, x):
        with torch.autocast(device_type='cpu', dtype=torch.bfloat16, cache_enabled=False):
            return x @ x


# Dtypes and devices ---------------------------------------------------------------------------------------------------------


@case(ramp(2, 3), dynamic=({0: batch},))
@case(ramp(2, 3))
class Casts(nn.Module):
    def forward(self, x):
        y = x.to(torch.float64)
        return y.half(), x.to(y), (x > 0).int(), x.to('cpu'), x.to(dtype=torch.bfloat16, copy=True), x.type_as(y), x.long().float()


@case(ramp(2), torch.tensor([1, 2]))
class Factories(nn.Module):
    def forward(self, x, n):
        return (torch.zeros(2), torch.ones_like(x), torch.arange(3), torch.full((2,), 1.5), x.new_tensor([1, 2]), torch.eye(2), torch.linspace(0, 1, 3),
                torch.empty(0), n.new_zeros(1), torch.randn(2).shape, torch.tensor(n.dtype == torch.int64))


# Sizes ----------------------------------------------------------------------------------------------------------------------


@case(ramp(4, 3), dynamic=({0: batch},))
@case(ramp(4, 3), dynamic=({0: D, 1: D},))
@case(ramp(4, 3), dynamic=({0: A, 1: A},))
class ByShape(nn.Module):
    def forward(self, x):
        n, m = x.shape
        y = x.reshape(n * m).view(m, n)
        if n > 2:
            y = y * n
        return y.sum(0), torch.arange(n), x[: n // 2], n, x.numel() / 2


@case(ramp(4, 3), ramp(5, 3), dynamic=({0: batch}, {0: width}))
@case(ramp(4, 3), ramp(5, 3), dynamic=({0: batch}, {0: batch + 1}))
@case(ramp(4, 3), ramp(8, 3), dynamic=({0: batch}, {0: width}))
@case(ramp(4, 3), ramp(8, 3), dynamic=({0: batch}, {0: 2 * batch}))
class TwoBatches(nn.Module):
    def forward(self, x, y):
        if y.shape[0] == x.shape[0] * 2:
            return torch.cat([x, x]) + y
        return torch.cat([x, y])


@case(ramp(6, 3), dynamic=({0: batch},))
@case(ramp(6, 3), dynamic=({0: 2 * Dim('half')},))
@case(ramp(6, 3), dynamic=({0: D},))
class Halves(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2)
        return a + b


@case(ramp(6), dynamic=({0: batch},))
@case(ramp(6), dynamic=({0: A},))
class Triples(nn.Module):
    def forward(self, x):
        return x.view(-1, 3).sum(1)


@case(ramp(4, 3), dynamic=({0: batch},))
class Specialized(nn.Module):
    def forward(self, x):
        for i in range(x.shape[0]):
            x = x + i
        return x


@case(ramp(4, 3), dynamic=({0: Dim('small', max=3)},))
@case(ramp(4, 3), dynamic=({0: Dim('large', min=2, max=9)},))
@case(ramp(4, 3), dynamic=({0: D(min=3, max=10)},))
class Bounded(nn.Module):
    def forward(self, x):
        torch._check(x.shape[0] < 8)
        return x * 2


@case(ramp(4, 6), dynamic=({0: batch, 1: width},))
class Views(nn.Module):
    def forward(self, x):
        return (x.t(), x.unfold(1, 2, 2), x.flip(0), x.roll(1, 0), x.expand(2, -1, -1), x.repeat(2, 1), x.permute(1, 0), x[..., None], x[1:, ::2], x[:, -1],
                x.unsqueeze(0).squeeze(0), x.movedim(0, 1), F.pad(x, (1, 1)), torch.stack([x, x]), x.narrow(1, 1, 2), x.diagonal())


@case(ramp(4, 6), dynamic=({0: batch, 1: width},))
class Reductions(nn.Module):
    def forward(self, x):
        return (x.sum(), x.mean(1), x.amax(0, keepdim=True), x.var(1), x.std(), x.argmax(1), x.cumsum(0), x.softmax(-1), x.norm(), x.prod(1), x.sort(1)[0], x.max(1)[1],
                x.median(), torch.logsumexp(x, 1), x.any(1), torch.bincount(torch.arange(3), minlength=2))


@case(ramp(4, 6), ramp(6, 5), dynamic=({0: batch, 1: width}, {0: width}))
class Products(nn.Module):
    def forward(self, x, w):
        return x @ w, torch.einsum('bi,ij->bj', x, w), x.mm(w), F.linear(x, w.t()), torch.outer(x[:, 0], w[0]), x.unsqueeze(0).bmm(w.unsqueeze(0)), torch.dot(x[0], x[0])


# Numbers that depend on data -----------------------------------------------------------------------------------------------------


@case(torch.tensor(3))
class ItemSize(nn.Module):
    def forward(self, x):
        n = x.item()
        torch._check_is_size(n)
        torch._check(n <= 10)
        return torch.zeros(n), n + 1


@case(torch.tensor(3))
@case(torch.tensor(3.5))
class ItemUnchecked(nn.Module):
    def forward(self, x):
        return torch.ones(2) * x.item()


@case(torch.tensor(3), ramp(5))
class ItemSlice(nn.Module):
    def forward(self, x, y):
        n = x.item()
        torch._check(n >= 0)
        torch._check(n < y.shape[0])
        return y.narrow(0, 0, n), y[:n]


@case(torch.tensor(3))
class ItemBranch(nn.Module):
    def forward(self, x):
        n = x.item()
        if n > 2:
            return torch.ones(2)
        return torch.zeros(2)


@case(torch.tensor(3))
class ItemEquals(nn.Module):
    def forward(self, x):
        n = x.item()
        if n == 0:
            return torch.ones(2)
        return torch.zeros(2)


@case(ramp(4))
class TensorBranch(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


@case(ramp(4))
class ToInt(nn.Module):
    def forward(self, x):
        return torch.zeros(int(x.sum()) + 2)


@case(ramp(4))
class Nonzero(nn.Module):
    def forward(self, x):
        i = x.nonzero()
        return i, i.shape[0] + 1, i.sum(0)


@case(ramp(4, 2))
class Masked(nn.Module):
    def forward(self, x):
        y = x[x > 0]
        return y, torch.masked_select(x, x < 0) * 2, y.sum()


@case(ramp(4, 2))
class MaskedView(nn.Module):
    def forward(self, x):
        y = x[x > 0]
        torch._check(y.shape[0] % 2 == 0)
        return y.view(-1, 2)


@case(ramp(4), torch.tensor([1, 0, 2, 1]))
class Repeats(nn.Module):
    def forward(self, x, n):
        return torch.repeat_interleave(x, n), torch.repeat_interleave(n)


@case(torch.tensor([1, 0, 2, 1]))
class Unique(nn.Module):
    def forward(self, x):
        u, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
        return u, inverse, counts


@case(torch.tensor([1, 3, 2]))
class ToList(nn.Module):
    def forward(self, x):
        a, b, c = x.tolist()
        for n in (a, b, c):
            torch._check(n >= 0)
        return torch.ones(a + b + c).split([a, b, c])


@case(torch.tensor([1, 3, 2]))
class Bincount(nn.Module):
    def forward(self, x):
        return torch.bincount(x), torch.bincount(x, minlength=5)


@case(torch.tensor(2), torch.tensor(2))
class CheckedEqual(nn.Module):
    def forward(self, x, y):
        a, b = x.item(), y.item()
        torch._check(a == b)
        torch._check(a >= 2)
        return torch.ones(a) + torch.zeros(b)


@case(torch.tensor(2), torch.tensor(2))
class UncheckedEqual(nn.Module):
    def forward(self, x, y):
        a, b = x.item(), y.item()
        return torch.ones(a) + torch.zeros(b)


@case(ramp(4))
class Assertions(nn.Module):
    def forward(self, x):
        torch._assert(x.shape[0] == 4, 'four')
        torch._assert_async((x < 2).all(), 'small')
        torch._check(x.dim() == 1, lambda: 'flat')
        return x + 1


# Control flow and higher-order operators -----------------------------------------------------------------------------------------


@case(ramp(4), dynamic=({0: batch},))
class Conditional(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(1, 1)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.fc(x[:, None])[:, 0], lambda x: x - 1, (x,))


@case(ramp(4), dynamic=({0: batch},))
class SizeConditional(nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 4, lambda x: x.cos(), lambda x: x.sin(), (x,))


@case(ramp(8, 8), dynamic=({0: D},))
class Indexed(nn.Module):
    def forward(self, x):
        n = x.shape[0] // 2
        y = x.clone()
        y[:n] = 1
        y[:n, 1] = 2
        sliced = x[:n], x[0:n], x[n:], x[None:n:1], x[:n, :2], x[..., :n], x[:n:2], x[None, :n], x[n:None], x[1:, :n], x[:n:, ::2]
        return y, *sliced, x[:n, :], x[:n, None], x[:n, 1], x[:n, torch.tensor([0, 1])], x[x.shape[0] - 1], x[n - 1, 1:]


@case(ramp(2, 3, 4), kept=[[], ['linear.default'], ['linear.default', 'matmul.default', 'silu_backward.default']])
class Composites(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = F.silu(self.fc(x).flatten()).reshape(2, -1, 4).mT @ x
        return F.layer_norm(y, (4,)), F.scaled_dot_product_attention(y, y, y), torch.einsum('bij,bj->bi', y, y[0, :2]), y.chunk(2, -1)


@case(ramp(2, 2, 3, 4))
class FusedAttention(nn.Module):
    def forward(self, x):
        mask = torch.ones(3, 3, dtype=torch.bool).tril()
        out = F.scaled_dot_product_attention(x, x, x).transpose(1, 2).reshape(2, 3, 8)
        return out, F.scaled_dot_product_attention(x, x, x, is_causal=True), F.scaled_dot_product_attention(x, x, x, attn_mask=mask, scale=0.5)


# What is recorded -----------------------------------------------------------------------------------------------------------------


def shown(text):
    # Not compared: lines of PyTorch's own modules, and addresses.
    text = re.sub(r'^\s*# (?:File: |Annotation: |No stacktrace).*\n', '', text, flags=re.M)
    return re.sub(r'0x[0-9a-f]+', '0x', text)


def leaves(tree):
    return [leaf.detach().double() if isinstance(leaf, torch.Tensor) else leaf for leaf in torch.utils._pytree.tree_leaves(tree)]


def same(a, b):
    a, b = leaves(a), leaves(b)
    close = lambda x, y: x.shape == y.shape and torch.allclose(x, y, atol=1e-5, equal_nan=True) if isinstance(x, torch.Tensor) else x == y
    return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))


def run(module, name):
    """What a module does with the arguments of a case."""
    _, args, kwargs, _, _ = CASES[name]
    torch.manual_seed(1)
    args, kwargs = torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, (args, kwargs))
    try:
        return [module(*args, **kwargs), args, kwargs]
    except Exception as error:
        return [type(error).__name__, str(error).split('\n')[0]]


def error_of(error):
    text = shown(str(error)).split('\n\nThe error above')[0]
    # Not compared: where in PyTorch's own files, and its stack of C++.
    text = re.sub(r'\n*C\+\+ stack trace.*', '', re.sub(r'\nCaused by: .*', '', text), flags=re.S)
    return {'error': type(error).__name__, 'message': re.sub(r'File "[^"]*", line \d+', 'File', text)}


def exported(name):
    """What comes of a case."""
    make, args, kwargs, dynamic, options = CASES[name]
    torch.manual_seed(0)
    module = make().train(options['train'])
    args, kwargs = torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, (args, kwargs))
    facts = {}
    with warnings.catch_warnings(record=True):
        warnings.simplefilter('always')
        try:
            program = export(module, args, kwargs, dynamic_shapes=dynamic)
        except Exception as error:
            return error_of(error)
        facts['text'] = shown(str(program))
        facts['ranges'] = {str(k): str(v) for k, v in program.range_constraints.items()}
        facts['modules'] = [entry.fqn for entry in program.module_call_graph]
        facts['state'] = [sorted(program.state_dict), sorted(program.constants)]
        for what, make_module in STAGES.items():
            try:
                text, again = make_module(program)
                facts[what] = shown(text)
                facts[f'{what} runs'] = same(run(again, name), run(module, name)) if again is not None else None
            except Exception as error:
                facts[what] = error_of(error)
        for i, names in enumerate(options.get('kept', [])):
            facts[f'kept {i}'] = decomposed_but(program, names)
    return facts


def decomposed_but(program, names):
    """The program after a decomposition from whose table composite operators were taken; without names, after one with an empty table."""
    table = torch.export.default_decompositions() if names else {}
    for name in names:
        packet, overload = name.split('.')
        table.pop(getattr(getattr(torch.ops.aten, packet), overload), None)
    return shown(str(program.run_decompositions(table)))


def code_of_unflattened(program):
    module = torch.export.unflatten(program)
    text = '\n'.join(f'{name}: {m.code}' if hasattr(m, 'code') else f'{name}: {type(m).__name__}' for name, m in module.named_modules())
    return text + str(module.graph), module


def decomposed(program):
    program = program.run_decompositions()
    return str(program), program.module()


STAGES = {
    'module': lambda program: ((lambda m: (m.code, m))(program.module())),
    'decomposed': decomposed,
    'unflattened': code_of_unflattened,
}


if __name__ == '__main__':
    import json
    import os

    if len(sys.argv) > 1 and sys.argv[1] == '--json':
        print(json.dumps({name: exported(name) for name in sys.argv[2:] or CASES}))
    elif len(sys.argv) > 1:
        for name in sys.argv[1:]:
            for key, value in exported(name).items():
                print(f'--- {name}: {key}\n{value}')
    else:
        import gzip

        facts = {'torch': torch.__version__.split('+')[0], **{name: exported(name) for name in CASES}}
        path = os.path.join(os.path.dirname(__file__), '../../test/fixtures/export_modules.json.gz')
        with gzip.GzipFile(path, 'wb', mtime=0) as out:
            out.write(json.dumps(facts).encode())
