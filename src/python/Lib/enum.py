"""Enumerations: the metaclass that makes members of the names of a class, and the classes with which a program begins."""

import sys
from builtins import property as _property
from types import DynamicClassAttribute, MappingProxyType

__all__ = ['EnumType', 'EnumMeta', 'Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum', 'auto', 'unique',
           'property', 'member', 'nonmember', 'FlagBoundary', 'STRICT', 'CONFORM', 'EJECT', 'KEEP', 'global_enum']


class nonmember:
    def __init__(self, value):
        self.value = value


class member:
    def __init__(self, value):
        self.value = value


class property(DynamicClassAttribute):
    # An attribute of members; on the class, the member of this name comes first.
    def __set_name__(self, ownerclass, name):
        self.name = name
        self.clsname = ownerclass.__name__

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            try:
                return ownerclass._member_map_[self.name]
            except KeyError:
                raise AttributeError(f'{ownerclass!r} has no attribute {self.name!r}') from None
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError(f'<enum {self.clsname!r}> cannot set attribute {self.name!r}')
        return self.fset(instance, value)

    def __delete__(self, instance):
        raise AttributeError(f'<enum {self.clsname!r}> cannot delete attribute {self.name!r}')


class auto:
    def __init__(self, value=None):
        self.value = value

    def __repr__(self):
        return f'auto({self.value!r})'


def _is_dunder(name):
    return len(name) > 4 and name[:2] == name[-2:] == '__' and name[2] != '_' and name[-3] != '_'


def _is_sunder(name):
    return len(name) > 2 and name[0] == name[-1] == '_' and name[1] != '_' and name[-2] != '_'


def _is_descriptor(value):
    return (hasattr(value, '__get__') or hasattr(value, '__set__') or hasattr(value, '__delete__')
            or isinstance(value, (classmethod, staticmethod, _property)))


_SUNDERS = ('_order_', '_generate_next_value_', '_numeric_repr_', '_missing_', '_ignore_', '_iter_member_',
            '_iter_member_by_value_', '_iter_member_by_def_', '_use_args_', '_boundary_')


class _EnumDict(dict):
    # Collects the members while the body of the class runs.
    def __init__(self):
        super().__init__()
        self._member_names = {}
        self._last_values = []
        self._ignore = []
        self._cls_name = None
        self._generate_next_value = None

    def __setitem__(self, key, value):
        if key.startswith(f'_{self._cls_name}__') and not key.endswith('__'):
            pass
        elif _is_sunder(key):
            if key not in _SUNDERS:
                raise ValueError(f'_sunder_ names, such as {key!r}, are reserved for future Enum use')
            if key == '_generate_next_value_':
                self._generate_next_value = getattr(value, '__func__', value)
            elif key == '_ignore_':
                value = value.replace(',', ' ').split() if isinstance(value, str) else list(value)
                self._ignore = value
                already = set(value) & set(self._member_names)
                if already:
                    raise ValueError(f'_ignore_ cannot specify already set names: {already!r}')
        elif _is_dunder(key) or key in self._ignore:
            pass
        elif key in self._member_names:
            raise TypeError(f'{key!r} already defined as {self[key]!r}')
        elif isinstance(value, nonmember):
            value = value.value
        elif isinstance(value, member) or not _is_descriptor(value):
            if key in self:
                raise TypeError(f'{key!r} already defined as {self[key]!r}')
            if isinstance(value, member):
                value = value.value
            value = self._resolved(key, value)
            self._member_names[key] = None
            self._last_values.append(value)
        super().__setitem__(key, value)

    def _resolved(self, key, value):
        if isinstance(value, auto):
            if value.value is None:
                value.value = self._generate_next_value(key, 1, len(self._member_names), self._last_values[:])
            return value.value
        if type(value) is tuple and any(isinstance(part, auto) for part in value):
            return tuple(self._resolved(key, part) if isinstance(part, auto) else part for part in value)
        return value


class EnumType(type):
    @classmethod
    def __prepare__(metacls, cls, bases, **kwds):
        metacls._check_bases(cls, bases)
        namespace = _EnumDict()
        namespace._cls_name = cls
        first = next((base for base in reversed(bases) if isinstance(base, EnumType)), None)
        if first is not None:
            namespace._generate_next_value = first._generate_next_value_
        return namespace

    @classmethod
    def _check_bases(metacls, name, bases):
        for base in bases:
            for parent in base.__mro__:
                if isinstance(parent, EnumType) and parent._member_names_:
                    raise TypeError(f'<enum {name!r}> cannot extend {parent!r}')

    def __new__(metacls, cls, bases, classdict, *, boundary=None, _simple=False, **kwds):
        if not bases or not any(isinstance(base, EnumType) for base in bases):
            classdict = dict(classdict)
            classdict.update(_member_names_=[], _member_map_={}, _value2member_map_={}, _boundary_=None)
            return super().__new__(metacls, cls, bases, classdict, **kwds)
        names = list(classdict._member_names)
        values = {name: classdict[name] for name in names}
        if 'mro' in names:
            raise ValueError("invalid enum member name(s) 'mro'")
        namespace = {key: value for key, value in classdict.items() if key not in values and key not in classdict._ignore}
        namespace.pop('_ignore_', None)
        if '_generate_next_value_' in namespace:
            namespace['_generate_next_value_'] = staticmethod(classdict._generate_next_value)
        namespace.update(_member_names_=[], _member_map_={}, _value2member_map_={})
        base_boundary = next((base._boundary_ for base in bases if isinstance(base, EnumType)), None)
        namespace['_boundary_'] = boundary or base_boundary
        enum_class = super().__new__(metacls, cls, bases, namespace, **kwds)
        data_type = object
        for base in enum_class.__mro__[1:]:
            if not isinstance(base, EnumType) and base is not object and (
                    '__new__' in base.__dict__ or '__dataclass_fields__' in base.__dict__):
                data_type = base
                break
        type.__setattr__(enum_class, '_member_type_', data_type)
        changed = set(classdict)
        if ReprEnum is not None and ReprEnum in bases:
            if '__format__' not in changed:
                type.__setattr__(enum_class, '__format__', data_type.__format__)
                changed.add('__format__')
            if '__str__' not in changed:
                text = data_type.__repr__ if data_type.__str__ is object.__str__ else data_type.__str__
                type.__setattr__(enum_class, '__str__', text)
                changed.add('__str__')
        first_enum = next(base for base in reversed(bases) if isinstance(base, EnumType))
        for name in ('__repr__', '__str__', '__format__', '__reduce_ex__'):
            if name not in changed and getattr(enum_class, name) in (getattr(data_type, name), getattr(object, name)):
                type.__setattr__(enum_class, name, getattr(first_enum, name))
        if Flag is not None and issubclass(enum_class, Flag):
            for name in ('__or__', '__and__', '__xor__', '__ror__', '__rand__', '__rxor__', '__invert__'):
                if name not in classdict:
                    type.__setattr__(enum_class, name, getattr(Flag, name))
        for name, value in values.items():
            enum_class._add_member(name, value, data_type)
        if '_order_' in namespace:
            order = namespace['_order_']
            order = order.replace(',', ' ').split() if isinstance(order, str) else list(order)
            if order != [name for name in order if name in enum_class._member_map_] or order != enum_class._member_names_:
                raise TypeError(f'member order does not match _order_:\n  {enum_class._member_names_!r}\n  {order!r}')
        if Flag is not None and issubclass(enum_class, Flag):
            enum_class._set_masks()
        return enum_class

    def _add_member(cls, name, value, data_type):
        args = value if isinstance(value, tuple) else (value,)
        new = cls.__new__
        if data_type is tuple:
            args = (args,)
        obj = new(cls) if new is object.__new__ else new(cls, *args)
        if '_value_' not in obj.__dict__:
            if data_type is object:
                obj._value_ = value
            else:
                obj._value_ = data_type(*args)
        obj._name_ = name
        obj.__objclass__ = cls
        obj.__init__(*args)
        obj._sort_order_ = len(cls._member_names_)
        try:
            known = cls._value2member_map_.get(obj._value_)
        except TypeError:
            known = next((it for it in cls._member_map_.values() if it._value_ == obj._value_), None)
        if known is not None:
            obj = known
        elif Flag is None or not issubclass(cls, Flag) or cls._is_canonical(obj._value_):
            cls._member_names_.append(name)
        cls._member_map_[name] = obj
        # A base may have a property of this name; it gives the member when the class is asked.
        type.__setattr__(cls, name, obj)
        if known is None:
            try:
                cls._value2member_map_.setdefault(obj._value_, obj)
            except TypeError:
                pass

    def __init__(cls, *args, **kwds):
        pass

    def __bool__(cls):
        return True

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is None:
            return cls._lookup(value)
        return cls._create_(value, names, module=module, qualname=qualname, type=type, start=start, boundary=boundary)

    def _lookup(cls, value):
        if type(value) is cls:
            return value
        try:
            return cls._value2member_map_[value]
        except KeyError:
            pass
        except TypeError:
            for it in cls._member_map_.values():
                if it._value_ == value:
                    return it
        if not cls._member_map_ and not (Flag is not None and issubclass(cls, Flag)):
            raise TypeError(f'{cls!r} has no members')
        try:
            error = None
            result = cls._missing_(value)
        except Exception as e:
            error, result = e, None
        if isinstance(result, cls) or (Flag is not None and issubclass(cls, Flag) and cls._boundary_ is EJECT
                                       and isinstance(result, int)):
            return result
        invalid = ValueError(f'{value!r} is not a valid {cls.__qualname__}')
        if result is None and error is None:
            raise invalid
        if error is None:
            error = TypeError(f'error in {cls.__name__}._missing_: returned {result!r} instead of None or a valid member')
        if not isinstance(error, ValueError):
            error.__context__ = invalid
        raise error

    def _create_(cls, class_name, names, *, module=None, qualname=None, type=None, start=1, boundary=None):
        metacls = cls.__class__
        bases = (cls,) if type is None else (type, cls)
        classdict = metacls.__prepare__(class_name, bases)
        if isinstance(names, str):
            names = names.replace(',', ' ').split()
        if isinstance(names, (tuple, list)) and names and isinstance(names[0], str):
            pairs, last = [], []
            for count, name in enumerate(names):
                value = cls._generate_next_value_(name, start, count, last[:])
                last.append(value)
                pairs.append((name, value))
            names = pairs
        for item in names:
            if isinstance(item, str):
                classdict[item] = names[item]
            else:
                classdict[item[0]] = item[1]
        if module is None:
            module = sys._getframe(2).f_globals.get('__name__')
        classdict['__module__'] = module
        if qualname is not None:
            classdict['__qualname__'] = qualname
        return metacls.__new__(metacls, class_name, bases, classdict, boundary=boundary)

    def __contains__(cls, member):
        if not isinstance(member, Enum):
            import warnings
            warnings.warn('in 3.12 __contains__ will no longer raise TypeError, but will return True or\nFalse depending '
                          'on whether the value is a member or the value of a member', DeprecationWarning, stacklevel=2)
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(member).__qualname__}' and "
                            f"'{cls.__class__.__qualname__}'")
        return isinstance(member, cls) and member._name_ in cls._member_map_

    def __delattr__(cls, attr):
        if attr in cls._member_map_:
            raise AttributeError(f'{cls.__name__!r} cannot delete member {attr!r}.')
        super().__delattr__(attr)

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get('_member_map_', {}):
            raise AttributeError(f'cannot reassign member {name!r}')
        super().__setattr__(name, value)

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)

    def __len__(cls):
        return len(cls._member_names_)

    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))

    @_property
    def __members__(cls):
        return MappingProxyType(cls._member_map_)

    def __repr__(cls):
        return f'<{"flag" if Flag is not None and issubclass(cls, Flag) else "enum"} {cls.__name__!r}>'

    def __dir__(cls):
        return sorted({'__class__', '__contains__', '__doc__', '__getitem__', '__init_subclass__', '__iter__', '__len__',
                       '__members__', '__module__', '__name__', '__qualname__', *cls._member_names_})


EnumMeta = EnumType
Flag = ReprEnum = None


class Enum(metaclass=EnumType):
    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __init__(self, *args, **kwds):
        pass

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        try:
            return max(last_values) + 1
        except TypeError:
            raise TypeError('unable to sort non-numeric values') from None

    @classmethod
    def _missing_(cls, value):
        return None

    def __repr__(self):
        value = self._value_
        if '__dataclass_fields__' in type(self)._member_type_.__dict__:
            value = ', '.join(f'{name}={getattr(self, name)!r}' for name in self.__dataclass_fields__)
            return f'<{self.__class__.__name__}.{self._name_}: {value}>'
        return f'<{self.__class__.__name__}.{self._name_}: {value!r}>'

    def __str__(self):
        return f'{self.__class__.__name__}.{self._name_}'

    def __dir__(self):
        return sorted({'__class__', '__doc__', '__eq__', '__hash__', '__module__', 'name', 'value'})

    def __format__(self, format_spec):
        return format(str(self), format_spec)

    def __hash__(self):
        return hash(self._name_)

    def __reduce_ex__(self, proto):
        return self.__class__, (self._value_,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    # Members have the text of their data type; only their repr is that of Enum.
    pass


class IntEnum(int, ReprEnum):
    pass


class StrEnum(str, ReprEnum):
    def __new__(cls, *values):
        if len(values) > 3:
            raise TypeError(f'too many arguments for str(): {values!r}')
        if len(values) == 1 and not isinstance(values[0], str):
            raise TypeError(f'{values[0]!r} is not a string')
        if len(values) >= 2 and not isinstance(values[1], str):
            raise TypeError(f'encoding must be a string, not {values[1]!r}')
        if len(values) == 3 and not isinstance(values[2], str):
            raise TypeError('errors must be a string, not %r' % (values[2]))
        value = str(*values)
        member = str.__new__(cls, value)
        member._value_ = value
        return member

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class FlagBoundary(StrEnum):
    STRICT = auto()
    CONFORM = auto()
    EJECT = auto()
    KEEP = auto()


STRICT, CONFORM, EJECT, KEEP = FlagBoundary


def _bits(number):
    while number:
        low = number & -number
        yield low
        number ^= low


class _FlagBase(Enum, boundary=STRICT):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        last = max(last_values)
        if not isinstance(last, int):
            raise TypeError(f'invalid flag value {last!r}')
        return 2 ** last.bit_length()

    @classmethod
    def _is_canonical(cls, value):
        return isinstance(value, int) and value > 0 and value & (value - 1) == 0

    @classmethod
    def _set_masks(cls):
        mask = single = 0
        for it in cls._member_map_.values():
            mask |= it._value_
            if cls._is_canonical(it._value_):
                single |= it._value_
        type.__setattr__(cls, '_flag_mask_', mask)
        type.__setattr__(cls, '_singles_mask_', single)
        type.__setattr__(cls, '_all_bits_', 2 ** mask.bit_length() - 1)
        values = [it._value_ for it in cls]
        type.__setattr__(cls, '_by_definition_', values != sorted(values))

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f'{value!r} is not a valid {cls.__qualname__}')
        mask, all_bits = cls._flag_mask_, cls._all_bits_
        negative = value < 0
        original = value
        if not ~all_bits <= value <= all_bits or value & (all_bits ^ mask):
            if cls._boundary_ is STRICT:
                width = max(value.bit_length(), mask.bit_length())
                raise ValueError(f'{cls!r} invalid value {value!r}\n    given {_binary(value, width)}\n'
                                 f'  allowed {_binary(mask, width)}')
            if cls._boundary_ is CONFORM:
                value = value & mask
            elif cls._boundary_ is EJECT:
                return value
            elif negative:
                value = max(all_bits + 1, 2 ** value.bit_length()) + value
        if value < 0:
            value = (all_bits + 1 + value) if cls._boundary_ in (EJECT, KEEP) else mask & value
        known = cls._value2member_map_.get(value)
        if known is not None:
            return known
        obj = object.__new__(cls) if cls._member_type_ is object else cls._member_type_.__new__(cls, value)
        obj._value_ = value
        names = [it._name_ for it in cls._iter_member_(value)]
        unknown = value & ~mask
        obj._name_ = '|'.join(names + [str(unknown)] * bool(unknown)) if names else None
        cls._value2member_map_[value] = obj
        return obj

    @classmethod
    def _iter_member_(cls, value):
        found = [cls._value2member_map_[bit] for bit in _bits(value & cls._flag_mask_) if bit in cls._value2member_map_]
        # Members that are not defined in the order of their values are listed as they are defined.
        yield from sorted(found, key=lambda it: it._sort_order_) if cls._by_definition_ else found

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and "
                            f'{self.__class__.__qualname__!r}')
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        yield from self._iter_member_(self._value_)

    def __len__(self):
        return bin(self._value_).count('1')

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        if self._name_ is None:
            return f'<{self.__class__.__name__}: {self._value_!r}>'
        return f'<{self.__class__.__name__}.{self._name_}: {self._value_!r}>'

    def __str__(self):
        if self._name_ is None:
            return f'{self.__class__.__name__}({self._value_!r})'
        return f'{self.__class__.__name__}.{self._name_}'

    def _operand(self, other):
        if isinstance(other, self.__class__):
            return other._value_
        return other if self._member_type_ is not object and isinstance(other, self._member_type_) else None

    def __or__(self, other):
        other = self._operand(other)
        return NotImplemented if other is None else self.__class__(self._value_ | other)

    def __and__(self, other):
        other = self._operand(other)
        return NotImplemented if other is None else self.__class__(self._value_ & other)

    def __xor__(self, other):
        other = self._operand(other)
        return NotImplemented if other is None else self.__class__(self._value_ ^ other)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        if self._boundary_ is KEEP:
            return self.__class__(~self._value_)
        return self.__class__(self._singles_mask_ & ~self._value_)


def _binary(value, width):
    # 0b0 0101: the sign, then the digits.
    sign = '1' if value < 0 else '0'
    own = value.bit_length()
    digits = bin(value % 2 ** own)[2:].rjust(own, '0') if own else ''
    return f'0b{sign} {digits.rjust(width, sign)}'


Flag = _FlagBase
Flag.__name__ = Flag.__qualname__ = 'Flag'
Flag._flag_mask_ = Flag._singles_mask_ = Flag._all_bits_ = 0
Flag._by_definition_ = False


class IntFlag(int, ReprEnum, Flag, boundary=KEEP):
    pass


def unique(enumeration):
    duplicates = [(name, it.name) for name, it in enumeration.__members__.items() if name != it.name]
    if duplicates:
        raise ValueError(f'duplicate values found in {enumeration!r}: '
                         f'{", ".join(f"{alias} -> {name}" for alias, name in duplicates)}')
    return enumeration


def global_enum(cls, update_str=False):
    def text(self):
        module = self.__class__.__module__.split('.')[-1]
        if self._name_ is None:
            return f'{module}.{self.__class__.__name__}({self._value_!r})'
        return '|'.join(part if part.isdigit() else f'{module}.{part}' for part in self._name_.split('|'))
    cls.__repr__ = text
    sys.modules[cls.__module__].__dict__.update(cls.__members__)
    return cls
