"""Convolutions."""
from typing import List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


class _ConvNd:
    __constants__ = [
        "stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels", "out_channels",
        "kernel_size",
    ]
    in_channels: int
    _reversed_padding_repeated_twice: List[int]
    out_channels: int
    kernel_size: Tuple[int, ...]
    stride: Tuple[int, ...]
    padding: Tuple[int, ...]
    dilation: Tuple[int, ...]
    transposed: bool
    output_padding: Tuple[int, ...]
    groups: int
    padding_mode: str
    weight: Tensor
    bias: Optional[Tensor]


class Conv1d(_ConvNd):
    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv1d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight, bias, self.stride, torch.ops.aten._single(0), self.dilation, self.groups,
            )
        return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv2d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight, bias, self.stride, torch.ops.aten._pair(0), self.dilation, self.groups,
            )
        return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv3d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight, bias, self.stride, torch.ops.aten._triple(0), self.dilation, self.groups,
            )
        return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


def _smallest_extent(extent: int, stride: int, padding: int, kernel_size: int, dilation: int) -> int:
    """The shortest of the extents that a convolution with these options brings back to `extent`."""
    return (extent - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + 1


class _ConvTransposeNd(_ConvNd):
    def _output_padding(
        self, input: Tensor, output_size: Optional[List[int]], stride: List[int], padding: List[int],
        kernel_size: List[int], num_spatial_dims: int, dilation: Optional[List[int]] = None,
    ) -> List[int]:
        """How far each dimension of the output goes beyond the smallest extent."""
        if output_size is None:
            return torch.ops.aten._single(self.output_padding)
        leading = 2 if input.dim() - num_spatial_dims == 2 else 1
        given = len(output_size)
        if given != num_spatial_dims and given != leading + num_spatial_dims:
            raise ValueError(f"ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have {num_spatial_dims} or {leading + num_spatial_dims} elements (got {given})")
        wanted = output_size[given - num_spatial_dims:]
        smallest = torch.jit.annotate(List[int], [])
        largest = torch.jit.annotate(List[int], [])
        extra = torch.jit.annotate(List[int], [])
        for i in range(num_spatial_dims):
            step = 1 if dilation is None else dilation[i]
            extent = _smallest_extent(input.size(leading + i), stride[i], padding[i], kernel_size[i], step)
            smallest.append(extent)
            largest.append(extent + stride[i] - 1)
            extra.append(wanted[i] - extent)
        for i in range(num_spatial_dims):
            if extra[i] < 0 or extra[i] >= stride[i]:
                raise ValueError(f"requested an output size of {wanted}, but valid sizes range from {smallest} to {largest} (for an input of {input.size()[2:]})")
        return extra


class ConvTranspose1d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError("Only `zeros` padding mode is supported for ConvTranspose1d")
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, 1, self.dilation
        )
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )


class ConvTranspose2d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError("Only `zeros` padding mode is supported for ConvTranspose2d")
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, 2, self.dilation
        )
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )


class ConvTranspose3d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError("Only `zeros` padding mode is supported for ConvTranspose3d")
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, 3, self.dilation
        )
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )
