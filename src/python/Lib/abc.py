"""Abstract base classes."""


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractclassmethod(classmethod):
    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractstaticmethod(staticmethod):
    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractproperty(property):
    __isabstractmethod__ = True


def _abstract_names(cls):
    names = [name for name, value in cls.__dict__.items() if getattr(value, '__isabstractmethod__', False)]
    for base in cls.__bases__:
        for name in getattr(base, '__abstractmethods__', ()):
            if name not in names and getattr(getattr(cls, name, None), '__isabstractmethod__', False):
                names.append(name)
    return frozenset(names)


_token = 0


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        cls.__abstractmethods__ = _abstract_names(cls)
        cls._abc_registry = []
        cls._abc_cache = {}
        return cls

    def register(cls, subclass):
        global _token
        if not isinstance(subclass, type):
            raise TypeError('Can only register classes')
        if issubclass(subclass, cls):
            return subclass
        if issubclass(cls, subclass):
            raise RuntimeError('Refusing to create an inheritance cycle')
        cls._abc_registry.append(subclass)
        _token += 1
        return subclass

    def __instancecheck__(cls, instance):
        subclass = instance.__class__
        kind = type(instance)
        return cls.__subclasscheck__(subclass) or kind is not subclass and cls.__subclasscheck__(kind)

    def __subclasscheck__(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError('issubclass() arg 1 must be a class')
        known = cls._abc_cache.get(subclass)
        if known is not None and known[1] == _token:
            return known[0]
        answer = cls.__subclasshook__(subclass)
        if answer is NotImplemented:
            answer = (cls in subclass.__mro__ or any(issubclass(subclass, it) for it in cls._abc_registry)
                      or any(issubclass(subclass, it) for it in type.__subclasses__(cls)))
        cls._abc_cache[subclass] = answer, _token
        return answer


def update_abstractmethods(cls):
    if hasattr(cls, '__abstractmethods__'):
        cls.__abstractmethods__ = _abstract_names(cls)
    return cls


def get_cache_token():
    return _token


class ABC(metaclass=ABCMeta):
    __slots__ = ()
