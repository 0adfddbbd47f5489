"""Objects that record how they are used, and `patch`, which puts one in the place of another for a while.

A mock has no attributes of its own: asking for `m.a` makes a mock `a`, which stays. A call is written down in the mock that was called and
in every mock above it, whose `mock_calls` then shows the whole path. Not here: `create_autospec`, `mock_open`, `seal`, `AsyncMock`.
"""

import contextlib
import functools
import importlib
from pprint import pformat

__all__ = ['Mock', 'MagicMock', 'NonCallableMock', 'NonCallableMagicMock', 'PropertyMock', 'patch', 'call', 'sentinel', 'ANY', 'DEFAULT',
           'FILTER_DIR']

FILTER_DIR = True


class _SentinelObject:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f'sentinel.{self.name}'


class _Sentinel:
    """`sentinel.x` is an object that equals nothing but itself, the same each time."""

    def __init__(self):
        self._sentinels = {}

    def __getattr__(self, name):
        if name == '__bases__':
            raise AttributeError
        return self._sentinels.setdefault(name, _SentinelObject(name))


sentinel = _Sentinel()
DEFAULT = sentinel.DEFAULT
_missing = sentinel.MISSING
_deleted = sentinel.DELETED


class _ANY:
    """Equals everything."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return '<ANY>'


ANY = _ANY()


class _Call(tuple):
    """(name, arguments, keywords) of a call; it equals a shorter tuple that leaves parts out."""

    def __new__(cls, value=(), name='', parent=None, two=False):
        args, kwargs = (), {}
        for it in value:
            if isinstance(it, str):
                name = it
            elif isinstance(it, tuple):
                args = it
            else:
                kwargs = it
        return tuple.__new__(cls, (args, kwargs) if two else (name, args, kwargs))

    def __init__(self, value=(), name=None, parent=None, two=False):
        self._mock_name = name
        self._mock_parent = parent

    @property
    def args(self):
        return self[-2]

    @property
    def kwargs(self):
        return self[-1]

    def __eq__(self, other):
        if not isinstance(other, tuple) or len(other) > 3:
            return NotImplemented
        name, args, kwargs = ('', *self) if len(self) == 2 else self
        other = _Call(other)
        if self._mock_parent is not None and getattr(other, '_mock_parent', None) is not None and self._mock_parent != other._mock_parent:
            return False
        return (other[0] == name or not other[0] or not name) and (other[1], other[2]) == (args, kwargs)

    __ne__ = object.__ne__

    def __hash__(self):
        return hash(self[0])

    def __call__(self, *args, **kwargs):
        if self._mock_name is None:
            return _Call(('', args, kwargs), name='()')
        return _Call((self._mock_name, args, kwargs), name=self._mock_name + '()', parent=self)

    def __getattr__(self, name):
        if name.startswith('__') and name.endswith('__'):
            raise AttributeError(name)
        return _Call(name=name if self._mock_name is None else f'{self._mock_name}.{name}', parent=self)

    def __repr__(self):
        name, args, kwargs = ('call', *self) if len(self) == 2 else self
        if len(self) == 3 and self._mock_name is not None and not args and not kwargs and not self._mock_name.endswith('()'):
            return f'call.{self._mock_name}'
        name = 'call' if not name or name == 'call' else f'call{name}' if name.startswith('()') else f'call.{name}'
        return _shown(name, args, kwargs)


call = _Call(name=None)


def _shown(name, args, kwargs):
    return f"{name}({', '.join([*map(repr, args), *(f'{key}={value!r}' for key, value in kwargs.items())])})"


class _CallList(list):
    """A list of calls that contains a list of calls if that follows itself somewhere within."""

    def __contains__(self, value):
        if not isinstance(value, list):
            return list.__contains__(self, value)
        return any(list(self[n:n + len(value)]) == value for n in range(len(self) - len(value) + 1))

    def __repr__(self):
        return pformat(list(self))


# What an assertion with a wrong name would look like: asking for it is an error, not a new mock.
_ASSERTS = ('assert', 'assret', 'asert', 'aseert', 'assrt')


class NonCallableMock:
    """Records the calls of the mocks that its attributes are."""

    def __new__(cls, *args, **kwargs):
        # A class of its own, so that special methods can be set on one mock alone.
        return object.__new__(type(cls.__name__, (cls,), {'__doc__': cls.__doc__}))

    def __init__(self, spec=None, wraps=None, name=None, spec_set=None, parent=None, return_value=DEFAULT, side_effect=None, unsafe=False,
                 **kwargs):
        spec = spec_set if spec_set is not None else spec
        own = self.__dict__
        own['_mock_children'], own['_mock_parent'], own['_mock_name'] = {}, parent, name
        own['_mock_methods'] = None if spec is None else list(spec) if isinstance(spec, (list, tuple)) else dir(spec)
        own['_spec_class'] = None if spec is None or isinstance(spec, (list, tuple)) else spec if isinstance(spec, type) else type(spec)
        own['_spec_set'], own['_mock_wraps'], own['_mock_unsafe'] = spec_set is not None, wraps, unsafe
        own['_mock_return_value'], own['side_effect'] = return_value, _as_side_effect(side_effect)
        self._forget()
        if kwargs:
            self.configure_mock(**kwargs)

    def _forget(self):
        own = self.__dict__
        own['called'], own['call_count'], own['call_args'] = False, 0, None
        own['call_args_list'], own['mock_calls'], own['method_calls'] = _CallList(), _CallList(), _CallList()

    @property
    def __class__(self):
        spec = self.__dict__.get('_spec_class')
        return type(self) if spec is None else spec

    def _get_child_mock(self, **kwargs):
        kind = type(self).__mro__[1]
        kind = {NonCallableMagicMock: MagicMock, NonCallableMock: Mock, PropertyMock: MagicMock}.get(kind, kind)
        return kind(**kwargs)

    @property
    def return_value(self):
        if self._mock_return_value is DEFAULT and self._mock_wraps is None:
            self.__dict__['_mock_return_value'] = self._get_child_mock(parent=self, name='()')
        return self._mock_return_value

    @return_value.setter
    def return_value(self, value):
        self.__dict__['_mock_return_value'] = value
        _adopt(self, value, '()')

    def __getattr__(self, name):
        if name in ('_mock_methods', '_mock_children', '_mock_unsafe'):
            raise AttributeError(name)
        if self._mock_methods is not None and name not in self._mock_methods:
            raise AttributeError(f'Mock object has no attribute {name!r}')
        if name.startswith('__') and name.endswith('__'):
            raise AttributeError(name)
        if not self._mock_unsafe and self._mock_methods is None and name.startswith(_ASSERTS):
            raise AttributeError(f"{name!r} is not a valid assertion. Use a spec for the mock if {name!r} is meant to be an attribute.")
        child = self._mock_children.get(name)
        if child is _deleted:
            raise AttributeError(name)
        if child is None:
            wraps = None if self._mock_wraps is None else getattr(self._mock_wraps, name)
            child = self._mock_children[name] = self._get_child_mock(parent=self, name=name, wraps=wraps)
        return child

    def __setattr__(self, name, value):
        if name in self.__dict__ or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, _as_side_effect(value) if name == 'side_effect' else value)
            return
        if self._spec_set and name not in self._mock_methods:
            raise AttributeError(f"Mock object has no attribute '{name}'")
        if name.startswith('__') and name.endswith('__'):
            setattr(type(self), name, value if isinstance(value, NonCallableMock) else _bound(self, value))
        elif isinstance(value, NonCallableMock):
            _adopt(self, value, name)
            self._mock_children[name] = value
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name):
        if name in self.__dict__:
            object.__delattr__(self, name)
        elif self._mock_children.get(name) is _deleted:
            raise AttributeError(name)
        self._mock_children[name] = _deleted

    def __dir__(self):
        return sorted({*(self._mock_methods or dir(NonCallableMock)), *(k for k, v in self._mock_children.items() if v is not _deleted)})

    def _mock_path(self, stands_for='mock'):
        parts, it = [], self
        while it is not None:
            parts.append(it._mock_name or stands_for)
            it = it._mock_parent
        return functools.reduce(lambda a, b: a + b if b.startswith('()') else f'{a}.{b}', reversed(parts))

    def __repr__(self):
        kind = type(self).__mro__[1].__name__
        named = f' name={self._mock_path()!r}' if self._mock_name or self._mock_parent is not None else ''
        spec = '' if self._spec_class is None else f' spec{"_set" if self._spec_set else ""}={self._spec_class.__name__!r}'
        return f"<{kind}{named}{spec} id='{id(self)}'>"

    def attach_mock(self, mock, attribute):
        mock.__dict__['_mock_parent'], mock.__dict__['_mock_name'] = None, ''
        setattr(self, attribute, mock)

    def configure_mock(self, /, **kwargs):
        for path, value in sorted(kwargs.items(), key=lambda it: it[0].count('.')):
            *way, last = path.split('.')
            setattr(functools.reduce(getattr, way, self), last, value)

    def reset_mock(self, visited=None, *, return_value=False, side_effect=False):
        visited = [] if visited is None else visited
        if any(it is self for it in visited):
            return
        visited.append(self)
        self._forget()
        if return_value:
            self.__dict__['_mock_return_value'] = DEFAULT
        if side_effect:
            self.__dict__['side_effect'] = None
        for child in [*self._mock_children.values(), self._mock_return_value]:
            if isinstance(child, NonCallableMock):
                child.reset_mock(visited, return_value=return_value, side_effect=side_effect)

    def _shown_name(self):
        return self._mock_name or 'mock'

    def _calls_repr(self, prefix='Calls'):
        return f'\n{prefix}: {self.mock_calls!r}.' if self.mock_calls else ''

    def assert_not_called(self):
        if self.call_count != 0:
            raise AssertionError(f"Expected '{self._shown_name()}' to not have been called. Called {self.call_count} times.{self._calls_repr()}")

    def assert_called(self):
        if self.call_count == 0:
            raise AssertionError(f"Expected '{self._shown_name()}' to have been called.")

    def assert_called_once(self):
        if self.call_count != 1:
            raise AssertionError(f"Expected '{self._shown_name()}' to have been called once. Called {self.call_count} times.{self._calls_repr()}")

    def assert_called_with(self, /, *args, **kwargs):
        name = self._shown_name()
        actual = 'not called.' if self.call_args is None else _shown(name, self.call_args.args, self.call_args.kwargs)
        if self.call_args is None or self.call_args != (args, kwargs):
            raise AssertionError(f'expected call not found.\nExpected: {_shown(name, args, kwargs)}\n  Actual: {actual}')

    def assert_called_once_with(self, /, *args, **kwargs):
        if self.call_count != 1:
            raise AssertionError(f"Expected '{self._shown_name()}' to be called once. Called {self.call_count} times.{self._calls_repr()}")
        self.assert_called_with(*args, **kwargs)

    def assert_any_call(self, /, *args, **kwargs):
        if _Call((args, kwargs), two=True) not in list(self.call_args_list):
            raise AssertionError(f'{_shown(self._shown_name(), args, kwargs)} call not found')

    def assert_has_calls(self, calls, any_order=False):
        expected = [_Call(it) for it in calls]
        if not any_order:
            if expected not in self.mock_calls:
                raise AssertionError(f"Calls not found.\nExpected: {list(calls)!r}{self._calls_repr('  Actual').rstrip('.')}")
            return
        left = list(self.mock_calls)
        missing = []
        for it in expected:
            if it in left:
                left.remove(it)
            else:
                missing.append(it)
        if missing:
            raise AssertionError(f'{self._shown_name()!r} does not contain all of {tuple(missing)!r} in its call list, '
                                 f'found {left!r} instead')


def _adopt(parent, value, name):
    if isinstance(value, NonCallableMock) and value._mock_parent is None and not value._mock_name and value is not parent:
        value.__dict__['_mock_parent'], value.__dict__['_mock_name'] = parent, name


def _bound(mock, value):
    """A function that is set as a special method of one mock receives that mock."""
    if not callable(value) or isinstance(value, type):
        return value

    def method(self, *args, **kwargs):
        return value(self, *args, **kwargs)
    return method


def _as_side_effect(value):
    if value is None or callable(value) or isinstance(value, BaseException):
        return value
    try:
        return iter(value)
    except TypeError:
        return value


def _is_exception(value):
    return isinstance(value, BaseException) or isinstance(value, type) and issubclass(value, BaseException)


class CallableMixin(NonCallableMock):
    def __call__(self, *args, **kwargs):
        own = self.__dict__
        own['called'], own['call_count'] = True, self.call_count + 1
        own['call_args'] = made = _Call((args, kwargs), two=True)
        self.call_args_list.append(made)
        self.mock_calls.append(_Call(('', args, kwargs)))
        # Every mock above sees the call under the path from there.
        path, it = self._mock_name or '', self
        while it._mock_parent is not None:
            above = it._mock_parent
            if it._mock_name != '()' and '()' not in path:
                above.method_calls.append(_Call((path, args, kwargs)))
            above.mock_calls.append(_Call((path, args, kwargs)))
            name = above._mock_name or ''
            path = name + path if path.startswith('()') else f'{name}.{path}' if name else path
            it = above
        return self._answer(args, kwargs)

    def _answer(self, args, kwargs):
        effect = self.side_effect
        if effect is not None:
            if _is_exception(effect):
                raise effect
            if not callable(effect):
                result = next(effect)
                if _is_exception(result):
                    raise result
            else:
                result = effect(*args, **kwargs)
            if result is not DEFAULT:
                return result
        if self._mock_return_value is not DEFAULT:
            return self.return_value
        if self._mock_wraps is not None:
            return self._mock_wraps(*args, **kwargs)
        return self.return_value


class Mock(CallableMixin):
    """Records its calls and those of its attributes, and returns what it was told to."""


class _Magic:
    """A special method of `MagicMock`: a mock that is made when it is first asked for."""

    def __init__(self, name, default):
        self.name, self.default = name, default

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        made = instance._mock_children.get(self.name)
        if made is None:
            made = instance._mock_children[self.name] = MagicMock(name=self.name, parent=instance)
            if self.default is not None:
                made.side_effect = lambda *args: self.default(instance, *args) if made._mock_return_value is DEFAULT else DEFAULT
        return made


# The special methods with the value each returns until it is told another. None: a new mock.
_MAGICS = {'__lt__': lambda self, other: NotImplemented, '__gt__': lambda self, other: NotImplemented,
           '__le__': lambda self, other: NotImplemented, '__ge__': lambda self, other: NotImplemented,
           '__int__': lambda self: 1, '__contains__': lambda self, it: False, '__len__': lambda self: 0, '__iter__': lambda self: iter([]),
           '__complex__': lambda self: 1j, '__float__': lambda self: 1.0, '__bool__': lambda self: True, '__index__': lambda self: 1,
           '__exit__': lambda self, *error: False, '__getitem__': None, '__setitem__': None, '__delitem__': None, '__enter__': None}
_MAGICS.update({f'__{prefix}{name}__': None for prefix in ('', 'i', 'r') for name in (
    'add', 'sub', 'mul', 'matmul', 'truediv', 'floordiv', 'mod', 'lshift', 'rshift', 'and', 'xor', 'or', 'pow')})
_MAGICS.update({f'__{name}__': None for name in ('neg', 'pos', 'invert', 'abs', 'round', 'divmod', 'rdivmod')})


class _MagicMixin:
    pass


for _name, _default in _MAGICS.items():
    setattr(_MagicMixin, _name, _Magic(_name, _default))


class NonCallableMagicMock(_MagicMixin, NonCallableMock):
    """A `NonCallableMock` with special methods."""


class MagicMock(_MagicMixin, Mock):
    """A `Mock` with special methods: it can be indexed, iterated, entered, added."""


class PropertyMock(Mock):
    """A mock for a property: reading calls it without arguments, assigning calls it with the value."""

    def _get_child_mock(self, **kwargs):
        return MagicMock(**kwargs)

    def __get__(self, instance, owner=None):
        return self()

    def __set__(self, instance, value):
        self(value)


class _patch:
    """Puts `new`, or a new mock, at an attribute and takes it away: as a decorator, in `with`, or by `start` and `stop`."""

    _active = []

    def __init__(self, getter, attribute, new, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, kwargs={}):
        if new_callable is not None and new is not DEFAULT:
            raise ValueError("Cannot use 'new' and 'new_callable' together")
        if autospec:
            raise NotImplementedError('unittest.mock: autospec is not in this Python')
        self.getter, self.attribute, self.new, self.spec, self.create = getter, attribute, new, spec, create
        self.spec_set, self.new_callable, self.kwargs = spec_set, new_callable, kwargs
        self.attribute_name, self.additional_patchers = None, []

    def copy(self):
        made = _patch(self.getter, self.attribute, self.new, self.spec, self.create, self.spec_set, None, self.new_callable, self.kwargs)
        made.attribute_name, made.additional_patchers = self.attribute_name, [it.copy() for it in self.additional_patchers]
        return made

    def __call__(self, func):
        if isinstance(func, type):
            for name in dir(func):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(func, name)):
                    setattr(func, name, self.copy()(getattr(func, name)))
            return func
        if hasattr(func, 'patchings'):
            func.patchings.append(self)
            return func

        @functools.wraps(func)
        def patched(*args, **keywords):
            with contextlib.ExitStack() as stack:
                for it in patched.patchings:
                    made = stack.enter_context(it)
                    if it.attribute_name is not None:
                        keywords.update(made)
                    elif it.new is DEFAULT:
                        args += (made,)
                return func(*args, **keywords)
        patched.patchings = [self]
        return patched

    def _original(self):
        own = getattr(self.target, '__dict__', {})
        if self.attribute in own:
            return own[self.attribute], True
        original = getattr(self.target, self.attribute, DEFAULT)
        if original is DEFAULT and not self.create:
            raise AttributeError(f'{self.target} does not have the attribute {self.attribute!r}')
        return original, False

    def __enter__(self):
        self.target = self.getter()
        self.temp_original, self.is_local = self._original()
        new = self.new
        if new is DEFAULT:
            spec = self.temp_original if self.spec is True else self.spec
            kwargs = dict(self.kwargs)
            if spec is not None:
                kwargs['spec'] = spec
            if self.spec_set is not None:
                kwargs['spec_set'] = self.temp_original if self.spec_set is True else self.spec_set
            if self.new_callable is None:
                kwargs.setdefault('name', self.attribute)
            new = (self.new_callable or MagicMock)(**kwargs)
        self._stack = contextlib.ExitStack()
        setattr(self.target, self.attribute, new)
        if self.attribute_name is None:
            return new
        made = {self.attribute_name: new} if self.new is DEFAULT else {}
        for other in self.additional_patchers:
            made.update(self._stack.enter_context(other))
        return made

    def __exit__(self, *error):
        if self.is_local and self.temp_original is not DEFAULT:
            setattr(self.target, self.attribute, self.temp_original)
        else:
            delattr(self.target, self.attribute)
            if not self.create and not hasattr(self.target, self.attribute):
                # The attribute comes from somewhere that cannot be asked again.
                setattr(self.target, self.attribute, self.temp_original)
        return self._stack.__exit__(*error)

    def start(self):
        result = self.__enter__()
        self._active.append(self)
        return result

    def stop(self):
        if self not in self._active:
            return None
        self._active.remove(self)
        return self.__exit__(None, None, None)


def _importer(path):
    """The object that a dotted name names: the longest module in front, then attributes."""
    first, *rest = path.split('.')
    found, name = importlib.import_module(first), first
    for part in rest:
        name += '.' + part
        if not hasattr(found, part):
            importlib.import_module(name)
        found = getattr(found, part)
    return found


def patch(target, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, **kwargs):
    target, dot, attribute = target.rpartition('.')
    if not dot:
        raise TypeError(f'Need a valid target to patch. You supplied: {attribute!r}')
    return _patch(lambda: _importer(target), attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)


def _patch_object(target, attribute, new=DEFAULT, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, **kwargs):
    if isinstance(target, str):
        raise TypeError(f'{target!r} must be the actual object to be patched, not a str')
    return _patch(lambda: target, attribute, new, spec, create, spec_set, autospec, new_callable, kwargs)


def _patch_multiple(target, spec=None, create=False, spec_set=None, autospec=None, new_callable=None, **kwargs):
    if not kwargs:
        raise ValueError('Must supply at least one keyword argument with patch.multiple')
    getter = (lambda: _importer(target)) if isinstance(target, str) else (lambda: target)
    first, *others = [_patch(getter, name, new, spec, create, spec_set, autospec, new_callable, {}) for name, new in kwargs.items()]
    for it in (first, *others):
        it.attribute_name = it.attribute
    first.additional_patchers.extend(others)
    return first


class _patch_dict:
    """Changes a dict and puts back what it held."""

    def __init__(self, in_dict, values=(), clear=False, **kwargs):
        self.in_dict, self.values, self.clear = in_dict, {**dict(values), **kwargs}, clear

    def __call__(self, f):
        if isinstance(f, type):
            for name in dir(f):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(f, name)):
                    setattr(f, name, _patch_dict(self.in_dict, self.values, self.clear)(getattr(f, name)))
            return f

        @functools.wraps(f)
        def inner(*args, **kwargs):
            with self:
                return f(*args, **kwargs)
        return inner

    def __enter__(self):
        if isinstance(self.in_dict, str):
            self.in_dict = _importer(self.in_dict)
        self._before = {key: self.in_dict[key] for key in self.in_dict}
        if self.clear:
            self._empty()
        self.in_dict.update(self.values)
        return self.in_dict

    def _empty(self):
        for key in list(self.in_dict):
            del self.in_dict[key]

    def __exit__(self, *error):
        self._empty()
        self.in_dict.update(self._before)
        return False

    start = __enter__

    def stop(self):
        return self.__exit__(None, None, None)


def _stopall():
    for it in reversed(list(_patch._active)):
        it.stop()


patch.object, patch.dict, patch.multiple, patch.stopall, patch.TEST_PREFIX = _patch_object, _patch_dict, _patch_multiple, _stopall, 'test'
