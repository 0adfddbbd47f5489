"""Contexts without gradients."""
from typing import Any

import torch

aten = torch.ops.aten


class no_grad:
    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = aten.is_grad_enabled()
        aten.set_grad_enabled(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        aten.set_grad_enabled(self.prev)


class enable_grad:
    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = aten.is_grad_enabled()
        aten.set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        aten.set_grad_enabled(self.prev)
