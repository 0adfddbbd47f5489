"""Names for the types that the machine makes, and helpers to make classes."""

import sys
from _machine import (BuiltinFunctionType, CellType, CodeType, FrameType, FunctionType, GeneratorType,
                      GetSetDescriptorType, MappingProxyType, MethodDescriptorType, MethodType, ModuleType,
                      SimpleNamespace)

LambdaType = FunctionType
BuiltinMethodType = BuiltinFunctionType
WrapperDescriptorType = MethodDescriptorType
NoneType = type(None)
NotImplementedType = type(NotImplemented)
EllipsisType = type(...)
GenericAlias = type(list[int])
UnionType = type(int | str)


def _traceback_type():
    try:
        raise TypeError
    except TypeError as exc:
        return type(exc.__traceback__)


TracebackType = _traceback_type()


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved_bases = resolve_bases(bases)
    meta, ns, kwds = prepare_class(name, resolved_bases, kwds)
    if exec_body is not None:
        exec_body(ns)
    if resolved_bases is not bases:
        ns['__orig_bases__'] = bases
    return meta(name, resolved_bases, ns, **kwds)


def resolve_bases(bases):
    result = []
    changed = False
    for base in bases:
        if not isinstance(base, type) and hasattr(base, '__mro_entries__'):
            result.extend(base.__mro_entries__(bases))
            changed = True
        else:
            result.append(base)
    return tuple(result) if changed else bases


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    meta = kwds.pop('metaclass', None) or (type(bases[0]) if bases else type)
    for base in bases:
        if isinstance(meta, type) and not issubclass(meta, type(base)):
            if not issubclass(type(base), meta):
                raise TypeError('metaclass conflict: the metaclass of a derived class must be a (non-strict) '
                                'subclass of the metaclasses of all its bases')
            meta = type(base)
    ns = meta.__prepare__(name, bases, **kwds) if hasattr(meta, '__prepare__') else {}
    return meta, ns, kwds


class DynamicClassAttribute:
    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget, self.fset, self.fdel = fget, fset, fdel
        self.__doc__ = doc or fget.__doc__

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            raise AttributeError()
        return self.fget(instance)


def coroutine(func):
    raise NotImplementedError('types.coroutine is not in this Python')
