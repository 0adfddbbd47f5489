"""The part of the operators' samples that needs no table of operators."""

import torch
from torch.testing import make_tensor


def mask_not_all_zeros(shape):
    """A random mask with at least one 1."""
    assert len(shape) > 0
    while True:
        result = make_tensor(shape, dtype=torch.uint8, device='cpu', low=0, high=2)
        if result.sum() > 0:
            return result
