"""Pixels and channels."""
import torch.nn.functional as F
from torch import Tensor


class PixelShuffle:
    __constants__ = ["upscale_factor"]
    upscale_factor: int

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle:
    __constants__ = ["downscale_factor"]
    downscale_factor: int

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)
