"""Storages: `UntypedStorage`, the bytes behind tensors, and `TypedStorage`, its deprecated form with a dtype."""

import warnings

import torch

UntypedStorage = torch.UntypedStorage
with warnings.catch_warnings(record=True):
    TypedStorage = type(torch.empty(0).storage())


def _dtype_to_storage_type_map():
    """The name of the deprecated class of a storage, by dtype."""
    names = {'float64': 'Double', 'float32': 'Float', 'float16': 'Half', 'int64': 'Long', 'int32': 'Int', 'int16': 'Short', 'int8': 'Char',
             'uint8': 'Byte', 'bool': 'Bool', 'bfloat16': 'BFloat16', 'complex128': 'ComplexDouble', 'complex64': 'ComplexFloat'}
    return {getattr(torch, dtype): f'{name}Storage' for dtype, name in names.items()}
