"""Classes from annotated fields."""

import abc
import copy
import keyword
import sys
from reprlib import recursive_repr
from types import GenericAlias, MappingProxyType

__all__ = ['dataclass', 'field', 'Field', 'FrozenInstanceError', 'InitVar', 'KW_ONLY', 'MISSING', 'fields', 'asdict',
           'astuple', 'make_dataclass', 'replace', 'is_dataclass']


class FrozenInstanceError(AttributeError):
    pass


class _Marker:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


class _MISSING_TYPE:
    pass


class _KW_ONLY_TYPE:
    pass


MISSING = _MISSING_TYPE()
KW_ONLY = _KW_ONLY_TYPE()
_HAS_DEFAULT_FACTORY = _Marker('<factory>')
_FIELD = _Marker('_FIELD')
_FIELD_CLASSVAR = _Marker('_FIELD_CLASSVAR')
_FIELD_INITVAR = _Marker('_FIELD_INITVAR')
_FIELDS = '__dataclass_fields__'
_PARAMS = '__dataclass_params__'


class InitVar:
    def __init__(self, type):
        self.type = type

    def __repr__(self):
        name = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f'dataclasses.InitVar[{name}]'

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = MappingProxyType({} if metadata is None else metadata)
        self.kw_only = kw_only
        self._field_type = None

    @recursive_repr()
    def __repr__(self):
        names = ['name', 'type', 'default', 'default_factory', 'init', 'repr', 'hash', 'compare', 'metadata',
                 'kw_only', '_field_type']
        return f'Field({",".join(f"{name}={getattr(self, name)}" if name == "_field_type" else f"{name}={getattr(self, name)!r}" for name in names)})'

    def __set_name__(self, owner, name):
        set_name = getattr(type(self.default), '__set_name__', None)
        if set_name:
            set_name(self.default, owner, name)

    __class_getitem__ = classmethod(GenericAlias)


class _DataclassParams:
    def __init__(self, init, repr, eq, order, unsafe_hash, frozen):
        self.init, self.repr, self.eq = init, repr, eq
        self.order, self.unsafe_hash, self.frozen = order, unsafe_hash, frozen

    def __repr__(self):
        return (f'_DataclassParams(init={self.init!r},repr={self.repr!r},eq={self.eq!r},order={self.order!r},'
                f'unsafe_hash={self.unsafe_hash!r},frozen={self.frozen!r})')


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError('cannot specify both default and default_factory')
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _kind(annotation):
    typing = sys.modules.get('typing')
    origin = getattr(annotation, '__origin__', None)
    if typing is not None and (annotation is typing.ClassVar or origin is typing.ClassVar):
        return _FIELD_CLASSVAR
    if annotation is InitVar or type(annotation) is InitVar:
        return _FIELD_INITVAR
    if isinstance(annotation, str):
        name = annotation.split('[')[0].strip().split('.')[-1]
        return {'ClassVar': _FIELD_CLASSVAR, 'InitVar': _FIELD_INITVAR}.get(name, _FIELD)
    return _FIELD


def _is_kw_only(annotation):
    return annotation is KW_ONLY or isinstance(annotation, str) and annotation.split('.')[-1] == 'KW_ONLY'


def _get_field(cls, name, annotation, kw_only):
    default = getattr(cls, name, MISSING)
    if isinstance(default, Field):
        f = default
    else:
        if type(default).__name__ in ('member_descriptor',):
            default = MISSING
        f = field(default=default)
    f.name, f.type = name, annotation
    f._field_type = _kind(annotation)
    if f._field_type is not _FIELD and f.default_factory is not MISSING:
        raise TypeError(f'field {f.name} cannot have a default factory')
    if f._field_type is _FIELD_CLASSVAR:
        if f.kw_only is not MISSING:
            raise TypeError(f'field {f.name} is a ClassVar but specifies kw_only')
    elif f.kw_only is MISSING:
        f.kw_only = kw_only
    if f._field_type is _FIELD and f.default is not MISSING and f.default.__class__.__hash__ is None:
        raise ValueError(f'mutable default {type(f.default)} for field {f.name} is not allowed: use default_factory')
    return f


def _function(cls, name, parameters, body, namespace, returns=MISSING):
    # The text of the function runs inside another one, whose parameters hold what it needs.
    annotation = '' if returns is MISSING else '->_return_type'
    if returns is not MISSING:
        namespace['_return_type'] = returns
    lines = '\n'.join(f'  {line}' for line in body)
    text = f'def __create_fn__({", ".join(namespace)}):\n def {name}({",".join(parameters)}){annotation}:\n{lines}\n return {name}'
    scope = {}
    exec(text, sys.modules[cls.__module__].__dict__ if cls.__module__ in sys.modules else {}, scope)
    function = scope['__create_fn__'](**namespace)
    function.__qualname__ = f'{cls.__qualname__}.{name}'
    return function


def _init_function(cls, std_fields, kw_only_fields, frozen, has_post_init):
    seen_default = False
    for f in std_fields:
        if f.init:
            if f.default is not MISSING or f.default_factory is not MISSING:
                seen_default = True
            elif seen_default:
                raise TypeError(f'non-default argument {f.name!r} follows default argument')
    self_name = '__dataclass_self__' if any(f.name == 'self' for f in std_fields + kw_only_fields) else 'self'
    namespace = {f'_type_{f.name}': f.type for f in std_fields + kw_only_fields}
    namespace.update({'MISSING': MISSING, '_HAS_DEFAULT_FACTORY': _HAS_DEFAULT_FACTORY,
                      '__dataclass_builtins_object__': object})

    def parameter(f):
        if f.default is MISSING and f.default_factory is MISSING:
            default = ''
        elif f.default is not MISSING:
            namespace[f'_dflt_{f.name}'] = f.default
            default = f'=_dflt_{f.name}'
        else:
            default = '=_HAS_DEFAULT_FACTORY'
        return f'{f.name}:_type_{f.name}{default}'

    body = []
    for f in std_fields + kw_only_fields:
        if f.default_factory is not MISSING:
            namespace[f'_dflt_{f.name}'] = f.default_factory
            value = f'_dflt_{f.name}()'
            if f.init:
                value += f' if {f.name} is _HAS_DEFAULT_FACTORY else {f.name}'
        elif f.init:
            value = f.name
        else:
            continue
        if f._field_type is _FIELD_INITVAR:
            continue
        if frozen:
            body.append(f'__dataclass_builtins_object__.__setattr__({self_name},{f.name!r},{value})')
        else:
            body.append(f'{self_name}.{f.name}={value}')
    if has_post_init:
        names = ','.join(f.name for f in std_fields + kw_only_fields if f._field_type is _FIELD_INITVAR)
        body.append(f'{self_name}.__post_init__({names})')
    parameters = [self_name, *(parameter(f) for f in std_fields if f.init)]
    keyword_only = [parameter(f) for f in kw_only_fields if f.init]
    if keyword_only:
        parameters += ['*', *keyword_only]
    return _function(cls, '__init__', parameters, body or ['pass'], namespace, None)


def _set_new(cls, name, value):
    if name in cls.__dict__:
        return True
    value.__qualname__ = f'{cls.__qualname__}.{name}'
    setattr(cls, name, value)
    return False


def _tuple_text(owner, fields):
    return f'({"".join(f"{owner}.{f.name}," for f in fields)})'


def _add_order(cls, fields):
    for name, sign in (('__lt__', '<'), ('__le__', '<='), ('__gt__', '>'), ('__ge__', '>=')):
        body = ['if other.__class__ is self.__class__:',
                f' return {_tuple_text("self", fields)}{sign}{_tuple_text("other", fields)}', 'return NotImplemented']
        if _set_new(cls, name, _function(cls, name, ['self', 'other'], body, {})):
            raise TypeError(f'Cannot overwrite attribute {name} in class {cls.__name__}. Consider using '
                            'functools.total_ordering')


def _add_frozen(cls, fields):
    names = tuple(f.name for f in fields)

    def guarded(verb, parent):
        def method(self, name, *value):
            if type(self) is cls or name in names:
                raise FrozenInstanceError(f'cannot {verb} field {name!r}')
            getattr(super(cls, self), parent)(name, *value)
        method.__name__ = parent
        return method

    for verb, name in (('assign to', '__setattr__'), ('delete', '__delattr__')):
        if _set_new(cls, name, guarded(verb, name)):
            raise TypeError(f'Cannot overwrite attribute {name} in class {cls.__name__}')


def _add_hash(cls, fields, explicit, unsafe_hash, eq, frozen):
    if unsafe_hash:
        if explicit:
            raise TypeError(f'Cannot overwrite attribute __hash__ in class {cls.__name__}')
    elif not eq or explicit:
        return
    elif not frozen:
        cls.__hash__ = None
        return
    used = [f for f in fields if (f.compare if f.hash is None else f.hash)]
    cls.__hash__ = _function(cls, '__hash__', ['self'], [f'return hash({_tuple_text("self", used)})'], {})


def _process_class(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot):
    fields = {}
    any_frozen_base = has_dataclass_bases = False
    for base in cls.__mro__[-1:0:-1]:
        base_fields = getattr(base, _FIELDS, None)
        if base_fields is not None:
            has_dataclass_bases = True
            fields.update(base_fields)
            any_frozen_base = any_frozen_base or getattr(base, _PARAMS).frozen
    annotations = cls.__dict__.get('__annotations__', {})
    cls_fields = []
    seen_kw_only = False
    for name, annotation in annotations.items():
        if _is_kw_only(annotation):
            if seen_kw_only:
                raise TypeError(f'{name!r} is KW_ONLY, but KW_ONLY has already been specified')
            seen_kw_only = kw_only = True
        else:
            cls_fields.append(_get_field(cls, name, annotation, kw_only))
    for f in cls_fields:
        fields[f.name] = f
        if isinstance(getattr(cls, f.name, None), Field):
            if f.default is MISSING:
                delattr(cls, f.name)
            else:
                setattr(cls, f.name, f.default)
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f'{name!r} is a field but has no type annotation')
    if has_dataclass_bases:
        if any_frozen_base and not frozen:
            raise TypeError('cannot inherit non-frozen dataclass from a frozen one')
        if not any_frozen_base and frozen:
            raise TypeError('cannot inherit frozen dataclass from a non-frozen one')
    setattr(cls, _FIELDS, fields)
    setattr(cls, _PARAMS, _DataclassParams(init, repr, eq, order, unsafe_hash, frozen))
    own_hash = cls.__dict__.get('__hash__', MISSING)
    explicit_hash = not (own_hash is MISSING or own_hash is None and '__eq__' in cls.__dict__)
    if order and not eq:
        raise ValueError('eq must be true if order is true')

    initial = [f for f in fields.values() if f._field_type in (_FIELD, _FIELD_INITVAR)]
    std_fields = [f for f in initial if f.init and not f.kw_only or not f.init]
    kw_fields = [f for f in initial if f.init and f.kw_only]
    if init:
        _set_new(cls, '__init__', _init_function(cls, std_fields, kw_fields, frozen, hasattr(cls, '__post_init__')))
    field_list = [f for f in fields.values() if f._field_type is _FIELD]
    if repr:
        text = ', '.join(f'{f.name}={{self.{f.name}!r}}' for f in field_list if f.repr)
        method = _function(cls, '__repr__', ['self'], [f'return self.__class__.__qualname__ + f"({text})"'], {})
        _set_new(cls, '__repr__', recursive_repr()(method))
    compared = [f for f in field_list if f.compare]
    if eq:
        body = ['if other.__class__ is self.__class__:',
                f' return {_tuple_text("self", compared)}=={_tuple_text("other", compared)}', 'return NotImplemented']
        _set_new(cls, '__eq__', _function(cls, '__eq__', ['self', 'other'], body, {}))
    if order:
        _add_order(cls, compared)
    if frozen:
        _add_frozen(cls, field_list)
    _add_hash(cls, field_list, explicit_hash, unsafe_hash, eq, frozen)
    if not getattr(cls, '__doc__'):
        try:
            import inspect
            cls.__doc__ = cls.__name__ + str(inspect.signature(cls)).replace(' -> None', '')
        except (TypeError, ValueError):
            cls.__doc__ = cls.__name__
    if match_args:
        _set_new_value(cls, '__match_args__', tuple(f.name for f in std_fields if f.init))
    if slots:
        if '__slots__' in cls.__dict__:
            raise TypeError(f'{cls.__name__} already specifies __slots__')
        cls.__slots__ = tuple(f.name for f in field_list)
    abc.update_abstractmethods(cls)
    return cls


def _set_new_value(cls, name, value):
    if name not in cls.__dict__:
        setattr(cls, name, value)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        return _process_class(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots,
                              weakref_slot)
    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    try:
        found = getattr(class_or_instance, _FIELDS)
    except AttributeError:
        raise TypeError('must be called with a dataclass type or instance') from None
    return tuple(f for f in found.values() if f._field_type is _FIELD)


def _is_dataclass_instance(obj):
    return hasattr(type(obj), _FIELDS)


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), _FIELDS)


def asdict(obj, *, dict_factory=dict):
    if not _is_dataclass_instance(obj):
        raise TypeError('asdict() should be called on dataclass instances')
    return _inner(obj, lambda pairs: dict_factory(pairs))


def astuple(obj, *, tuple_factory=tuple):
    if not _is_dataclass_instance(obj):
        raise TypeError('astuple() should be called on dataclass instances')
    return _inner(obj, lambda pairs: tuple_factory([value for name, value in pairs]))


def _inner(obj, make):
    if _is_dataclass_instance(obj):
        return make([(f.name, _inner(getattr(obj, f.name), make)) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, '_fields'):
        return type(obj)(*[_inner(v, make) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)(_inner(v, make) for v in obj)
    if isinstance(obj, dict):
        pairs = [(_inner(k, make), _inner(v, make)) for k, v in obj.items()]
        if hasattr(type(obj), 'default_factory') or hasattr(obj, 'default_factory'):
            result = type(obj)(obj.default_factory)
            result.update(pairs)
            return result
        return type(obj)(pairs)
    return copy.deepcopy(obj)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, init=True, repr=True, eq=True, order=False,
                   unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    namespace = dict(namespace or {})
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            name, tp = item, 'typing.Any'
        elif len(item) == 2:
            name, tp = item
        elif len(item) == 3:
            name, tp, namespace[item[0]] = item
        else:
            raise TypeError(f'Invalid field: {item!r}')
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f'Field names must be valid identifiers: {name!r}')
        if keyword.iskeyword(name):
            raise TypeError(f'Field names must not be keywords: {name!r}')
        if name in annotations:
            raise TypeError(f'Field name duplicated: {name!r}')
        annotations[name] = tp
    namespace['__annotations__'] = annotations
    namespace.setdefault('__module__', 'types')
    cls = type(bases[0])(cls_name, bases, namespace) if bases else type(cls_name, bases, namespace)
    return dataclass(cls, init=init, repr=repr, eq=eq, order=order, unsafe_hash=unsafe_hash, frozen=frozen,
                     match_args=match_args, kw_only=kw_only, slots=slots, weakref_slot=weakref_slot)


def replace(obj, /, **changes):
    if not _is_dataclass_instance(obj):
        raise TypeError('replace() should be called on dataclass instances')
    for f in getattr(obj, _FIELDS).values():
        if f._field_type is _FIELD_CLASSVAR:
            continue
        if not f.init:
            if f.name in changes:
                raise ValueError(f'field {f.name} is declared with init=False, it cannot be specified with replace()')
        elif f.name not in changes:
            if f._field_type is _FIELD_INITVAR and f.default is MISSING:
                raise ValueError(f'InitVar {f.name!r} must be specified with replace()')
            changes[f.name] = getattr(obj, f.name)
    return obj.__class__(**changes)
