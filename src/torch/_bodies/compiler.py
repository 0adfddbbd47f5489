"""Questions about the compiler."""
import torch

_is_compiling = torch.compiler.is_compiling


def is_compiling() -> bool:
    if torch.jit.is_scripting():
        return False
    return _is_compiling()
