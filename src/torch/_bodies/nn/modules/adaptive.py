"""Softmax with clusters of rare classes."""
from collections import namedtuple
from typing import List

import torch.nn.functional as F
from torch import Tensor
from torch.nn import Linear, ModuleList

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss:
    in_features: int
    n_classes: int
    cutoffs: List[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def forward(self, input_: Tensor, target_: Tensor):
        self._check(input_, target_)
        is_batched = target_.dim() > 0
        input = input_ if is_batched else input_.unsqueeze(0)
        target = target_ if is_batched else target_.unsqueeze(0)
        output = input.new_zeros(target.size(0))
        head_columns = target.new_empty(target.size(0))
        found = 0
        for cluster, (low, high) in enumerate(zip([0, *self.cutoffs], self.cutoffs)):
            mask = (target >= low) & (target < high)
            rows = mask.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            of_rows = target[mask]
            if cluster == 0:
                head_columns.index_copy_(0, rows, of_rows)
            else:
                scores = F.log_softmax(self.tail[cluster - 1](input.index_select(0, rows)), dim=1)
                head_columns.index_fill_(0, rows, self.shortlist_size + cluster - 1)
                output.index_copy_(0, rows, scores.gather(1, (of_rows - low).unsqueeze(1)).squeeze(1))
            found += rows.numel()
        if found != target.size(0):
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, {target.max().item()}] were found. ")
        output += F.log_softmax(self.head(input), dim=1).gather(1, head_columns.unsqueeze(1)).squeeze()
        return _ASMoutput(output if is_batched else output.squeeze(0), (-output).mean())

    def _check(self, input: Tensor, target: Tensor) -> None:
        dims = target.dim()
        if dims > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if dims == 1 and input.size(0) != target.size(0):
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if input.dim() != dims + 1:
            raise RuntimeError(f"{dims}D target tensor expects {dims + 1}D input tensors, but found inputs with size {input.size()}")
