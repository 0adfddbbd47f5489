"""Which calls of linear algebra are not written: those whose result is the rounding of the library behind PyTorch, not PyTorch's.

Note [What LAPACK's loops decide]
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
A NaN or an infinity in a matrix spreads as far as the order of the loops takes it. Of a matrix that is singular but for its last digits, an
inverse, a solution, a rank are made of these digits. So a call is left out if a matrix is not finite, or if a change of the matrices in
their last digits changes the result beyond what counts as rounding, or changes whether there is one.
"""

import re
import warnings

import stderr
import torch
from steps import Run, Var, encode, parts

ROUTINES = re.compile(
    r"_?(linalg_(cholesky|cond|det|eigh|eigvalsh|inv|lu|matrix_norm|matrix_power|matrix_rank|norm|pinv|qr|slogdet|solve|svd)|cholesky|det$|"
    r"eigh|geqrf|inverse|logdet|lu_solve|matrix_power|nuclear_norm|pinverse|qr$|slogdet|svd|triangular_solve)"
)
TOLERANCES = {torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7)}  # those of elements.ts
LAST_DIGITS = {torch.float32: 2**-21, torch.float64: 2**-50}


def name_of(call):
    return call.split(".")[1] if "." in call else call


def moved(t):
    """A copy with other last digits: here more, there less."""
    signs = torch.tensor([1.0, -1.0, -1.0], dtype=t.dtype).repeat(t.numel() // 3 + 1)[: t.numel()].reshape(t.shape)
    return t + t * signs * LAST_DIGITS[t.dtype]


def outcome(step, env):
    run = object.__new__(Run)  # whose generator stays as it is
    run.env, run.heard = env, []
    try:
        with torch.no_grad():
            return list(parts(run.function(step)()))
    except Exception as error:
        return type(error)


def near(a, b):
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return type(a) is type(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype not in TOLERANCES:
        return torch.equal(a, b)
    rtol, atol = TOLERANCES[a.dtype]
    return torch.allclose(a, b, rtol / 4, atol / 4, equal_nan=True)


def rounds(call, args, kwargs, env):
    """Note [What LAPACK's loops decide]"""
    if not ROUTINES.match(name_of(call)):
        return False
    names = {v.name for v in [*args, *kwargs.values()] if type(v) is Var and isinstance(env[v.name], torch.Tensor) and not env[v.name].is_meta}
    given = {n: env[n].detach() for n in names}
    matrices = [n for n, t in given.items() if t.dim() >= 2 and t.dtype in TOLERANCES]
    if any(not t.isfinite().all() for t in given.values()):
        return True
    step = {"call": call, "args": [encode(a) for a in args], "kwargs": {k: encode(v) for k, v in kwargs.items()}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = outcome(step, {**env, **{n: t.clone() for n, t in given.items()}})
        other = outcome(step, {**env, **{n: moved(t) if n in matrices else t.clone() for n, t in given.items()}})
    stderr.warnings()  # nobody's
    if isinstance(one, type) or isinstance(other, type):
        return one is not other
    return not all(near(a, b) for a, b in zip(one, other))
