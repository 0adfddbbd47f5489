"""Containers beside list, tuple, dict and set."""

__all__ = ['ChainMap', 'Counter', 'OrderedDict', 'UserDict', 'UserList', 'UserString', 'defaultdict', 'deque',
           'namedtuple']

from _collections import _count_elements, deque, odict_items as _odict_items, odict_keys as _odict_keys, odict_values as _odict_values
from keyword import iskeyword
import sys
from operator import eq, itemgetter
from reprlib import recursive_repr
import collections.abc
from _machine import written_in_c


@written_in_c
class defaultdict(dict):
    __slots__ = ('default_factory',)

    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError('first argument must be callable or None')
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value

    @recursive_repr('defaultdict(...)')
    def __repr__(self):
        return f'{type(self).__name__}({self.default_factory!r}, {dict.__repr__(self)})'

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(self.default_factory, other)
        result.update(self)
        return result

    def __reduce__(self):
        args = () if self.default_factory is None else (self.default_factory,)
        return type(self), args, None, None, iter(self.items())


@written_in_c
class OrderedDict(dict):
    def keys(self):
        return _odict_keys(self)

    def values(self):
        return _odict_values(self)

    def items(self):
        return _odict_items(self)

    def move_to_end(self, key, last=True):
        value = self.pop(key) if key in self else self[key]
        rest = [] if last else list(self.items())
        if not last:
            self.clear()
        dict.__setitem__(self, key, value)
        for key, value in rest:
            dict.__setitem__(self, key, value)

    def popitem(self, last=True):
        if not self:
            raise KeyError('dictionary is empty')
        key = next(reversed(self) if last else iter(self))
        return key, self.pop(key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and all(map(eq, self, other))
        return dict.__eq__(self, other)

    def __ne__(self, other):
        answer = self.__eq__(other)
        return answer if answer is NotImplemented else not answer

    __hash__ = None

    @recursive_repr()
    def __repr__(self):
        return f'{type(self).__name__}({list(self.items())!r})' if self else f'{type(self).__name__}()'

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        self = cls()
        for key in iterable:
            self[key] = value
        return self

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(self)
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(other)
        result.update(self)
        return result

    def __reduce__(self):
        return type(self), (), vars(self) or None, None, iter(self.items())


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(',', ' ').split()
    names = list(map(str, field_names))
    typename = sys.intern(str(typename))
    if rename:
        seen = set()
        for i, name in enumerate(names):
            if not name.isidentifier() or iskeyword(name) or name.startswith('_') or name in seen:
                names[i] = f'_{i}'
            seen.add(name)
    for name in [typename, *names]:
        if not name.isidentifier():
            raise ValueError(f'Type names and field names must be valid identifiers: {name!r}')
        if iskeyword(name):
            raise ValueError(f'Type names and field names cannot be a keyword: {name!r}')
    seen = set()
    for name in names:
        if name.startswith('_') and not rename:
            raise ValueError(f'Field names cannot start with an underscore: {name!r}')
        if name in seen:
            raise ValueError(f'Encountered duplicate field name: {name!r}')
        seen.add(name)
    field_defaults = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > len(names):
            raise TypeError('Got more default values than field names')
        field_defaults = dict(zip(names[len(names) - len(defaults):], defaults))

    # A lambda with the fields as parameters, so that wrong arguments give the usual errors.
    names = tuple(names)
    parameters = ''.join(f', {name}' for name in names)
    values = ''.join(f'{name}, ' for name in names)
    __new__ = eval(f'lambda _cls{parameters}: _new(_cls, ({values}))',
                   {'_new': tuple.__new__, '__name__': f'namedtuple_{typename}'})
    __new__.__name__ = '__new__'
    __new__.__qualname__ = f'{typename}.__new__'
    __new__.__doc__ = f'Create new instance of {typename}({", ".join(names)})'
    if defaults is not None:
        __new__.__defaults__ = defaults
    count = len(names)

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != count:
            raise TypeError(f'Expected {count} arguments, got {len(result)}')
        return result

    def _replace(self, /, **kwds):
        result = self._make(map(kwds.pop, names, self))
        if kwds:
            raise ValueError(f'Got unexpected field names: {list(kwds)!r}')
        return result

    def __repr__(self):
        return f'{type(self).__name__}({", ".join(f"{name}={value!r}" for name, value in zip(names, self))})'

    def _asdict(self):
        return dict(zip(self._fields, self))

    def __getnewargs__(self):
        return tuple(self)

    for method in (_make, _replace, __repr__, _asdict, __getnewargs__):
        method.__qualname__ = f'{typename}.{method.__name__}'
    namespace = {
        '__doc__': f'{typename}({", ".join(names)})', '__slots__': (), '_fields': names,
        '_field_defaults': field_defaults, '__new__': __new__, '_make': classmethod(_make), '_replace': _replace,
        '__repr__': __repr__, '_asdict': _asdict, '__getnewargs__': __getnewargs__, '__match_args__': names,
    }
    for i, name in enumerate(names):
        namespace[name] = property(itemgetter(i), doc=f'Alias for field number {i}')
    result = type(typename, (tuple,), namespace)
    if module is None:
        try:
            module = sys._getframe(1).f_globals.get('__name__', '__main__')
        except ValueError:
            pass
    if module is not None:
        result.__module__ = module
    return result


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        items = sorted(self.items(), key=itemgetter(1), reverse=True)
        return items if n is None else items[:max(n, 0)]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError('Counter.fromkeys() is undefined.  Use Counter(iterable) instead.')

    def update(self, iterable=None, /, **kwds):
        if isinstance(iterable, collections.abc.Mapping):
            for key, count in iterable.items():
                self[key] = count + self.get(key, 0)
        elif iterable is not None:
            _count_elements(self, iterable)
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        if isinstance(iterable, collections.abc.Mapping):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) - count
        elif iterable is not None:
            for key in iterable:
                self[key] = self.get(key, 0) - 1
        if kwds:
            self.subtract(kwds)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def __reduce__(self):
        return self.__class__, (dict(self),)

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def __repr__(self):
        if not self:
            return f'{self.__class__.__name__}()'
        try:
            d = dict(self.most_common())
        except TypeError:
            d = dict(self)
        return f'{self.__class__.__name__}({d!r})'

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] == other[key] for c in (self, other) for key in c)

    def __ne__(self, other):
        return NotImplemented if not isinstance(other, Counter) else not self == other

    __hash__ = None

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] <= other[key] for c in (self, other) for key in c)

    def __lt__(self, other):
        return NotImplemented if not isinstance(other, Counter) else self <= other and self != other

    def __ge__(self, other):
        return NotImplemented if not isinstance(other, Counter) else other <= self

    def __gt__(self, other):
        return NotImplemented if not isinstance(other, Counter) else other < self

    def _combined(self, other, function):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for key in [*self, *(key for key in other if key not in self)]:
            count = function(self[key], other[key])
            if count > 0:
                result[key] = count
        return result

    def __add__(self, other):
        return self._combined(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._combined(other, lambda a, b: a - b)

    def __or__(self, other):
        return self._combined(other, max)

    def __and__(self, other):
        return self._combined(other, min)

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self

    def _keep_positive(self):
        for key in [key for key, count in self.items() if not count > 0]:
            del self[key]
        return self

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return self._keep_positive()

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return self._keep_positive()

    def __ior__(self, other):
        for key, count in other.items():
            self[key] = max(self[key], count)
        return self._keep_positive()

    def __iand__(self, other):
        for key, count in list(self.items()):
            self[key] = min(count, other[key])
        return self._keep_positive()


class ChainMap(collections.abc.MutableMapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __len__(self):
        return len(set().union(*self.maps))

    def __iter__(self):
        result = {}
        for mapping in reversed(self.maps):
            result.update(dict.fromkeys(mapping))
        return iter(result)

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    @recursive_repr()
    def __repr__(self):
        return f'{self.__class__.__name__}({", ".join(map(repr, self.maps))})'

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def copy(self):
        return self.__class__(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f'Key not found in the first mapping: {key!r}')

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError('No keys found in the first mapping.')

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f'Key not found in the first mapping: {key!r}')

    def clear(self):
        self.maps[0].clear()

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    def __or__(self, other):
        if not isinstance(other, collections.abc.Mapping):
            return NotImplemented
        m = self.copy()
        m.maps[0].update(other)
        return m


class UserDict(collections.abc.MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, '__missing__'):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        if isinstance(other, UserDict):
            other = other.data
        return self.__class__(self.data | other) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other):
        self.data |= other.data if isinstance(other, UserDict) else other
        return self

    def copy(self):
        result = self.__class__.__new__(self.__class__)
        result.__dict__.update(self.__dict__)
        result.data = self.data.copy()
        return result

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        d = cls()
        for key in iterable:
            d[key] = value
        return d


class _Wrapper:
    def __repr__(self):
        return repr(self.data)

    def __lt__(self, other):
        return self.data < self._data_of(other)

    def __le__(self, other):
        return self.data <= self._data_of(other)

    def __eq__(self, other):
        return self.data == self._data_of(other)

    def __gt__(self, other):
        return self.data > self._data_of(other)

    def __ge__(self, other):
        return self.data >= self._data_of(other)

    def __contains__(self, item):
        return self._data_of(item) in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + self._data_of(other))

    def __radd__(self, other):
        return self.__class__(self._data_of(other) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def _data_of(self, other):
        return other.data if isinstance(other, _Wrapper) else other

    def count(self, item, *args):
        return self.data.count(self._data_of(item), *args)

    def index(self, item, *args):
        return self.data.index(self._data_of(item), *args)


class UserList(_Wrapper, collections.abc.MutableSequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(self._data_of(initlist))

    __hash__ = None

    def __contains__(self, item):
        return item in self.data

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + list(self._data_of(other)))

    def __iadd__(self, other):
        self.data += list(self._data_of(other))
        return self

    def insert(self, i, item):
        self.data.insert(i, item)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)


class UserString(_Wrapper, collections.abc.Sequence):
    def __init__(self, seq):
        self.data = seq if isinstance(seq, str) else str(self._data_of(seq))

    def __str__(self):
        return self.data

    def __hash__(self):
        return hash(self.data)

    def __getitem__(self, index):
        return self.__class__(self.data[index])

    def __mod__(self, args):
        return self.__class__(self.data % args)


def _forwarded(name):
    def method(self, *args, **kwargs):
        result = getattr(self.data, name)(*[self._data_of(arg) for arg in args], **kwargs)
        return self.__class__(result) if isinstance(result, str) else result
    method.__name__ = name
    return method


for _name in dir(str):
    if not _name.startswith('_') and _name not in ('count', 'index'):
        setattr(UserString, _name, _forwarded(_name))
