"""Activations."""
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor


class Threshold:
    __constants__ = ["threshold", "value", "inplace"]
    threshold: float
    value: float
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU:
    __constants__ = ["inplace"]
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, inplace=self.inplace)


class RReLU:
    __constants__ = ["lower", "upper", "inplace"]
    lower: float
    upper: float
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh:
    __constants__ = ["min_val", "max_val", "inplace"]
    min_val: float
    max_val: float
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    pass


class Sigmoid:
    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class Hardsigmoid:
    __constants__ = ["inplace"]
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Tanh:
    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class SiLU:
    __constants__ = ["inplace"]
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, inplace=self.inplace)


class Mish:
    __constants__ = ["inplace"]
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, inplace=self.inplace)


class Hardswish:
    __constants__ = ["inplace"]
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class ELU:
    __constants__ = ["alpha", "inplace"]
    alpha: float
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU:
    __constants__ = ["alpha", "inplace"]
    alpha: float
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class SELU:
    __constants__ = ["inplace"]
    inplace: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class GLU:
    __constants__ = ["dim"]
    dim: int

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class GELU:
    __constants__ = ["approximate"]
    approximate: str

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


class Hardshrink:
    __constants__ = ["lambd"]
    lambd: float

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


class LeakyReLU:
    __constants__ = ["inplace", "negative_slope"]
    inplace: bool
    negative_slope: float

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid:
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softplus:
    __constants__ = ["beta", "threshold"]
    beta: float
    threshold: float

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class Softshrink:
    __constants__ = ["lambd"]
    lambd: float

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class PReLU:
    __constants__ = ["num_parameters"]
    num_parameters: int

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class Softsign:
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink:
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Softmin:
    __constants__ = ["dim"]
    dim: Optional[int]

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax:
    __constants__ = ["dim"]
    dim: Optional[int]

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmax2d:
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


class LogSoftmax:
    __constants__ = ["dim"]
    dim: Optional[int]

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)
