"""Shallow and deep copies."""

import copyreg

__all__ = ['Error', 'copy', 'deepcopy']


class Error(Exception):
    pass


error = Error
_PLAIN = (type(None), int, float, bool, complex, str, bytes, tuple, frozenset, type, range, slice, property, type(...), type(NotImplemented),
          type(lambda: 0), type(len))
_NOT_DEEP = {tuple, frozenset, slice}


def _is_plain(cls):
    return cls in _PLAIN or issubclass(cls, type)


def _reduced(x, cls):
    reduce = copyreg.dispatch_table.get(cls)
    if reduce is not None:
        return reduce(x)
    if getattr(x, '__reduce_ex__', None) is not None:
        return x.__reduce_ex__(4)
    if getattr(x, '__reduce__', None):
        return x.__reduce__()
    raise Error(f'un(deep)copyable object of type {cls}')


def copy(x):
    cls = type(x)
    if _is_plain(cls):
        return x
    if cls in (list, dict, set, bytearray):
        return x.copy()
    method = getattr(cls, '__copy__', None)
    if method is not None:
        return method(x)
    made = _reduced(x, cls)
    return x if isinstance(made, str) else _reconstruct(x, None, *made)


def deepcopy(x, memo=None, _nil=[]):
    if memo is None:
        memo = {}
    key = id(x)
    done = memo.get(key, _nil)
    if done is not _nil:
        return done
    cls = type(x)
    if _is_plain(cls) and cls not in _NOT_DEEP:
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
    elif cls is type(_keep.__get__(0)):
        result = cls(x.__func__, deepcopy(x.__self__, memo))
    elif getattr(x, '__deepcopy__', None) is not None:
        result = x.__deepcopy__(memo)
    else:
        made = _reduced(x, cls)
        result = x if isinstance(made, str) else _reconstruct(x, memo, *made)
    if result is not x:
        memo[key] = result
        _keep(x, memo)
    return result


def _keep(x, memo):
    # The memo keeps what was copied alive, so that its id is not given again.
    memo.setdefault(id(memo), []).append(x)


def _reconstruct(x, memo, func, args, state=None, listiter=None, dictiter=None):
    def inner(value):
        return value if memo is None else deepcopy(value, memo)

    y = func(*[inner(arg) for arg in args])
    if memo is not None:
        memo[id(x)] = y
    if state is not None:
        state = inner(state)
        if hasattr(y, '__setstate__'):
            y.__setstate__(state)
        else:
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            if state is not None:
                y.__dict__.update(state)
            for name, value in (slots or {}).items():
                setattr(y, name, value)
    for value in listiter or ():
        y.append(inner(value))
    for name, value in dictiter or ():
        y[inner(name)] = inner(value)
    return y
