"""Attention with several heads. The functions are those of torch.nn.functional; they have a text of their own because they are long."""
import math
import warnings
from typing import List, Optional, Tuple

import torch
from torch import Tensor
from torch.nn.functional import dropout, linear, pad, scaled_dot_product_attention, softmax

__name__ = "torch.nn.functional"
DType = int


# Masks


def _none_or_dtype(input: Optional[Tensor]) -> Optional[DType]:
    return None if input is None else input.dtype


def _canonical_mask(
    mask: Optional[Tensor], mask_name: str, other_type: Optional[DType], other_name: str, target_type: DType,
    check_other: bool = True,
) -> Optional[Tensor]:
    """A mask that is added to scores: minus infinity where a mask of truth values is true."""
    if mask is None:
        return mask
    added = torch.is_floating_point(mask)
    if not added and mask.dtype != torch.bool:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings.warn(f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.", stacklevel=2)
    if added:
        return mask
    return torch.zeros_like(mask, dtype=target_type).masked_fill_(mask, float("-inf"))


def _sized_mask(mask: Tensor, sequences: int, length: int, source: int) -> Tensor:
    """A mask with a dimension of the sequences: one for all of them, or one for each."""
    if mask.dim() == 2:
        if mask.shape != (length, source):
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be {(length, source)}.")
        return mask.unsqueeze(0)
    if mask.dim() != 3:
        raise RuntimeError(f"attn_mask's dimension {mask.dim()} is not supported")
    if mask.shape != (sequences, length, source):
        raise RuntimeError(f"The shape of the 3D attn_mask is {mask.shape}, but should be {(sequences, length, source)}.")
    return mask


def _longer(mask: Optional[Tensor]) -> Optional[Tensor]:
    """A mask with one more position, which it does not hide."""
    return None if mask is None else pad(mask, (0, 1))


def _both_masks(mask: Optional[Tensor], padding: Optional[Tensor], batch: int, heads: int, source: int) -> Optional[Tensor]:
    """The sum of a mask and of what hides the padding of each sequence, one for each head."""
    if padding is None:
        return mask
    hidden = padding.view(batch, 1, 1, source).expand(-1, heads, -1, -1).reshape(batch * heads, 1, source)
    return hidden if mask is None else mask + hidden


# Checks


def _check_dims(of: str, dims: int, key: Tensor, value: Tensor, padding: Optional[Tensor], mask: Optional[Tensor]) -> None:
    """Raises unless keys, values and masks have the dimensions that go with those of the query."""
    if key.dim() != dims or value.dim() != dims:
        raise AssertionError(f"For {of} `query`, expected `key` and `value` to be {dims}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively")
    if padding is not None and padding.dim() != dims - 1:
        raise AssertionError(f"For {of} `query`, expected `key_padding_mask` to be `None` or {dims - 1}-D but found {padding.dim()}-D tensor instead")
    if mask is not None and mask.dim() not in (2, 3):
        raise AssertionError(f"For {of} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {mask.dim()}-D tensor instead")


def _mha_shape_check(
    query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Optional[Tensor], attn_mask: Optional[Tensor],
    num_heads: int,
) -> bool:
    """Whether the inputs are batches."""
    dims = query.dim()
    if dims == 3:
        _check_dims("batched (3-D)", 3, key, value, key_padding_mask, attn_mask)
        return True
    if dims != 2:
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor")
    _check_dims("unbatched (2-D)", 2, key, value, key_padding_mask, attn_mask)
    if attn_mask is not None and attn_mask.dim() == 3:
        expected = (num_heads, query.shape[0], key.shape[0])
        if attn_mask.shape != expected:
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {attn_mask.shape}")
    return False


def _check_projections(width: int, to_check: int, heads: int) -> None:
    if width != to_check:
        raise AssertionError(f"was expecting embedding dimension of {to_check}, but got {width}")
    if width // heads * heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {heads}")


def _check_sources(key: Tensor, value: Tensor, separate: bool) -> None:
    if not separate:
        if key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
    elif key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")


# Projections


def _thirds(bias: Optional[Tensor]) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    if bias is None:
        return None, None, None
    parts = bias.chunk(3)
    return parts[0], parts[1], parts[2]


def _unstacked(stacked: Tensor, parts: int, width: int) -> Tensor:
    """What one product computed for several inputs, with a first dimension for them."""
    return stacked.unflatten(-1, (parts, width)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Optional[Tensor] = None
) -> Tuple[Tensor, Tensor, Tensor]:
    """Products with the three parts of one weight; inputs that are the same tensor share a product."""
    width = q.size(-1)
    if k is v and q is k:
        all_three = _unstacked(linear(q, w, b), 3, width)
        return all_three[0], all_three[1], all_three[2]
    if k is v:
        weights = w.split([width, width * 2])
        first: Optional[Tensor] = None
        rest: Optional[Tensor] = None
        if b is not None:
            biases = b.split([width, width * 2])
            first, rest = biases[0], biases[1]
        both = _unstacked(linear(k, weights[1], rest), 2, width)
        return linear(q, weights[0], first), both[0], both[1]
    b_q, b_k, b_v = _thirds(b)
    thirds = w.chunk(3)
    return linear(q, thirds[0], b_q), linear(k, thirds[1], b_k), linear(v, thirds[2], b_v)


def _checked_linear(name: str, input: Tensor, weight: Tensor, bias: Optional[Tensor], width: int) -> Tensor:
    if weight.shape != (width, input.size(-1)):
        raise AssertionError(f"expecting {name} weights shape of {(width, input.size(-1))}, but got {weight.shape}")
    if bias is not None and bias.shape != (width,):
        raise AssertionError(f"expecting {name} bias shape of {(width,)}, but got {bias.shape}")
    return linear(input, weight, bias)


def _in_projection(
    q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Optional[Tensor] = None,
    b_k: Optional[Tensor] = None, b_v: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    width = q.size(-1)
    return (
        _checked_linear("query", q, w_q, b_q, width), _checked_linear("key", k, w_k, b_k, width),
        _checked_linear("value", v, w_v, b_v, width),
    )


def _given(weight: Optional[Tensor], message: str) -> Tensor:
    if weight is None:
        raise AssertionError(message)
    return weight


def _per_head(input: Tensor, static: Optional[Tensor], name: str, sequences: int, width: int) -> Tensor:
    """`(length, batch, heads * width)` as `(batch * heads, length, width)`, or the keys or values that are given so."""
    if static is None:
        return input.view(input.shape[0], sequences, width).transpose(0, 1)
    if static.size(0) != sequences:
        raise AssertionError(f"expecting {name}.size(0) of {sequences}, but got {static.size(0)}")
    if static.size(2) != width:
        raise AssertionError(f"expecting {name}.size(2) of {width}, but got {static.size(2)}")
    return static


def _with_zeros(input: Tensor) -> Tensor:
    """One more position, of zeros."""
    zeros = torch.zeros((input.size(0), 1, input.size(2)), dtype=input.dtype, device=input.device)
    return torch.cat([input, zeros], dim=1)


# Attention


def _weighted(
    q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], dropout_p: float
) -> Tuple[Tensor, Tensor]:
    """Values weighted by scores, as `(length, batch * heads, width)`, and the weights."""
    scaled = q * math.sqrt(1.0 / float(q.size(-1)))
    keys = k.transpose(-2, -1)
    scores = torch.bmm(scaled, keys) if mask is None else torch.baddbmm(mask, scaled, keys)
    weights = softmax(scores, dim=-1)
    if dropout_p > 0.0:
        weights = dropout(weights, p=dropout_p)
    return torch.bmm(weights, v).transpose(0, 1), weights


def _fused(
    q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], batch: int, dropout_p: float, is_causal: bool
) -> Tensor:
    """Values weighted by scores, as `(length, batch, heads, width)`; the weights are never kept."""
    heads, width, source = q.size(0) // batch, q.size(2), k.size(1)
    if mask is not None:
        if mask.size(0) == 1 and mask.dim() == 3:
            mask = mask.unsqueeze(0)
        else:
            mask = mask.view(batch, heads, -1, source)
    result = scaled_dot_product_attention(
        q.view(batch, heads, q.size(1), width), k.view(batch, heads, source, width), v.view(batch, heads, source, width),
        mask, dropout_p, is_causal,
    )
    return result.permute(2, 0, 1, 3)


def _projected(joined: Tensor, length: int, batch: int, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    result = linear(joined, weight, bias)
    return result.view(length, batch, result.size(1))


def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
    in_proj_weight: Optional[Tensor], in_proj_bias: Optional[Tensor], bias_k: Optional[Tensor],
    bias_v: Optional[Tensor], add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor,
    out_proj_bias: Optional[Tensor], training: bool = True, key_padding_mask: Optional[Tensor] = None,
    need_weights: bool = True, attn_mask: Optional[Tensor] = None, use_separate_proj_weight: bool = False,
    q_proj_weight: Optional[Tensor] = None, k_proj_weight: Optional[Tensor] = None,
    v_proj_weight: Optional[Tensor] = None, static_k: Optional[Tensor] = None, static_v: Optional[Tensor] = None,
    average_attn_weights: bool = True, is_causal: bool = False,
) -> Tuple[Tensor, Optional[Tensor]]:
    batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    padding = key_padding_mask
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if padding is not None:
            padding = padding.unsqueeze(0)
    length, batch, width = query.shape
    padding = _canonical_mask(padding, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", query.dtype)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method `generate_square_subsequent_mask` to create this mask.")
    mask: Optional[Tensor] = None
    if not is_causal or padding is not None or need_weights:
        mask = _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
        is_causal = is_causal and padding is None
    _check_projections(width, embed_dim_to_check, num_heads)
    _check_sources(key, value, use_separate_proj_weight)

    if use_separate_proj_weight:
        w_q = _given(q_proj_weight, "use_separate_proj_weight is True but q_proj_weight is None")
        w_k = _given(k_proj_weight, "use_separate_proj_weight is True but k_proj_weight is None")
        w_v = _given(v_proj_weight, "use_separate_proj_weight is True but v_proj_weight is None")
        b_q, b_k, b_v = _thirds(in_proj_bias)
        q, k, v = _in_projection(query, key, value, w_q, w_k, w_v, b_q, b_k, b_v)
    else:
        w = _given(in_proj_weight, "use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _in_projection_packed(query, key, value, w, in_proj_bias)
    sequences, head_dim = batch * num_heads, width // num_heads
    if mask is not None:
        mask = _sized_mask(mask, sequences, length, key.size(0))
    if bias_k is not None and bias_v is not None:
        if static_k is not None:
            raise AssertionError("bias cannot be added to static key.")
        if static_v is not None:
            raise AssertionError("bias cannot be added to static value.")
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        mask, padding = _longer(mask), _longer(padding)
    elif bias_k is not None:
        raise AssertionError("bias_k is set but bias_v is None")
    elif bias_v is not None:
        raise AssertionError("bias_v is set but bias_k is None")

    q = _per_head(q, None, "q", sequences, head_dim)
    k = _per_head(k, static_k, "static_k", sequences, head_dim)
    v = _per_head(v, static_v, "static_v", sequences, head_dim)
    if add_zero_attn:
        k, v = _with_zeros(k), _with_zeros(v)
        mask, padding = _longer(mask), _longer(padding)
    source = k.size(1)
    mask = _both_masks(mask, padding, batch, num_heads, source)
    if not training:
        dropout_p = 0.0

    weights: Optional[Tensor] = None
    if need_weights:
        if is_causal and mask is None:
            raise AssertionError("FIXME: is_causal not implemented for need_weights")
        heads, scores = _weighted(q, k, v, mask, dropout_p)
        output = _projected(heads.reshape(length * batch, width), length, batch, out_proj_weight, out_proj_bias)
        scores = scores.view(batch, num_heads, length, source)
        if average_attn_weights:
            scores = scores.mean(dim=1)
        weights = scores if batched else scores.squeeze(0)
    else:
        heads = _fused(q, k, v, mask, batch, dropout_p, is_causal)
        output = _projected(heads.reshape(batch * length, width), length, batch, out_proj_weight, out_proj_bias)
    return output if batched else output.squeeze(1), weights
