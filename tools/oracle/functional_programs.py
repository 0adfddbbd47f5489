"""
Random programs of views and mutations, and what must be true of them: without mutation (`functionalize`) and traced (`make_fx`) they give what eager
execution gives and change their arguments alike; results of a traced program also share memory alike. PyTorch and glasstorch both run it:

    python tools/oracle/functional_programs.py FIRST COUNT
    npm run python -- tools/oracle/functional_programs.py FIRST COUNT
"""
import sys

import torch
import torch.fx
from torch.fx.experimental.proxy_tensor import make_fx


class Source:
    """Numbers that depend on a seed alone."""

    def __init__(self, seed):
        self.state = seed * 2654435761 % 4294967296 or 1

    def below(self, n):
        self.state = (self.state * 1664525 + 1013904223) % 4294967296
        return self.state // 65536 % n


VIEWS = [
    lambda t: t.view(-1) if t.is_contiguous() else t.transpose(0, -1),
    lambda t: t.transpose(0, -1), lambda t: t[0] if t.dim() > 1 else t[1:], lambda t: t[..., 1:], lambda t: t.unsqueeze(0), lambda t: t.squeeze(),
    lambda t: t.select(-1, 0) if t.dim() > 1 else t, lambda t: t.narrow(0, 0, 1), lambda t: t.expand(2, *t.shape), lambda t: t.diagonal() if t.dim() > 1 else t,
    lambda t: t.split(1)[0], lambda t: t.unbind(0)[-1] if t.dim() > 1 else t, lambda t: t.detach(), lambda t: t.permute(*reversed(range(t.dim()))),
    lambda t: t.unfold(0, 1, 1), lambda t: t.alias() if hasattr(t, 'alias') else t.view(t.shape), lambda t: t.flatten(), lambda t: t.movedim(0, -1),
    lambda t: t.as_strided(t.shape, t.stride()), lambda t: t.reshape(-1),
]
VALUES = [
    lambda t, u: t + 1, lambda t, u: t * 0.5, lambda t, u: t.sin(), lambda t, u: t.clone(), lambda t, u: torch.cat([t, t]), lambda t, u: t.sum(0, keepdim=True),
    lambda t, u: t + u.sum(), lambda t, u: t.abs().sqrt(), lambda t, u: torch.where(t > 0, t, -t), lambda t, u: t.contiguous(), lambda t, u: torch.zeros_like(t),
    lambda t, u: t.new_ones(t.shape), lambda t, u: torch.full((2, 2), 0.5), lambda t, u: t.softmax(-1),
]
WRITES = [
    lambda t, u: t.add_(1), lambda t, u: t.mul_(0.5), lambda t, u: t.copy_(u.mean()), lambda t, u: t.zero_(), lambda t, u: t.fill_(0.25), lambda t, u: t.clamp_(-1, 1),
    lambda t, u: t.sub_(u.mean()), lambda t, u: t.neg_(), lambda t, u: t.sigmoid_(), lambda t, u: t.index_fill_(0, torch.tensor([0]), 0.75),
    lambda t, u: t.masked_fill_(t > 0.5, -0.5), lambda t, u: t.__setitem__(0, 0.125), lambda t, u: torch.add(t, 1, out=t), lambda t, u: t.lerp_(torch.ones_like(t), 0.5),
]


# Functionalization refuses these programs, in PyTorch too.
REFUSED = 'encountered a mutation on a view chain of length'


def make(seed):
    """A program as a function of two tensors; it gives a tuple."""
    def program(x, y):
        source = Source(seed)
        values = [x, y]
        for _ in range(3 + source.below(8)):
            t, u = values[source.below(len(values))], values[source.below(len(values))]
            if t.dim() == 0 or t.numel() == 0 or t.dim() > 4 or t.numel() > 200:
                t = values[source.below(2)]
            kind = source.below(10)
            if kind < 4:
                values.append(VIEWS[source.below(len(VIEWS))](t))
            elif kind < 6:
                values.append(VALUES[source.below(len(VALUES))](t, u))
            else:
                writes = [w for w in t.stride()]
                choice = WRITES[source.below(len(WRITES))]
                if 0 not in writes and t.numel() > 0:  # memory that several elements share cannot be written to
                    choice(t, u)
        return tuple(values[-1 - source.below(min(3, len(values))):])
    return program


def inputs():
    return torch.linspace(-1, 1, 12).reshape(3, 4), torch.linspace(0, 2, 6).reshape(2, 3)


def memory(tensors):
    """Which tensors share memory: for each the first that it shares with."""
    keys = [t.untyped_storage().data_ptr() if t.numel() else -1 - i for i, t in enumerate(tensors)]
    return [keys.index(key) for key in keys]


def observed(fn):
    """Results and arguments after a call, their shapes, and who shares memory with whom."""
    x, y = inputs()
    out = fn(x, y)
    all_tensors = [x, y, *out]
    return [[t.detach().flatten().tolist() for t in all_tensors], [list(t.shape) for t in all_tensors], [str(t.dtype) for t in all_tensors], memory(all_tensors)]


def same(a, b):
    values = all(len(p) == len(q) and all(abs(v - w) <= 1e-5 + 1e-4 * abs(w) or v != v and w != w for v, w in zip(p, q)) for p, q in zip(a[0], b[0]))
    return values and len(a[0]) == len(b[0]) and a[1:3] == b[1:3]


def differences(seed):
    """What differs from eager execution; empty if nothing does, None if the program itself fails."""
    program = make(seed)
    try:
        eager = observed(program)
    except Exception:
        return None
    found = []
    ways = {'functionalize': lambda: torch.func.functionalize(program), 'make_fx': lambda: make_fx(program)(*inputs()),
            'make_fx(functionalize)': lambda: make_fx(torch.func.functionalize(program))(*inputs())}
    for way, build in ways.items():
        try:
            run = observed(build())
        except Exception as error:
            if REFUSED in str(error):
                continue
            found.append(f'{way}: {type(error).__name__}: {str(error)[:120]}')
            continue
        if not same(run, eager):
            found.append(f'{way}: values')
        elif way == 'make_fx' and run[3] != eager[3]:  # results without mutation share no memory with changed arguments, in PyTorch too
            found.append(f'{way}: memory {run[3]} instead of {eager[3]}')
    return found


def main(first, count):
    failed = ran = 0
    for seed in range(first, first + count):
        found = differences(seed)
        ran += found is not None
        if found:
            failed += 1
            print(seed, found)
    print(f'{count} programs, {ran} run, {failed} differ')


if __name__ == '__main__':
    main(int(sys.argv[1]), int(sys.argv[2]))
