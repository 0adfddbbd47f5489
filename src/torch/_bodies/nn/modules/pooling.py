"""Pooling."""
from typing import Tuple, Union

import torch.nn.functional as F
from torch import Tensor

_size = Union[int, Tuple[int, int]]


class _MaxPoolNd:
    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    return_indices: bool
    ceil_mode: bool


class MaxPool1d(_MaxPoolNd):
    kernel_size: _size
    stride: _size
    padding: _size
    dilation: _size

    def forward(self, input: Tensor):
        return F.max_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )


class MaxPool2d(_MaxPoolNd):
    kernel_size: _size
    stride: _size
    padding: _size
    dilation: _size

    def forward(self, input: Tensor):
        return F.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )


class MaxPool3d(_MaxPoolNd):
    kernel_size: _size
    stride: _size
    padding: _size
    dilation: _size

    def forward(self, input: Tensor):
        return F.max_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.dilation,
            ceil_mode=self.ceil_mode, return_indices=self.return_indices,
        )


class AvgPool1d:
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]
    kernel_size: _size
    stride: _size
    padding: _size
    ceil_mode: bool
    count_include_pad: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class AvgPool2d:
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    kernel_size: _size
    stride: _size
    padding: _size
    ceil_mode: bool
    count_include_pad: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d:
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
    kernel_size: _size
    stride: _size
    padding: _size
    ceil_mode: bool
    count_include_pad: bool

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )


class AdaptiveMaxPool1d:
    __constants__ = ["output_size", "return_indices"]
    output_size: _size
    return_indices: bool

    def forward(self, input: Tensor):
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d:
    __constants__ = ["output_size", "return_indices"]
    output_size: _size
    return_indices: bool

    def forward(self, input: Tensor):
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d:
    __constants__ = ["output_size", "return_indices"]
    output_size: _size
    return_indices: bool

    def forward(self, input: Tensor):
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class AdaptiveAvgPool1d:
    __constants__ = ["output_size"]
    output_size: _size

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d:
    __constants__ = ["output_size"]
    output_size: _size

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d:
    __constants__ = ["output_size"]
    output_size: _size

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)
