"""Folding and unfolding of patches."""
import torch.nn.functional as F
from torch import Tensor


class Fold:
    __constants__ = ["output_size", "kernel_size", "dilation", "padding", "stride"]

    def forward(self, input: Tensor) -> Tensor:
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Unfold:
    __constants__ = ["kernel_size", "dilation", "padding", "stride"]

    def forward(self, input: Tensor) -> Tensor:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
