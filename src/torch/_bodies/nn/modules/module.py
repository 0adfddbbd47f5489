"""What every module has: annotations."""
from typing import Optional


class Module:
    training: bool
    _is_full_backward_hook: Optional[bool]
