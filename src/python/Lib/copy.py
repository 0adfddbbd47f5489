"""Shallow and deep copies."""

__all__ = ['Error', 'copy', 'deepcopy']


class Error(Exception):
    pass


error = Error
_PLAIN = (type(None), int, float, bool, complex, str, bytes, type, range, slice, type(...), type(NotImplemented),
          type(lambda: 0), type(len), property)


def copy(x):
    cls = type(x)
    if isinstance(x, _PLAIN) or cls in (tuple, frozenset):
        return x
    if cls in (list, dict, set):
        return x.copy()
    method = getattr(cls, '__copy__', None)
    if method is not None:
        return method(x)
    return _reconstruct(x, cls, None)


def deepcopy(x, memo=None, _nil=[]):
    if memo is None:
        memo = {}
    key = id(x)
    done = memo.get(key, _nil)
    if done is not _nil:
        return done
    cls = type(x)
    if isinstance(x, _PLAIN):
        return x
    if cls is list:
        result = memo[key] = []
        for value in x:
            result.append(deepcopy(value, memo))
    elif cls is dict:
        result = memo[key] = {}
        for name, value in x.items():
            result[deepcopy(name, memo)] = deepcopy(value, memo)
    elif cls is tuple:
        values = [deepcopy(value, memo) for value in x]
        done = memo.get(key, _nil)
        if done is not _nil:
            return done
        result = x if all(a is b for a, b in zip(x, values)) else tuple(values)
    elif hasattr(cls, '__deepcopy__'):
        result = cls.__deepcopy__(x, memo)
    elif cls in (set, frozenset):
        result = cls([deepcopy(value, memo) for value in x])
    elif hasattr(x, '__func__') and hasattr(x, '__self__'):
        result = type(x)(x.__func__, deepcopy(x.__self__, memo))
    else:
        return _reconstruct(x, cls, memo)
    memo[key] = result
    # The memo keeps what was copied alive, so that its id is not given again.
    memo.setdefault(id(memo), []).append(x)
    return result


def _slot_names(cls):
    """The attributes that the classes of an object declare in `__slots__`, private ones under their full names."""
    for base in cls.__mro__:
        names = base.__dict__.get('__slots__', ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ('__dict__', '__weakref__'):
                private = name.startswith('__') and not name.endswith('__') and base.__name__.strip('_')
                yield '_' + base.__name__.lstrip('_') + name if private else name


def _reconstruct(x, cls, memo):
    def inner(value):
        return value if memo is None else deepcopy(value, memo)

    reduce = getattr(cls, '__reduce_ex__', None)
    if reduce is not None and reduce is not getattr(object, '__reduce_ex__', None):
        made = reduce(x, 4)
    elif getattr(cls, '__reduce__', None) is not getattr(object, '__reduce__', None):
        made = cls.__reduce__(x)
    else:
        made = None
    if isinstance(made, str):
        return x
    if made is not None:
        function, args, state, items, pairs = (*made, None, None, None)[:5]
        result = function(*[inner(arg) for arg in args])
    else:
        if isinstance(x, BaseException):
            result = cls(*inner(x.args))
        else:
            if hasattr(cls, '__getnewargs__'):
                new_args = [inner(arg) for arg in x.__getnewargs__()]
            else:
                new_args = [tuple(map(inner, x))] if isinstance(x, tuple) else []
            result = cls.__new__(cls, *new_args)
        own_state = getattr(cls, '__getstate__', None)
        if own_state is not None and own_state is not getattr(object, '__getstate__', None):
            state = x.__getstate__()
        else:
            state = dict(getattr(x, '__dict__', None) or {}) or None
            slots = {name: getattr(x, name) for name in _slot_names(cls) if hasattr(x, name)}
            if slots:
                state = (state, slots)
        items = list(x) if isinstance(x, list) else None
        pairs = list(x.items()) if isinstance(x, dict) else None
        if isinstance(x, (set, frozenset)) and not isinstance(result, frozenset):
            result.update(inner(list(x)))
    if memo is not None:
        memo[id(x)] = result
        memo.setdefault(id(memo), []).append(x)
    if state is not None:
        state = inner(state)
        if hasattr(result, '__setstate__'):
            result.__setstate__(state)
        else:
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            if state is not None:
                result.__dict__.update(state)
            for name, value in (slots or {}).items():
                setattr(result, name, value)
    for value in items or ():
        result.append(inner(value))
    for name, value in pairs or ():
        result[inner(name)] = inner(value)
    return result
