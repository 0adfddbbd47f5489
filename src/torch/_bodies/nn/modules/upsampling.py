"""Upsampling."""
from typing import Optional

import torch.nn.functional as F
from torch import Tensor


class Upsample:
    __constants__ = ["size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor"]
    __floats__ = ["scale_factor"]
    name: str
    mode: str
    align_corners: Optional[bool]
    recompute_scale_factor: Optional[bool]

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )


class UpsamplingNearest2d(Upsample):
    pass


class UpsamplingBilinear2d(Upsample):
    pass
