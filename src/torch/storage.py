"""Storages: `UntypedStorage`, the bytes behind tensors, and `TypedStorage`, its deprecated form with a dtype."""

import warnings

import torch

UntypedStorage = torch.UntypedStorage
with warnings.catch_warnings(record=True):
    TypedStorage = type(torch.empty(0).storage())
