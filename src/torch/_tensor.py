"""Functions of `torch/_tensor.py` that pickles name: they rebuild a tensor of a class, with its attributes."""

import torch
from torch._utils import _set_obj_state


def _rebuild_from_type(func, type, args, dict):
    ret = func(*args).as_subclass(type)
    ret.__dict__ = dict
    return ret


def _rebuild_from_type_v2(func, new_type, args, state):
    ret = func(*args)
    if type(ret) is not new_type:
        ret = ret.as_subclass(new_type)
    # A class with a `__setstate__` of its own gets the state; else it becomes attributes.
    if hasattr(type(ret), '__setstate__'):
        ret.__setstate__(state)
        return ret
    return _set_obj_state(ret, state)


Tensor = torch.Tensor
