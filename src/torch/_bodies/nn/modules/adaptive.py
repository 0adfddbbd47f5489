"""Softmax with clusters of rare classes."""
from typing import List

from torch import Tensor
from torch.nn import Linear, ModuleList


class AdaptiveLogSoftmaxWithLoss:
    in_features: int
    n_classes: int
    cutoffs: List[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def forward(self, input_: Tensor, target_: Tensor):
        raise NotImplementedError("scripts refuse the annotation of `head`")
