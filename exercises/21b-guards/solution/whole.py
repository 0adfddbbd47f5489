"""Three functions that torch.compile cannot capture whole. Each does something that only the numbers, or only Python, can answer."""

import torch


def normalized(x):
    """x, divided by the largest of its absolute values; zeros stay zeros."""
    # ex:begin(21b.whole)
    largest = x.abs().max()
    return torch.where(largest == 0, x, x / largest)
    # ex:stub
    # largest = x.abs().max().item()
    # if largest == 0:
    #     return x
    # return x / largest
    # ex:end


def limited(x):
    """x, made shorter if it is longer than 1."""
    # ex:begin(21b.whole)
    norm = x.norm()
    return torch.where(norm > 1, x / norm, x)
    # ex:stub
    # if x.norm() > 1:
    #     return x / x.norm()
    # return x
    # ex:end


def rounds(x):
    """x without its mean, as often as x has elements, and doubled."""
    # ex:begin(21b.whole)
    for _ in range(x.shape[0]):
        x = x - x.mean()
    # ex:stub
    # for k in range(x.shape[0]):
    #     x = x - x.mean()
    #     print("round", k)
    # ex:end
    return x * 2
