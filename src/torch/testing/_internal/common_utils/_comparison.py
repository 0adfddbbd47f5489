"""`assertEqual` of tests: containers element by element, tensors and numbers within tolerances.

It is looser than `torch.testing.assert_close`: a number may meet a tensor of one element, 1 equals 1.0, and other objects meet `==`.
"""

import enum
import unittest
from collections.abc import Mapping, Sequence

import torch
from torch.storage import TypedStorage

__all__ = ['compare']

# (rtol, atol) of a dtype; every other dtype must be equal.
_PRECISIONS = {
    torch.float16: (1e-3, 1e-5), torch.bfloat16: (1.6e-2, 1e-5), torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7),
    torch.complex32: (1e-3, 1e-5), torch.complex64: (1.3e-6, 1e-5), torch.complex128: (1e-7, 1e-7),
}
_NUMBERS = (int, float, complex)
_NUMBER_PRECISIONS = {int: (0.0, 0.0), float: _PRECISIONS[torch.float32], complex: _PRECISIONS[torch.complex64]}
_SEQUENCES = (Sequence, torch.nn.Sequential, torch.nn.ModuleList, torch.nn.ParameterList, torch.utils.data.Subset)
_MAPPINGS = (Mapping, torch.nn.ModuleDict, torch.nn.ParameterDict)


class Comparison:
    """One call of `assertEqual`: the tolerances, and the way to the item at hand."""

    def __init__(self, *, rtol, atol, rtol_override, atol_override, options):
        if (rtol is None) != (atol is None):
            without = 'atol' if atol is None else 'rtol'
            raise ValueError(f"Both 'rtol' and 'atol' must be either specified or unspecified, but got no {without} instead.")
        self.rtol, self.atol, self.floor, self.options = rtol, atol, (rtol_override, atol_override), options

    def tolerances(self, defaults):
        rtol, atol = (self.rtol, self.atol) if self.rtol is not None else (max(it) for it in zip(*defaults))
        return max(rtol, self.floor[0]), max(atol, self.floor[1])

    def fail(self, text, path, kind=AssertionError):
        raise kind(f"{text}\n\nThe failure occurred for item {''.join(f'[{it!r}]' for it in path)}" if path else text)

    def run(self, x, y, path=()):
        if isinstance(x, _SEQUENCES) and isinstance(y, _SEQUENCES) and not isinstance(x, (str, bytes)) and not isinstance(y, (str, bytes)):
            if len(x) != len(y):
                self.fail(f'The length of the sequences mismatch: {len(x)} != {len(y)}', path)
            for i in range(len(x)):
                self.run(x[i], y[i], (*path, i))
        elif isinstance(x, _MAPPINGS) and isinstance(y, _MAPPINGS):
            self.mappings(x, y, path)
        elif x is None and y is None:
            pass
        elif self.is_bool_pair(x, y):
            if bool(self.scalar(x, path)) is not bool(self.scalar(y, path)):
                self.fail(f'Booleans mismatch: {x} is not {y}', path)
        elif self.is_pair(x, y, _NUMBERS):
            self.numbers(x, y, path)
        elif isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            self.tensors(x, y, path)
        elif isinstance(x, TypedStorage) and isinstance(y, TypedStorage):
            self.run(x.tolist(), y.tolist(), path)
        else:
            self.objects(x, y, path)

    def mappings(self, x, y, path):
        missing, more = set(y) - set(x), set(x) - set(y)
        if missing or more:
            text = 'The keys of the mappings do not match:'
            if missing:
                text += f'\nMissing keys in the actual mapping: {sorted(missing, key=str)}'
            if more:
                text += f'\nMissing keys in the expected mapping: {sorted(more, key=str)}'
            self.fail(text, path)
        for key in x:
            self.run(x[key], y[key], (*path, key))

    def is_pair(self, x, y, kinds):
        # One is of these kinds; the other, too, or a tensor.
        return (isinstance(x, kinds) and isinstance(y, (*kinds, torch.Tensor, enum.Enum))
                or isinstance(y, kinds) and isinstance(x, (*kinds, torch.Tensor, enum.Enum)))

    def is_bool_pair(self, x, y):
        others = (bool, *_NUMBERS, torch.Tensor)
        return isinstance(x, bool) and isinstance(y, others) or isinstance(y, bool) and isinstance(x, others)

    def scalar(self, value, path):
        if isinstance(value, torch.Tensor):
            if value.numel() > 1:
                self.fail(f'Only single element tensor-likes can be compared against a number. Got {value.numel()} elements instead.',
                          path, ValueError)
            value = value.item()
            return int(value) if isinstance(value, bool) else value
        return value.value if isinstance(value, enum.Enum) else value

    def numbers(self, x, y, path):
        x, y = self.scalar(x, path), self.scalar(y, path)
        kinds = [next(kind for kind in (complex, float, int) if isinstance(it, kind)) for it in (x, y)]
        rtol, atol = self.tolerances([_NUMBER_PRECISIONS[kind] for kind in kinds])
        if x == y or self.options['equal_nan'] and x != x and y != y:
            return
        off = abs(x - y)
        if not (off <= atol + rtol * abs(y) and off < float('inf')):
            self.fail(f'Scalars are not close!\n\nExpected {y} but got {x}.\nAbsolute difference: {off} (up to {atol} allowed)\n'
                      f'Relative difference: {off / abs(y) if y else float("inf")} (up to {rtol} allowed)', path)

    def tensors(self, x, y, path):
        rtol, atol = self.tolerances([_PRECISIONS.get(it.dtype, (0.0, 0.0)) for it in (x, y)])
        torch.testing.assert_close(x, y, rtol=rtol, atol=atol, **self.options,
                                   msg=lambda text: f"{text}\n\nThe failure occurred for item {path}" if path else text)

    def objects(self, x, y, path):
        case = unittest.TestCase()
        try:
            case.assertEqual(x, y)
        except case.failureException as error:
            kind = 'String' if isinstance(x, (str, bytes)) else 'Set' if isinstance(x, set) else 'Object'
            self.fail(f'{kind} comparison failed: {error}', path)


def compare(x, y, *, rtol, atol, rtol_override, atol_override, **options):
    """Raises AssertionError where `x` and `y` differ."""
    if isinstance(x, torch.Tensor) and isinstance(y, Sequence):
        y = torch.as_tensor(y, dtype=x.dtype, device=x.device)
    elif isinstance(x, Sequence) and isinstance(y, torch.Tensor):
        x = torch.as_tensor(x, dtype=y.dtype, device=y.device)
    Comparison(rtol=rtol, atol=atol, rtol_override=rtol_override, atol_override=atol_override, options=options).run(x, y)
