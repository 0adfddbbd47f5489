"""References that do not keep their object alive. The host says when an object is gone: that may be much later than its last use."""

import itertools
import sys
from _weakref import hold
from collections.abc import MutableMapping, MutableSet

__all__ = ['ref', 'proxy', 'getweakrefcount', 'getweakrefs', 'WeakKeyDictionary', 'ReferenceType', 'ProxyTypes',
           'WeakValueDictionary', 'WeakSet', 'WeakMethod', 'finalize', 'KeyedRef']


class ReferenceType:
    def __new__(cls, object, callback=None, /, *args):
        self = super().__new__(cls)
        self._object = hold(object)
        self.__callback__ = callback
        self._hash = None
        return self

    def __init__(self, object, callback=None, /):
        pass

    def __call__(self):
        return self._object()

    def __eq__(self, other):
        if not isinstance(other, ReferenceType):
            return NotImplemented
        a, b = self(), other()
        return self is other if a is None or b is None else a is b or a == b

    def __hash__(self):
        if self._hash is None:
            target = self()
            if target is None:
                raise TypeError('weak object has gone away')
            self._hash = hash(target)
        return self._hash

    def __repr__(self):
        target = self()
        if target is None:
            return f'<weakref at {id(self):#x}; dead>'
        return f'<weakref at {id(self):#x}; to {type(target).__name__!r} at {id(target):#x}>'


ReferenceType.__name__ = ReferenceType.__qualname__ = 'ReferenceType'
ref = ReferenceType


def getweakrefcount(object):
    return 0


def getweakrefs(object):
    return []


class ProxyType:
    # Every question goes to the object.
    def __init__(self, object, callback=None, /):
        super().__setattr__('_ref', ref(object, callback))

    def _target(self):
        target = super().__getattribute__('_ref')()
        if target is None:
            raise ReferenceError('weakly-referenced object no longer exists')
        return target

    def __getattribute__(self, name):
        return getattr(ProxyType._target(self), name)

    def __setattr__(self, name, value):
        setattr(ProxyType._target(self), name, value)

    def __delattr__(self, name):
        delattr(ProxyType._target(self), name)

    def __repr__(self):
        target = ProxyType._target(self)
        return f'<weakproxy at {id(self):#x} to {type(target).__name__} at {id(target):#x}>'

    def __str__(self):
        return str(ProxyType._target(self))

    def __bool__(self):
        return bool(ProxyType._target(self))

    def __eq__(self, other):
        return ProxyType._target(self) == other

    __hash__ = None

    def __len__(self):
        return len(ProxyType._target(self))

    def __iter__(self):
        return iter(ProxyType._target(self))

    def __contains__(self, value):
        return value in ProxyType._target(self)

    def __getitem__(self, key):
        return ProxyType._target(self)[key]

    def __setitem__(self, key, value):
        ProxyType._target(self)[key] = value

    def __delitem__(self, key):
        del ProxyType._target(self)[key]


class CallableProxyType(ProxyType):
    def __call__(self, *args, **kwargs):
        return ProxyType._target(self)(*args, **kwargs)


ProxyTypes = (ProxyType, CallableProxyType)


def proxy(object, callback=None, /):
    return (CallableProxyType if callable(object) else ProxyType)(object, callback)


class WeakMethod(ref):
    def __new__(cls, meth, callback=None):
        try:
            obj, func = meth.__self__, meth.__func__
        except AttributeError:
            raise TypeError(f'argument should be a bound method, not {type(meth)}') from None
        self = ref.__new__(cls, obj, callback)
        self._func = hold(func)
        self._type = type(meth)
        return self

    def __call__(self):
        obj, func = super().__call__(), self._func()
        return None if obj is None or func is None else self._type(func, obj)

    def __eq__(self, other):
        return isinstance(other, WeakMethod) and super().__eq__(other) and self._func() is other._func()

    __hash__ = ref.__hash__


class KeyedRef(ref):
    def __new__(cls, ob, callback, key):
        self = super().__new__(cls, ob, callback)
        self.key = key
        return self

    def __init__(self, ob, callback, key):
        super().__init__(ob, callback)


class WeakValueDictionary(MutableMapping):
    def __init__(self, other=(), /, **kw):
        self.data = {}
        self.update(other, **kw)

    def _alive(self):
        for key, wr in list(self.data.items()):
            value = wr()
            if value is None:
                self.data.pop(key, None)
            else:
                yield key, value

    def __getitem__(self, key):
        value = self.data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self.data[key] = KeyedRef(value, None, key)

    def __delitem__(self, key):
        del self.data[key]

    def __contains__(self, key):
        wr = self.data.get(key)
        return wr is not None and wr() is not None

    def __len__(self):
        return sum(1 for _ in self._alive())

    def __iter__(self):
        return (key for key, _ in self._alive())

    keys = __iter__

    def items(self):
        return self._alive()

    def values(self):
        return (value for _, value in self._alive())

    def itervaluerefs(self):
        yield from self.data.values()

    def valuerefs(self):
        return list(self.data.values())

    def copy(self):
        return type(self)(self.items())

    __copy__ = copy

    def __repr__(self):
        return f'<WeakValueDictionary at {id(self):#x}>'


class WeakKeyDictionary(MutableMapping):
    def __init__(self, dict=None):
        self.data = {}
        if dict is not None:
            self.update(dict)

    def _alive(self):
        for wr, value in list(self.data.items()):
            key = wr()
            if key is None:
                self.data.pop(wr, None)
            else:
                yield key, value

    def __getitem__(self, key):
        return self.data[ref(key)]

    def __setitem__(self, key, value):
        self.data[ref(key)] = value

    def __delitem__(self, key):
        del self.data[ref(key)]

    def __contains__(self, key):
        try:
            return ref(key) in self.data
        except TypeError:
            return False

    def __len__(self):
        return sum(1 for _ in self._alive())

    def __iter__(self):
        return (key for key, _ in self._alive())

    keys = __iter__

    def items(self):
        return self._alive()

    def values(self):
        return (value for _, value in self._alive())

    def get(self, key, default=None):
        return self.data.get(ref(key), default)

    def setdefault(self, key, default=None):
        return self.data.setdefault(ref(key), default)

    def pop(self, key, *args):
        return self.data.pop(ref(key), *args)

    def keyrefs(self):
        return list(self.data)

    def copy(self):
        return type(self)(dict(self.items()))

    __copy__ = copy

    def __repr__(self):
        return f'<WeakKeyDictionary at {id(self):#x}>'


class WeakSet(MutableSet):
    def __init__(self, data=None):
        self.data = {}
        for item in data or ():
            self.add(item)

    def add(self, item):
        self.data[ref(item)] = None

    def discard(self, item):
        self.data.pop(ref(item), None)

    def remove(self, item):
        try:
            del self.data[ref(item)]
        except KeyError:
            raise KeyError(item) from None

    def clear(self):
        self.data.clear()

    def __iter__(self):
        for wr in list(self.data):
            item = wr()
            if item is None:
                self.data.pop(wr, None)
            else:
                yield item

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, item):
        try:
            return ref(item) in self.data
        except TypeError:
            return False

    def update(self, other):
        for item in other:
            self.add(item)

    def copy(self):
        return type(self)(self)

    def __repr__(self):
        return repr({*map(ref, self)}) if self.data else 'set()'


class finalize:
    # Called by `atexit` or by hand: when an object is gone is not known here.
    _registry = {}
    _count = itertools.count()

    def __init__(self, obj, func, /, *args, **kwargs):
        import atexit
        if not finalize._registry:
            atexit.register(finalize._run_all)
        self.atexit = True
        finalize._registry[self] = (ref(obj), func, args, kwargs, next(finalize._count))

    def __call__(self, _=None):
        info = finalize._registry.pop(self, None)
        if info is not None:
            return info[1](*info[2], **info[3])

    def detach(self):
        info = finalize._registry.pop(self, None)
        obj = None if info is None else info[0]()
        return None if obj is None else (obj, info[1], info[2], info[3])

    def peek(self):
        info = finalize._registry.get(self)
        obj = None if info is None else info[0]()
        return None if obj is None else (obj, info[1], info[2], info[3])

    @property
    def alive(self):
        return self in finalize._registry

    @classmethod
    def _run_all(cls):
        for self, info in sorted(cls._registry.items(), key=lambda it: -it[1][4]):
            if self.atexit:
                self()
