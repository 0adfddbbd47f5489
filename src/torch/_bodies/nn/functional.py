"""Functions of torch.nn.functional, for those who need their text."""
import math
import warnings
from typing import List, Optional, Tuple, Union

import torch
from torch import Tensor
from torch.nn.functional import adaptive_avg_pool1d, avg_pool1d, avg_pool2d, avg_pool3d, logsigmoid

aten = torch.ops.aten
DType = int
_Reduction = body_of("torch.nn._reduction")
multi_head_attention_forward = body_of("torch.nn.functional_attention").multi_head_attention_forward


class _Subscriptable:
    def __getitem__(self, item):
        return List[item]


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _Subscriptable()


class _BooleanDispatch:
    def __init__(self, arg_name, arg_index, default, if_true, if_false):
        self.__boolean_dispatch__ = {
            "arg_name": arg_name, "arg_index": arg_index, "default": default, "if_true": if_true, "if_false": if_false
        }


# Pooling


def _stride_of(stride: Optional[List[int]]) -> List[int]:
    """The stride for an operator of pooling: an empty list asks for strides as long as the kernel."""
    return torch.jit.annotate(List[int], []) if stride is None else stride


def max_pool1d_with_indices(
    input: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0, dilation: BroadcastingList1[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    return torch.max_pool1d_with_indices(input, kernel_size, _stride_of(stride), padding, dilation, ceil_mode)


def _max_pool1d(
    input: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0, dilation: BroadcastingList1[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    return torch.max_pool1d(input, kernel_size, _stride_of(stride), padding, dilation, ceil_mode)


max_pool1d = _BooleanDispatch("return_indices", 6, False, max_pool1d_with_indices, _max_pool1d)


def max_pool2d_with_indices(
    input: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0, dilation: BroadcastingList2[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    return aten.max_pool2d_with_indices(input, kernel_size, _stride_of(stride), padding, dilation, ceil_mode)


def _max_pool2d(
    input: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0, dilation: BroadcastingList2[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    return aten.max_pool2d(input, kernel_size, _stride_of(stride), padding, dilation, ceil_mode)


max_pool2d = _BooleanDispatch("return_indices", 6, False, max_pool2d_with_indices, _max_pool2d)


def max_pool3d_with_indices(
    input: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0, dilation: BroadcastingList3[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    return aten.max_pool3d_with_indices(input, kernel_size, _stride_of(stride), padding, dilation, ceil_mode)


def _max_pool3d(
    input: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0, dilation: BroadcastingList3[int] = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    return aten.max_pool3d(input, kernel_size, _stride_of(stride), padding, dilation, ceil_mode)


max_pool3d = _BooleanDispatch("return_indices", 6, False, max_pool3d_with_indices, _max_pool3d)


def adaptive_max_pool1d_with_indices(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(
    input: Tensor, output_size: BroadcastingList1[int], return_indices: bool = False
) -> Tensor:
    return adaptive_max_pool1d_with_indices(input, output_size)[0]


adaptive_max_pool1d = _BooleanDispatch(
    "return_indices", 2, False, adaptive_max_pool1d_with_indices, _adaptive_max_pool1d
)


def adaptive_max_pool2d_with_indices(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    output_size = aten.list_with_default(output_size, input.size())
    return aten.adaptive_max_pool2d(input, output_size)


def _adaptive_max_pool2d(
    input: Tensor, output_size: BroadcastingList2[int], return_indices: bool = False
) -> Tensor:
    return adaptive_max_pool2d_with_indices(input, output_size)[0]


adaptive_max_pool2d = _BooleanDispatch(
    "return_indices", 2, False, adaptive_max_pool2d_with_indices, _adaptive_max_pool2d
)


def adaptive_max_pool3d_with_indices(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tuple[Tensor, Tensor]:
    output_size = aten.list_with_default(output_size, input.size())
    return aten.adaptive_max_pool3d(input, output_size)


def _adaptive_max_pool3d(
    input: Tensor, output_size: BroadcastingList3[int], return_indices: bool = False
) -> Tensor:
    return adaptive_max_pool3d_with_indices(input, output_size)[0]


adaptive_max_pool3d = _BooleanDispatch(
    "return_indices", 2, False, adaptive_max_pool3d_with_indices, _adaptive_max_pool3d
)


def _unpool_output_size(
    input: Tensor, kernel_size: List[int], stride: List[int], padding: List[int], output_size: Optional[List[int]]
) -> List[int]:
    """The size that pooling had before it, near to a given one; without one, the smallest that fits."""
    dims = len(kernel_size)
    sizes = input.size()[-dims:]
    smallest = [(sizes[d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(dims)]
    chosen = smallest
    if output_size is not None:
        chosen = output_size[2:] if len(output_size) == dims + 2 else output_size
        if len(chosen) != dims:
            raise ValueError(f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it has a length of '{len(chosen)}'")
        for d in range(dims):
            low, high = smallest[d] - stride[d], smallest[d] + stride[d]
            if chosen[d] <= low or chosen[d] >= high:
                raise ValueError(f'invalid output_size "{chosen}" (dim {d} must be between {low} and {high})')
    for d in range(dims):
        if chosen[d] < 0:
            raise ValueError(f"max_unpooling: output_size must contain non-negative spatial dimensions, but got output_size[{d}]={chosen[d]}")
    return chosen


def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: BroadcastingList1[int], stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0, output_size: Optional[BroadcastingList1[int]] = None,
) -> Tensor:
    kernel = aten._single(kernel_size)
    step = kernel if stride is None else aten._single(stride)
    size = _unpool_output_size(input, kernel, step, aten._single(padding), output_size)
    return aten.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size + [1]).squeeze(-1)


def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: BroadcastingList2[int], stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0, output_size: Optional[BroadcastingList2[int]] = None,
) -> Tensor:
    kernel = aten._pair(kernel_size)
    step = kernel if stride is None else aten._pair(stride)
    return aten.max_unpool2d(input, indices, _unpool_output_size(input, kernel, step, aten._pair(padding), output_size))


def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: BroadcastingList3[int], stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0, output_size: Optional[BroadcastingList3[int]] = None,
) -> Tensor:
    kernel = aten._triple(kernel_size)
    step = kernel if stride is None else aten._triple(stride)
    places = aten._triple(padding)
    size = _unpool_output_size(input, kernel, step, places, output_size)
    return aten.max_unpool3d(input, indices, size, step, places)


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    _output_size = aten.list_with_default(output_size, input.size())
    return aten.adaptive_avg_pool2d(input, _output_size)


def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    _output_size = aten.list_with_default(output_size, input.size())
    return aten.adaptive_avg_pool3d(input, _output_size)


def _fractional_size(
    input: Tensor, dims: int, output_size: Optional[List[int]], output_ratio: Optional[List[float]]
) -> List[int]:
    """The size of a fractional pooling over the last `dims` dimensions: the given one, or shares of the input's."""
    if output_size is not None:
        return output_size
    if output_ratio is None:
        raise ValueError(f"fractional_max_pool{dims}d requires specifying either an output_size or an output_ratio")
    if dims == 2 and len(output_ratio) > 2:
        raise ValueError("fractional_max_pool2d requires output_ratio to either be a single Int or tuple of Ints.")
    ratios = aten._pair(output_ratio) if dims == 2 else aten._triple(output_ratio)
    return [int(input.size(i - dims) * ratios[i]) for i in range(dims)]


def _fractional_samples(input: Tensor, dims: int, samples: Optional[Tensor]) -> Tensor:
    """One number of [0, 1) per image, channel and pooled dimension: it decides where the windows begin."""
    if samples is not None:
        return samples
    images = input.size(0) if input.dim() != dims + 1 else 1
    return torch.rand(images, input.size(-dims - 1), dims, dtype=input.dtype, device=input.device)


def fractional_max_pool2d_with_indices(
    input: Tensor, kernel_size: BroadcastingList2[int], output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    size = _fractional_size(input, 2, output_size, output_ratio)
    return aten.fractional_max_pool2d(input, kernel_size, size, _fractional_samples(input, 2, _random_samples))


def _fractional_max_pool2d(
    input: Tensor, kernel_size: BroadcastingList2[int], output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    return fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )[0]


fractional_max_pool2d = _BooleanDispatch(
    "return_indices", 4, False, fractional_max_pool2d_with_indices, _fractional_max_pool2d
)


def fractional_max_pool3d_with_indices(
    input: Tensor, kernel_size: BroadcastingList3[int], output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    size = _fractional_size(input, 3, output_size, output_ratio)
    return aten.fractional_max_pool3d(input, kernel_size, size, _fractional_samples(input, 3, _random_samples))


def _fractional_max_pool3d(
    input: Tensor, kernel_size: BroadcastingList3[int], output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None, return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    return fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )[0]


fractional_max_pool3d = _BooleanDispatch(
    "return_indices", 4, False, fractional_max_pool3d_with_indices, _fractional_max_pool3d
)


def _product(sizes: List[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product


def _lp_norm(powers: Tensor, elements: int, norm_type: Union[int, float]) -> Tensor:
    """Norms of windows of that many elements from the averages of their powers; averages below 0 keep the sign."""
    return (torch.sign(powers) * relu(torch.abs(powers))).mul(elements).pow(1.0 / norm_type)


def lp_pool1d(
    input: Tensor, norm_type: Union[int, float], kernel_size: int, stride: Optional[BroadcastingList1[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    norm = float(norm_type)
    if math.isinf(norm) and norm > 0:
        return max_pool1d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if math.isinf(norm):
        return -max_pool1d(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    powers = avg_pool1d(input.pow(norm_type), kernel_size, _stride_of(stride), 0, ceil_mode)
    return _lp_norm(powers, kernel_size, norm_type)


def lp_pool2d(
    input: Tensor, norm_type: Union[int, float], kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None, ceil_mode: bool = False,
) -> Tensor:
    norm = float(norm_type)
    if math.isinf(norm) and norm > 0:
        return max_pool2d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if math.isinf(norm):
        return -max_pool2d(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    powers = avg_pool2d(input.pow(norm_type), kernel_size, _stride_of(stride), 0, ceil_mode)
    return _lp_norm(powers, _product(aten._pair(kernel_size)), norm_type)


def lp_pool3d(
    input: Tensor, norm_type: Union[int, float], kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None, ceil_mode: bool = False,
) -> Tensor:
    norm = float(norm_type)
    if math.isinf(norm) and norm > 0:
        return max_pool3d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if math.isinf(norm):
        return -max_pool3d(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    powers = avg_pool3d(input.pow(norm_type), kernel_size, _stride_of(stride), 0, ceil_mode)
    return _lp_norm(powers, _product(aten._triple(kernel_size)), norm_type)


# Dropout


def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _drop_channels(input: Tensor, p: float, training: bool, inplace: bool, batched: bool) -> Tensor:
    """Zeroes whole channels at random. An input that is no batch is made one for the time of the operator."""
    if inplace:
        batch = input if batched else input.unsqueeze_(0)
        result = torch.feature_dropout_(batch, p, training)
        return result if batched else result.squeeze_(0)
    batch = input if batched else input.unsqueeze(0)
    result = torch.feature_dropout(batch, p, training)
    return result if batched else result.squeeze(0)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    return torch.dropout_(input, p, training) if inplace else torch.dropout(input, p, training)


def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    _check_probability(p)
    return torch.alpha_dropout_(input, p, training) if inplace else torch.alpha_dropout(input, p, training)


def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    dims = input.dim()
    if dims != 2 and dims != 3:
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {dims}D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).")
    return _drop_channels(input, p, training, inplace, dims == 3)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    dims = input.dim()
    if dims == 3:
        warnings.warn("dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.", stacklevel=2)
    elif dims != 4:
        warnings.warn(f"dropout2d: Received a {dims}-D input to dropout2d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout2d exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D inputs).", stacklevel=2)
    return _drop_channels(input, p, training, inplace, True)


def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    _check_probability(p)
    dims = input.dim()
    if dims != 4 and dims != 5:
        warnings.warn(f"dropout3d: Received a {dims}-D input to dropout3d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout3d exists to provide channel-wise dropout on inputs with 3 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 4D or 5D inputs).", stacklevel=2)
    return _drop_channels(input, p, training, inplace, dims == 5)


def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    _check_probability(p)
    if inplace:
        return torch.feature_alpha_dropout_(input, p, training)
    return torch.feature_alpha_dropout(input, p, training)


# Activations


def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    return torch.threshold_(input, threshold, value) if inplace else torch.threshold(input, threshold, value)


threshold = _threshold


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.relu_(input) if inplace else torch.relu(input)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return aten.glu(input, dim)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return aten.hardtanh_(input, min_val, max_val) if inplace else aten.hardtanh(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    return aten.relu6_(input) if inplace else aten.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return aten.elu_(input, alpha) if inplace else aten.elu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    return torch.selu_(input) if inplace else torch.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return torch.celu_(input, alpha) if inplace else torch.celu(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return aten.leaky_relu_(input, negative_slope) if inplace else aten.leaky_relu(input, negative_slope)


def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    return torch.rrelu_(input, lower, upper, training) if inplace else torch.rrelu(input, lower, upper, training)


def tanhshrink(input):
    return input - input.tanh()


def softsign(input):
    return input / (input.abs() + 1)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmin(
    input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[DType] = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    return (-input).softmax(dim, dtype=dtype)


def softmax(
    input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[DType] = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim, dtype=dtype)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    winners = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits, memory_format=torch.contiguous_format).scatter_(dim, winners, 1.0)
    return one_hot - soft.detach() + soft


def log_softmax(
    input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3, dtype: Optional[DType] = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim, dtype=dtype)


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    return aten.hardsigmoid_(input) if inplace else aten.hardsigmoid(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return aten.silu_(input) if inplace else aten.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    return aten.mish_(input) if inplace else aten.mish(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    return aten.hardswish_(input) if inplace else aten.hardswish(input)


# Sparse


def _padding_row(padding_idx: int, rows: int) -> int:
    """The row that a padding index names, which may count from the end."""
    if padding_idx != 0 and (padding_idx >= rows or padding_idx < -rows):
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx + rows if padding_idx < 0 else padding_idx


def embedding(
    input: Tensor, weight: Tensor, padding_idx: Optional[int] = None, max_norm: Optional[float] = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:
    row = -1 if padding_idx is None else _padding_row(padding_idx, weight.size(0))
    if max_norm is not None:
        input = input.contiguous()
        aten._no_grad_embedding_renorm_(weight, input, max_norm, norm_type)
    return torch.embedding(weight, input, row, scale_grad_by_freq, sparse)


def _bag_offsets(input: Tensor, offsets: Optional[Tensor]) -> Tensor:
    """Where each bag begins among all the indices. Each row of a matrix is a bag."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type <unknown>")
        return torch.arange(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
    if input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return offsets


def _bag_mode(mode: str, scale_grad_by_freq: bool, sparse: bool, weighted: bool) -> int:
    """The number of a mode; raises if the mode does not go with the other options."""
    modes = ["sum", "mean", "max"]
    if mode not in modes:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if mode != "sum" and weighted:
        raise NotImplementedError(f"embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")
    return modes.index(mode)


def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Optional[Tensor] = None, max_norm: Optional[float] = None,
    norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Optional[Tensor] = None, include_last_offset: bool = False,
    padding_idx: Optional[int] = None,
) -> Tensor:
    indices, table = input, weight
    if table.dtype == torch.long and indices.is_floating_point():
        warnings.warn("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.", stacklevel=2)
        indices, table = weight, input
    if per_sample_weights is not None and indices.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same shape as the input ({indices.shape})")
    if table.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {table.dim()}")
    starts = _bag_offsets(indices, offsets)
    if indices.dim() == 2:
        include_last_offset = False
        indices = indices.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    mode_number = _bag_mode(mode, scale_grad_by_freq, sparse, per_sample_weights is not None)
    if max_norm is not None:
        aten._no_grad_embedding_renorm_(table, indices, max_norm, norm_type)
    return torch.embedding_bag(
        table, indices, starts, scale_grad_by_freq, mode_number, sparse, per_sample_weights, include_last_offset,
        padding_idx,
    )[0]


# Normalization


def _verify_batch_size(size: List[int]) -> None:
    # Not `_product`: graphs of frozen modules number their values as PyTorch does, and a slice here would be one value more.
    values = size[0]
    for i in range(2, len(size)):
        values *= size[i]
    if values == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def batch_norm(
    input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor], weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:
    if training:
        _verify_batch_size(input.size())
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, torch.backends.cudnn.enabled
    )


def _verify_spatial_size(size: List[int]) -> None:
    if _product(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {size}")


def instance_norm(
    input: Tensor, running_mean: Optional[Tensor] = None, running_var: Optional[Tensor] = None,
    weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, use_input_stats: bool = True,
    momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:
    if use_input_stats:
        _verify_spatial_size(input.size())
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, torch.backends.cudnn.enabled
    )


def layer_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
    eps: float = 1e-5,
) -> Tensor:
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, torch.backends.cudnn.enabled)


def rms_norm(
    input: Tensor, normalized_shape: List[int], weight: Optional[Tensor] = None, eps: Optional[float] = None
) -> Tensor:
    return torch.rms_norm(input, normalized_shape, weight, eps)


def group_norm(
    input: Tensor, num_groups: int, weight: Optional[Tensor] = None, bias: Optional[Tensor] = None, eps: float = 1e-5
) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    _verify_batch_size([input.size(0) * input.size(1) // num_groups, num_groups] + list(input.size()[2:]))
    return torch.group_norm(input, num_groups, weight, bias, eps, torch.backends.cudnn.enabled)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    dims = input.dim()
    if dims < 3:
        raise ValueError(f"Expected 3D or higher dimensionality                          input (got {dims} dimensions)")
    if input.numel() == 0:
        return input
    squares = input.mul(input)
    before, after = size // 2, (size - 1) // 2
    if dims == 3:
        padded = pad(squares.unsqueeze(1), (0, 0, before, after))
        means = avg_pool2d(padded, (size, 1), stride=1).squeeze(1)
    else:
        sizes = input.size()
        volume = squares.view(sizes[0], 1, sizes[1], sizes[2], -1)
        padded = pad(volume, (0, 0, 0, 0, before, after))
        means = avg_pool3d(padded, (size, 1, 1), stride=1).squeeze(1).view(sizes)
    return input / means.mul(alpha).add(k).pow(beta)


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Optional[Tensor] = None
) -> Tensor:
    norms = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / norms.clamp_min(eps).expand_as(input)
    return torch.div(input, norms.clamp_min_(eps).expand_as(input), out=out)


def pad(input: Tensor, pad: List[int], mode: str = "constant", value: Optional[float] = None) -> Tensor:
    return aten.pad(input, pad, mode, value)


# Losses


def _reduction_name(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> str:
    """The name of a reduction. The flags of old programs go before it."""
    if size_average is None and reduce is None:
        return reduction
    return _Reduction.legacy_get_string(size_average, reduce)


def _reduction_number(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> int:
    return _Reduction.get_enum(_reduction_name(size_average, reduce, reduction))


def _of_one_size(input: Tensor, target: Tensor) -> Tuple[Tensor, Tensor]:
    """Both tensors, expanded to one size. A warning says so if they have two."""
    if target.size() != input.size():
        warnings.warn(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.", stacklevel=2)
    first, second = torch.broadcast_tensors(input, target)
    return first, second


def _check_weight(weight: Tensor, input: Tensor) -> None:
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _reduce(losses: Tensor, reduction: str, total: Optional[Tensor]) -> Tensor:
    """Losses as a reduction makes them. If there are weights in `total`, a mean is the sum divided by theirs."""
    if reduction == "none":
        return losses
    if reduction == "sum":
        return torch.sum(losses)
    if reduction != "mean":
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
    return losses.mean() if total is None else torch.sum(losses) / torch.sum(total)


def nll_loss(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    ignore_index: int = -100, reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    return aten.nll_loss_nd(
        input, target, weight, _reduction_number(size_average, reduce, reduction), ignore_index
    )


def cross_entropy(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    ignore_index: int = -100, reduce: Optional[bool] = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    return aten.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. Please ensure they have the same size.")
    if weight is not None:
        weight = weight.expand(torch.broadcast_shapes(target.size(), weight.size()))
    return aten.binary_cross_entropy(input, target, weight, number)


def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean", pos_weight: Optional[Tensor] = None,
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", beta: float = 1.0,
) -> Tensor:
    first, second = _of_one_size(input, target)
    number = _reduction_number(size_average, reduce, reduction)
    if beta == 0.0:
        return aten.l1_loss(first, second, number)
    return aten.smooth_l1_loss(first, second, number, beta)


def l1_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", weight: Optional[Tensor] = None,
) -> Tensor:
    first, second = _of_one_size(input, target)
    name = _reduction_name(size_average, reduce, reduction)
    if weight is None:
        return aten.l1_loss(first, second, _Reduction.get_enum(name))
    _check_weight(weight, input)
    return _reduce(torch.abs(first - second) * weight, name, weight)


def mse_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", weight: Optional[Tensor] = None,
) -> Tensor:
    first, second = _of_one_size(input, target)
    name = _reduction_name(size_average, reduce, reduction)
    if weight is None:
        return aten.mse_loss(first, second, _Reduction.get_enum(name))
    _check_weight(weight, input)
    return _reduce(torch.pow(first - second, 2) * weight, name, weight)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Optional[Tensor] = None
) -> Tensor:
    first, second = _of_one_size(input, target)
    if weight is None:
        return aten.huber_loss(first, second, _Reduction.get_enum(reduction), delta)
    _check_weight(weight, input)
    losses = aten.huber_loss(first, second, _Reduction.get_enum("none"), delta)
    return _reduce(losses * weight, reduction, None)


def kl_div(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", log_target: bool = False,
) -> Tensor:
    if reduction == "mean" and size_average is None and reduce is None:
        warnings.warn("reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major release.", stacklevel=2)
    by_batch = reduction == "batchmean"
    number = _reduction_number(size_average, reduce, "sum" if by_batch else reduction)
    divergence = torch.kl_div(input, target, number, log_target=log_target)
    return divergence / input.size(0) if by_batch and input.dim() > 0 else divergence


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    return torch.cosine_embedding_loss(input1, input2, target, margin, number)


def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return aten.soft_margin_loss(input, target, _reduction_number(size_average, reduce, reduction))


def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    return aten.multilabel_margin_loss(input, target, _reduction_number(size_average, reduce, reduction))


def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    return torch.hinge_embedding_loss(input, target, margin, _reduction_number(size_average, reduce, reduction))


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    for other in (input2, target):
        if other.dim() != input1.dim():
            raise RuntimeError(f"margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} ")
    return torch.margin_ranking_loss(input1, input2, target, margin, number)


def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    name = _reduction_name(size_average, reduce, reduction)
    if name not in ("none", "mean", "sum"):
        raise ValueError(f"{name} is not valid")
    present = target * logsigmoid(input)
    absent = (1 - target) * logsigmoid(-input)
    losses = -(present + absent)
    if weight is not None:
        losses = losses * weight
    classes = input.dim() - 1
    return _reduce(losses.sum(dim=classes) / input.size(classes), name, None)


def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None, reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return aten.multi_margin_loss(input, target, p, margin, weight, number)


def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: Optional[bool] = None, reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    number = _reduction_number(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: Optional[bool] = None,
    eps: float = 1e-8, reduce: Optional[bool] = None, reduction: str = "mean",
) -> Tensor:
    name = _reduction_name(size_average, reduce, reduction)
    if name not in ("none", "mean", "sum"):
        raise ValueError(f"{name} is not a valid value for reduction")
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _Reduction.get_enum(name))


def _is_variance_size(sizes: List[int], variances: List[int]) -> bool:
    """Whether variances go with an input of a size: one dimension has a single one for the input's many."""
    others = [mine for its, mine in zip(sizes, variances) if its != mine]
    return len(sizes) == len(variances) and sum(others) == 1


def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Union[Tensor, float], full: bool = False, eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    variance = torch.full_like(input, var) if isinstance(var, float) else var
    if torch.any(variance < 0):
        raise ValueError("var has negative entry/entries")
    if variance.size() != input.size():
        if input.size()[:-1] == variance.size():
            variance = variance.unsqueeze(-1)
        elif not _is_variance_size(input.size(), variance.size()):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    variance = variance.clone()
    with torch.no_grad():
        variance.clamp_(min=eps)
    losses = 0.5 * (torch.log(variance) + (input - target) ** 2 / variance)
    if full:
        losses += 0.5 * math.log(2 * math.pi)
    return _reduce(losses, reduction, None)


def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function=None, margin: float = 1.0,
    swap: bool = False, reduction: str = "mean",
) -> Tensor:
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if anchor.ndim != positive.ndim or anchor.ndim != negative.ndim:
        raise RuntimeError(f"The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs")
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduce(torch.clamp_min(margin + near - far, 0), reduction, None)


def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> Tensor:
    return torch.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, _Reduction.get_enum(reduction), zero_infinity
    )


# Patches and sizes


def unfold(
    input: Tensor, kernel_size: BroadcastingList2[int], dilation: BroadcastingList2[int] = 1,
    padding: BroadcastingList2[int] = 0, stride: BroadcastingList2[int] = 1,
) -> Tensor:
    return aten.im2col(
        input, aten._pair(kernel_size), aten._pair(dilation), aten._pair(padding), aten._pair(stride)
    )


def fold(
    input: Tensor, output_size: BroadcastingList2[int], kernel_size: BroadcastingList2[int],
    dilation: BroadcastingList2[int] = 1, padding: BroadcastingList2[int] = 0, stride: BroadcastingList2[int] = 1,
) -> Tensor:
    return aten.col2im(
        input, aten._pair(output_size), aten._pair(kernel_size), aten._pair(dilation), aten._pair(padding),
        aten._pair(stride),
    )


def _check_resizing(mode: str, dims: int) -> None:
    """Raises unless a mode can resize an input with that many dimensions."""
    needed = dims
    if mode == "linear":
        needed = 3
    elif mode in ("bilinear", "bicubic", "lanczos"):
        needed = 4
    elif mode == "trilinear":
        needed = 5
    elif mode not in ("nearest", "nearest-exact", "area"):
        needed = -1
    if dims in (3, 4, 5) and needed != dims and mode in ("linear", "bilinear", "trilinear"):
        raise NotImplementedError(f"Got {dims}D input, but {mode} mode needs {needed}D input")
    if dims not in (3, 4, 5) or needed != dims:
        raise NotImplementedError(f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {dims}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})")


def _resize1d(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool
) -> Tensor:
    if mode == "area" and size is not None:
        return adaptive_avg_pool1d(input, size)
    if mode == "nearest":
        return aten.upsample_nearest1d(input, size, scales)
    if mode == "nearest-exact":
        return aten._upsample_nearest_exact1d(input, size, scales)
    return aten.upsample_linear1d(input, size, corners, scales)


def _resize2d(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool
) -> Tensor:
    if mode == "area" and size is not None:
        return adaptive_avg_pool2d(input, size)
    if mode == "nearest":
        return aten.upsample_nearest2d(input, size, scales)
    if mode == "nearest-exact":
        return aten._upsample_nearest_exact2d(input, size, scales)
    if mode == "bicubic":
        return aten.upsample_bicubic2d(input, size, corners, scales)
    return aten.upsample_bilinear2d(input, size, corners, scales)


def _resize2d_antialiased(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool
) -> Tensor:
    if mode == "bilinear":
        return aten._upsample_bilinear2d_aa(input, size, corners, scales)
    if mode == "bicubic":
        return aten._upsample_bicubic2d_aa(input, size, corners, scales)
    return aten._upsample_lanczos2d_aa(input, size, corners, scales)


def _resize3d(
    input: Tensor, mode: str, size: Optional[List[int]], scales: Optional[List[float]], corners: bool
) -> Tensor:
    if mode == "area" and size is not None:
        return adaptive_avg_pool3d(input, size)
    if mode == "nearest":
        return aten.upsample_nearest3d(input, size, scales)
    if mode == "nearest-exact":
        return aten._upsample_nearest_exact3d(input, size, scales)
    return aten.upsample_trilinear3d(input, size, corners, scales)


@_overload
def interpolate(
    input: Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None, mode: str = "nearest",
    align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False,
) -> Tensor:
    pass


@_overload
def interpolate(
    input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[List[float]] = None, mode: str = "nearest",
    align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False,
) -> Tensor:
    pass


@_overload
def interpolate(
    input: Tensor, size: Optional[int] = None, scale_factor: Optional[float] = None, mode: str = "nearest",
    align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False,
) -> Tensor:
    pass


@_overload
def interpolate(
    input: Tensor, size: Optional[List[int]] = None, scale_factor: Optional[float] = None, mode: str = "nearest",
    align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False,
) -> Tensor:
    pass


def interpolate(
    input: Tensor, size: Optional[int] = None, scale_factor: Optional[List[float]] = None, mode: str = "nearest",
    align_corners: Optional[bool] = None, recompute_scale_factor: Optional[bool] = None, antialias: bool = False,
) -> Tensor:
    if align_corners is not None and mode in ("nearest", "area", "nearest-exact"):
        raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
    corners = align_corners is not None and align_corners
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    dims = input.dim()
    extents = input.size()[2:]
    new_size = torch.jit.annotate(Optional[List[int]], None)
    scales = torch.jit.annotate(Optional[List[float]], None)
    if size is not None:
        if isinstance(size, (list, tuple)):
            if len(size) != dims - 2:
                raise ValueError(f"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of {list(extents)} and output size of {size}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format.")
            new_size = size
        else:
            new_size = [size for _ in extents]
    if scale_factor is not None:
        if isinstance(scale_factor, (list, tuple)):
            if len(scale_factor) != dims - 2:
                raise ValueError(f"Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of {list(extents)} and scale_factor of shape {scale_factor}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format.")
            scales = scale_factor
        else:
            scales = [scale_factor for _ in extents]
    recompute = recompute_scale_factor is not None and recompute_scale_factor
    if recompute and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if scales is not None and (recompute or mode == "area"):
        new_size = [math.floor(float(extents[i]) * scales[i]) for i in range(len(extents))]
        scales = None
    if antialias and (mode not in ("bilinear", "bicubic", "lanczos") or dims != 4):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input")
    _check_resizing(mode, dims)
    if mode == "lanczos" and corners:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    if dims == 3:
        return _resize1d(input, mode, new_size, scales, corners)
    if dims == 5:
        return _resize3d(input, mode, new_size, scales, corners)
    if antialias:
        return _resize2d_antialiased(input, mode, new_size, scales, corners)
    return _resize2d(input, mode, new_size, scales, corners)
