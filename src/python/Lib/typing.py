"""Words for annotations. Nothing here checks a value, except `isinstance` with a protocol."""

import collections
import collections.abc
import contextlib
import functools
import operator
import sys
import types
from abc import ABCMeta, abstractmethod
from types import GenericAlias


def _type_repr(obj):
    if isinstance(obj, type) and not isinstance(obj, GenericAlias):
        return obj.__qualname__ if obj.__module__ == 'builtins' else f'{obj.__module__}.{obj.__qualname__}'
    if obj is ...:
        return '...'
    if isinstance(obj, types.FunctionType):
        return obj.__name__
    if isinstance(obj, tuple):
        return '[' + ', '.join(map(_type_repr, obj)) + ']'
    if isinstance(obj, list):
        return '[' + ', '.join(map(_type_repr, obj)) + ']'
    return repr(obj)


def _converted(arg):
    if arg is None:
        return type(None)
    if isinstance(arg, str):
        return ForwardRef(arg)
    return arg


def _checked(arg, message):
    arg = _converted(arg)
    if type(arg) is tuple:
        raise TypeError(f'{message} Got {arg!r:.100}.')
    return arg


def _parameters_of(args):
    found = []
    for arg in args:
        if isinstance(arg, (TypeVar, ParamSpec)):
            inner = (arg,)
        elif isinstance(arg, (list, tuple)):
            inner = _parameters_of(arg)
        elif isinstance(arg, type) and not isinstance(arg, GenericAlias):
            inner = ()
        else:
            inner = getattr(arg, '__parameters__', ())
        found += [it for it in inner if it not in found]
    return tuple(found)


class _Base:
    # Everything here may stand in a union and cannot be an instance.
    def __or__(self, right):
        return Union[self, right]

    def __ror__(self, left):
        return Union[left, self]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class _SpecialForm(_Base):
    def __init__(self, name, getitem=None):
        self._name = name
        self._getitem = getitem

    def __repr__(self):
        return f'typing.{self._name}'

    def __call__(self, *args, **kwds):
        raise TypeError(f'Cannot instantiate {self!r}')

    def __instancecheck__(self, obj):
        raise TypeError(f'{self!r} cannot be used with isinstance()')

    def __subclasscheck__(self, cls):
        raise TypeError(f'{self!r} cannot be used with issubclass()')

    def __mro_entries__(self, bases):
        raise TypeError(f'Cannot subclass {self!r}')

    def __getitem__(self, parameters):
        if self._getitem is None:
            raise TypeError(f'{self} is not subscriptable')
        return self._getitem(self, parameters)


def _one(form, item):
    return _Alias(form, (_checked(item, f'{form} accepts only single type.'),), str(form))


def _literal(form, parameters):
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    flat = []
    for p in parameters:
        for value in p.__args__ if isinstance(p, _LiteralAlias) else (p,):
            if not any(type(value) is type(it) and value == it for it in flat):
                flat.append(value)
    return _LiteralAlias(form, tuple(flat), str(form))


def _union(form, parameters):
    if parameters == ():
        raise TypeError('Cannot take a Union of no types.')
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    flat = []
    for p in parameters:
        p = _checked(p, 'Union[arg, ...]: each arg must be a type.')
        for arg in p.__args__ if isinstance(p, (_UnionAlias, types.UnionType)) else (p,):
            if arg not in flat:
                flat.append(arg)
    return flat[0] if len(flat) == 1 else _UnionAlias(form, tuple(flat), str(form))


def _optional(form, parameter):
    return Union[_checked(parameter, f'{form} requires a single type.'), type(None)]


def _concatenate(form, parameters):
    return _Alias(form, parameters if isinstance(parameters, tuple) else (parameters,), str(form))


class _AnyMeta(type):
    def __instancecheck__(self, obj):
        if self is Any:
            raise TypeError('typing.Any cannot be used with isinstance()')
        return super().__instancecheck__(obj)

    def __repr__(self):
        return 'typing.Any' if self is Any else super().__repr__()


class Any(metaclass=_AnyMeta):
    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError('Any cannot be instantiated')
        return super().__new__(cls)


class ForwardRef(_Base):
    def __init__(self, arg, is_argument=True, module=None, *, is_class=False):
        if not isinstance(arg, str):
            raise TypeError(f'Forward reference must be a string -- got {arg!r}')
        try:
            compile(arg, '<string>', 'eval')
        except SyntaxError:
            raise SyntaxError(f'Forward reference must be an expression -- got {arg!r}')
        self.__forward_arg__ = arg
        self.__forward_module__ = module

    def _evaluate(self, globalns, localns):
        if globalns is None and localns is None:
            globalns = localns = {}
        return _evaluated(_converted(eval(self.__forward_arg__, globalns if globalns is not None else localns,
                                          localns if localns is not None else globalns)), globalns, localns)

    def __eq__(self, other):
        return isinstance(other, ForwardRef) and self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __repr__(self):
        return f'ForwardRef({self.__forward_arg__!r})'


class TypeVar(_Base):
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        if covariant and contravariant:
            raise ValueError('Bivariant types are not supported.')
        if constraints and bound is not None:
            raise TypeError('Constraints cannot be combined with bound=...')
        if len(constraints) == 1:
            raise TypeError('A single constraint is not allowed')
        self.__name__ = name
        self.__constraints__ = tuple(_converted(it) for it in constraints)
        self.__bound__ = _converted(bound) if bound is not None else None
        self.__covariant__ = bool(covariant)
        self.__contravariant__ = bool(contravariant)
        self.__module__ = sys._getframe(1).f_globals.get('__name__', '__main__')

    def __repr__(self):
        return ('+' if self.__covariant__ else '-' if self.__contravariant__ else '~') + self.__name__

    def __typing_subst__(self, arg):
        return _checked(arg, 'Parameters to generic types must be types.')

    def __mro_entries__(self, bases):
        raise TypeError('Cannot subclass an instance of TypeVar')


class ParamSpec(TypeVar):
    @property
    def args(self):
        return _SpecialForm(f'{self.__name__}.args')

    @property
    def kwargs(self):
        return _SpecialForm(f'{self.__name__}.kwargs')


class TypeVarTuple(TypeVar):
    def __init__(self, name):
        raise NotImplementedError('typing.TypeVarTuple is not in this Python')


class _Alias(_Base):
    def __init__(self, origin, args, name=None):
        self.__origin__ = origin
        self.__args__ = args
        self._name = name
        self.__parameters__ = _parameters_of(args)
        self.__module__ = getattr(origin, '__module__', 'typing') if name is None else 'typing'

    def __getattr__(self, attr):
        if attr.startswith('__') and attr.endswith('__') or attr == '_name':
            raise AttributeError(attr)
        return getattr(self.__origin__, attr)

    def __eq__(self, other):
        if not isinstance(other, _Alias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __repr__(self):
        name = self._name or _type_repr(self.__origin__)
        args = ', '.join(map(_type_repr, self.__args__)) if self.__args__ else '()'
        return f'{name}[{args}]'

    def __call__(self, *args, **kwargs):
        if self._name and isinstance(self.__origin__, _SpecialForm):
            raise TypeError(f'Cannot instantiate {self.__origin__!r}')
        result = self.__origin__(*args, **kwargs)
        try:
            result.__orig_class__ = self
        except (AttributeError, TypeError):
            pass
        return result

    def __mro_entries__(self, bases):
        if isinstance(self.__origin__, _SpecialForm):
            raise TypeError(f'Cannot subclass {self!r}')
        if self._name:
            later = bases[bases.index(self) + 1:]
            generic = any(isinstance(b, (_Alias, _Special)) or issubclass(b, Generic) for b in later)
            return (self.__origin__,) if generic else (self.__origin__, Generic)
        if self.__origin__ is Generic:
            i = bases.index(self)
            if any(isinstance(b, _Alias) and b is not self for b in bases[i + 1:]) or Protocol in bases:
                return ()
        return (self.__origin__,)

    def __getitem__(self, items):
        parameters = self.__parameters__
        if not parameters:
            raise TypeError(f'{self} is not a generic class')
        if not isinstance(items, tuple):
            items = (items,)
        if len(parameters) == 1 and isinstance(parameters[0], ParamSpec) and (len(items) != 1 or not isinstance(items[0], list)):
            items = (list(items),)
        if len(items) != len(parameters):
            raise TypeError(f'Too {"many" if len(items) > len(parameters) else "few"} arguments for {self}; actual '
                            f'{len(items)}, expected {len(parameters)}')
        known = dict(zip(parameters, (it if isinstance(it, list) else _converted(it) for it in items)))
        return self._with(_substituted(self.__args__, known))

    def _with(self, args):
        return type(self)(self.__origin__, args, self._name)

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        raise TypeError('Subscripted generics cannot be used with class and instance checks')


def _substituted(args, known):
    result = []
    for arg in args:
        if isinstance(arg, TypeVar):
            value = known.get(arg, arg)
            result += value if isinstance(value, list) else [value]
        elif isinstance(arg, (_Alias, GenericAlias, types.UnionType)) and getattr(arg, '__parameters__', ()):
            result.append(arg[tuple(known.get(p, p) for p in arg.__parameters__)])
        else:
            result.append(arg)
    return tuple(result)


class _UnionAlias(_Alias):
    def __eq__(self, other):
        if not isinstance(other, (_UnionAlias, types.UnionType)):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        args = self.__args__
        if len(args) == 2 and type(None) in args:
            return f'typing.Optional[{_type_repr(args[0] if args[1] is type(None) else args[1])}]'
        return super().__repr__()

    def _with(self, args):
        return Union[args]

    def __instancecheck__(self, obj):
        return any(isinstance(obj, arg) for arg in self.__args__)

    def __subclasscheck__(self, cls):
        return any(issubclass(cls, arg) for arg in self.__args__)


class _LiteralAlias(_Alias):
    def __eq__(self, other):
        if not isinstance(other, _LiteralAlias):
            return NotImplemented
        return {(type(a), a) for a in self.__args__} == {(type(a), a) for a in other.__args__}

    def __hash__(self):
        return hash(frozenset((type(a), a) for a in self.__args__))

    def __repr__(self):
        return f'typing.Literal[{", ".join(map(repr, self.__args__))}]'


class _CallableAlias(_Alias):
    def __repr__(self):
        args = self.__args__
        if len(args) == 2 and (args[0] is ... or isinstance(args[0], ParamSpec) or str(args[0]).startswith('typing.Concatenate')):
            return super().__repr__()
        return f'{self._name or _type_repr(self.__origin__)}[[{", ".join(map(_type_repr, args[:-1]))}], {_type_repr(args[-1])}]'


class _AnnotatedAlias(_Alias):
    def __init__(self, origin, metadata):
        if isinstance(origin, _AnnotatedAlias):
            metadata = origin.__metadata__ + metadata
            origin = origin.__origin__
        super().__init__(origin, (origin,), 'typing.Annotated')
        self.__metadata__ = metadata

    def _with(self, args):
        return _AnnotatedAlias(args[0], self.__metadata__)

    def __repr__(self):
        return f'typing.Annotated[{_type_repr(self.__origin__)}, {", ".join(repr(a) for a in self.__metadata__)}]'

    def __eq__(self, other):
        return (isinstance(other, _AnnotatedAlias) and self.__origin__ == other.__origin__
                and self.__metadata__ == other.__metadata__)

    def __hash__(self):
        return hash((self.__origin__, self.__metadata__))


class Annotated:
    def __new__(cls, *args, **kwargs):
        raise TypeError('Type Annotated cannot be instantiated.')

    def __class_getitem__(cls, params):
        if not isinstance(params, tuple) or len(params) < 2:
            raise TypeError('Annotated[...] should be used with at least two arguments (a type and an annotation).')
        return _AnnotatedAlias(_checked(params[0], 'Annotated[t, ...]: t must be a type.'), params[1:])


class _Special(_Base):
    # `List` and its like: an older name for a class that takes arguments itself.
    def __init__(self, origin, count, name=None):
        self.__origin__ = origin
        self._count = count
        self._name = name or origin.__name__
        self.__doc__ = f'A generic version of {origin.__module__}.{origin.__qualname__}.'

    def __repr__(self):
        return f'typing.{self._name}'

    def __call__(self, *args, **kwargs):
        if self._name not in ('Deque', 'DefaultDict', 'OrderedDict', 'Counter', 'ChainMap'):
            raise TypeError(f'Type {self._name} cannot be instantiated; use {self.__origin__.__name__}() instead')
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, attr):
        if attr.startswith('__') and attr.endswith('__') or attr == '_name':
            raise AttributeError(attr)
        return getattr(self.__origin__, attr)

    def __mro_entries__(self, bases):
        return _Alias(self.__origin__, (), self._name).__mro_entries__((_Alias(self.__origin__, (), self._name), *bases[bases.index(self) + 1:]))

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(getattr(cls, '__origin__', cls), self.__origin__)

    def __getitem__(self, params):
        name = f'typing.{self._name}'
        if self._name == 'Tuple':
            params = params if isinstance(params, tuple) else (params,)
            params = tuple(p if p is ... else _checked(p, 'Tuple[t0, t1, ...]: each t must be a type.') for p in params)
            return _Alias(tuple, params, name)
        if self._name == 'Callable':
            if not isinstance(params, tuple) or len(params) != 2:
                raise TypeError('Callable must be used as Callable[[arg, ...], result].')
            args, result = params
            result = _checked(result, 'Callable[args, result]: result must be a type.')
            if isinstance(args, (list, tuple)):
                args = tuple(_checked(arg, 'Callable[[arg, ...], result]: each arg must be a type.') for arg in args)
            elif args is ... or isinstance(args, (ParamSpec, _Alias)):
                args = (args,)
            else:
                raise TypeError(f'Expected a list of types, an ellipsis, ParamSpec, or Concatenate. Got {args}')
            return _CallableAlias(self.__origin__, (*args, result), name)
        params = params if isinstance(params, tuple) else (params,)
        params = tuple(_checked(p, 'Parameters to generic types must be types.') for p in params)
        if len(params) != self._count:
            raise TypeError(f'Too {"many" if len(params) > self._count else "few"} arguments for {self}; actual '
                            f'{len(params)}, expected {self._count}')
        return _Alias(self.__origin__, params, name)


class Generic:
    __slots__ = ()

    def __class_getitem__(cls, params):
        params = params if isinstance(params, tuple) else (params,)
        params = tuple(tuple(p) if isinstance(p, list) else _converted(p) for p in params)
        if cls in (Generic, Protocol):
            if not params:
                raise TypeError(f'Parameter list to {cls.__qualname__}[...] cannot be empty')
            if not all(isinstance(p, (TypeVar, ParamSpec)) for p in params):
                raise TypeError(f'Parameters to {cls.__name__}[...] must all be type variables or parameter '
                                'specification variables.')
            if len(set(params)) != len(params):
                raise TypeError(f'Parameters to {cls.__name__}[...] must all be unique')
        else:
            expected = len(cls.__parameters__)
            if not expected:
                raise TypeError(f'{cls} is not a generic class')
            if len(params) != expected:
                raise TypeError(f'Too {"many" if len(params) > expected else "few"} arguments for {cls}; actual '
                                f'{len(params)}, expected {expected}')
        return _Alias(cls, params)

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        bases = cls.__dict__.get('__orig_bases__', ())
        if '__orig_bases__' in cls.__dict__:
            error = Generic in bases
        else:
            error = Generic in cls.__bases__ and cls.__name__ != 'Protocol'
        if error:
            raise TypeError('Cannot inherit from plain Generic')
        parameters = _parameters_of(bases)
        for base in bases:
            if isinstance(base, _Alias) and base.__origin__ in (Generic, Protocol) and base.__parameters__:
                missing = [p for p in parameters if p not in base.__parameters__]
                if missing:
                    raise TypeError(f'Some type variables ({", ".join(map(str, missing))}) are not listed in '
                                    f'{base.__origin__.__name__}[{", ".join(map(str, base.__parameters__))}]')
                parameters = base.__parameters__
        cls.__parameters__ = tuple(parameters)


_PROTOCOL_ATTRIBUTES = {'__abstractmethods__', '__annotations__', '__dict__', '__doc__', '__init__', '__module__', '__new__',
                        '__slots__', '__subclasshook__', '__weakref__', '__class_getitem__', '__parameters__',
                        '__orig_bases__', '_is_protocol', '_is_runtime_protocol', '_abc_registry', '_abc_cache', '_abc_impl',
                        '__init_subclass__', '__qualname__', '__firstlineno__', '__match_args__', '__hash__'}


def _protocol_attributes(cls):
    names = []
    for base in cls.__mro__[:-1]:
        if base.__name__ not in ('Protocol', 'Generic'):
            names += [n for n in [*base.__dict__, *base.__dict__.get('__annotations__', {})] if n not in _PROTOCOL_ATTRIBUTES]
    return names


def _no_init(self, *args, **kwargs):
    if type(self)._is_protocol:
        raise TypeError('Protocols cannot be instantiated')


class _ProtocolMeta(ABCMeta):
    def __instancecheck__(cls, instance):
        if cls.__dict__.get('_is_protocol') and not cls.__dict__.get('_is_runtime_protocol') and cls is not Protocol:
            raise TypeError('Instance and class checks can only be used with @runtime_checkable protocols')
        if cls.__dict__.get('_is_protocol') and all(
                hasattr(instance, name) and (getattr(instance, name) is not None or not callable(getattr(cls, name, None)))
                for name in _protocol_attributes(cls)):
            return True
        return super().__instancecheck__(instance)


class Protocol(Generic, metaclass=_ProtocolMeta):
    __slots__ = ()
    _is_protocol = True
    _is_runtime_protocol = False

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        cls._is_protocol = any(base is Protocol for base in cls.__bases__)
        if not cls._is_protocol:
            return

        def hook(cls, other):
            if not cls.__dict__.get('_is_protocol'):
                return NotImplemented
            if not cls.__dict__.get('_is_runtime_protocol'):
                raise TypeError('Instance and class checks can only be used with @runtime_checkable protocols')
            for name in _protocol_attributes(cls):
                if not any(name in base.__dict__ or name in base.__dict__.get('__annotations__', {}) for base in other.__mro__):
                    return NotImplemented
            return True

        if '__subclasshook__' not in cls.__dict__:
            cls.__subclasshook__ = classmethod(hook)
        if '__init__' not in cls.__dict__:
            cls.__init__ = _no_init


def runtime_checkable(cls):
    if not issubclass(cls, Generic) or not cls._is_protocol:
        raise TypeError(f'@runtime_checkable can be only applied to protocol classes, got {cls!r}')
    cls._is_runtime_protocol = True
    return cls


Union = _SpecialForm('Union', _union)
Optional = _SpecialForm('Optional', _optional)
Literal = _SpecialForm('Literal', _literal)
ClassVar, Final = _SpecialForm('ClassVar', _one), _SpecialForm('Final', _one)
TypeGuard, Unpack = _SpecialForm('TypeGuard', _one), _SpecialForm('Unpack', _one)
Required, NotRequired = _SpecialForm('Required', _one), _SpecialForm('NotRequired', _one)
Concatenate = _SpecialForm('Concatenate', _concatenate)
NoReturn, Never, Self = _SpecialForm('NoReturn'), _SpecialForm('Never'), _SpecialForm('Self')
LiteralString, TypeAlias = _SpecialForm('LiteralString'), _SpecialForm('TypeAlias')

T, KT, VT = TypeVar('T'), TypeVar('KT'), TypeVar('VT')
AnyStr = TypeVar('AnyStr', bytes, str)
Text = str
TYPE_CHECKING = False

for _origin, _count, _name in (
        (list, 1, 'List'), (dict, 2, 'Dict'), (set, 1, 'Set'), (frozenset, 1, 'FrozenSet'), (tuple, -1, 'Tuple'),
        (type, 1, 'Type'), (collections.deque, 1, 'Deque'), (collections.defaultdict, 2, 'DefaultDict'),
        (collections.OrderedDict, 2, 'OrderedDict'), (collections.Counter, 1, 'Counter'),
        (collections.ChainMap, 2, 'ChainMap'), (contextlib.AbstractContextManager, 1, 'ContextManager'),
        (collections.abc.Callable, 2, 'Callable'), (collections.abc.Set, 1, 'AbstractSet'),
        (collections.abc.Generator, 3, None), (collections.abc.AsyncGenerator, 2, None), (collections.abc.Coroutine, 3, None),
        *((getattr(collections.abc, name), 1, None) for name in (
            'Awaitable', 'AsyncIterable', 'AsyncIterator', 'Iterable', 'Iterator', 'Reversible', 'Container', 'Collection',
            'MutableSet', 'Sequence', 'MutableSequence', 'KeysView', 'ValuesView')),
        *((getattr(collections.abc, name), 2, None) for name in ('Mapping', 'MutableMapping', 'ItemsView')),
        (collections.abc.MappingView, 1, None)):
    globals()[_name or _origin.__name__] = _Special(_origin, _count, _name)
Hashable, Sized, ByteString = (_Special(getattr(collections.abc, name), 0) for name in ('Hashable', 'Sized', 'ByteString'))


class IO(Generic[AnyStr]):
    pass


class TextIO(IO[str]):
    pass


class BinaryIO(IO[bytes]):
    pass


def __getattr__(name):
    if name in ('Pattern', 'Match'):
        import re
        return _Special(getattr(re, name), 1)
    raise AttributeError(f"module 'typing' has no attribute {name!r}")


def _supports(name, method):
    namespace = {'__module__': 'typing', method: abstractmethod(lambda self: None)}
    return runtime_checkable(_ProtocolMeta(name, (Protocol,), namespace))


SupportsInt = _supports('SupportsInt', '__int__')
SupportsFloat = _supports('SupportsFloat', '__float__')
SupportsComplex = _supports('SupportsComplex', '__complex__')
SupportsBytes = _supports('SupportsBytes', '__bytes__')
SupportsIndex = _supports('SupportsIndex', '__index__')
SupportsAbs = _supports('SupportsAbs', '__abs__')
SupportsRound = _supports('SupportsRound', '__round__')


class NewType(_Base):
    def __init__(self, name, tp):
        self.__qualname__ = name
        self.__name__ = name.rpartition('.')[2]
        self.__supertype__ = tp
        self.__module__ = sys._getframe(1).f_globals.get('__name__', '__main__')

    def __repr__(self):
        return f'{self.__module__}.{self.__qualname__}'

    def __call__(self, x, /):
        return x


class _NamedTupleMeta(type):
    def __new__(cls, typename, bases, ns):
        if bases == (object,) or not bases:
            return super().__new__(cls, typename, bases, ns)
        hints = {name: _converted(tp) for name, tp in ns.get('__annotations__', {}).items()}
        defaults = []
        for name in hints:
            if name in ns:
                defaults.append(name)
            elif defaults:
                raise TypeError(f'Non-default namedtuple field {name} cannot follow default field'
                                f'{"s" if len(defaults) > 1 else ""} {", ".join(defaults)}')
        result = collections.namedtuple(typename, hints, defaults=[ns[name] for name in defaults], module=ns['__module__'])
        result.__annotations__ = result.__new__.__annotations__ = hints
        result.__orig_bases__ = (NamedTuple,)
        for key, value in ns.items():
            if key in ('__new__', '__init__', '__slots__', '__getnewargs__', '_fields', '_field_defaults', '_make',
                       '_replace', '_asdict', '_source'):
                raise AttributeError(f'Cannot overwrite NamedTuple attribute {key}')
            if key not in ('__module__', '__name__', '__annotations__', '__classcell__') and key not in result._fields:
                setattr(result, key, value)
        return result


class _NamedTuple(metaclass=_NamedTupleMeta):
    pass


def NamedTuple(typename, fields=None, /, **kwargs):
    fields = list(kwargs.items() if fields is None else fields)
    result = collections.namedtuple(typename, [name for name, tp in fields],
                                    module=sys._getframe(1).f_globals.get('__name__', '__main__'))
    result.__annotations__ = result.__new__.__annotations__ = {name: _converted(tp) for name, tp in fields}
    return result


NamedTuple.__mro_entries__ = lambda bases: (_NamedTuple,)


class _TypedDictMeta(type):
    def __new__(cls, name, bases, ns, total=True):
        result = type.__new__(_TypedDictMeta, name, (dict,), dict(ns))
        own = {n: _converted(tp) for n, tp in ns.get('__annotations__', {}).items()}
        annotations, required, optional = {}, set(), set()
        for base in bases:
            annotations.update(base.__dict__.get('__annotations__', {}))
            required |= base.__dict__.get('__required_keys__', set())
            optional |= base.__dict__.get('__optional_keys__', set())
        annotations.update(own)
        for key, tp in own.items():
            origin = getattr(tp, '__origin__', None)
            needed = origin is Required or total and origin is not NotRequired
            (required if needed else optional).add(key)
        result.__annotations__ = annotations
        result.__required_keys__, result.__optional_keys__ = frozenset(required), frozenset(optional)
        result.__total__ = total
        return result

    def __call__(cls, *args, **kwargs):
        return dict(*args, **kwargs)

    def __subclasscheck__(cls, other):
        raise TypeError('TypedDict does not support instance and class checks')

    __instancecheck__ = __subclasscheck__


def TypedDict(typename, fields=None, /, *, total=True, **kwargs):
    ns = {'__annotations__': dict(kwargs if fields is None else fields),
          '__module__': sys._getframe(1).f_globals.get('__name__', '__main__')}
    return _TypedDictMeta(typename, (), ns, total=total)


_TypedDict = type.__new__(_TypedDictMeta, 'TypedDict', (), {})
TypedDict.__mro_entries__ = lambda bases: (_TypedDict,)


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)


def cast(typ, val):
    return val


def assert_type(val, typ, /):
    return val


def reveal_type(obj, /):
    print(f'Runtime type is {type(obj).__name__!r}', file=sys.stderr)
    return obj


def assert_never(arg, /):
    raise AssertionError(f'Expected code to be unreachable, but got: {arg!r}')


def final(f):
    try:
        f.__final__ = True
    except (AttributeError, TypeError):
        pass
    return f


def no_type_check(arg):
    try:
        arg.__no_type_check__ = True
    except (AttributeError, TypeError):
        pass
    return arg


def dataclass_transform(**kwargs):
    return lambda cls: cls


_overloads = {}


def _overload_dummy(*args, **kwds):
    raise NotImplementedError('You should not call an overloaded function. A series of @overload-decorated functions outside '
                              'a stub module should always be followed by an implementation that is not @overload-ed.')


def overload(func):
    func = getattr(func, '__func__', func)
    _overloads.setdefault((func.__module__, func.__qualname__), []).append(func)
    return _overload_dummy


def get_overloads(func):
    func = getattr(func, '__func__', func)
    return list(_overloads.get((func.__module__, func.__qualname__), ()))


def clear_overloads():
    _overloads.clear()


def _evaluated(tp, globalns, localns):
    if isinstance(tp, ForwardRef):
        return tp._evaluate(globalns, localns)
    if isinstance(tp, (_Alias, GenericAlias, types.UnionType)) and not isinstance(tp, _LiteralAlias):
        args = tuple(_evaluated(ForwardRef(a) if isinstance(a, str) and isinstance(tp, GenericAlias) else a, globalns, localns)
                     for a in tp.__args__)
        if args == tuple(tp.__args__):
            return tp
        if isinstance(tp, GenericAlias):
            return GenericAlias(tp.__origin__, args)
        if isinstance(tp, types.UnionType):
            return functools.reduce(operator.or_, args)
        return tp._with(args)
    return tp


def _strip(tp):
    if isinstance(tp, _AnnotatedAlias):
        return _strip(tp.__origin__)
    if isinstance(tp, _Alias):
        if tp.__origin__ in (Required, NotRequired):
            return _strip(tp.__args__[0])
        if not isinstance(tp, _LiteralAlias):
            args = tuple(map(_strip, tp.__args__))
            return tp if args == tp.__args__ else tp._with(args)
    if isinstance(tp, GenericAlias):
        args = tuple(map(_strip, tp.__args__))
        return tp if args == tp.__args__ else GenericAlias(tp.__origin__, args)
    return tp


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    if getattr(obj, '__no_type_check__', None):
        return {}
    hints = {}
    if isinstance(obj, type):
        sources = [(base.__dict__.get('__annotations__', {}), getattr(sys.modules.get(base.__module__), '__dict__', {}),
                    dict(vars(base))) for base in reversed(obj.__mro__)]
    else:
        own = obj
        while hasattr(own, '__wrapped__'):
            own = own.__wrapped__
        found = getattr(obj, '__annotations__', None)
        if found is None:
            if isinstance(obj, (types.BuiltinFunctionType, types.MethodDescriptorType, types.ModuleType)):
                return {}
            raise TypeError(f'{obj!r} is not a module, class, method, or function.')
        names = obj.__dict__ if isinstance(obj, types.ModuleType) else getattr(own, '__globals__', {})
        sources = [(found, names, names)]
    for annotations, module_names, local_names in sources:
        for name, value in annotations.items():
            value = _converted(value)
            hints[name] = _evaluated(value, globalns if globalns is not None else module_names,
                                     localns if localns is not None else globalns if globalns is not None else local_names)
    return hints if include_extras else {name: _strip(tp) for name, tp in hints.items()}


def get_origin(tp):
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if isinstance(tp, (_Alias, _Special, GenericAlias)):
        return tp.__origin__
    if tp is Generic:
        return Generic
    return types.UnionType if isinstance(tp, types.UnionType) else None


def get_args(tp):
    if isinstance(tp, _AnnotatedAlias):
        return (tp.__origin__, *tp.__metadata__)
    if isinstance(tp, (_Alias, GenericAlias)):
        args = tp.__args__
        if tp.__origin__ is collections.abc.Callable and not (len(args) == 2 and (args[0] is ... or isinstance(args[0], ParamSpec))):
            return (list(args[:-1]), args[-1])
        return args
    return tp.__args__ if isinstance(tp, types.UnionType) else ()


__all__ = [name for name in globals() if not name.startswith('_') and name not in (
    'T', 'KT', 'VT', 'collections', 'contextlib', 'functools', 'operator', 'sys', 'types', 'GenericAlias', 'ABCMeta')] + ['Pattern', 'Match']
