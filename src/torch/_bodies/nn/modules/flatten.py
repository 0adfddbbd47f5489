"""Shapes."""
from typing import List

from torch import Tensor


class Flatten:
    __constants__ = ["start_dim", "end_dim"]
    start_dim: int
    end_dim: int

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten:
    __constants__ = ["dim", "unflattened_size"]
    dim: int
    unflattened_size: List[int]

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)
