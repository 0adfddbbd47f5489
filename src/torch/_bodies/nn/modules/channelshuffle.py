"""Channels in another order."""
import torch.nn.functional as F
from torch import Tensor


class ChannelShuffle:
    __constants__ = ["groups"]
    groups: int

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)
