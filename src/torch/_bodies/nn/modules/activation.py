"""Activations."""
from typing import List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

_attention = body_of("torch.nn.functional_attention")
_canonical_mask, _none_or_dtype = _attention._canonical_mask, _attention._none_or_dtype


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


def _is_float(mask: Optional[Tensor]) -> bool:
    return mask is not None and torch.is_floating_point(mask)


def _has_other_dtype(x: Optional[Tensor], dtype: int) -> bool:
    return x is not None and x.dtype != dtype


def _is_elsewhere(x: Optional[Tensor]) -> bool:
    """Whether the operator has no kernel for the tensor's device."""
    if x is None:
        return False
    return x.device.type not in ("cpu", "cuda", torch.utils.backend_registration._privateuse1_backend_name)


def _needs_grad(x: Optional[Tensor]) -> bool:
    return x is not None and x.requires_grad


def _first_that_holds(reasons: List[Tuple[bool, str]]) -> str:
    for holds, reason in reasons:
        if holds:
            return reason
    return ""


def _steps_first(query: Tensor, key: Tensor, value: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    """Exchanges the first two dimensions. Tensors that are the same stay the same."""
    first = query.transpose(1, 0)
    second = first if key is value and query is key else key.transpose(1, 0)
    return first, second, second if value is key else value.transpose(1, 0)


class MultiheadAttention:
    """
    In evaluation one operator does it all, unless a reason forbids it. PyTorch's script has a branch of `forward` for each reason; here they are a
    list, so graphs of scripts differ.
    """

    __constants__ = ["batch_first"]
    __floats__ = ["dropout"]
    bias_k: Optional[torch.Tensor]
    bias_v: Optional[torch.Tensor]

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor] = None,
        need_weights: bool = True, attn_mask: Optional[Tensor] = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Tuple[Tensor, Optional[Tensor]]:
        is_nested = query.is_nested or key.is_nested or value.is_nested
        with_float_masks = _is_float(attn_mask) or _is_float(key_padding_mask)
        padding = _canonical_mask(
            key_padding_mask, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", query.dtype
        )
        mask = _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, check_other=False)
        reason = self._reason_for_steps(query, key, value, with_float_masks, padding is not None or mask is not None)
        weight, bias = self.in_proj_weight, self.in_proj_bias
        if reason == "" and weight is not None and bias is not None:
            both, kind = self.merge_masks(mask, padding, query)
            return torch._native_multi_head_attention(
                query, key, value, self.embed_dim, self.num_heads, weight, bias, self.out_proj.weight,
                self.out_proj.bias, both, need_weights, average_attn_weights, kind,
            )
        if is_nested:
            raise AssertionError(f"MultiheadAttention does not support NestedTensor outside of its fast path. The fast path was not hit because {reason}")
        is_turned = self.batch_first and query.dim() == 3
        if is_turned:
            query, key, value = _steps_first(query, key, value)
        if self._qkv_same_embed_dim:
            attn_output, attn_output_weights = F.multi_head_attention_forward(
                query, key, value, self.embed_dim, self.num_heads, weight, bias, self.bias_k, self.bias_v,
                self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
                key_padding_mask=padding, need_weights=need_weights, attn_mask=mask,
                average_attn_weights=average_attn_weights, is_causal=is_causal,
            )
        else:
            attn_output, attn_output_weights = F.multi_head_attention_forward(
                query, key, value, self.embed_dim, self.num_heads, weight, bias, self.bias_k, self.bias_v,
                self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
                key_padding_mask=padding, need_weights=need_weights, attn_mask=mask, use_separate_proj_weight=True,
                q_proj_weight=self.q_proj_weight, k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight,
                average_attn_weights=average_attn_weights, is_causal=is_causal,
            )
        return attn_output.transpose(1, 0) if is_turned else attn_output, attn_output_weights

    def _reason_for_steps(
        self, query: Tensor, key: Tensor, value: Tensor, with_float_masks: bool, is_masked: bool
    ) -> str:
        """Why the operators are called one by one; empty if one operator may do it all."""
        is_of_others = query is not key or key is not value
        weight, bias = self.in_proj_weight, self.in_proj_bias
        used = (query, key, value, weight, bias, self.out_proj.weight, self.out_proj.bias)
        return _first_that_holds([
            (with_float_masks, "floating-point masks are not supported for fast path."),
            (not torch.backends.mha.get_fastpath_enabled(), "torch.backends.mha.get_fastpath_enabled() was not True"),
            (query.dim() != 3, f"input not batched; expected query.dim() of 3 but got {query.dim()}"),
            (
                is_of_others,
                "non-self attention was used (query, key, and value are not the same Tensor)",
            ),
            (
                _has_other_dtype(bias, query.dtype),
                f"dtypes of query ({query.dtype}) and self.in_proj_bias ({_none_or_dtype(bias)}) don't match",
            ),
            (weight is None, "in_proj_weight was None"),
            (
                _has_other_dtype(weight, query.dtype),
                f"dtypes of query ({query.dtype}) and self.in_proj_weight ({_none_or_dtype(weight)}) don't match",
            ),
            (self.training, "training is enabled"),
            (self.num_heads % 2 == 1, "self.num_heads is not even"),
            (not self.batch_first, "batch_first was not True"),
            (self.bias_k is not None, "self.bias_k was not None"),
            (self.bias_v is not None, "self.bias_v was not None"),
            (self.add_zero_attn, "add_zero_attn was enabled"),
            (not self._qkv_same_embed_dim, "_qkv_same_embed_dim was not True"),
            (
                query.is_nested and is_masked,
                "supplying both src_key_padding_mask and src_mask at the same time is not supported with NestedTensor input",
            ),
            (torch.is_autocast_enabled(), "autocast is enabled"),
            (torch.overrides.has_torch_function(used), "some Tensor argument has_torch_function"),
            (
                any([_is_elsewhere(x) for x in used]),
                f"some Tensor argument's device is neither one of cpu, cuda or {torch.utils.backend_registration._privateuse1_backend_name}",
            ),
            (
                torch.is_grad_enabled() and any([_needs_grad(x) for x in used]),
                "grad is enabled and at least one of query or the input/output projection weights or biases requires_grad",
            ),
        ])

    def merge_masks(
        self, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor], query: Tensor
    ) -> Tuple[Optional[Tensor], Optional[int]]:
        """One mask for the operator, and its kind: 1 hides padding, 2 has a row for each query."""
        if attn_mask is None:
            kind: Optional[int] = None
            return key_padding_mask, kind if key_padding_mask is None else 1
        batch, length = query.size(0), query.size(1)
        if attn_mask.dim() == 3:
            mask = attn_mask.view(batch, -1, length, length)
        else:
            mask = attn_mask.view(1, 1, length, length).expand(batch, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            mask = mask + key_padding_mask.view(batch, 1, 1, length).expand(-1, self.num_heads, -1, -1)
        return mask, 2
