"""A batching rule: what vmap calls in the place of a function, once for a whole batch."""

import torch


def batch_first(value, dim, rank):
    """The value with its batch in dimension 0 and `rank` dimensions behind it. A value without a batch gets one of size 1."""
    # ex:begin(27.rule)
    value = value.unsqueeze(0) if dim is None else value.movedim(dim, 0)
    while value.dim() < rank + 1:
        value = value.unsqueeze(1)
    # ex:stub
    # ex:end
    return value


class RunningSum(torch.autograd.Function):
    """The running sum of x * w along the first dimension of x. w has as many dimensions as x, or fewer."""

    @staticmethod
    def forward(x, w):
        return (x * w).cumsum(0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def vmap(info, in_dims, x, w):
        """x and w hold a batch of `info.batch_size` examples each, in the dimensions `in_dims`; None: the same for all examples."""
        # ex:begin(27.rule)
        rank = x.dim() - (in_dims[0] is not None)
        x, w = batch_first(x, in_dims[0], rank), batch_first(w, in_dims[1], rank)
        # ex:stub
        # ex:end
        # ex:begin(27.rule)
        return (x * w).cumsum(1), 0
        # ex:stub
        # return (x * w).cumsum(0), 0
        # ex:end
