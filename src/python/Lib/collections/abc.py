"""Abstract classes of containers: what an object must be able to do, and what follows from it."""

from abc import ABCMeta, abstractmethod
from types import GenericAlias

__all__ = ['Awaitable', 'Coroutine', 'AsyncIterable', 'AsyncIterator', 'AsyncGenerator', 'Hashable', 'Iterable',
           'Iterator', 'Generator', 'Reversible', 'Sized', 'Container', 'Callable', 'Collection', 'Set', 'MutableSet',
           'Mapping', 'MutableMapping', 'MappingView', 'KeysView', 'ItemsView', 'ValuesView', 'Sequence',
           'MutableSequence', 'ByteString']


def _has(cls, *methods):
    for method in methods:
        for base in cls.__mro__:
            if method in base.__dict__:
                if base.__dict__[method] is None:
                    return NotImplemented
                break
        else:
            return NotImplemented
    return True


def _one_trick(name, *methods, bases=(), **more):
    # An abstract class that knows its subclasses by their methods.
    def hook(cls, C):
        return _has(C, *methods) if cls is made else NotImplemented


    namespace = {'__module__': 'collections.abc', '__subclasshook__': classmethod(hook),
                 '__class_getitem__': classmethod(GenericAlias), '__slots__': (), **more}
    for method in methods:
        if method not in namespace and not any(hasattr(base, method) for base in bases):
            namespace[method] = abstractmethod(lambda self, *args: None)
    made = ABCMeta(name, bases, namespace)
    return made




def _generator_throw(self, typ, val=None, tb=None):
    if val is None:
        if tb is None:
            raise typ
        val = typ()
    raise val


def _generator_close(self):
    try:
        self.throw(GeneratorExit)
    except (GeneratorExit, StopIteration):
        pass
    else:
        raise RuntimeError('generator ignored GeneratorExit')


Hashable = _one_trick('Hashable', '__hash__')
Awaitable = _one_trick('Awaitable', '__await__')
Coroutine = _one_trick('Coroutine', '__await__', 'send', 'throw', 'close', bases=(Awaitable,))
AsyncIterable = _one_trick('AsyncIterable', '__aiter__')
AsyncIterator = _one_trick('AsyncIterator', '__anext__', '__aiter__', bases=(AsyncIterable,))
AsyncGenerator = _one_trick('AsyncGenerator', '__aiter__', '__anext__', 'asend', 'athrow', 'aclose', bases=(AsyncIterator,))
Iterable = _one_trick('Iterable', '__iter__')
Iterator = _one_trick('Iterator', '__next__', '__iter__', bases=(Iterable,), __iter__=lambda self: self)
Reversible = _one_trick('Reversible', '__reversed__', '__iter__', bases=(Iterable,))
Generator = _one_trick('Generator', '__iter__', '__next__', 'send', 'throw', 'close', bases=(Iterator,),
                       __next__=lambda self: self.send(None), throw=abstractmethod(_generator_throw),
                       close=_generator_close)
Sized = _one_trick('Sized', '__len__')
Container = _one_trick('Container', '__contains__')
Collection = _one_trick('Collection', '__len__', '__iter__', '__contains__', bases=(Sized, Iterable, Container))




def _callable_getitem(cls, params):
    if not (isinstance(params, tuple) and len(params) == 2):
        raise TypeError('Callable must be used as Callable[[arg, ...], result].')
    args, result = params
    return GenericAlias(cls, (*args, result) if isinstance(args, list) else (args, result))


Callable = _one_trick('Callable', '__call__', __class_getitem__=classmethod(_callable_getitem))


class Set(Collection):
    __slots__ = ()

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(elem in other for elem in self)

    def __lt__(self, other):
        return len(self) < len(other) and self.__le__(other) if isinstance(other, Set) else NotImplemented

    def __gt__(self, other):
        return len(self) > len(other) and self.__ge__(other) if isinstance(other, Set) else NotImplemented

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(elem in self for elem in other)

    def __eq__(self, other):
        return len(self) == len(other) and self.__le__(other) if isinstance(other, Set) else NotImplemented

    __hash__ = None

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in other if value in self)

    __rand__ = __and__

    def isdisjoint(self, other):
        return not any(value in self for value in other)

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(e for s in (self, other) for e in s)

    __ror__ = __or__

    def __sub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return self._from_iterable(value for value in self if value not in other)

    def __rsub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in other if value not in self)

    def __xor__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__

    def _hash(self):
        return hash(frozenset(self))


class MutableSet(Set):
    __slots__ = ()

    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        for value in list(self):
            self.discard(value)

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __iand__(self, it):
        for value in self - it:
            self.discard(value)
        return self

    def __ixor__(self, it):
        for value in list(it):
            self.discard(value) if value in self else self.add(value)
        return self

    def __isub__(self, it):
        for value in list(it):
            self.discard(value)
        return self


class Mapping(Collection):
    __slots__ = ()
    __abc_tpflags__ = 64

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items()) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None
    __reversed__ = None


class MappingView(Sized):
    __slots__ = ('_mapping',)

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f'{self.__class__.__name__}({self._mapping!r})'

    __class_getitem__ = classmethod(GenericAlias)


class KeysView(MappingView, Set):
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class ItemsView(MappingView, Set):
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, item):
        key, value = item
        try:
            v = self._mapping[key]
        except KeyError:
            return False
        return v is value or v == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    __slots__ = ()

    def __contains__(self, value):
        return any(v is value or v == value for v in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


class MutableMapping(Mapping):
    __slots__ = ()
    __marker = object()

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=__marker):
        try:
            value = self[key]
        except KeyError:
            if default is self.__marker:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), /, **kwds):
        if isinstance(other, Mapping) or hasattr(other, 'keys'):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class Sequence(Reversible, Collection):
    __slots__ = ()
    __abc_tpflags__ = 32

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                yield self[i]
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(v is value or v == value for v in self)

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        for i in range(len(self))[start:stop]:
            if self[i] is value or self[i] == value:
                return i
        raise ValueError

    def count(self, value):
        return sum(1 for v in self if v is value or v == value)


class ByteString(Sequence):
    __slots__ = ()


class MutableSequence(Sequence):
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        while len(self):
            self.pop()

    def reverse(self):
        for i, value in enumerate(list(reversed(self))):
            self[i] = value

    def extend(self, values):
        for value in list(values):
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


for _cls in (set, frozenset, type({}.keys()), type({}.items())):
    Set.register(_cls)
for _cls in (tuple, str, range, list, bytes):
    Sequence.register(_cls)
KeysView.register(type({}.keys()))
ItemsView.register(type({}.items()))
ValuesView.register(type({}.values()))
MutableSet.register(set)
MutableMapping.register(dict)
MutableSequence.register(list)
ByteString.register(bytes)
