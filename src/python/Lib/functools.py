"""Functions of functions. What must be fast stands in _functools."""

__all__ = ['update_wrapper', 'wraps', 'WRAPPER_ASSIGNMENTS', 'WRAPPER_UPDATES', 'total_ordering', 'cache', 'cmp_to_key',
           'lru_cache', 'reduce', 'partial', 'partialmethod', 'singledispatch', 'singledispatchmethod',
           'cached_property']

from _functools import _lru_cache_wrapper, cmp_to_key, partial, reduce
from collections import namedtuple
from types import GenericAlias

WRAPPER_ASSIGNMENTS = ('__module__', '__name__', '__qualname__', '__doc__', '__annotations__')
WRAPPER_UPDATES = ('__dict__',)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def _ordering(name, base, derive):
    def method(self, other):
        answer = getattr(type(self), base)(self, other)
        return answer if answer is NotImplemented else derive(answer, self, other)
    method.__name__ = name
    return method


# For each method that a class may have: how the three others follow from its answer.
_DERIVED = {
    '__lt__': {'__gt__': lambda a, s, o: not a and s != o, '__le__': lambda a, s, o: a or s == o,
               '__ge__': lambda a, s, o: not a},
    '__le__': {'__ge__': lambda a, s, o: not a or s == o, '__lt__': lambda a, s, o: a and s != o,
               '__gt__': lambda a, s, o: not a},
    '__gt__': {'__lt__': lambda a, s, o: not a and s != o, '__ge__': lambda a, s, o: a or s == o,
               '__le__': lambda a, s, o: not a},
    '__ge__': {'__le__': lambda a, s, o: not a or s == o, '__gt__': lambda a, s, o: a and s != o,
               '__lt__': lambda a, s, o: not a},
}


def total_ordering(cls):
    own = [name for name in _DERIVED if getattr(cls, name, None) is not getattr(object, name, None)]
    if not own:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    base = own[0]
    for name, derive in _DERIVED[base].items():
        if name not in own:
            setattr(cls, name, _ordering(name, base, derive))
    return cls


_CacheInfo = namedtuple('CacheInfo', ['hits', 'misses', 'maxsize', 'currsize'])


def lru_cache(maxsize=128, typed=False):
    def decorate(function, size):
        wrapper = _lru_cache_wrapper(function, size, typed, _CacheInfo)
        wrapper.cache_parameters = lambda: {'maxsize': size, 'typed': typed}
        return update_wrapper(wrapper, function)

    if isinstance(maxsize, int):
        size = max(maxsize, 0)
    elif callable(maxsize) and isinstance(typed, bool):
        return decorate(maxsize, 128)
    elif maxsize is not None:
        raise TypeError('Expected first argument to be an integer, a callable, or None')
    else:
        size = None
    return lambda function: decorate(function, size)


def cache(user_function, /):
    return lru_cache(maxsize=None)(user_function)


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, '__get__'):
            raise TypeError(f'{func!r} is not callable or a descriptor')
        if isinstance(func, partialmethod):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func, self.args, self.keywords = func, args, keywords

    def __repr__(self):
        parts = [repr(self.func), *map(repr, self.args), *(f'{k}={v!r}' for k, v in self.keywords.items())]
        return f'functools.partialmethod({", ".join(parts)})'

    def __get__(self, obj, cls=None):
        get = getattr(type(self.func), '__get__', None)
        if get is not None and obj is not None:
            return partial(get(self.func, obj, cls), *self.args, **self.keywords)
        if isinstance(self.func, (classmethod, staticmethod)):
            return partial(get(self.func, obj, cls), *self.args, **self.keywords)

        def method(self_, /, *args, **keywords):
            return self.func(self_, *self.args, *args, **{**self.keywords, **keywords})
        method._partialmethod = self
        return method.__get__(obj, cls)

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, '__isabstractmethod__', False)


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        best = object
        for base in cls.__mro__:
            if base in registry:
                best = base
                break
        # An abstract class may count this one among its subclasses without being a base.
        for known in registry:
            if known not in cls.__mro__ and issubclass(cls, known) and (best is object or issubclass(known, best)):
                best = known
        return registry[best]

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type):
                return lambda f: register(cls, f)
            func = cls
            annotations = getattr(func, '__annotations__', {})
            if not annotations:
                raise TypeError(f'Invalid first argument to `register()`: {func!r}. Use either '
                                '`@register(some_class)` or plain `@register` on an annotated function.')
            from typing import get_type_hints
            name, cls = next(iter(get_type_hints(func).items()))
            if not isinstance(cls, type):
                args = getattr(cls, '__args__', None)
                if not args or not all(isinstance(arg, type) for arg in args):
                    raise TypeError(f'Invalid annotation for {name!r}. {cls!r} is not a class.')
                for arg in args:
                    registry[arg] = func
                return func
        registry[cls] = func
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f'{name} requires at least 1 positional argument')
        return dispatch(args[0].__class__)(*args, **kw)

    name = getattr(func, '__name__', 'singledispatch function')
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return update_wrapper(wrapper, func)


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            return self.dispatcher.dispatch(args[0].__class__).__get__(obj, cls)(*args, **kwargs)
        method.register = self.register
        return update_wrapper(method, self.func)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError('Cannot assign the same cached_property to two different names '
                            f'({self.attrname!r} and {name!r}).')

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError('Cannot use cached_property instance without calling __set_name__ on it.')
        cache = instance.__dict__
        if self.attrname not in cache:
            cache[self.attrname] = self.func(instance)
        return cache[self.attrname]

    __class_getitem__ = classmethod(GenericAlias)
