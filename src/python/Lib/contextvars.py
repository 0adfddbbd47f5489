"""Variables of a context. There is one thread, so a context changes only where `Context.run` says so."""

__all__ = ['Context', 'ContextVar', 'Token', 'copy_context']

_MISSING = object()


class Context:
    def __init__(self):
        self._values = {}

    def run(self, callable, *args, **kwargs):
        global _current
        before, _current = _current, self
        try:
            return callable(*args, **kwargs)
        finally:
            _current = before

    def copy(self):
        result = Context()
        result._values.update(self._values)
        return result

    def get(self, var, default=None, /):
        return self._values.get(var, default)

    def __getitem__(self, var):
        return self._values[var]

    def __contains__(self, var):
        return var in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()


_current = Context()


def copy_context():
    return _current.copy()


class Token:
    MISSING = type('MISSING', (), {'__repr__': lambda self: '<Token.MISSING>'})()

    def __init__(self, var, old_value):
        self.var, self.old_value = var, old_value
        self._used = False


class ContextVar:
    def __init__(self, name, *, default=_MISSING):
        if not isinstance(name, str):
            raise TypeError('context variable name must be a str')
        self.name = name
        self._default = default

    def get(self, default=_MISSING, /):
        if self in _current._values:
            return _current._values[self]
        if default is not _MISSING:
            return default
        if self._default is not _MISSING:
            return self._default
        raise LookupError(self)

    def set(self, value, /):
        token = Token(self, _current._values.get(self, Token.MISSING))
        _current._values[self] = value
        return token

    def reset(self, token, /):
        if token._used:
            raise RuntimeError(f'{token!r} has already been used once')
        if token.var is not self:
            raise ValueError(f'{token!r} was created by a different ContextVar')
        token._used = True
        if token.old_value is Token.MISSING:
            _current._values.pop(self, None)
        else:
            _current._values[self] = token.old_value

    def __repr__(self):
        default = '' if self._default is _MISSING else f' default={self._default!r}'
        return f'<ContextVar name={self.name!r}{default} at {id(self):#x}>'
