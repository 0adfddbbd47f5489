"""Transformers. In evaluation one operator does a layer, unless a reason forbids it; see MultiheadAttention."""
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor

_attention = body_of("torch.nn.functional_attention")
_canonical_mask, _none_or_dtype = _attention._canonical_mask, _attention._none_or_dtype
_activation = body_of("torch.nn.modules.activation")
_first_that_holds, _is_elsewhere, _needs_grad = _activation._first_that_holds, _activation._is_elsewhere, _activation._needs_grad


def _generate_square_subsequent_mask(
    sz: int, device: Optional[torch.device] = None, dtype: Optional[int] = None
) -> Tensor:
    return torch.triu(torch.full((sz, sz), float("-inf"), dtype=dtype, device=device), diagonal=1)


def _get_seq_len(src: Tensor, batch_first: bool) -> Optional[int]:
    if src.is_nested:
        return None
    return src.size(1) if batch_first and src.dim() != 2 else src.size(0)


def _detect_is_causal_mask(mask: Optional[Tensor], is_causal: Optional[bool] = None, size: Optional[int] = None) -> bool:
    if is_causal is not None or mask is None:
        return is_causal is not None and is_causal
    causal = _generate_square_subsequent_mask(mask.size(-2) if size is None else size, mask.device, mask.dtype)
    return mask.size() == causal.size() and bool((mask == causal).all())


class Transformer:
    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Optional[Tensor] = None, tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None, memory_key_padding_mask: Optional[Tensor] = None,
        src_is_causal: Optional[bool] = None, tgt_is_causal: Optional[bool] = None, memory_is_causal: bool = False,
    ) -> Tensor:
        is_batched = src.dim() == 3
        if not self.batch_first and src.size(1) != tgt.size(1) and is_batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        elif self.batch_first and src.size(0) != tgt.size(0) and is_batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        output = self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
        return output


class TransformerEncoder:
    """
    Where PyTorch makes a nested tensor, which has no steps after the last valid one of each sequence, all steps are computed here, and those are
    filled with zeros afterwards.
    """

    __constants__ = ["norm"]

    def forward(
        self, src: Tensor, mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
        is_causal: Optional[bool] = None,
    ) -> Tensor:
        src_key_padding_mask = _canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", _none_or_dtype(mask), "mask", src.dtype
        )
        mask = _canonical_mask(mask, "mask", None, "", src.dtype, check_other=False)
        seq_len = _get_seq_len(src, self.layers[0].self_attn.batch_first)
        is_causal = _detect_is_causal_mask(mask, is_causal, seq_len)
        left_out: Optional[Tensor] = None
        padding = src_key_padding_mask
        if mask is None and padding is not None and self._makes_nested(src):
            left_out = self._steps_left_out(src, padding)
            if left_out is not None:
                padding = left_out
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        if left_out is not None:
            output = output.masked_fill(left_out.unsqueeze(-1), 0.0)
        if self.norm is not None:
            output = self.norm(output)
        return output

    def _makes_nested(self, src: Tensor) -> bool:
        """Whether PyTorch would make a nested tensor if the padding allows it."""
        first = self.layers[0]
        if not torch.backends.mha.get_fastpath_enabled() or not self.use_nested_tensor or first.training:
            return False
        if src.dim() != 3 or torch.is_autocast_enabled() or (self.mask_check and torch.compiler.is_compiling()):
            return False
        attention = first.self_attn
        used = (
            src, attention.in_proj_weight, attention.in_proj_bias, attention.out_proj.weight, attention.out_proj.bias,
            first.norm1.weight, first.norm1.bias, first.norm2.weight, first.norm2.bias, first.linear1.weight,
            first.linear1.bias, first.linear2.weight, first.linear2.bias,
        )
        return not (torch.is_grad_enabled() and any([x.requires_grad for x in used]))

    def _steps_left_out(self, src: Tensor, padding: Tensor) -> Optional[Tensor]:
        """True after the last valid step of each sequence; None if the mask is checked and there is padding elsewhere."""
        valid = padding.logical_not()
        left_out = torch.arange(src.size(1), device=src.device) >= valid.sum(1, keepdim=True)
        if self.mask_check and not torch.equal(left_out, padding != 0):
            return None
        return left_out


class TransformerDecoder:
    __constants__ = ["norm"]

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Optional[Tensor] = None, memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None, memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: Optional[bool] = None, memory_is_causal: bool = False,
    ) -> Tensor:
        output = tgt
        seq_len = _get_seq_len(tgt, self.layers[0].self_attn.batch_first)
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, seq_len)
        for layer in self.layers:
            output = layer(
                output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        if self.norm is not None:
            output = self.norm(output)
        return output


class TransformerEncoderLayer:
    __constants__ = ["norm_first"]

    def forward(
        self, src: Tensor, src_mask: Optional[Tensor] = None, src_key_padding_mask: Optional[Tensor] = None,
        is_causal: bool = False,
    ) -> Tensor:
        padding = _canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", _none_or_dtype(src_mask), "src_mask", src.dtype
        )
        mask = _canonical_mask(src_mask, "src_mask", None, "", src.dtype, check_other=False)
        attention = self.self_attn
        weight, bias = attention.in_proj_weight, attention.in_proj_bias
        if self._reason_for_steps(src, padding is not None or mask is not None) == "" and weight is not None and bias is not None:
            both, kind = attention.merge_masks(mask, padding, src)
            return torch._transformer_encoder_layer_fwd(
                src, attention.embed_dim, attention.num_heads, weight, bias, attention.out_proj.weight,
                attention.out_proj.bias, self.activation_relu_or_gelu == 2, self.norm_first, self.norm1.eps,
                self.norm1.weight, self.norm1.bias, self.norm2.weight, self.norm2.bias, self.linear1.weight,
                self.linear1.bias, self.linear2.weight, self.linear2.bias, both, kind,
            )
        if self.norm_first:
            x = src + self._sa_block(self.norm1(src), mask, padding, is_causal=is_causal)
            x = x + self._ff_block(self.norm2(x))
        else:
            x = self.norm1(src + self._sa_block(src, mask, padding, is_causal=is_causal))
            x = self.norm2(x + self._ff_block(x))
        return x

    def _reason_for_steps(self, src: Tensor, is_masked: bool) -> str:
        """Why the operators are called one by one; empty if one operator may do the layer."""
        attention = self.self_attn
        reason = _first_that_holds([
            (not torch.backends.mha.get_fastpath_enabled(), "torch.backends.mha.get_fastpath_enabled() was not True"),
            (src.dim() != 3, f"input not batched; expected src.dim() of 3 but got {src.dim()}"),
            (self.training, "training is enabled"),
            (not attention.batch_first, "self_attn.batch_first was not True"),
            (attention.in_proj_bias is None, "self_attn was passed bias=False"),
            (not attention._qkv_same_embed_dim, "self_attn._qkv_same_embed_dim was not True"),
            (self.activation_relu_or_gelu == 0, "activation_relu_or_gelu was not True"),
            (self.norm1.eps != self.norm2.eps, "norm1.eps is not equal to norm2.eps"),
            (
                src.is_nested and is_masked,
                "neither src_key_padding_mask nor src_mask are not supported with NestedTensor input",
            ),
            (attention.num_heads % 2 == 1, "num_head is odd"),
            (torch.is_autocast_enabled(), "autocast is enabled"),
        ])
        if reason != "":
            return reason
        used = (
            src, attention.in_proj_weight, attention.in_proj_bias, attention.out_proj.weight, attention.out_proj.bias,
            self.norm1.weight, self.norm1.bias, self.norm2.weight, self.norm2.bias, self.linear1.weight,
            self.linear1.bias, self.linear2.weight, self.linear2.bias,
        )
        hooks = [len(getattr(m, "_forward_hooks", {})) + len(getattr(m, "_forward_pre_hooks", {})) for m in self.modules()]
        return _first_that_holds([
            (any(hooks), "forward pre-/hooks are attached to the module"),
            (torch.overrides.has_torch_function(used), "some Tensor argument has_torch_function"),
            (any([_is_elsewhere(x) for x in used]), "some Tensor argument's device has no kernel for the layer"),
            (
                torch.is_grad_enabled() and any([_needs_grad(x) for x in used]),
                "grad is enabled and at least one of query or the input/output projection weights or biases requires_grad",
            ),
        ])

    def _sa_block(
        self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor], is_causal: bool = False
    ) -> Tensor:
        attended = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(attended[0])

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout2(x)


class TransformerDecoderLayer:
    __constants__ = ["norm_first"]

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Optional[Tensor] = None, memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None, memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Tensor:
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            x = x + self._ff_block(self.norm3(x))
        else:
            x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
            x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
            x = self.norm3(x + self._ff_block(x))
        return x

    def _sa_block(
        self, x: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor], is_causal: bool = False
    ) -> Tensor:
        attended = self.self_attn(
            x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal, need_weights=False
        )
        return self.dropout1(attended[0])

    def _mha_block(
        self, x: Tensor, mem: Tensor, attn_mask: Optional[Tensor], key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        attended = self.multihead_attn(
            x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask, is_causal=is_causal,
            need_weights=False,
        )
        return self.dropout2(attended[0])

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout3(x)
