"""`gradcheck` as tests call it: fast mode, and batches of gradients checked as well."""

import torch

from ._flags import TEST_WITH_SLOW_GRADCHECK

__all__ = ['gradcheck', 'gradgradcheck']


def _options(kwargs):
    defaults = {'check_batched_grad': True, 'fast_mode': not TEST_WITH_SLOW_GRADCHECK}
    return {**kwargs, **{name: value for name, value in defaults.items() if kwargs.get(name) is None}}


def gradcheck(fn, inputs, **kwargs):
    return torch.autograd.gradcheck(fn, inputs, **_options(kwargs))


def gradgradcheck(fn, inputs, grad_outputs=None, **kwargs):
    return torch.autograd.gradgradcheck(fn, inputs, grad_outputs, **_options(kwargs))


def _assertGradAndGradgradChecks(test_case, apply_fn, inputs, **kwargs):
    test_case.assertTrue(gradcheck(apply_fn, inputs, **kwargs))
    test_case.assertTrue(gradgradcheck(apply_fn, inputs, **kwargs))
