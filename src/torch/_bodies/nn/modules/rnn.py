"""Recurrent modules."""
from typing import Optional, Tuple

import torch
from torch import Tensor

aten = torch.ops.aten
PackedSequence = body_of("torch.nn.utils.rnn").PackedSequence


def _apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    return tensor.index_select(dim, permutation)


def _check_input_dims(name: str, input: Tensor, noun: str) -> None:
    if input.dim() not in (2, 3):
        raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.dim()}D{noun} instead")


def _check_state_dims(hx: Tensor, batched: bool) -> None:
    if batched and hx.dim() != 3:
        raise RuntimeError(f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor")
    if not batched and hx.dim() != 2:
        raise RuntimeError(f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor")


def _check_pair_dims(hx: Tuple[Tensor, Tensor], batched: bool) -> None:
    h, c = hx[0].dim(), hx[1].dim()
    if batched and (h != 3 or c != 3):
        raise RuntimeError(f"For batched 3-D input, hx and cx should also be 3-D but got ({h}-D, {c}-D) tensors")
    if not batched and (h != 2 or c != 2):
        raise RuntimeError(f"For unbatched 2-D input, hx and cx should also be 2-D but got ({h}-D, {c}-D) tensors")


def _zeros(size: Tuple[int, int, int], like: Tensor) -> Tensor:
    return torch.zeros(size, dtype=like.dtype, device=like.device)


class RNNBase:
    __constants__ = [
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional",
        "proj_size",
    ]
    __jit_unused_properties__ = ["all_weights"]
    __computed_attributes__ = ["_flat_weights"]
    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def _update_flat_weights(self):
        pass

    def check_input(self, input: Tensor, batch_sizes: Optional[Tensor]) -> None:
        dims = 3 if batch_sizes is None else 2
        if input.dim() != dims:
            raise RuntimeError(f"input must have {dims} dimensions, got {input.dim()}")
        features = input.size(-1)
        if features != self.input_size:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {features}")

    def _state_size(self, input: Tensor, batch_sizes: Optional[Tensor], features: int) -> Tuple[int, int, int]:
        """The size of a state with that many features: one row per layer and direction, one column per sequence."""
        if batch_sizes is None:
            sequences = input.size(0 if self.batch_first else 1)
        else:
            sequences = int(batch_sizes[0])
        return (self.num_layers * (2 if self.bidirectional else 1), sequences, features)

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        return self._state_size(input, batch_sizes, self.proj_size if self.proj_size > 0 else self.hidden_size)

    def check_hidden_size(
        self, hx: Tensor, expected_hidden_size: Tuple[int, int, int], msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Optional[Tensor]) -> None:
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Tensor, permutation: Optional[Tensor]):
        return hx if permutation is None else _apply_permutation(hx, permutation)

    def _packed_state(
        self, data: Tensor, hx: Optional[Tensor], batch_sizes: Tensor, sorted_indices: Optional[Tensor]
    ) -> Tensor:
        """The first state for packed sequences, in the order of the sequences."""
        if hx is None:
            state = _zeros(self.get_expected_hidden_size(data, batch_sizes), data)
        else:
            state = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(data, state, batch_sizes)
        return state

    def _padded_state(self, data: Tensor, hx: Optional[Tensor], batched: bool) -> Tensor:
        """The first state for sequences of one length, with a dimension of the batch."""
        if hx is None:
            state = _zeros(self.get_expected_hidden_size(data, None), data)
        else:
            _check_state_dims(hx, batched)
            state = hx if batched else hx.unsqueeze(1)
        self.check_forward_args(data, state, None)
        return state


class LSTM(RNNBase):
    def get_expected_cell_size(self, input: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[int, int, int]:
        return self._state_size(input, batch_sizes, self.hidden_size)

    def check_forward_args(
        self, input: Tensor, hidden: Tuple[Tensor, Tensor], batch_sizes: Optional[Tensor]
    ) -> None:
        self.check_input(input, batch_sizes)
        hidden_size = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden[0], hidden_size, "Expected hidden[0] size {}, got {}")
        cell_size = self.get_expected_cell_size(input, batch_sizes)
        self.check_hidden_size(hidden[1], cell_size, "Expected hidden[1] size {}, got {}")

    def permute_hidden(
        self, hx: Tuple[Tensor, Tensor], permutation: Optional[Tensor]
    ) -> Tuple[Tensor, Tensor]:
        if permutation is None:
            return hx
        return _apply_permutation(hx[0], permutation), _apply_permutation(hx[1], permutation)

    def _zero_states(self, data: Tensor, batch_sizes: Optional[Tensor]) -> Tuple[Tensor, Tensor]:
        h = _zeros(self.get_expected_hidden_size(data, batch_sizes), data)
        return h, _zeros(self.get_expected_cell_size(data, batch_sizes), data)

    @torch.jit._overload_method
    def forward(
        self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        pass

    @torch.jit._overload_method
    def forward(
        self, input: PackedSequence, hx: Optional[Tuple[Tensor, Tensor]] = None
    ) -> Tuple[PackedSequence, Tuple[Tensor, Tensor]]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        if isinstance(input, PackedSequence):
            data, batch_sizes, sorted_indices, unsorted_indices = input
            if hx is None:
                state = self._zero_states(data, batch_sizes)
            else:
                state = self.permute_hidden(hx, sorted_indices)
            output, h, c = aten.lstm(
                data, batch_sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional,
            )
            packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return packed, self.permute_hidden((h, c), unsorted_indices)
        else:
            _check_input_dims("LSTM", input, "")
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            data = input if batched else input.unsqueeze(batch_dim)
            if hx is None:
                state = self._zero_states(data, None)
            else:
                _check_pair_dims(hx, batched)
                state = hx if batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
            self.check_forward_args(data, state, None)
            output, h, c = aten.lstm(
                data, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional, self.batch_first,
            )
            if batched:
                return output, (h, c)
            return output.squeeze(batch_dim), (h.squeeze(1), c.squeeze(1))


class GRU(RNNBase):
    @torch.jit._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch.jit._overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        if isinstance(input, PackedSequence):
            data, batch_sizes, sorted_indices, unsorted_indices = input
            state = self._packed_state(data, hx, batch_sizes, sorted_indices)
            output, hidden = aten.gru(
                data, batch_sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional,
            )
            packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return packed, self.permute_hidden(hidden, unsorted_indices)
        else:
            _check_input_dims("GRU", input, "")
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            data = input if batched else input.unsqueeze(batch_dim)
            state = self._padded_state(data, hx, batched)
            output, hidden = aten.gru(
                data, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional, self.batch_first,
            )
            if batched:
                return output, hidden
            return output.squeeze(batch_dim), hidden.squeeze(1)


class RNN(RNNBase):
    def _run_packed(self, data: Tensor, batch_sizes: Tensor, state: Tensor) -> Tuple[Tensor, Tensor]:
        if self.mode == "RNN_TANH":
            return aten.rnn_tanh(
                data, batch_sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional,
            )
        if self.mode == "RNN_RELU":
            return aten.rnn_relu(
                data, batch_sizes, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional,
            )
        raise AssertionError(f"mode must be RNN_TANH or RNN_RELU, got {self.mode}")

    def _run_padded(self, data: Tensor, state: Tensor) -> Tuple[Tensor, Tensor]:
        if self.mode == "RNN_TANH":
            return aten.rnn_tanh(
                data, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional, self.batch_first,
            )
        if self.mode == "RNN_RELU":
            return aten.rnn_relu(
                data, state, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional, self.batch_first,
            )
        raise AssertionError(f"mode must be RNN_TANH or RNN_RELU, got {self.mode}")

    @torch.jit._overload_method
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        pass

    @torch.jit._overload_method
    def forward(self, input: PackedSequence, hx: Optional[Tensor] = None) -> Tuple[PackedSequence, Tensor]:
        pass

    def forward(self, input, hx=None):
        self._update_flat_weights()
        if isinstance(input, PackedSequence):
            data, batch_sizes, sorted_indices, unsorted_indices = input
            state = self._packed_state(data, hx, batch_sizes, sorted_indices)
            output, hidden = self._run_packed(data, batch_sizes, state)
            packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
            return packed, self.permute_hidden(hidden, unsorted_indices)
        else:
            _check_input_dims("RNN", input, " tensor")
            batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            data = input if batched else input.unsqueeze(batch_dim)
            output, hidden = self._run_padded(data, self._padded_state(data, hx, batched))
            if batched:
                return output, hidden
            return output.squeeze(batch_dim), hidden.squeeze(1)


class RNNCellBase:
    __constants__ = ["input_size", "hidden_size", "bias"]
    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Tensor
    weight_hh: Tensor


class RNNCell(RNNCellBase):
    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]
    nonlinearity: str

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if input.dim() not in (1, 2):
            raise ValueError(f"RNNCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"RNNCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        else:
            hx = hx.unsqueeze(0) if not is_batched else hx
        if self.nonlinearity == "tanh":
            ret = aten.rnn_tanh_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        elif self.nonlinearity == "relu":
            ret = aten.rnn_relu_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        else:
            ret = input
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        if not is_batched:
            ret = ret.squeeze(0)
        return ret


class LSTMCell(RNNCellBase):
    def forward(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tensor]:
        if input.dim() not in (1, 2):
            raise ValueError(f"LSTMCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None:
            for idx, value in enumerate(hx):
                if value.dim() not in (1, 2):
                    raise ValueError(f"LSTMCell: Expected hx[{idx}] to be 1D or 2D, got {value.dim()}D instead")
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
            hx = (zeros, zeros)
        else:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0)) if not is_batched else hx
        ret = aten.lstm_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if not is_batched:
            ret = (ret[0].squeeze(0), ret[1].squeeze(0))
        return ret


class GRUCell(RNNCellBase):
    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        if input.dim() not in (1, 2):
            raise ValueError(f"GRUCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"GRUCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        else:
            hx = hx.unsqueeze(0) if not is_batched else hx
        ret = aten.gru_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if not is_batched:
            ret = ret.squeeze(0)
        return ret
