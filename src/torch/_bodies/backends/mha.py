"""The switch for the fast path of attention."""
import torch
from torch.backends import mha

_is_enabled = mha.get_fastpath_enabled


def get_fastpath_enabled() -> bool:
    if not torch.jit.is_scripting():
        return _is_enabled()
    return True
