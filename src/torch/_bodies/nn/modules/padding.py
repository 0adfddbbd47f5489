"""Padding."""
from typing import List, Tuple

import torch.nn.functional as F
from torch import Tensor


class _ConstantPadNd:
    __constants__ = ["padding", "value"]
    value: float
    padding: List[int]

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ConstantPad1d(_ConstantPadNd):
    padding: Tuple[int, int]


class ConstantPad2d(_ConstantPadNd):
    __constants__ = ["padding", "value"]
    padding: Tuple[int, int, int, int]


class ConstantPad3d(_ConstantPadNd):
    padding: Tuple[int, int, int, int, int, int]


class _ReflectionPadNd:
    __constants__ = ["padding"]
    padding: List[int]

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReflectionPad1d(_ReflectionPadNd):
    padding: Tuple[int, int]


class ReflectionPad2d(_ReflectionPadNd):
    padding: Tuple[int, int, int, int]


class ReflectionPad3d(_ReflectionPadNd):
    padding: Tuple[int, int, int, int, int, int]


class _ReplicationPadNd:
    __constants__ = ["padding"]
    padding: List[int]

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class ReplicationPad1d(_ReplicationPadNd):
    padding: Tuple[int, int]


class ReplicationPad2d(_ReplicationPadNd):
    padding: Tuple[int, int, int, int]


class ReplicationPad3d(_ReplicationPadNd):
    padding: Tuple[int, int, int, int, int, int]


class ZeroPad1d(ConstantPad1d):
    __floats__ = ["value"]
    padding: Tuple[int, int]


class ZeroPad2d(ConstantPad2d):
    __floats__ = ["value"]
    padding: Tuple[int, int, int, int]


class ZeroPad3d(ConstantPad3d):
    __floats__ = ["value"]
    padding: Tuple[int, int, int, int, int, int]


class _CircularPadNd:
    __constants__ = ["padding"]
    padding: List[int]

    def _check_input_dim(self, input):
        raise NotImplementedError

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class CircularPad1d(_CircularPadNd):
    padding: Tuple[int, int]

    def _check_input_dim(self, input) -> None:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class CircularPad2d(_CircularPadNd):
    padding: Tuple[int, int, int, int]

    def _check_input_dim(self, input) -> None:
        if input.dim() != 3 and input.dim() != 4:
            raise ValueError(f"expected 3D or 4D input (got {input.dim()}D input)")


class CircularPad3d(_CircularPadNd):
    padding: Tuple[int, int, int, int, int, int]

    def _check_input_dim(self, input) -> None:
        if input.dim() != 4 and input.dim() != 5:
            raise ValueError(f"expected 4D or 5D input (got {input.dim()}D input)")
