"""`gradcheck` as tests call it: fast mode. Batches of gradients need `torch.vmap`, so they are not checked."""

import torch

from ._flags import TEST_WITH_SLOW_GRADCHECK

__all__ = ['gradcheck', 'gradgradcheck']


def _options(kwargs):
    options = {**kwargs, 'check_batched_grad': False}
    if options.get('fast_mode') is None:
        options['fast_mode'] = not TEST_WITH_SLOW_GRADCHECK
    return options


def gradcheck(fn, inputs, **kwargs):
    return torch.autograd.gradcheck(fn, inputs, **_options(kwargs))


def gradgradcheck(fn, inputs, grad_outputs=None, **kwargs):
    return torch.autograd.gradgradcheck(fn, inputs, grad_outputs, **_options(kwargs))


def _assertGradAndGradgradChecks(test_case, apply_fn, inputs, **kwargs):
    test_case.assertTrue(gradcheck(apply_fn, inputs, **kwargs))
    test_case.assertTrue(gradgradcheck(apply_fn, inputs, **kwargs))
