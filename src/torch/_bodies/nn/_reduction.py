"""How the losses of a batch become one: names as numbers."""
import warnings
from typing import Optional


def get_enum(reduction: str) -> int:
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        return 1
    names = ["none", "mean", "sum"]
    if reduction not in names:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return names.index(reduction)


def legacy_get_string(size_average: Optional[bool], reduce: Optional[bool], emit_warning: bool = True) -> str:
    if reduce is not None and not reduce:
        name = "none"
    elif size_average is not None and not size_average:
        name = "sum"
    else:
        name = "mean"
    if emit_warning:
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.")
    return name
