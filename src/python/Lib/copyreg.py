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
    # `object.__reduce_ex__`; a class with a `__reduce__` of its own decides.
    cls = type(self)
    if cls.__reduce__ is not object.__reduce__:
        return self.__reduce__()
    made = _reduce_built_in(self, cls, protocol)
    if made is not None:
        return made
    return _reduce_newobj(self, cls) if protocol >= 2 else _reduce_old(self, cls, protocol)


def _reduce(self):
    # `object.__reduce__`
    cls = type(self)
    return _reduce_built_in(self, cls, 0) or _reduce_old(self, cls, 0)


_BUILT_IN = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, BaseException)
# Types whose instances only the machine makes.
_REFUSED = {'module', 'generator', 'function', 'property', 'staticmethod', 'classmethod', 'super', 'dict_keys', 'dict_values', 'dict_items',
            'frame', 'traceback', 'cell', 'mappingproxy', 'getset_descriptor', 'member_descriptor', 'list_iterator', 'tuple_iterator', 'zip',
            'map', 'filter', 'enumerate', 'reversed', 'set_iterator', 'str_iterator', 'range_iterator', 'dict_keyiterator'}


def _refuse(self, name=None):
    raise TypeError(f'cannot pickle {name or type(self).__name__!r} object')


def _reduce_built_in(self, cls, protocol):
    # What the types of the machine answer that have a `__reduce__` of their own.
    if isinstance(self, (set, frozenset)):
        return cls, (list(self),), self.__getstate__()
    if isinstance(self, bytearray):
        if protocol >= 3:
            return cls, (bytes(self),) if self else (), self.__getstate__()
        return cls, (self.decode('latin-1'), 'latin-1') if self else (), self.__getstate__()
    if cls is range or cls is slice:
        return cls, (self.start, self.stop, self.step)
    name = cls.__name__
    if cls.__module__ != 'builtins':
        return None
    if name == 'method':
        return getattr, (self.__self__, self.__func__.__name__)
    if name == 'builtin_function_or_method':
        owner = getattr(self, '__self__', None)
        return self.__qualname__ if owner is None or type(owner).__name__ == 'module' else (getattr, (owner, self.__name__))
    if name == 'method_descriptor':
        return getattr, (self.__objclass__, self.__name__)
    if name == 'code':
        raise TypeError('cannot pickle code objects')
    if name in _REFUSED:
        _refuse(self)
    return None


def _reduce_old(self, cls, protocol):
    base = next((base for base in cls.__mro__ if base in _BUILT_IN), object)
    if base is cls and cls is not object:
        _refuse(self)
    args = cls, base, None if base is object else base(self)
    if _slotnames(cls) and cls.__getstate__ is object.__getstate__:
        raise TypeError('a class that defines __slots__ without defining __getstate__ cannot be pickled')
    state = self.__getstate__()
    return (_reconstructor, args) if state is None else (_reconstructor, args, state)


def _reduce_newobj(self, cls):
    kwargs = {}
    if hasattr(self, '__getnewargs_ex__'):
        given = self.__getnewargs_ex__()
        if not isinstance(given, tuple):
            raise TypeError(f"__getnewargs_ex__ should return a tuple, not '{type(given).__name__}'")
        if len(given) != 2:
            raise ValueError(f'__getnewargs_ex__ should return a tuple of length 2, not {len(given)}')
        args, kwargs = given
    elif hasattr(self, '__getnewargs__'):
        args = self.__getnewargs__()
        if not isinstance(args, tuple):
            raise TypeError(f"__getnewargs__ should return a tuple, not '{type(args).__name__}'")
    else:
        args = ()
        for base, take in _NEW_ARGS:
            if isinstance(self, base):
                args = take(self)
                break
    listitems = iter(self) if isinstance(self, list) else None
    dictitems = iter(self.items()) if isinstance(self, dict) else None
    state = self.__getstate__()
    make = (__newobj_ex__, (cls, args, kwargs)) if kwargs else (__newobj__, (cls, *args))
    return *make, state, listitems, dictitems


# The arguments with which `__new__` of these types makes an equal value.
_NEW_ARGS = ((tuple, lambda self: (tuple(self),)), (int, lambda self: (int(self),)), (float, lambda self: (float(self),)),
             (complex, lambda self: (self.real, self.imag)), (str, lambda self: (str.__str__(self),)), (bytes, lambda self: (bytes(self),)))


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
