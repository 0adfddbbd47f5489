"""The operators of the language as functions; all of them stand in _operator."""

from _operator import *
from _operator import (
    abs as __abs__, add as __add__, and_ as __and__, call as __call__, concat as __concat__, contains as __contains__,
    delitem as __delitem__, eq as __eq__, floordiv as __floordiv__, ge as __ge__, getitem as __getitem__,
    gt as __gt__, iadd as __iadd__, index as __index__, inv as __inv__, invert as __invert__, le as __le__,
    lshift as __lshift__, lt as __lt__, matmul as __matmul__, mod as __mod__, mul as __mul__, ne as __ne__,
    neg as __neg__, not_ as __not__, or_ as __or__, pos as __pos__, pow as __pow__, rshift as __rshift__,
    setitem as __setitem__, sub as __sub__, truediv as __truediv__, xor as __xor__,
)
