"""Functions that take an object apart for a copy or a pickle, by its class."""

__all__ = ['pickle', 'constructor', 'add_extension', 'remove_extension', 'clear_extension_cache']

dispatch_table = {}
_extension_registry = {}
_inverted_registry = {}
_extension_cache = {}


def pickle(ob_type, pickle_function, constructor_ob=None):
    if not callable(pickle_function):
        raise TypeError('reduction functions must be callable')
    dispatch_table[ob_type] = pickle_function
    if constructor_ob is not None:
        constructor(constructor_ob)


def constructor(object):
    if not callable(object):
        raise TypeError('constructors must be callable')


def pickle_complex(c):
    return complex, (c.real, c.imag)


pickle(complex, pickle_complex, complex)


def __newobj__(cls, *args):
    return cls.__new__(cls, *args)


def __newobj_ex__(cls, args, kwargs):
    return cls.__new__(cls, *args, **kwargs)


def _reconstructor(cls, base, state):
    if base is object:
        return object.__new__(cls)
    obj = base.__new__(cls, state)
    if base.__init__ != object.__init__:
        base.__init__(obj, state)
    return obj


def _reduce_ex(self, protocol):
    # `object.__reduce_ex__` for classes that have no `__reduce__` of their own.
    cls = type(self)
    if cls.__reduce__ is not object.__reduce__:
        return self.__reduce__()
    return _reduce_newobj(self) if protocol >= 2 else _reduce_old(self, protocol)


_BUILT_IN = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, BaseException)


def _refuse(self):
    raise TypeError(f'cannot pickle {type(self).__name__!r} object')


def _reduce_old(self, protocol):
    cls = type(self)
    base = next((base for base in cls.__mro__ if base in _BUILT_IN), object)
    if base is cls or not _can_be_made(self, cls):
        _refuse(self)
    args = cls, base, None if base is object else base(self)
    state = self.__getstate__()
    return (_reconstructor, args) if state is None else (_reconstructor, args, state)


def _can_be_made(self, cls):
    # Types whose instances the machine makes cannot: generators, frames, modules.
    return cls is object or any(base.__module__ != 'builtins' for base in cls.__mro__) or issubclass(cls, BaseException) or (
        hasattr(self, '__dict__') and not hasattr(self, '__name__'))


def _reduce_newobj(self):
    cls = type(self)
    if not _can_be_made(self, cls) and cls not in _BUILT_IN:
        _refuse(self)
    kwargs = {}
    if hasattr(self, '__getnewargs_ex__'):
        args, kwargs = self.__getnewargs_ex__()
    elif hasattr(self, '__getnewargs__'):
        args = self.__getnewargs__()
    elif isinstance(self, tuple):
        args = (tuple(self),)
    elif isinstance(self, frozenset):
        args = (list(self),)
    else:
        args = ()
    listitems = iter(self) if isinstance(self, list) else None
    dictitems = iter(self.items()) if isinstance(self, dict) else None
    state = self.__getstate__()
    make = (__newobj_ex__, (cls, args, kwargs)) if kwargs else (__newobj__, (cls, *args))
    return *make, state, listitems, dictitems


def _getstate(self):
    # `object.__getstate__`: the attributes, and the values of slots beside them.
    slots = {name: getattr(self, name) for name in _slotnames(type(self)) if hasattr(self, name)}
    state = getattr(self, '__dict__', None) or None
    return (state, slots) if slots else state


def _slotnames(cls):
    names = []
    for base in cls.__mro__:
        slots = base.__dict__.get('__slots__', ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ('__dict__', '__weakref__'):
                names.append(f'_{base.__name__.lstrip("_")}{name}' if name.startswith('__') and not name.endswith('__') else name)
    return names


def add_extension(module, name, code):
    raise NotImplementedError('copyreg.add_extension is not in this Python')


remove_extension = add_extension


def clear_extension_cache():
    _extension_cache.clear()
