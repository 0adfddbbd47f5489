"""Names of `typing` that are newer than some Python: those of this Python."""

from typing import *
from typing import (Annotated, Any, Callable, ClassVar, Concatenate, Final, ForwardRef, Generic, Literal, NamedTuple, NoReturn, Optional,
                    ParamSpec, Protocol, Self, TypeAlias, TypedDict, TypeGuard, TypeVar, Union, assert_never, assert_type, cast,
                    dataclass_transform, final, get_args, get_origin, get_type_hints, overload, reveal_type, runtime_checkable)
import typing as _typing

for _name in ('Never', 'Required', 'NotRequired', 'LiteralString', 'Unpack', 'TypeVarTuple', 'NewType', 'Text', 'clear_overloads',
              'get_overloads', 'is_typeddict', 'ParamSpecArgs', 'ParamSpecKwargs', 'SupportsIndex', 'Type', 'TYPE_CHECKING'):
    if hasattr(_typing, _name):
        globals()[_name] = getattr(_typing, _name)
runtime = runtime_checkable


def override(arg, /):
    try:
        arg.__override__ = True
    except (AttributeError, TypeError):
        pass
    return arg


class deprecated:
    def __init__(self, message, /, *, category=DeprecationWarning, stacklevel=1):
        if not isinstance(message, str):
            raise TypeError(f'Expected an object of type str for {"message"!r}, not {type(message).__name__!r}')
        self.message, self.category, self.stacklevel = message, category, stacklevel

    def __call__(self, arg, /):
        import functools
        import warnings
        message, category, stacklevel = self.message, self.category, self.stacklevel
        if category is None:
            arg.__deprecated__ = message
            return arg
        if isinstance(arg, type):
            original = arg.__new__

            def __new__(cls, /, *args, **kwargs):
                if cls is arg:
                    warnings.warn(message, category=category, stacklevel=stacklevel + 1)
                return original(cls) if original is object.__new__ else original(cls, *args, **kwargs)
            arg.__new__ = staticmethod(__new__)
            arg.__deprecated__ = message
            return arg

        @functools.wraps(arg)
        def wrapper(*args, **kwargs):
            warnings.warn(message, category=category, stacklevel=stacklevel + 1)
            return arg(*args, **kwargs)
        arg.__deprecated__ = wrapper.__deprecated__ = message
        return wrapper


class TypeIs:
    def __class_getitem__(cls, item):
        return TypeGuard[item]


class ReadOnly:
    def __class_getitem__(cls, item):
        return item
